/* nsys_source.c - an export of Nsight Systems becomes a section */

#include <stdlib.h>

#include "check_report.h"
#include "definitions.h"
#include "event_index.h"
#include "event_select.h"
#include "event_store.h"
#include "nsys_source.h"
#include "progress.h"
#include "sqlite/row_merge.h"
#include "tq/base/mem.h"
#include "tq/io/status.h"

/* an export that is read */
struct nsys_run {
	const struct source_settings *settings;
	struct output *out;
	struct nsys nsys;
	struct row_writer writer;
	struct event_table *tables;
	size_t count;
	int64_t total; /* rows that are events */
	int64_t last;  /* the time of the last record */
	struct progress progress;
};

static bool
detect(const struct source_input *in)
{
	return nsys_detect(in->db);
}

static void *
open_export(const struct source_input *in)
{
	struct nsys_run *r = mem_alloc(sizeof(*r));
	const struct source_settings *s = in->settings;

	r->settings = s;
	r->out = in->out;
	r->total = r->last = 0;
	nsys_open(&r->nsys, in->db, &s->keys, in->frames);
	row_writer_init(&r->writer, in->frames, &r->nsys);
	r->tables = event_table_find_all(&r->nsys, s->kinds, &r->count);
	event_index_build(&r->nsys, r->tables, r->count, &s->window);
	if (in->db->store != NULL)
		event_table_drop_empty(r->tables, &r->count);
	for (size_t i = 0; i < r->count; i++)
		r->total += event_table_rows(&r->tables[i]);
	return r;
}

static void
definitions(void *run)
{
	struct nsys_run *r = run;

	definitions_write(&r->writer);
}

/* keep the rows ahead that are events */
static unsigned
select_ahead(void *run, struct merge_cursor *c)
{
	const struct nsys_run *r = run;
	const struct event_table *t = c->table;
	unsigned kept = 0;
	int64_t ts, dur;

	if (t == NULL) /* the store has selected them */
		return c->rows.count;
	for (unsigned i = 0; i < c->rows.count; i++)
		if (event_select(r->nsys.shift, &t->times, &c->rows, i,
			&r->settings->window, &ts, &dur) == ROW_EVENT)
			row_merge_keep(c, kept++, i, ts, dur);
	return kept;
}

/* a cursor for each chain */
static void
add_chains(struct row_merge *m, struct nsys_run *r, unsigned table)
{
	struct event_table *t = &r->tables[table];
	size_t chains =
	    t->chains.unsorted ? event_table_rows(t) > 0 : t->chains.count;

	for (size_t i = 0; i < chains; i++)
		event_index_open(
		    &row_merge_add(m, t, table)->rows, &r->nsys, t, i);
}

static int
count_records(void *run, int64_t counts[KIND_COUNT])
{
	const struct nsys_run *r = run;

	for (size_t i = 0; i < r->count; i++) {
		const struct event_table *t = &r->tables[i];

		counts[t->map->kind] += t->rows[ROW_EVENT];
		for (int k = ROW_LOST; k < ROW_IS_COUNT; k++)
			counts[KIND_lost] += t->rows[k] > 0;
	}
	return TQ_OK;
}

/* the current row becomes a record */
__attribute__((always_inline)) static inline void
write_current(void *run, struct row_source *rows)
{
	struct nsys_run *r = run;
	const struct row_bytes *row = rows->row.bytes;

	row_writer_row(&r->writer, &r->tables[row->number].record, rows);
	r->last = row->ts;
	progress_step(&r->progress);
}

/* the same of a row of a store */
static void
write_row(void *run, struct row_source *rows)
{
	write_current(run, rows);
}

static void
write_merged(struct nsys_run *r)
{
	struct row_merge merge = {.select = select_ahead, .arg = r};
	struct event_store *store = r->nsys.db->store;
	struct merge_cursor *c;

	if (store != NULL)
		store->merge(store, r->tables, r->count, &merge);
	else
		for (size_t i = 0; i < r->count; i++)
			add_chains(&merge, r, (unsigned)i);
	while ((c = row_merge_next(&merge)) != NULL)
		write_current(r, &c->rows);
	row_merge_close(&merge);
}

/* a lost record for each loss; returns how many events were lost */
static int64_t
write_losses(struct nsys_run *r)
{
	const struct event_store *store = r->nsys.db->store;
	struct output *out = r->nsys.out;
	int64_t lost = check_report_lost(r->tables, r->count);

	for (size_t i = 0; i < r->count; i++)
		for (int k = ROW_LOST; k < ROW_IS_COUNT; k++)
			source_write_lost(out, r->last,
			    check_report_reason((enum row_is)k),
			    r->tables[i].name, r->tables[i].rows[k]);
	if (store == NULL || store->lost == 0)
		return lost;
	source_write_lost(
	    out, r->last, store->lost_reason, "events", store->lost);
	return lost + store->lost;
}

static struct source_result
records(void *run)
{
	struct nsys_run *r = run;
	struct event_store *store = r->nsys.db->store;

	r->writer.out = r->out;
	progress_begin(&r->progress, r->nsys.db->name, r->total);
	if (store == NULL ||
	    !store->sort(store, r->tables, r->count, write_row, r))
		write_merged(r);
	progress_end(&r->progress);
	database_check_unchanged(r->nsys.db);
	return (struct source_result){.lost = write_losses(r)};
}

static void
check(void *run, struct check_sheet *s)
{
	const struct nsys_run *r = run;

	check_report_write(
	    &r->writer, r->tables, r->count, r->settings->kinds, s);
}

static void
close_export(void *run)
{
	struct nsys_run *r = run;

	event_table_free_all(r->tables, r->count);
	nsys_close(&r->nsys);
	free(r);
}

const struct source nsys_source = {
    .name = "nsys",
    .about = "Nsight Systems: a .sqlite export, or a report with --via-nsys",
    .database = true,
    .detect = detect,
    .open = open_export,
    .definitions = definitions,
    .count = count_records,
    .records = records,
    .check = check,
    .close = close_export,
};
