/* screen.c - a comparison on one screen */

#include "diff_tables.h"
#include "look_at.h"
#include "screen.h"
#include "tq/show/display.h"
#include "tq/show/escape.h"
#include "tq/show/pretty.h"

enum { NAME_WIDTH = 10, CHECK_WIDTH = 60 };

/* ---- parts ---- */

static void
add_head(struct text *t, const struct comparison *c)
{
	struct text verdict = {0};
	struct table lines;

	sections_add_verdict(&verdict, c);
	text_add_str(t, "verdict    ");
	escape_terminal(t, text_span(&verdict));
	text_add_char(t, '\n');
	text_free(&verdict);
	diff_tables_summary(&lines, c);
	for (size_t i = 0; i < table_rows(&lines); i++) {
		const struct table_cell *cells = table_row(&lines, i);

		display_add_left(
		    t, table_cell_text(&lines, &cells[0]), NAME_WIDTH, 100, "");
		text_add_char(t, ' ');
		escape_terminal(t, table_cell_text(&lines, &cells[1]));
		text_add_char(t, '\n');
	}
	table_free(&lines);
}

static void
add_checks(struct text *t, const struct comparison *c)
{
	const struct check_result *refused = /* the verdict */
	    comparability_find(&c->checks, CHECK_REFUSED);

	for (size_t i = 0; i < c->checks.count; i++) {
		const struct check_result *k = &c->checks.all[i];

		if (k->state != CHECK_DIFFERS || k == refused)
			continue;
		text_printf(t, "%-10s ", k->name);
		if ((k->a.len > 0 || k->b.len > 0) && !k->in_full) {
			sections_add_cut(t, k->a, CHECK_WIDTH);
			if (!span_eq(k->a, k->b)) {
				text_add_str(t, " | ");
				sections_add_cut(t, k->b, CHECK_WIDTH);
			}
			text_add_str(t, k->says.len > 0 ? ": " : "");
		}
		escape_terminal(t, k->says);
		text_add_char(t, '\n');
	}
}

/* ---- the sum ---- */

static void
add_sum(struct text *t, const struct comparison *c)
{
	struct sections_sum sum;

	sections_sum(&sum, c);
	text_add_char(t, '\n');
	sections_add_signed(t, sum.total);
	text_printf(
	    t, " %s a %s =\n", sections_unit_name(c), sections_unit_word(c));
	for (size_t i = 0; i < sum.count; i++) {
		text_printf(t, sum.lines[i].of_line ? "    %-10s " : "  %-12s ",
		    sum.lines[i].name);
		sections_add_signed(t, sum.lines[i].value);
		text_add_char(t, '\n');
	}
}

/* ---- tables ---- */

/* A table with an empty line above it, which is freed. */
static void
add_table(struct text *t, struct table *table, size_t sums)
{
	(void)sums;
	if (table_rows(table) > 0) {
		text_add_char(t, '\n');
		pretty_rows(t, table, 0);
	}
	table_free(table);
}

/* "look at    tq-filter 'name == "k"' a.tq", and of B in the next line */
static void
add_look(struct text *t, struct span command, size_t nth)
{
	text_add_str(t, nth == 0 ? "\nlook at    " : "           ");
	escape_terminal(t, command);
	text_add_char(t, '\n');
}

void
screen_add(
    struct text *t, const struct comparison *c, const struct screen_settings *s)
{
	bool launches = comparison_by(c) == ACCOUNT_BY_LAUNCH;
	struct table table;

	gate_add_lines(t, s->gates);
	text_add_str(t, s->gates->count > 0 ? "\n" : "");
	add_head(t, c);
	add_checks(t, c);
	if (comparison_refused(c))
		return;
	if (!launches) {
		add_sum(t, c);
		diff_tables_devices(&table, c, &(struct diff_look){0, true});
		add_table(t, &table, 0);
	}
	diff_tables_each(t, c, &(struct diff_look){s->rows, true}, add_table);
	if (!launches) {
		diff_tables_host(&table, c, true);
		add_table(t, &table, 0);
	}
	look_at_each(t, c, s, add_look);
}
