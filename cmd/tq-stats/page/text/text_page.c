/* text_page.c - the page on a terminal */

#include <ctype.h>

#include "gpu_time.h"
#include "grid.h"
#include "tq/show/amount.h"
#include "tq/show/escape.h"
#include "prose.h"
#include "tq/show/display.h"
#include "text_page.h"

enum {
	FINDING_TEXT = 12, /* column of its first line */
	FINDING_NEXT = 11, /* of the others */
	DIGEST_NEXT = 2,
	DIGEST_ROWS = 5, /* of a table, at most */
	SAYS = 47        /* column of a command's purpose */
};

struct text_page {
	const struct page *page;
	const struct terminal *on;
	struct text *t;
	struct text scratch;
	bool digest; /* each command is one line */
};

/* Append a line, cut where a terminal is not as wide. */
static void
add_line(struct text_page *w, enum ink ink, struct span s)
{
	struct text line = {0};

	display_add_cut(&line, s, w->on->is ? w->on->width : SIZE_MAX,
	    DISPLAY_CUT, ink_ellipsis(w->on));
	ink_add(w->t, w->on, ink, text_span(&line));
	text_add_char(w->t, '\n');
	text_free(&line);
}

/* Append a text of the stream in lines. */
static void
add_prose(struct text_page *w, enum ink ink, struct span s)
{
	w->scratch.len = 0;
	escape_terminal(&w->scratch, s);
	prose_add(w->t, w->on, ink, text_span(&w->scratch), 0, 0);
}

/* Append an empty line and a title, with what its shares are of if it fits. */
static void
add_title(struct text_page *w, const char *title, struct span of)
{
	size_t width = display_width(of) + strlen(title) + 2;

	text_add_char(w->t, '\n');
	ink_add(w->t, w->on, INK_BOLD, span_of(title));
	if (of.len > 0 && width <= w->on->width) {
		text_add_str(w->t, "  ");
		text_add_span(w->t, of);
	}
	text_add_char(w->t, '\n');
}

/* ---- the header ---- */

static void
add_gpu_fact(struct text *t, const struct page *p)
{
	amount_of(t, (int64_t)p->gpu_count, "GPU", "GPUs");
	if (p->model.len == 0)
		return;
	text_add_str(t, " (");
	escape_terminal(t, p->model);
	text_add_char(t, ')');
}

static void
add_loss_fact(struct text *t, const struct page *p)
{
	if (p->lost > 0) {
		amount_of(t, p->lost, "event", "events");
		text_add_str(t, " lost");
	} else if (p->cut)
		text_add_str(t, "cut before its end");
	else
		text_add_str(t, p->doubt != NULL ? p->doubt : "nothing lost");
}

/* "300 ms recorded · 2 GPUs · 5,299 operations · nothing lost" */
static void
add_facts(struct text_page *w)
{
	enum { MOST = 5 };
	const struct page *p = w->page;
	struct prose_item items[MOST];
	struct text facts[MOST] = {{0}}, separator = {0};
	size_t n = 0;

	if (!p->untimed) {
		amount_time(&facts[n], p->recorded);
		text_add_str(&facts[n++], " recorded");
	}
	if (p->active_only) {
		amount_time(&facts[n], p->active);
		text_add_str(&facts[n++], " active");
	}
	if (p->gpu_count > 0) {
		add_gpu_fact(&facts[n++], p);
		amount_of(
		    &facts[n++], p->operations, "operation", "operations");
	}
	add_loss_fact(&facts[n++], p);
	for (size_t i = 0; i < n; i++)
		items[i] =
		    (struct prose_item){INK_PLAIN, "", text_span(&facts[i])};
	if (p->lost > 0 || p->cut || p->doubt != NULL)
		items[n - 1].ink = INK_RED;
	text_printf(&separator, " %s ", ink_dot(w->on));
	text_add_char(&separator, '\0');
	prose_add_list(w->t, w->on, items, n, separator.p, 0);
	for (size_t i = 0; i < n; i++)
		text_free(&facts[i]);
	text_free(&separator);
}

static void
add_header(struct text_page *w)
{
	const struct page *p = w->page;

	w->scratch.len = 0;
	if (p->traces == 1 && p->file.len > 0 && p->command.len > 0) {
		escape_terminal(&w->scratch, p->file);
		text_add_str(&w->scratch, ": ");
	}
	escape_terminal(
	    &w->scratch, p->command.len > 0 ? p->command : p->title);
	add_line(w, INK_PLAIN, text_span(&w->scratch));
	add_facts(w);
}

