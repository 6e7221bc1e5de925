/*
 * rpd_source.c - a recording of rocmProfileData becomes a section
 *
 * Its tables are small beside those of other profilers: SQLite joins and sorts
 * them.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "rpd.h"
#include "source.h"
#include "sqlite/row_merge.h"
#include "tq/io/status.h"
#include "tq/show/col.h"
#include "tq/show/escape.h"
#include "write/definition_writer.h"

/* ---- the section ---- */

static bool
detect(const struct source_input *in)
{
	return database_int(in->db, 0,
		   database_prepare(in->db,
		       "SELECT count(*) FROM main.sqlite_master "
		       "WHERE type = 'table' AND name IN "
		       "('rocpd_api', 'rocpd_op')")) == 2;
}

static int64_t
ask(const struct rpd *r, int64_t otherwise, const char *sql)
{
	return database_int(
	    r->db, otherwise, rpd_tables_prepare(r->db, &r->tables, sql));
}

static void *
open_recording(const struct source_input *in)
{
	struct rpd *r = mem_alloc(sizeof(*r));

	*r = (struct rpd){.db = in->db,
	    .settings = in->settings,
	    .out = in->out,
	    .frames = in->frames};
	row_writer_init(&r->writer, in->frames, NULL);
	r->record.writer = &r->writer;
	r->record.keys = &in->settings->keys;
	rpd_tables_find(&r->tables, r->db);
	r->origin = ask(r, 0,
	    "SELECT min(start) FROM (SELECT start FROM api "
	    "UNION ALL SELECT start FROM op) WHERE typeof(start) = 'integer'");
	r->pid = ask(r, -1,
	    "SELECT CASE count(DISTINCT pid) WHEN 1 THEN min(pid) "
	    "ELSE -1 END FROM api");
	r->several = ask(r, 0,
	    "SELECT count(*) FROM (SELECT 1 FROM api_ops "
	    "GROUP BY op_id HAVING count(*) > 1)");
	return r;
}

/* a record for each row of a query, whose columns are these two values */
static void
define(struct rpd *r, enum kind kind, const char *sql, enum key first,
    enum key second)
{
	sqlite3_stmt *st = rpd_tables_prepare(r->db, &r->tables, sql);

	while (database_step(r->db, st)) {
		struct sql_value a = database_value(st, 0);
		struct sql_value b = database_value(st, 1);

		record_values_begin(&r->record, kind);
		rpd_put(r, first, &a);
		rpd_put(r, second, &b);
		if (kind == KIND_device)
			record_values_text(&r->record, KEY_vendor, SPAN("AMD"));
		record_values_define(&r->record);
	}
	sqlite3_finalize(st);
}

static void
definitions(void *recording)
{
	struct rpd *r = recording;

	definition_writer_trace(
	    r->frames, &(struct trace_record){.source = SPAN("rpd"),
			   .schema = SPAN("2"),
			   .origin_clock = &r->origin,
			   .clock = SPAN("monotonic")});
	define(r, KIND_process,
	    "SELECT DISTINCT pid, NULL FROM api WHERE pid IS NOT NULL ORDER BY "
	    "1",
	    KEY_pid, KEY_rank);
	define(r, KIND_device,
	    "SELECT DISTINCT (SELECT CASE count(DISTINCT pid) WHEN 1 THEN "
	    "min(pid) END FROM api), gpuId FROM op WHERE gpuId IS NOT NULL "
	    "ORDER BY 2",
	    KEY_pid, KEY_device);
}

/* keep the row ahead if it is in the window */
static unsigned
select_ahead(void *recording, struct merge_cursor *c)
{
	struct rpd *r = recording;
	struct rpd_counts *n = &r->counts[c->number];
	int64_t start, end, dur = NEVER_ENDED;

	row_source_set(&c->rows, 0);
	n->rows++;
	start = rpd_int(&row_source_values(&c->rows)[START]);
	end = rpd_int(&row_source_values(&c->rows)[END]);
	if (start == INT64_MIN ||
	    __builtin_sub_overflow(start, r->origin, &start)) {
		n->no_start++;
		return 0;
	}
	if (end != INT64_MIN && end != 0 &&
	    (__builtin_sub_overflow(end, r->origin, &end) ||
		__builtin_sub_overflow(end, start, &dur))) {
		n->no_start++;
		return 0;
	}
	if (!time_window_overlaps(&r->settings->window, start, dur)) {
		n->outside++;
		return 0;
	}
	row_merge_keep(c, 0, 0, start, dur);
	return 1;
}

