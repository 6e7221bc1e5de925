/* comment.c - a comparison as Markdown, for a pull request */

#include <math.h>
#include <stdlib.h>

#include "comment.h"
#include "records.h"

enum { NAME_MOST = 120, TAIL = 400 }; /* bytes that the end needs */

/* A text in a cell: no character of Markdown or HTML has its meaning. */
static void
add_cell(struct text *t, struct span s)
{
	struct text clean = {0};

	text_add_visible(&clean, s, "");
	for (size_t i = 0; i < clean.len && i < NAME_MOST; i++) {
		char c = clean.p[i];

		if (c == '<' || c == '>' || c == '&')
			text_add_str(t, c == '<'   ? "&lt;"
					: c == '>' ? "&gt;"
						   : "&amp;");
		else {
			if (c != ' ' && (c & 0x80) == 0 &&
			    strchr("\\`*_{}[]()#+-.!|@~:", c) != NULL)
				text_add_char(t, '\\');
			text_add_char(t, c);
		}
	}
	while (clean.len > NAME_MOST && (clean.p[--clean.len] & 0x80) != 0)
		continue;
	text_free(&clean);
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
	const struct comparison_row *row = &c->rows[i];

	text_add_str(t, "| ");
	add_cell(t, m->name);
	text_add_str(t, " | ");
	screen_add_signed(t, delta);
	for (int side = 0; side < SIDES; side++)
		text_printf(t, " | %.4g",
		    (double)m->on[side].n / (double)c->terms.units[side]);
	for (int side = 0; side < SIDES; side++) {
		text_add_str(t, " | ");
		add_mean(t, m, side);
	}
	text_add_str(t, " | ");
	if (m->on[SIDE_A].dur > 0 && m->on[SIDE_A].n > 0 && m->on[SIDE_B].n > 0)
		screen_add_percent(t,
		    (double)m->on[SIDE_B].dur / (double)m->on[SIDE_B].n /
			((double)m->on[SIDE_A].dur / (double)m->on[SIDE_A].n));
	text_printf(t, " | %s |\n",
	    row->suspect ? "suspect"
	    : row->verdict.tested && row->weighs
		? verdict_word(row->verdict.word)
		: "");
}

static void
add_titles(struct text *t, const struct comparison *c, const char *title)
{
	text_printf(t,
	    "\n| %s | %s | Launches A | B | Mean us A | B | Change | |\n"
	    "|---|--:|--:|--:|--:|--:|--:|---|\n",
	    title, screen_unit_name(screen_unit(c)));
}

/* Rows of one sign, from the first-th on, as long as there is room. */
static void
add_rows(struct text *t, const struct comparison *c, const int64_t *deltas,
    int sign, size_t first, size_t most)
{
	size_t seen = 0, others = 0;
	int64_t sum = 0;
	bool titles = false;

	for (size_t i = 0; i < c->match.row_count; i++) {
		size_t row = c->order[i];
		wide v = c->terms.rows[row].sum;

		if ((v > 0) - (v < 0) != sign || seen++ < first)
			continue;
		if (seen > first + most || t->len > COMMENT_MOST - 3000) {
			sum += deltas[row];
			others++;
			continue;
		}
		if (!titles)
			add_titles(t, c, sign > 0 ? "Slower" : "Faster");
		titles = true;
		add_row(t, c, row, deltas[row]);
	}
	if (others > 0 && titles) {
		text_printf(t, "| %zu others | ", others);
		screen_add_signed(t, sum);
		text_add_str(t, " | | | | | | |\n");
	}
}

static void
add_sum(struct text *t, const struct comparison *c)
{
	wide values[TERMS + ACCOUNT_PARTS] = {0};
	int64_t unit = screen_unit(c), rounded[TERMS + ACCOUNT_PARTS];

	for (size_t k = 0; k < TERMS; k++)
		values[k] = c->terms.total.all[k];
	for (size_t p = 0; p < ACCOUNT_PARTS; p++)
		values[TERMS + p] = c->terms.idle[p];
	terms_round(values, TERMS + ACCOUNT_PARTS, c->terms.delta,
	    c->terms.scale * unit, rounded);
	text_printf(t, "\n| Sum | %s |\n|---|--:|\n", screen_unit_name(unit));
	for (size_t k = 0; k < TERMS + ACCOUNT_PARTS; k++) {
		if (values[k] == 0)
			continue;
		text_printf(t, "| %s | ",
		    k < TERMS
			? terms_name((enum term)k)
			: account_part_name((enum account_part)(k - TERMS)));
		screen_add_signed(t, rounded[k]);
		text_add_str(t, " |\n");
	}
	text_add_str(t, "| **all** | ");
	screen_add_signed(
	    t, (int64_t)llround(
		   (double)terms_ns(&c->terms, c->terms.delta) / (double)unit));
	text_add_str(t, " |\n");
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
	size_t rows = s->rows > 0 ? s->rows : SIZE_MAX / 2;
	int64_t *deltas;

	text_add_str(t, "**");
	screen_add_verdict(t, c);
	text_add_str(t, "**\n");
	if (!comparison_refused(c)) {
		deltas = records_deltas(c, screen_unit(c));
		add_sum(t, c);
		add_rows(t, c, deltas, 1, 0, rows);
		add_rows(t, c, deltas, -1, 0, rows);
		free(deltas);
	}
	add_checks(t, c);
}
