/* rank_tables.c - the tables of the page on ranks that are on one clock */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tq/base/mem.h"
#include "tq/ranks/mesh.h"
#include "tq/io/opts.h"
#include "tq/show/amount.h"

#include "page_table.h"
#include "waiting/waiting_reports.h"

/* ---- columns of a report ---- */

/* its cell of a row; NULL: it has no such column, or no value */
static const struct table_cell *
cell_of(struct table *t, size_t row, const char *column)
{
	const struct table_cell *cells = table_row(t, row);

	for (size_t i = 0; i < t->column_count; i++)
		if (strcmp(t->columns[i].name, column) == 0)
			return cells[i].type != CELL_EMPTY ? &cells[i] : NULL;
	return NULL;
}

static int64_t
number_of(struct table *t, size_t row, const char *column)
{
	const struct table_cell *c = cell_of(t, row, column);

	if (c == NULL || c->type == CELL_TEXT)
		return 0;
	return c->type == CELL_INT ? c->i : (int64_t)c->d;
}

static void
add_word(struct text *t, struct table *from, size_t row, const char *column)
{
	const struct table_cell *c = cell_of(from, row, column);

	if (c != NULL)
		text_add_span(t, table_cell_text(from, c));
}

/* ---- which rank ---- */

/* Is an axis not the same for all rows? */
static bool
is_axis(struct table *t, const char *axis)
{
	for (size_t i = 1; i < table_rows(t); i++)
		if (number_of(t, i, axis) != number_of(t, 0, axis))
			return true;
	return false;
}

/* "rank 59 (dp 7, tp 3) on node-7", as the findings have it */
static void
add_rank(struct page_draft *f, struct table *all, size_t row)
{
	size_t count = 0, start;

	text_printf(&f->text, "rank %" PRId64, number_of(all, row, "Rank"));
	for (int i = 0; i < MESH_AXES; i++) {
		const char *column = waiting_reports_axes[i];

		if (!is_axis(all, column) || cell_of(all, row, column) == NULL)
			continue;
		text_add_str(&f->text, count++ == 0 ? " (" : ", ");
		text_add_span(&f->text, opts_word_at(MESH_WORDS, i));
		text_printf(&f->text, " %" PRId64, number_of(all, row, column));
	}
	text_add_str(&f->text, count > 0 ? ")" : "");
	start = f->text.len;
	text_add_str(&f->text, " on ");
	add_word(&f->text, all, row, "Node");
	if (f->text.len == start + strlen(" on "))
		f->text.len = start;
}

/* ---- RANKS ---- */

struct straggler {
	size_t row;
	int64_t lead, cost;
};

