/* web_diff.c - a comparison as a page of HTML */

#include <stdlib.h>
#include <time.h>

#include "diff_tables.h"
#include "look_at.h"
#include "tq/base/mem.h"
#include "tq/base/time.h"
#include "tq/show/cells.h"
#include "tq/show/display.h"
#include "tq/show/escape.h"
#include "tq/show/html.h"
#include "unit_bars.h"
#include "waterfall.h"
#include "web_diff.h"
#include "web_rows.h"

enum {
	NAMES_MOST = 6, /* of recordings of a side */
	VALUE = 400     /* bytes of a fact */
};

/* of what only this page has */
static const char style[] =
    ".gp { --l: 76px; }\n"
    ".x { overflow-x: auto; }\n"
    ".cols { columns: 800px; }\n"
    ".wrap td.nm { white-space: normal; overflow-wrap: anywhere;\n"
    "\tpadding-right: 12px; }\n"
    ".bar i { text-overflow: ellipsis; }\n"
    ".chips { overflow-wrap: anywhere; }\n"
    ".chips span { min-width: 0; }\n"
    ".o { white-space: nowrap; }\n"
    ".wf { display: grid; gap: 7px 14px; align-items: center;\n"
    "\tgrid-template-columns: minmax(0, 24%) minmax(0, 1fr) max-content;\n"
    "\tfont-size: 14px; }\n"
    ".lab { line-height: 1.3; overflow-wrap: anywhere; }\n"
    ".lab small { display: block; color: var(--muted); font-size: 12px; }\n"
    ".lab.of { padding-left: 1.2em; color: var(--muted); }\n"
    ".tr { position: relative; height: 22px; background: var(--soft);\n"
    "\tborder-radius: 4px; }\n"
    ".lab.of + .tr { height: 12px; }\n"
    ".tr i { position: absolute; top: 2px; bottom: 2px; border-radius: 3px;\n"
    "\tbackground: var(--c); min-width: 2px; }\n"
    ".v { font-variant-numeric: tabular-nums; text-align: right; }\n"
    ".leg b { color: var(--ink); font-weight: 500;\n"
    "\tfont-variant-numeric: tabular-nums; }\n"
    ".us { display: flex; height: 44px; background: var(--soft);\n"
    "\tborder-radius: 4px; overflow: hidden; }\n"
    ".us i { display: flex; flex-direction: column-reverse; min-width: 1px;\n"
    "\tflex-shrink: 0; }\n"
    ".us b { background: var(--other); }\n"
    ".us .q0 { background: var(--compute); }\n"
    ".us .q1 { background: var(--comm); }\n"
    ".us .q2 { background: var(--copy); }\n"
    ".us .q3 { background: var(--sync); }\n"
    ".us .q4 { background: var(--host); }\n"
    ".us .q5 { background: var(--host); opacity: .55; }\n"
    "tfoot td { color: var(--muted); border-top: 1px solid var(--line); }\n"
    "td.nm { min-width: 120px; }\n"
    "td.note { color: var(--muted); font-size: 12.5px; line-height: 1.3; }\n"
    "td.long { white-space: normal; min-width: 130px; }\n"
    "dd b { color: var(--muted); font-weight: 600; }\n"
    "dd p { margin: 0; }\n"
    "@media (max-width: 1000px) {\n"
    "td.nm { white-space: normal; overflow-wrap: anywhere;\n"
    "\tpadding-right: 8px; }\n"
    "td.b { min-width: 40px; }\n"
    "}\n"
    "@media (max-width: 640px) {\n"
    "tfoot { display: block; border-top: 1px solid var(--line); }\n"
    "tfoot td { border: 0; }\n"
    ".x td, .x th { width: 25%; padding-left: 4px; }\n"
    ".x td.nm, .x th.nm { width: 100%; padding-left: 0; }\n"
    ".x td.b, .x th.b { flex: 0 0 25%; padding-left: 0; }\n"
    ".x .chg { order: 1; flex: 1 0 25%; }\n"
    ".x .mean { order: 2; }\n"
    ".x td.note { order: 3; width: 100%; text-align: left; padding: 0; }\n"
    "td.note:empty, th.note { display: none; }\n"
    ".wf { grid-template-columns: minmax(0, 1fr) max-content;\n"
    "\tgap: 3px 12px; }\n"
    ".lab { grid-column: 1 / -1; padding-top: 6px; }\n"
    ".lab small { display: inline; margin-left: .6em; }\n"
    "}\n";

/* A sentence, whose words like --per are not parted. */
static void
add_sentence(struct text *t, struct span s)
{
	while (s.len > 0) {
		bool option = span_begins(s, SPAN("--"));
		size_t n = 1;

		while (n < s.len &&
		       (option ? strchr(" ,;:)", s.p[n]) == NULL
			       : !span_begins((struct span){s.p + n, s.len - n},
				     SPAN("--"))))
			n++;
		text_add_str(t, option ? "<span class=\"o\">" : "");
		escape_html_cut(t, (struct span){s.p, n}, VALUE);
		text_add_str(t, option ? "</span>" : "");
		s = (struct span){s.p + n, s.len - n};
	}
}