/* A line for each of several recordings, where they are not of one job. */
static void
add_listed(struct text_page *w)
{
	for (size_t i = 0; i < w->page->listed; i++)
		add_prose(w, INK_GREY, w->page->recorded_lines[i].text);
}

/* ---- the verdict and the findings ---- */

static void
add_verdict(struct text_page *w)
{
	const struct page *p = w->page;
	struct text *t = &w->scratch;

	t->len = 0;
	if (p->verb_count == 0)
		escape_terminal(t, p->sentence);
	else
		text_add_str(t, p->subject);
	for (size_t i = 0; i < p->verb_count; i++) {
		text_printf(t, "%s %s ", i > 0 ? "," : "", p->verbs[i].verb);
		amount_share(t, p->verbs[i].time, p->time_of);
		text_add_str(t, i > 0 ? " %" : " % of the time");
	}
	if (p->verb_count > 0)
		text_add_char(t, '.');
	if (p->start_up.len > 0) {
		text_add_char(t, ' ');
		text_add_span(t, p->start_up);
		text_add_char(t, '.');
	}
	text_add_char(w->t, '\n');
	prose_add(w->t, w->on, INK_BOLD, text_span(t), 0, 0);
}

/* Red from 20 % of the time on, yellow from 5 %. */
static enum ink
finding_ink(const struct page_finding *f)
{
	dist_wide cost = f->cost;

	if (f->loss)
		return INK_RED;
	if (f->note)
		return INK_GREY;
	if (cost * 100 >= (dist_wide)f->of * 20 && f->most >= 3)
		return INK_RED;
	return cost * 100 >= (dist_wide)f->of * 5 ? INK_YELLOW : INK_CYAN;
}

/* " 1   7.9 %  ", " 3    note  " */
static void
add_finding_share(struct text_page *w, const struct page_finding *f, size_t n)
{
	struct text share = {0};

	if (!f->note)
		amount_share(&share, f->cost, f->of);
	text_add_str(&share, f->note ? "note" : " %");
	text_printf(w->t, "%2zu", n);
	w->scratch.len = 0;
	display_add_right(&w->scratch, text_span(&share), 8);
	ink_add(w->t, w->on, finding_ink(f), text_span(&w->scratch));
	text_add_str(w->t, "  ");
	text_free(&share);
}

/* True if a unit stands at the start of s. */
static bool
begins_with_unit(struct span s)
{
	static const char *const units[] = {
	    "ns", "us", "ms", "s", "%", "B", "kB", "MB", "GB", "TB"};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t n = strlen(units[i]);

		if (s.len >= n && memcmp(s.p, units[i], n) == 0 &&
		    (s.len == n || !isalnum((unsigned char)s.p[n])))
			return true;
	}
	return false;
}

/* A number and its unit stay in one line. */
static void
add_part(struct text *t, const struct page_part *part)
{
	size_t start = t->len;

	escape_terminal(t, part->text);
	for (size_t i = start; i < t->len; i++)
		if (t->p[i] == ' ' &&
		    (part->kind == PAGE_NUMBER ||
			(i > start && isdigit((unsigned char)t->p[i - 1]) &&
			    begins_with_unit(
				(struct span){t->p + i + 1, t->len - i - 1}))))
			t->p[i] = PROSE_TIED;
}

/* "  $ tq stats -r gaps r.sqlite" */
static void
add_command_line(struct text_page *w, struct span command)
{
	display_fill(w->t, DIGEST_NEXT, ' ');
	text_add_str(w->t, "$ ");
	escape_terminal(w->t, command);
	text_add_char(w->t, '\n');
}

static void
add_finding(struct text_page *w, const struct page_finding *f, size_t n)
{
	struct text *t = &w->scratch;

	add_finding_share(w, f, n);
	t->len = 0;
	escape_terminal(t, f->title);
	text_add_str(t, ". ");
	for (size_t i = 0; i < f->count; i++)
		add_part(t, &f->parts[i]);
	prose_add(w->t, w->on, INK_PLAIN, text_span(t), FINDING_TEXT,
	    w->digest ? DIGEST_NEXT : FINDING_NEXT);
	if (f->command.len > 0 && w->digest)
		add_command_line(w, f->command);
	else if (f->command.len > 0)
		prose_add_command(w->t, w->on, f->command, FINDING_NEXT);
}