/* by the time that all would gain */
static int
by_lead(const void *pa, const void *pb)
{
	const struct straggler *a = pa, *b = pb;

	if (a->lead != b->lead)
		return a->lead > b->lead ? -1 : 1;
	if (a->cost != b->cost)
		return a->cost > b->cost ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static bool
has_finding(struct table *all, size_t row)
{
	const struct table_cell *c = cell_of(all, row, "Finding");

	return c != NULL && table_cell_text(all, c).len > 0;
}

static bool
any_finding(struct table *all)
{
	for (size_t i = 0; i < table_rows(all); i++)
		if (has_finding(all, i))
			return true;
	return false;
}

/* "of 4 ranks; clocks wrong by at most 162 us" */
static void
add_clocks(struct page_draft *f, const struct waiting_clocks *c, bool finding)
{
	text_add_str(&f->text, "of ");
	if (c->on_clock < c->ranks) {
		amount_count(&f->text, (int64_t)c->on_clock);
		text_add_str(&f->text, " of ");
	}
	amount_of(&f->text, (int64_t)c->ranks, "rank", "ranks");
	text_add_str(&f->text, finding ? "" : ", none holds the others up");
	if (!c->aligned)
		return;
	text_add_str(&f->text, "; clocks ");
	if (c->error == NO_ID) {
		text_add_str(&f->text, "without a known error");
		return;
	}
	text_add_str(&f->text, "wrong by at most ");
	amount_time(&f->text, c->error);
}

static void
straggler_row(struct page_draft *f, struct page_table *t, struct table *all,
    const struct straggler *s)
{
	struct page_row r = page_table_row(t, s->lead);

	page_table_cell(&r, PAGE_TIME, s->lead);
	page_table_cell(&r, PAGE_TIME, s->cost);
	page_table_cell(&r, PAGE_TIME, number_of(all, s->row, "Wait"));
	page_table_cell(&r, PAGE_COUNT, number_of(all, s->row, "Last"));
	page_table_cell(&r, PAGE_COUNT, number_of(all, s->row, "Instances"));
	add_rank(f, all, s->row);
	if (has_finding(all, s->row)) {
		text_add_str(&f->text, ": ");
		add_word(&f->text, all, s->row, "Finding");
	}
	page_table_text(&r, page_draft_text(f));
}

static void
fill_stragglers(struct page_draft *f, struct table *all,
    const struct waiting_clocks *clocks)
{
	struct page_table *t = &f->p->stragglers;
	size_t n = table_rows(all);
	struct straggler *order = mem_alloc((n + 1) * sizeof(*order));

	page_table_open(f, t, "RANKS", 5, n);
	PAGE_TABLE_COLUMNS(t, {"Lead", 0, false}, {"Others wait", 0, false},
	    {"Waits", 3, false}, {"Last", 1, false}, {"Of", 2, false},
	    {"Rank", 0, true});
	for (size_t i = 0; i < n; i++)
		order[i] = (struct straggler){
		    i, number_of(all, i, "Lead"), number_of(all, i, "Cost")};
	qsort(order, n, sizeof(*order), by_lead);
	for (size_t i = 0; i < n && i < PAGE_ROWS; i++)
		straggler_row(f, t, all, &order[i]);
	add_clocks(f, clocks, any_finding(all));
	t->of = page_draft_text(f);
	t->more =
	    page_draft_command(f, "tq-stats -r stragglers,critical,ranks FILE");
	free(order);
}

/* ---- the rank beside the median one ---- */

static void
fill_beside(struct page_draft *f, struct table *all,
    const struct waiting_clocks *clocks)
{
	struct page_table *t = &f->p->beside;
	size_t n = table_rows(all);
	struct span title;

	(void)clocks;
	if (n == 0)
		return;
	text_printf(&f->text, "RANK %" PRId64 " BESIDE THE MEDIAN%c",
	    number_of(all, 0, "Rank"), '\0');
	title = page_draft_text(f);
	page_table_open(f, t, title.p, PAGE_ROWS, n);
	t->of = SPAN("of all ranks, of each time its own");
	PAGE_TABLE_COLUMNS(
	    t, {"Time", 0, false}, {"Median", 0, false}, {"", 0, true});
	for (size_t i = 0; i < n && i < PAGE_ROWS; i++) {
		struct page_row r = page_table_row(t, 0);

		page_table_cell(&r, PAGE_TIME, number_of(all, i, "Time"));
		page_table_cell(
		    &r, PAGE_TIME, number_of(all, i, "Median of Ranks"));
		add_word(&f->text, all, i, "Part");
		page_table_text(&r, page_draft_text(f));
	}
	t->more = page_draft_command(f, "tq-stats -r ranks:worst FILE");
}

/* ---- COLLECTIVES ---- */

/* "all-reduce from 4.00 kB in 0x1" */
static struct span
collective_name(struct page_draft *f, struct table *all, size_t row)
{
	add_word(&f->text, all, row, "Operation");
	if (cell_of(all, row, "Size From") != NULL) {
		text_add_str(&f->text, " from ");
		amount_size(&f->text, number_of(all, row, "Size From"));
	}
	text_add_str(&f->text, " in ");
	add_word(&f->text, all, row, "Communicator");
	return page_draft_text(f);
}

static void
collective_row(
    struct page_draft *f, struct page_table *t, struct table *all, size_t row)
{
	struct page_row r = page_table_row(t, 0);
	bool matched = cell_of(all, row, "Wait") != NULL;
	bool moves = cell_of(all, row, "Bus BW") != NULL;

	page_table_cell(&r, PAGE_TIME, number_of(all, row, "Total Time"));
	page_table_cell(
	    &r, matched ? PAGE_TIME : PAGE_EMPTY, number_of(all, row, "Wait"));
	page_table_cell(&r, PAGE_COUNT, number_of(all, row, "Operations"));
	page_table_cell(&r, matched ? PAGE_COUNT : PAGE_EMPTY,
	    number_of(all, row, "Instances"));
	page_table_cell(
	    &r, moves ? PAGE_RATE : PAGE_EMPTY, number_of(all, row, "Bus BW"));
	page_table_text(&r, collective_name(f, all, row));
}

static void
fill_collectives(struct page_draft *f, struct table *all,
    const struct waiting_clocks *clocks)
{
	struct page_table *t = &f->p->collectives;
	size_t n = table_rows(all);

	(void)clocks;
	page_table_open(f, t, "COLLECTIVES", 5, n);
	PAGE_TABLE_COLUMNS(t, {"Time", 0, false}, {"Of it wait", 0, false},
	    {"N", 2, false}, {"Instances", 3, false}, {"Bus", 1, false},
	    {"Operation", 0, true});
	t->of = SPAN("of all ranks");
	for (size_t i = 0; i < n && i < PAGE_ROWS; i++)
		collective_row(f, t, all, i);
	t->more = page_draft_command(f, "tq-stats -r collectives FILE");
}

/* ---- all ---- */

static void
fill_with(struct page_draft *f, struct report *r,
    const struct waiting_clocks *clocks,
    void (*make)(struct report *r, struct table *t),
    void (*fill)(struct page_draft *f, struct table *all,
	const struct waiting_clocks *clocks))
{
	struct table t = {0};

	make(r, &t);
	f->p->saturated |= t.saturated;
	fill(f, &t, clocks);
	table_free(&t);
}

void
rank_tables_fill(struct page_draft *f)
{
	struct report *r = page_draft_report(f, "page_ranks");
	struct waiting_clocks clocks;

	if (r == NULL || !waiting_reports_clocks(r, &clocks))
		return;
	fill_with(f, r, &clocks, waiting_reports_stragglers, fill_stragglers);
	fill_with(f, r, &clocks, waiting_reports_worst, fill_beside);
	fill_with(f, r, &clocks, waiting_reports_collectives, fill_collectives);
}
