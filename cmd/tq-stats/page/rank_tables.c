/* rank_tables.c - the tables of the page on ranks that are on one clock */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tq/base/mem.h"
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

/* The table has become one of the page. */
static void
end_table(struct page_draft *f, struct table *all)
{
	f->p->saturated |= all->saturated;
	table_free(all);
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

/* "rank 59 (dp 7, tp 3) on node-7: compute" */
static void
straggler_row(struct page_draft *f, const struct report *ranks,
    struct page_table *t, struct table *all, const struct straggler *s)
{
	struct page_row r = page_table_row(t, s->lead);

	page_table_cell(&r, PAGE_TIME, s->lead);
	page_table_cell(&r, PAGE_TIME, s->cost);
	page_table_cell(&r, PAGE_TIME, number_of(all, s->row, "Wait"));
	page_table_cell(&r, PAGE_COUNT, number_of(all, s->row, "Last"));
	page_table_cell(&r, PAGE_COUNT, number_of(all, s->row, "Instances"));
	waiting_reports_add_rank(ranks, s->row, &f->text);
	if (has_finding(all, s->row)) {
		text_add_str(&f->text, ": ");
		add_word(&f->text, all, s->row, "Finding");
	}
	page_table_text(&r, page_draft_text(f));
}

static void
fill_stragglers(
    struct page_draft *f, struct report *r, const struct waiting_clocks *clocks)
{
	struct page_table *t = &f->p->stragglers;
	struct straggler *order;
	struct table all = {0};
	size_t n;

	waiting_reports_stragglers(r, &all);
	n = table_rows(&all);
	order = mem_alloc((n + 1) * sizeof(*order));
	page_table_open(f, t, "RANKS", 5, n);
	PAGE_TABLE_COLUMNS(t, {"Lead", 0, false}, {"Others wait", 0, false},
	    {"Waits", 3, false}, {"Last", 1, false}, {"Of", 2, false},
	    {"Rank", 0, true});
	for (size_t i = 0; i < n; i++)
		order[i] = (struct straggler){
		    i, number_of(&all, i, "Lead"), number_of(&all, i, "Cost")};
	qsort(order, n, sizeof(*order), by_lead);
	for (size_t i = 0; i < n && i < PAGE_ROWS; i++)
		straggler_row(f, r, t, &all, &order[i]);
	add_clocks(f, clocks, any_finding(&all));
	t->of = page_draft_text(f);
	t->more =
	    page_draft_command(f, "tq-stats -r stragglers,critical,ranks FILE");
	free(order);
	end_table(f, &all);
}

/* ---- the rank beside the median one ---- */

static void
fill_beside(struct page_draft *f, struct report *r)
{
	struct page_table *t = &f->p->beside;
	struct table all = {0};
	size_t n;

	waiting_reports_worst(r, &all);
	n = table_rows(&all);
	if (n > 0)
		text_printf(&f->text, "RANK %" PRId64 " BESIDE THE MEDIAN%c",
		    number_of(&all, 0, "Rank"), '\0');
	page_table_open(f, t, page_draft_text(f).p, PAGE_ROWS, n);
	t->of = SPAN("of all ranks, of each time its own");
	PAGE_TABLE_COLUMNS(
	    t, {"Time", 0, false}, {"Median", 0, false}, {"", 0, true});
	for (size_t i = 0; i < n && i < PAGE_ROWS; i++) {
		struct page_row row = page_table_row(t, 0);

		page_table_cell(&row, PAGE_TIME, number_of(&all, i, "Time"));
		page_table_cell(
		    &row, PAGE_TIME, number_of(&all, i, "Median of Ranks"));
		add_word(&f->text, &all, i, "Part");
		page_table_text(&row, page_draft_text(f));
	}
	t->more = page_draft_command(f, "tq-stats -r ranks:worst FILE");
	end_table(f, &all);
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
fill_collectives(struct page_draft *f, struct report *r)
{
	struct page_table *t = &f->p->collectives;
	struct table all = {0};
	size_t n;

	waiting_reports_collectives(r, &all);
	n = table_rows(&all);
	page_table_open(f, t, "COLLECTIVES", 5, n);
	PAGE_TABLE_COLUMNS(t, {"Time", 0, false}, {"Of it wait", 0, false},
	    {"N", 2, false}, {"Instances", 3, false}, {"Bus", 1, false},
	    {"Operation", 0, true});
	t->of = SPAN("of all ranks");
	for (size_t i = 0; i < n && i < PAGE_ROWS; i++)
		collective_row(f, t, &all, i);
	t->more = page_draft_command(f, "tq-stats -r collectives FILE");
	end_table(f, &all);
}

/* ---- all ---- */

void
rank_tables_fill(struct page_draft *f)
{
	struct report *r = page_draft_report(f, "page_ranks");
	struct waiting_clocks clocks;

	if (r == NULL || !waiting_reports_clocks(r, &clocks))
		return;
	fill_stragglers(f, r, &clocks);
	fill_beside(f, r);
	fill_collectives(f, r);
}
