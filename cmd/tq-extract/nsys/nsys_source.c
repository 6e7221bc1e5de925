/* nsys_source.c - an export of Nsight Systems becomes a section */

#include <stdlib.h>

#include "check_report.h"
#include "definitions.h"
#include "event_index.h"
#include "event_select.h"
#include "event_store.h"
#include "nsys_map.h"
#include "progress.h"
#include "source.h"
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

/* ---- an export is opened ---- */

static struct text
text_query(const struct database *db, sqlite3_stmt *st)
{
	struct text t = {0};

	if (st != NULL && database_step(db, st))
		text_add_span(&t, database_text(st, 0));
	sqlite3_finalize(st);
	return t;
}

/* a value of the meta data, which moved in 2023.3 */
static struct text
meta(const struct database *db, const char *key)
{
	struct text t = text_query(
	    db, database_prepare(db,
		    "SELECT value FROM META_DATA_EXPORT WHERE name = %Q", key));

	if (t.len == 0) {
		text_free(&t);
		t = text_query(db,
		    database_prepare(db,
			"SELECT value FROM EXPORT_META_DATA WHERE name = %Q",
			key));
	}
	return t;
}

static bool
is_nsys_table(const char *name)
{
	return nsys_map_is_event_table(name) ||
	       (nsys_map_is_support_table(name) &&
		   strncmp(name, "sqlite_", 7) != 0);
}

/* true if a database has a table of an export */
static bool
has_table(const struct database *db)
{
	sqlite3_stmt *st = database_prepare(db,
	    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')");
	bool found = false;

	while (st != NULL && database_step(db, st)) {
		struct span name = database_text(st, 0);

		found |= is_nsys_table(name.p);
	}
	sqlite3_finalize(st);
	return found;
}

/* times are since the start of the session, unless exported otherwise */
static int64_t
time_shift(const struct database *db)
{
	struct text normal = meta(db, "EXPORT_PARAM_TIME_NORMALIZE");
	bool absolute = span_eq(text_span(&normal), SPAN("true"));

	text_free(&normal);
	return !absolute ? 0
			 : database_int(db, 0,
			       database_prepare(db,
				   "SELECT utcEpochNs FROM "
				   "TARGET_INFO_SESSION_START_TIME"));
}

/*
 * Newer exports may call a table X_V2: of each the newest is to be found as
 * X by the queries that read definitions.  A view in the temporary schema
 * comes before the tables of the file.
 */
static void
alias_newest(const struct database *db)
{
	sqlite3_stmt *st = database_prepare(db,
	    "WITH v(name, base, version) AS (SELECT name, "
	    "rtrim(rtrim(name, '0123456789'), 'V'), "
	    "CAST(substr(name, length(rtrim(name, '0123456789')) + 1) "
	    "AS INTEGER) FROM main.sqlite_master "
	    "WHERE type = 'table' AND name GLOB '*_V[0-9]*') "
	    "SELECT name, substr(base, 1, length(base) - 1), max(version) "
	    "FROM v WHERE name = base || 'V' || version GROUP BY base");

	while (st != NULL && database_step(db, st)) {
		char *sql = database_sql(
		    "CREATE TEMP VIEW \"%w\" AS SELECT * FROM main.\"%w\"",
		    sqlite3_column_text(st, 1), sqlite3_column_text(st, 0));

		if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) !=
		    SQLITE_OK)
			database_fail(db);
		sqlite3_free(sql);
	}
	sqlite3_finalize(st);
}

/* the export in db; all are borrowed */
static void
open_nsys(struct nsys *x, const struct database *db,
    const struct key_choice *keys, struct output *out)
{
	memset(x, 0, sizeof(*x));
	x->db = db;
	alias_newest(x->db);
	x->keys = keys;
	x->out = out;
	x->version = meta(x->db, "EXPORT_PRODUCT_VERSION");
	x->schema = meta(x->db, "EXPORT_SCHEMA_VERSION");
	x->shift = time_shift(x->db);
	string_ids_open(&x->strings, x->db);
	x->symbols.strings = &x->strings;
	x->symbols.out = out;
	x->payloads.db = x->db;
	x->payloads.strings = &x->strings;
	x->files.db = x->db;
	x->files.shift = x->shift;
	sync_calls_init(&x->syncs, &x->strings, text_span(&x->schema));
	x->chains.db = x->db;
	x->chains.strings = &x->strings;
	x->chains.out = out;
	call_chains_open(&x->chains);
	x->domains.db = x->db;
	x->domains.strings = &x->strings;
}

static void
close_nsys(struct nsys *x)
{
	string_ids_close(&x->strings);
	global_ids_free(&x->ids);
	symbols_free(&x->symbols);
	call_chains_close(&x->chains);
	launches_free(&x->launches);
	sync_calls_free(&x->syncs);
	event_records_free(&x->records);
	file_accesses_free(&x->files);
	payloads_free(&x->payloads);
	domains_free(&x->domains);
	text_free(&x->version);
	text_free(&x->schema);
}

/* ---- the section ---- */

static bool
detect(const struct source_input *in)
{
	return has_table(in->db);
}

static void *
open_export(const struct source_input *in)
{
	struct nsys_run *r = mem_alloc(sizeof(*r));
	const struct source_settings *s = in->settings;

	r->settings = s;
	r->out = in->out;
	r->total = r->last = 0;
	open_nsys(&r->nsys, in->db, &s->keys, in->frames);
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
	close_nsys(&r->nsys);
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