/* "One-time: 82.4 %" above the first finding of a group */
static void
add_group(struct text_page *w, const struct page_group *g)
{
	struct text *t = &w->scratch;

	if (g->title == NULL)
		return;
	t->len = 0;
	text_add_str(t, g->title);
	if (g->of > 0) {
		text_add_str(t, ", ");
		amount_share(t, g->cost, g->of);
		text_add_str(t, " %");
	}
	text_add_char(t, ':');
	add_line(w, INK_BOLD, text_span(t));
}

static void
add_base(struct text_page *w)
{
	add_prose(w, INK_GREY, w->page->base);
}

static void
add_findings(struct text_page *w)
{
	const struct page *p = w->page;

	if (p->base.len > 0)
		add_base(w);
	if (p->finding_count > 0)
		text_add_char(w->t, '\n');
	for (size_t i = 0; i < p->finding_count; i++) {
		struct page_group g = findings_group(p, i);

		add_group(w, &g);
		add_finding(w, &p->findings[i], i + 1);
	}
}

/* ---- tables ---- */

static void
add_table(struct text_page *w, const struct page_table *table)
{
	if (table->count == 0)
		return;
	add_title(w, table->title, table->of);
	grid_add(w->t, w->on, w->page, table);
}

/* "4.49 ms at 60.402 s on GPU 0: host, before elementwise in aten::add" */
static void
add_gap(struct text_page *w, const struct page_gap *g)
{
	struct text *t = &w->scratch;

	t->len = 0;
	text_add_str(t, "  ");
	amount_time(t, g->dur);
	text_add_str(t, " at ");
	amount_moment(t, g->at);
	text_add_str(t, " on ");
	escape_terminal(t, g->gpu);
	text_printf(t, ": %s", g->cause);
	if (g->thing.len > 0)
		text_add_str(t, ", ");
	escape_terminal(t, g->thing);
	if (g->before.len > 0)
		text_add_str(t, ", before ");
	escape_terminal(t, g->before);
	if (g->range.len > 0)
		text_add_str(t, " in ");
	escape_terminal(t, g->range);
	add_line(w, INK_PLAIN, text_span(t));
}

/* ---- the end ---- */

static void
add_recorded(struct text_page *w)
{
	const struct page *p = w->page;

	if (p->recorded_count > p->listed)
		add_title(w, "RECORDED", (struct span){0});
	for (size_t i = p->listed; i < p->recorded_count; i++) {
		const struct page_line *line = &p->recorded_lines[i];

		if (line->command.len > 0)
			prose_add_more(w->t, w->on, line->text, line->command);
		else
			add_prose(w, INK_PLAIN, line->text);
	}
}

/* The column of what commands are for. */
static size_t
go_on_column(const struct text_page *w)
{
	size_t width = w->on->width, most = 0;

	for (size_t i = 0; i < w->page->go_on_count; i++)
		if (strlen(w->page->go_on[i].says) > most)
			most = strlen(w->page->go_on[i].says);
	return SAYS + most <= width ? SAYS : width > most ? width - most : 0;
}

/* A command, and its purpose; in the next line if they do not fit. */
static void
add_go_on(struct text_page *w, const struct page_command *c)
{
	size_t column = go_on_column(w), width;

	w->scratch.len = 0;
	escape_terminal(&w->scratch, c->command);
	width = display_width(text_span(&w->scratch));
	ink_add(w->t, w->on, INK_GREY, text_span(&w->scratch));
	if (width + 2 <= column)
		display_fill(w->t, column - width, ' ');
	else
		text_add_str(w->t, "\n    ");
	text_add_str(w->t, c->says);
	text_add_char(w->t, '\n');
}