/* ---- the recordings ---- */

static int
by_name(const void *x, const void *y)
{
	return span_cmp((*(struct account *const *)x)->name,
	    (*(struct account *const *)y)->name);
}

/* The file of a path. */
static struct span
base_name(struct span path)
{
	size_t at = path.len;

	while (at > 0 && path.p[at - 1] != '/')
		at--;
	return at < path.len ? (struct span){path.p + at, path.len - at} : path;
}

/* The names of the recordings of a side, in their order, as text. */
static void
add_names(struct text *t, const struct accounts *side, bool base)
{
	struct account **order =
	    mem_resize(NULL, side->count + 1, sizeof(struct account *));

	if (side->count > 0)
		memcpy(
		    order, side->all, side->count * sizeof(struct account *));
	qsort(order, side->count, sizeof(struct account *), by_name);
	for (size_t i = 0; i < side->count && i < NAMES_MOST; i++) {
		text_add_str(t, i > 0 ? (base ? ", " : " ") : "");
		text_add_span(
		    t, base ? base_name(order[i]->name) : order[i]->name);
	}
	if (side->count > NAMES_MOST)
		text_printf(t, base ? " and %zu more" : " ... (%zu more)",
		    side->count - NAMES_MOST);
	free(order);
}

/* "2026-11-27 13:14 UTC" of the recording that began first, if one says so */
static void
add_date(struct text *t, const struct accounts *side)
{
	int64_t first = INT64_MAX;
	char date[64];
	struct tm tm;
	time_t at;

	for (size_t i = 0; i < side->count; i++) {
		int64_t ns = account_fact_int(side->all[i], "origin_utc_ns", 0);

		if (ns > 0 && ns < first)
			first = ns;
	}
	at = (time_t)(first / 1000000000);
	if (first < INT64_MAX && gmtime_r(&at, &tm) != NULL &&
	    strftime(date, sizeof(date), "%Y-%m-%d %H:%M UTC", &tm) > 0)
		text_printf(t, "%s%s", t->len > 0 ? ", " : "", date);
}

/* The result of a check by its name, or NULL. */
static const struct check_result *
find_check(const struct comparison *c, const char *name)
{
	for (size_t i = 0; i < c->checks.count; i++)
		if (strcmp(c->checks.all[i].name, name) == 0)
			return &c->checks.all[i];
	return NULL;
}

static void
add_side_chip(struct text *t, const struct comparison *c, int side)
{
	static const char *const facts[] = {"command", "device"};
	const struct accounts *all = c->match.sides[side];
	struct text words = {0};

	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
		const struct check_result *k = find_check(c, facts[i]);
		struct span v = k == NULL        ? SPAN("")
				: side == SIDE_A ? k->a
						 : k->b;

		if (v.len == 0)
			continue;
		text_add_str(&words, words.len > 0 ? ", " : "");
		display_add_cut(
		    &words, v, HTML_NAME / 2, DISPLAY_CUT, "\xe2\x80\xa6");
	}
	add_date(&words, all);
	text_printf(t, "<span><b>%s</b> ", side == SIDE_A ? "A" : "B");
	if (all->count > 1)
		text_printf(t, "%zu recordings%s", all->count,
		    words.len > 0 ? ": " : "");
	escape_html_cut(t, text_span(&words), 2 * HTML_NAME);
	text_add_str(t, "</span>\n");
	text_free(&words);
}

static void
add_unit_chip(struct text *t, const struct comparison *c)
{
	static const char *const units[ACCOUNT_BYS] = {
	    [ACCOUNT_BY_STEP] = "step by step",
	    [ACCOUNT_BY_KERNEL] = "by the period of the launches",
	    [ACCOUNT_BY_RANGE] = "range by range",
	    [ACCOUNT_BY_GRAPH] = "graph by graph",
	    [ACCOUNT_BY_SPAN] = "from first to last operation of a device",
	    [ACCOUNT_BY_LAUNCH] = "launch by launch"};
	const char *unit = units[comparison_by(c)];

	if (match_on_host(&c->match) && comparison_by(c) == ACCOUNT_BY_SPAN)
		unit = "from the first call or range to the last";
	text_printf(t, "<span>compared %s</span>\n", unit);
}