static void
write_rows(struct rpd *r, int64_t *last)
{
	struct row_merge merge = {.select = select_ahead, .arg = r};
	struct merge_cursor *c;

	for (int i = 0; i < RPD_TABLES; i++) {
		r->layouts[i] =
		    (struct table_layout){.row.count = rpd_tables_columns[i]};
		row_source_open_query(
		    &row_merge_add(&merge, r, (unsigned)i)->rows, r->db,
		    &r->layouts[i],
		    rpd_tables_rows(r->db, &r->tables, (enum rpd_rows)i));
	}
	while ((c = row_merge_next(&merge)) != NULL) {
		*last = c->rows.row.bytes->ts;
		rpd_rows_write(r, (enum rpd_rows)c->number, &c->rows);
	}
	row_merge_close(&merge);
	database_check_unchanged(r->db);
}

/* returns how many rows are lost */
static int64_t
write_lost(struct rpd *r, int64_t last)
{
	int64_t lost = 0;

	for (int i = 0; i < RPD_TABLES; i++) {
		const struct rpd_counts *n = &r->counts[i];

		source_write_lost(r->frames, last, "no start",
		    rpd_tables_names[i], n->no_start);
		source_write_lost(r->frames, last, "not a number",
		    rpd_tables_names[i], n->no_number);
		lost += n->no_start + n->no_number;
	}
	return lost;
}

static struct source_result
records(void *recording)
{
	struct rpd *r = recording;
	int64_t last = 0;

	r->writer.out = r->out;
	write_rows(r, &last);
	return (struct source_result){.lost = write_lost(r, last)};
}

static int
count(void *recording, int64_t counts[KIND_COUNT])
{
	struct rpd *r = recording;
	struct output nowhere;
	int64_t last = 0;

	output_open(&nowhere, "/dev/null", ZIO_PLAIN);
	r->writer.out = r->out = r->frames = &nowhere;
	write_rows(r, &last);
	record_values_count(&r->record, counts);
	nowhere.lines = 0;
	write_lost(r, last);
	counts[KIND_lost] += nowhere.lines;
	output_finish(&nowhere, true);
	return TQ_OK;
}

static void
count_row(struct table *t, const char *table, const struct rpd_counts *n)
{
	col_text(t, "table", span_of(table));
	col_int(t, "rows", UNIT_NONE, n->rows);
	col_int(t, "records", UNIT_NONE, n->records);
	col_int(t, "lost", UNIT_NONE, n->no_start + n->no_number);
	col_int(t, "not read", UNIT_NONE, n->outside + n->unwanted);
}

static void
check(void *recording, struct check_sheet *s)
{
	const struct rpd *r = recording;
	struct table t = {0};
	int64_t lost = 0;

	check_sheet_source(s, r->db->name, SPAN("rpd, schema 2"));
	col_heading(&t, count_row, "", &(struct rpd_counts){0});
	for (int i = 0; i < RPD_TABLES; i++) {
		count_row(&t, rpd_tables_names[i], &r->counts[i]);
		lost += r->counts[i].no_start + r->counts[i].no_number;
	}
	check_sheet_table(s, "tables", &t);
	if (r->several > 0)
		check_sheet_count(s, "note", r->several,
		    "operations have several calls: the first counts");
	check_sheet_sum(s, r->frames->lines, "records", lost, ROWS_DROPPED);
}

static void
close_recording(void *recording)
{
	struct rpd *r = recording;

	record_values_free(&r->record);
	intern_free(&r->kernels);
	intern_free(&r->counters);
	text_free(&r->tables);
	text_free(&r->text);
	free(r);
}

const struct source rpd_source = {
    .name = "rpd",
    .about = "AMD: a database of rocmProfileData (.rpd)",
    .database = true,
    .detect = detect,
    .open = open_recording,
    .definitions = definitions,
    .count = count,
    .records = records,
    .check = check,
    .close = close_recording,
};
