/* comment.c - a comparison as Markdown, for a pull request */

#include <stdlib.h>

#include "comment.h"
#include "records.h"
#include "sections.h"
#include "tq/show/display.h"
#include "tq/show/escape.h"

/* ROOM: bytes that the checks, and a row, may need */
enum { NAME_MOST = 120, ROOM = 24000, DEVICES_MOST = 32 };

/* A text in a cell, cut after NAME_MOST columns. */
static void
add_cell(struct text *t, struct span s)
{
	escape_markdown(t, (struct span){s.p, display_head(s, NAME_MOST)});
}

static void
add_mean(struct text *t, const struct match_row *m, int side)
{
	if (m->on[side].n > 0)
		text_printf(t, "%.3f",
		    (double)m->on[side].dur / (double)m->on[side].n / 1000);
}

static void
add_row(struct text *t, const struct comparison *c, size_t i, int64_t delta)
{
	const struct match_row *m = &c->match.rows[i];

	text_add_str(t, "| ");
	add_cell(t, m->name);
	text_add_str(t, " | ");
	sections_add_signed(t, delta);
	for (int side = 0; side < SIDES; side++)
		text_printf(t, " | %.4g",
		    (double)m->on[side].n / (double)c->terms.units[side]);
	for (int side = 0; side < SIDES; side++) {
		text_add_str(t, " | ");
		add_mean(t, m, side);
	}
	text_add_str(t, " | ");
	if (m->on[SIDE_A].dur > 0 && m->on[SIDE_A].n > 0 && m->on[SIDE_B].n > 0)
		sections_add_percent(t,
		    (double)m->on[SIDE_B].dur / (double)m->on[SIDE_B].n /
			((double)m->on[SIDE_A].dur / (double)m->on[SIDE_A].n));
	text_add_str(t, " | ");
	if (sections_has_clock(c, m))
		sections_add_percent(t, sections_at_equal_clock(c, m));
	text_add_str(t, c->checks.clock > 0 ? " | " : "");
	sections_add_note(t, c, i);
	text_add_str(t, " |\n");
}

static void
add_rows(struct text *t, const struct comparison *c, const int64_t *deltas,
    enum sections_table table, size_t most)
{
	struct sections_rows r;

	sections_rows(&r, c, deltas, table, most);
	if (r.count > 0)
		text_printf(t,
		    "\n| %s | %s | Launches A | B | Mean us A | B | Change |%s "
		    "|\n|---|--:|--:|--:|--:|--:|--:|%s---|\n",
		    r.title, sections_unit_name(c),
		    c->checks.clock > 0 ? " At equal clock |" : "",
		    c->checks.clock > 0 ? "--:|" : "");
	for (size_t i = 0; i < r.count; i++) {
		if (t->len > COMMENT_MOST - ROOM) {
			r.hidden++;
			r.others = terms_sum(r.others, deltas[r.rows[i]]);
		} else
			add_row(t, c, r.rows[i], deltas[r.rows[i]]);
	}
	if (r.hidden > 0) {
		text_printf(t, "| %zu others | ", r.hidden);
		sections_add_signed(t, r.others);
		text_add_str(t, " | | | | | | |\n");
	}
	sections_rows_free(&r);
}

static void
add_sum(struct text *t, const struct comparison *c)
{
	struct sections_sum sum;

	sections_sum(&sum, c);
	text_printf(t, "\n| Sum of a %s | %s |\n|---|--:|\n",
	    sections_unit_word(c), sections_unit_name(c));
	for (size_t i = 0; i < sum.count; i++) {
		text_printf(t, "| %s%s | ",
		    sum.lines[i].of_per_call ? "of these: " : "",
		    sum.lines[i].name);
		sections_add_signed(t, sum.lines[i].value);
		text_add_str(t, " |\n");
	}
	text_add_str(t, "| **all** | ");
	sections_add_signed(t, sum.total);
	text_add_str(t, " |\n");
}

static void
add_device(struct text *t, const struct comparison *c,
    const struct sections_devices *d, size_t i)
{
	struct text name = {0};

	sections_add_device(&name, c, i);
	text_add_str(t, "| ");
	add_cell(t, text_span(&name));
	text_add_str(t, " | ");
	sections_add_signed(t, d->all[i].total);
	for (size_t k = 0; k < TERMS_AND_PARTS; k++)
		if (d->has[k]) {
			text_add_str(t, " | ");
			sections_add_signed(t, d->all[i].values[k]);
		}
	text_add_str(t, " |\n");
	text_free(&name);
}

/* as far as there is room */
static void
add_devices(struct text *t, const struct comparison *c)
{
	struct sections_devices d;
	size_t last;

	sections_devices(&d, c);
	last = d.count < DEVICES_MOST ? d.count : DEVICES_MOST;
	if (d.count > 0) {
		text_printf(t,
		    "\n<details><summary>Devices</summary>\n\n| Device | %s |",
		    sections_unit_name(c));
		for (size_t k = 0; k < TERMS_AND_PARTS; k++)
			if (d.has[k])
				text_printf(t, " %s |", sections_term_name(k));
		text_add_str(t, "\n|---|--:|");
		for (size_t k = 0; k < TERMS_AND_PARTS; k++)
			text_add_str(t, d.has[k] ? "--:|" : "");
		text_add_char(t, '\n');
	}
	for (size_t i = 0; i < last; i++)
		add_device(t, c, &d, i);
	if (last < d.count) {
		text_printf(t, "| %zu others |\n", d.count - 1 - last);
		add_device(t, c, &d, d.count - 1);
	}
	text_add_str(t, d.count > 0 ? "\n</details>\n" : "");
	sections_devices_free(&d);
}

static void
add_checks(struct text *t, const struct comparison *c)
{
	text_add_str(t, "\n<details><summary>Checks</summary>\n\n"
			"| Check | A | B | |\n|---|---|---|---|\n");
	for (size_t i = 0; i < c->checks.count; i++) {
		const struct check_result *k = &c->checks.all[i];

		if (k->state == CHECK_SAME)
			continue;
		text_printf(t, "| %s | ", k->name);
		add_cell(t, k->a);
		text_add_str(t, " | ");
		add_cell(t, k->b);
		text_add_str(t, " | ");
		if (k->state == CHECK_UNKNOWN)
			text_add_str(t, "unknown");
		else
			add_cell(t, k->says);
		text_add_str(t, " |\n");
	}
	text_add_str(t, "\n</details>\n");
}

void
comment_add(
    struct text *t, const struct comparison *c, const struct screen_settings *s)
{
	struct text verdict = {0};
	int64_t *deltas;

	sections_add_verdict(&verdict, c);
	text_add_str(t, "**");
	escape_markdown(t, text_span(&verdict));
	text_add_str(t, "**\n");
	text_free(&verdict);
	if (!comparison_refused(c)) {
		deltas = records_deltas(c, sections_unit(c));
		add_sum(t, c);
		for (int table = 0; table < SECTIONS_SAME; table++)
			add_rows(
			    t, c, deltas, (enum sections_table)table, s->rows);
		free(deltas);
	}
	if (!comparison_refused(c))
		add_devices(t, c);
	add_checks(t, c);
}