/* What takes something away from the recordings. */
static void
add_losses(struct text *t, const struct comparison *c)
{
	static const char *const names[] = {"losses", "failed-calls",
	    "merged-ranks", "launches-without-operation",
	    "impossible-durations", "operations-without-time", "clocks-differ"};
	bool complete = !comparison_refused(c);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct check_result *k = find_check(c, names[i]);

		if (k == NULL || k->state != CHECK_DIFFERS)
			continue;
		complete = false;
		text_printf(t, "<span class=\"bad\">%s</span>\n", k->name);
	}
	if (complete)
		text_add_str(
		    t, "<span class=\"ok\">complete on both sides</span>\n");
}

static const char *
verdict_color(const struct verdict *v)
{
	if (verdict_slower(v))
		return "var(--host)";
	if (verdict_faster(v))
		return "var(--copy)";
	return v->word == VERDICT_NO_CHANGE ? "var(--compute)" : "var(--other)";
}

static void
add_header(struct text *t, const struct comparison *c)
{
	const struct accounts *const *sides = c->match.sides;
	bool several = sides[SIDE_A]->count > 1 || sides[SIDE_B]->count > 1;
	struct text words = {0};

	text_add_str(&words, "tq diff ");
	add_names(&words, sides[SIDE_A], false);
	text_add_str(&words, several ? " : " : " ");
	add_names(&words, sides[SIDE_B], false);
	text_add_str(t, "<header><div class=\"m\">");
	escape_html_cut(t, text_span(&words), HTML_COMMAND);
	text_add_str(t, "</div>\n<div class=\"chips\">\n");
	for (int side = 0; side < SIDES; side++)
		add_side_chip(t, c, side);
	add_unit_chip(t, c);
	add_losses(t, c);
	text_printf(
	    t, "</div>\n<h1><i style=\"--c:%s\"></i>", verdict_color(&c->wall));
	words.len = 0;
	sections_add_verdict(&words, c);
	add_sentence(t, text_span(&words));
	text_add_str(t, "</h1>\n</header>\n");
	text_free(&words);
}

/* ---- cards ---- */

static void
add_gates(struct text *t, const struct gates *g)
{
	struct text line = {0};

	if (g->count == 0)
		return;
	html_card(t, SPAN("Gates"), SPAN(""));
	for (size_t i = 0; i < g->count; i++) {
		line.len = 0;
		gate_add_text(&line, &g->all[i]);
		text_printf(t, "<div class=\"m %s\">",
		    g->all[i].result == GATE_HELD ? "ok" : "bad");
		escape_html(t, text_span(&line));
		text_add_str(t, "</div>\n");
	}
	text_add_str(t, "</section>\n");
	text_free(&line);
}

/* A term of a list, if its text is not empty, which is so then. */
static void
add_term(struct text *t, const char *name, struct text *value)
{
	if (value->len > 0) {
		text_printf(t, "<dt>%s</dt><dd>", name);
		escape_html_cut(t, text_span(value), VALUE);
		text_add_str(t, "</dd>\n");
	}
	value->len = 0;
}