void
text_page_add(struct text *t, const struct terminal *on, const struct page *p)
{
	const struct page_table *const tables[] = {
	    &p->copies, &p->calls, &p->os_calls, &p->steps, &p->ranges};
	struct text_page w = {.page = p, .on = on, .t = t};

	add_header(&w);
	add_listed(&w);
	add_verdict(&w);
	add_findings(&w);
	add_table(&w, &p->serving);
	if (p->shown_gpu_count > 0) {
		add_title(&w, "GPU TIME", p->time_of_text);
		gpu_time_add(t, on, p);
	}
	add_table(&w, &p->stragglers);
	add_table(&w, &p->beside);
	add_table(&w, &p->collectives);
	if (p->gpu_count == 0)
		add_table(&w, &p->functions);
	add_table(&w, &p->operators);
	add_table(&w, &p->graphs);
	add_table(&w, &p->kernels);
	add_table(&w, &p->waits);
	for (size_t i = 0; i < p->gap_count && p->waits.count > 0; i++)
		add_gap(&w, &p->gaps[i]);
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		add_table(&w, tables[i]);
	if (p->gpu_count > 0)
		add_table(&w, &p->functions);
	add_recorded(&w);
	if (p->go_on_count > 0)
		add_title(&w, "GO ON", (struct span){0});
	for (size_t i = 0; i < p->go_on_count; i++)
		add_go_on(&w, &p->go_on[i]);
	text_free(&w.scratch);
}

/* ---- the digest ---- */

/* what a digest may still have */
struct digest {
	struct text_page w;
	struct page page; /* with tables of fewer rows */
	size_t start, end;
};

/* What was added behind before, or nothing of it where it is too much. */
static bool
keep(struct digest *d, size_t before, size_t end)
{
	if (d->w.t->len <= end)
		return true;
	d->w.t->len = before;
	return false;
}

static void
add_digest_line(struct digest *d, void (*add)(struct text_page *w))
{
	size_t before = d->w.t->len;

	add(&d->w);
	keep(d, before, d->end);
}

/* The findings that fit, in order, and how many do not. */
static void
add_digest_findings(struct digest *d)
{
	const struct page *p = &d->page;
	size_t n = 0, end = d->start + (d->end - d->start) / 10 * 6;

	for (; n < p->finding_count; n++) {
		struct page_group g = findings_group(p, n);
		size_t before = d->w.t->len;

		add_group(&d->w, &g);
		add_finding(&d->w, &p->findings[n], n + 1);
		if (!keep(d, before, n > 0 ? end : d->end))
			break;
	}
	if (n < p->finding_count) {
		size_t before = d->w.t->len;

		amount_of(d->w.t, (int64_t)(p->finding_count - n),
		    "more finding", "more findings");
		text_add_char(d->w.t, '\n');
		if (p->all_findings.len > 0)
			add_command_line(&d->w, p->all_findings);
		keep(d, before, d->end);
	}
}

/* A table with as many rows as fit, and the command that shows all. */
static void
add_digest_table(struct digest *d, struct page_table *table)
{
	struct text_page *w = &d->w;

	for (size_t rows = DIGEST_ROWS; table->count > 0 && rows > 0; rows--) {
		size_t before = w->t->len, shown = table->shown;

		table->shown = rows < shown ? rows : shown;
		add_title(w, table->title, table->of);
		/* all rows, and the command behind them */
		if (table->total > table->shown) {
			size_t total = table->total;

			table->total = 0; /* no line of grid_add() */
			grid_add(w->t, w->on, &d->page, table);
			table->total = total;
		} else {
			grid_add(w->t, w->on, &d->page, table);
		}
		if (table->more.len > 0)
			add_command_line(w, table->more);
		table->shown = shown;
		if (keep(d, before, d->end))
			return;
	}
}

void
text_page_digest(struct text *t, const struct terminal *on,
    const struct page *p, size_t size)
{
	struct terminal pipe = *on;
	struct digest d = {.page = *p, .start = t->len};
	struct page_table *const tables[] = {&d.page.serving,
	    &d.page.stragglers, &d.page.kernels, &d.page.beside,
	    &d.page.collectives, &d.page.waits, &d.page.copies, &d.page.calls,
	    &d.page.steps, &d.page.ranges, &d.page.operators, &d.page.graphs,
	    &d.page.functions, &d.page.os_calls};

	pipe.is = pipe.undrawn = true; /* names are cut */
	pipe.color = false;
	d.end = d.start + size;
	d.w = (struct text_page){
	    .page = &d.page, .on = &pipe, .t = t, .digest = true};
	add_digest_line(&d, add_header);
	add_digest_line(&d, add_listed);
	add_digest_line(&d, add_verdict);
	if (p->base.len > 0)
		add_digest_line(&d, add_base);
	add_digest_findings(&d);
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		add_digest_table(&d, tables[i]);
	text_free(&d.w.scratch);
}
