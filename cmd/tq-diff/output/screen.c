/* screen.c - a comparison on one screen */

#include <string.h>

#include "diff_tables.h"
#include "screen.h"
#include "tq/show/amount.h"
#include "tq/show/escape.h"
#include "tq/show/pretty.h"

enum { CHECK_WIDTH = 60, LOOK_WIDTH = 44 };

/* ---- parts ---- */

/* the first steps of processes, which do not count */
static int64_t
left_out(const struct comparison *c)
{
	int64_t sum = 0;

	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < c->match.sides[side]->count; r++)
			sum += c->match.sides[side]->all[r]->left_out;
	return sum;
}

static void
add_head(struct text *t, const struct comparison *c)
{
	size_t n[SIDES] = {
	    c->match.sides[SIDE_A]->count, c->match.sides[SIDE_B]->count};
	struct text scratch = {0};

	sections_add_verdict(&scratch, c);
	text_add_str(t, "verdict    ");
	escape_terminal(t, text_span(&scratch));
	scratch.len = 0;
	text_printf(t, "\nsides      %zu and %zu recordings, %lld and %lld %ss",
	    n[SIDE_A], n[SIDE_B], (long long)c->terms.units[SIDE_A],
	    (long long)c->terms.units[SIDE_B], sections_unit_word(c));
	text_add_str(
	    t, left_out(c) > 0 ? " without the first of each process\n" : "\n");
	sections_add_period(&scratch, c);
	if (scratch.len > 0) {
		text_add_str(t, "period     ");
		escape_terminal(t, text_span(&scratch));
		text_add_char(t, '\n');
	}
	text_free(&scratch);
	if (c->pace.known && comparison_by(c) == ACCOUNT_BY_SPAN) {
		text_printf(t, "pace       ");
		amount_change(t, c->pace.pace);
		text_printf(t, ", work %.2f\n", c->pace.work);
	}
	if (c->within) {
		text_printf(t, "within     %ss within these two recordings: ",
		    sections_unit_word(c));
		amount_change(t, c->within_ratio);
		text_add_str(t, ", ");
		amount_change_range(t, c->within_low, c->within_high);
		text_add_char(t, '\n');
	}
}

static void
add_checks(struct text *t, const struct comparison *c)
{
	for (size_t i = 0; i < c->checks.count; i++) {
		const struct check_result *k = &c->checks.all[i];

		if (k->state != CHECK_DIFFERS)
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
	text_printf(t, " %s a %s on the mean =\n", sections_unit_name(c),
	    sections_unit_word(c));
	for (size_t i = 0; i < sum.count; i++) {
		text_printf(t,
		    sum.lines[i].of_per_call ? "    %-10s " : "  %-12s ",
		    sum.lines[i].name);
		sections_add_signed(t, sum.lines[i].value);
		text_add_char(t, '\n');
	}
}

/* ---- tables ---- */

/* A table with an empty line above it, which is freed. */
static void
add_table(struct text *t, struct table *table)
{
	if (table_rows(table) > 0) {
		text_add_char(t, '\n');
		pretty_rows(t, table, 0);
	}
	table_free(table);
}

/*
 * The operations of a row as an expression of tq-filter: false if no short one
 * finds them in the recordings of both sides.
 */
static bool
add_expression(struct text *t, const struct match *m, const struct match_row *r)
{
	const struct span copy = SPAN("[CUDA memcpy ");
	bool base = m->by == MATCH_BY_BASE;
	struct span name = r->name;

	if ((!base && m->by != MATCH_BY_NAME && m->by != MATCH_BY_GRID) ||
	    r->level > (base ? MATCH_BASE : MATCH_FULL) ||
	    name.len > LOOK_WIDTH)
		return false;
	for (size_t i = 0; i < name.len; i++)
		if (strchr("'\"\\", name.p[i]) != NULL)
			return false;
	if (r->kind == KIND_memset) {
		text_add_str(t, "kind == \"memset\"");
		return true;
	}
	if (r->kind == KIND_memcpy && span_begins(name, copy)) {
		text_add_str(t, "kind == \"memcpy\" and copy == \"");
		name =
		    (struct span){name.p + copy.len, name.len - copy.len - 1};
	} else if (r->kind == KIND_kernel) {
		if (!base) {
			text_add_str(t, "demangled == \"");
			text_add_visible(t, name, "");
			text_add_str(t, "\" or ");
		}
		text_add_str(t, "name == \"");
	} else {
		return false;
	}
	text_add_visible(t, name, "");
	text_add_char(t, '"');
	return true;
}

/* the first suspect, as a command */
static void
add_look(struct text *t, const struct comparison *c)
{
	for (size_t i = 0; i < c->match.row_count; i++) {
		size_t row = c->order[i], len = t->len;

		if (!c->rows[row].suspect)
			continue;
		text_add_str(t, "\nlook at    tq-filter '");
		if (add_expression(t, &c->match, &c->match.rows[row])) {
			text_add_str(t, "' of both\n");
			return;
		}
		t->len = len;
	}
}

void
screen_add(
    struct text *t, const struct comparison *c, const struct screen_settings *s)
{
	bool launches = comparison_by(c) == ACCOUNT_BY_LAUNCH;
	struct table table;

	add_head(t, c);
	add_checks(t, c);
	if (comparison_refused(c))
		return;
	if (!launches) {
		add_sum(t, c);
		diff_tables_devices(&table, c, &(struct diff_look){0, true});
		add_table(t, &table);
	}
	diff_tables_each(t, c, &(struct diff_look){s->rows, true}, add_table);
	if (!launches) {
		diff_tables_host(&table, c);
		add_table(t, &table);
	}
	add_look(t, c);
}