static int
by_value(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* The walls of the recordings of a side, the fastest first. */
static void
add_walls(struct text *v, const struct comparison *c, int side)
{
	const struct accounts *all = c->match.sides[side];
	double *walls = mem_resize(NULL, all->count + 1, sizeof(*walls));

	for (size_t i = 0; i < all->count; i++)
		walls[i] = comparison_wall(all->all[i]);
	qsort(walls, all->count, sizeof(*walls), by_value);
	for (size_t i = 0; i < all->count && i < 2 * NAMES_MOST; i++) {
		text_add_str(v, i > 0 ? ", " : "");
		cells_add_fixed(
		    v, (int64_t)(walls[i] / (double)sections_unit(c) + .5), 3);
	}
	text_add_str(v, all->count > 2 * NAMES_MOST ? " ... " : " ");
	text_add_str(v, sections_unit_name(c));
	free(walls);
}

/* The names of the checks in a state. */
static void
add_checks_in(
    struct text *v, const struct comparison *c, enum check_state state)
{
	for (size_t i = 0; i < c->checks.count; i++) {
		const struct check_result *k = &c->checks.all[i];

		if (k->state != state)
			continue;
		text_add_str(v, v->len > 0 ? ", " : "");
		text_add_str(v, k->name);
	}
}

static void
add_how_sure(struct text *t, const struct comparison *c)
{
	struct text v = {0};
	struct table lines;

	html_card(t, SPAN("How sure"), SPAN(""));
	text_add_str(t, "<dl>\n");
	diff_tables_summary(&lines, c);
	for (size_t i = 0; i < table_rows(&lines); i++) {
		const struct table_cell *cells = table_row(&lines, i);

		text_add_str(t, "<dt>");
		escape_html(t, table_cell_text(&lines, &cells[0]));
		text_add_str(t, "</dt><dd>");
		escape_html_cut(t, table_cell_text(&lines, &cells[1]), VALUE);
		text_add_str(t, "</dd>\n");
	}
	table_free(&lines);
	if (!comparison_refused(c) && comparison_by(c) != ACCOUNT_BY_LAUNCH) {
		add_walls(&v, c, SIDE_A);
		add_term(t, "recordings of A", &v);
		add_walls(&v, c, SIDE_B);
		add_term(t, "recordings of B", &v);
	}
	add_checks_in(&v, c, CHECK_SAME);
	add_term(t, "the same", &v);
	add_checks_in(&v, c, CHECK_UNKNOWN);
	add_term(t, "unknown", &v);
	text_add_str(t, "</dl>\n</section>\n");
	text_free(&v);
}

static void
add_value(struct text *t, const char *side, struct span v)
{
	text_printf(t, "<p>%s%s%s", *side != '\0' ? "<b>" : "", side,
	    *side != '\0' ? "</b> " : "");
	escape_html_cut(t, v, VALUE);
	text_add_str(t, "</p>");
}

static void
add_differences(struct text *t, const struct comparison *c)
{
	bool any = false;

	for (size_t i = 0; i < c->checks.count; i++) {
		const struct check_result *k = &c->checks.all[i];

		if (k->state != CHECK_DIFFERS)
			continue;
		if (!any) {
			html_card(t, SPAN("Checks"), SPAN("what differs"));
			text_add_str(t, "<dl>\n");
		}
		any = true;
		text_printf(t, "<dt>%s</dt><dd>", k->name);
		if (!span_eq(k->a, k->b)) {
			add_value(t, "A", k->a);
			add_value(t, "B", k->b);
		} else if (k->a.len > 0) {
			add_value(t, "", k->a);
		}
		add_sentence(t, k->says);
		text_add_str(t, "</dd>\n");
	}
	text_add_str(t, any ? "</dl>\n</section>\n" : "");
}

/* ---- tables ---- */

/* the text behind the title of a table, and the colour of its bars */
static void
add_rows(struct text *t, struct table *table, size_t sums)
{
	struct web_rows w = {.sums = sums,
	    .of = "by what they add to a unit",
	    .color = "var(--other)"};

	if (strcmp(table->title, "Slower") == 0)
		w.color = "var(--host)";
	else if (strcmp(table->title, "Faster") == 0)
		w.color = "var(--copy)";
	web_rows_add(t, table, &w);
}

static void
add_host(struct text *t, const struct comparison *c)
{
	struct table table;

	diff_tables_host(&table, c, false);
	web_rows_add(t, &table,
	    &(struct web_rows){.of = "ranges and calls whose time changed most",
		.color = "var(--host)",
		.wrap = true});
}

static void
add_devices(struct text *t, const struct comparison *c)
{
	struct table table;
	size_t sums =
	    diff_tables_devices(&table, c, &(struct diff_look){0, false});

	web_rows_add(t, &table,
	    &(struct web_rows){
		.of = "what the change of each is the sum of", .sums = sums});
}

static void
add_look(struct text *t, struct span command, size_t nth)
{
	if (nth == 0)
		html_card(t, SPAN("Look at"), SPAN(""));
	html_command(t, command);
}

static void
add_compared(
    struct text *t, const struct comparison *c, const struct screen_settings *s)
{
	bool launches = comparison_by(c) == ACCOUNT_BY_LAUNCH;

	if (!launches) {
		waterfall_add(t, c);
		unit_bars_add(t, c);
	}
	text_add_str(t, "<div class=\"cols\">\n");
	if (!launches) {
		add_host(t, c);
		add_how_sure(t, c);
	}
	diff_tables_each(t, c, &(struct diff_look){s->rows, false}, add_rows);
	if (!launches)
		add_devices(t, c);
	else
		add_how_sure(t, c);
	add_differences(t, c);
	if (look_at_each(t, c, s, add_look) > 0)
		text_add_str(t, "</section>\n");
	text_add_str(t, "</div>\n");
}

void
web_diff_add(
    struct text *t, const struct comparison *c, const struct screen_settings *s)
{
	struct text title = {0};

	add_names(&title, c->match.sides[SIDE_A], true);
	text_add_str(&title, " and ");
	add_names(&title, c->match.sides[SIDE_B], true);
	title.len = display_head(text_span(&title), HTML_NAME);
	text_add_str(&title, " - tq-diff");
	html_head(t, text_span(&title));
	html_cards(t);
	text_add_str(t, style);
	html_body(t);
	text_free(&title);
	text_add_str(t, "<div class=\"w\">\n");
	add_header(t, c);
	text_add_str(t, "<main class=\"g\">\n");
	add_gates(t, s->gates);
	if (comparison_refused(c)) {
		text_add_str(t, "<div class=\"cols\">\n");
		add_differences(t, c);
		add_how_sure(t, c);
		text_add_str(t, "</div>\n");
	} else {
		add_compared(t, c, s);
	}
	text_add_str(t, "</main>\n</div>\n");
	html_cards_end(t);
}
