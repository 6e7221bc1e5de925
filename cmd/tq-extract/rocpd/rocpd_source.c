/* rocpd_source.c - a rocpd database becomes a section */

#include <err.h>
#include <stdlib.h>

#include "progress.h"
#include "rocpd.h"
#include "source.h"
#include "sqlite/row_merge.h"
#include "tq/base/mem.h"
#include "tq/io/status.h"

/* ---- what there is ---- */

/* suffixes of the tables of metadata */
static struct name_list
find_suffixes(const struct database *db)
{
	return database_names(
	    db, database_prepare(db,
		    "SELECT substr(name, length('rocpd_metadata') + 1) "
		    "FROM main.sqlite_master WHERE type = 'table' "
		    "AND name GLOB 'rocpd_metadata*' ORDER BY name"));
}

static bool
detect(const struct source_input *in)
{
	struct name_list names = find_suffixes(in->db);
	bool found = names.count > 0;

	name_list_free(&names);
	return found;
}

/* ---- open ---- */

/* the graphs that launched kernels */
static void
find_graphs(struct rocpd_suffix *s, const struct database *db)
{
	const struct rocpd_table *t = &s->tables[ROCPD_KERNEL];
	sqlite3_stmt *st;

	if (s->tables[ROCPD_GRAPH].name == NULL || t->name == NULL)
		return;
	st = database_prepare(db,
	    "SELECT DISTINCT graph_exec_id FROM \"%w\" "
	    "WHERE graph_exec_id <> 0",
	    t->name);
	while (st != NULL && database_step(db, st))
		*map_get(&s->graphs, (uint64_t)sqlite3_column_int64(st, 0), 0) =
		    1;
	sqlite3_finalize(st);
}

/* rows of counters without a kernel or sample */
static void
count_without_event(struct rocpd_suffix *s, const struct database *db)
{
	const char *kernels = s->tables[ROCPD_KERNEL].name;
	const char *samples = s->tables[ROCPD_SAMPLE].name;
	static const char none[] = "SELECT NULL AS e";
	char *k, *m;

	if (s->counters.rows == 0)
		return;
	k = kernels == NULL
		? database_sql(none)
		: database_sql("SELECT event_id AS e FROM \"%w\"", kernels);
	m = samples == NULL
		? database_sql(none)
		: database_sql("SELECT event_id AS e FROM \"%w\"", samples);
	s->without_event = database_int(db, 0,
	    database_prepare(db,
		"SELECT count(*) FROM \"%w\" WHERE event_id IS NULL OR "
		"event_id NOT IN (SELECT e FROM (%s UNION %s) "
		"WHERE e IS NOT NULL)",
		s->counters.name, k, m));
	sqlite3_free(k);
	sqlite3_free(m);
}

static void
open_suffix(struct rocpd *r, struct rocpd_suffix *s, const char *name)
{
	*s = (struct rocpd_suffix){.ids = {.db = r->db, .suffix = name}};
	rocpd_ids_read(&s->ids, &r->counts);
	for (int i = 0; i < ROCPD_TABLES; i++)
		rocpd_tables_find(&s->tables[i], &s->ids, (enum rocpd_rows)i);
	rocpd_details_open(&s->events, &s->ids, "event",
	    "id category_id stack_id parent_stack_id extdata call_stack "
	    "line_info");
	if (rocpd_wants_args(r, KIND_api) || rocpd_wants_args(r, KIND_range))
		rocpd_details_open(
		    &s->args, &s->ids, "arg", "event_id position name value");
	rocpd_details_open(
	    &s->counters, &s->ids, "pmc_event", "event_id pmc_id value");
	find_graphs(s, r->db);
	count_without_event(s, r->db);
}

/* the smaller of two times, unless it is none */
static void
keep_smaller(int64_t *least, int64_t time)
{
	if (time != ROCPD_NONE && (*least == ROCPD_NONE || time < *least))
		*least = time;
}

/* the first start of a process, or else of any row; 0 without any */
static int64_t
find_origin(const struct rocpd *r)
{
	int64_t origin = ROCPD_NONE;

	for (size_t i = 0; i < r->names.count; i++) {
		sqlite3_stmt *st = rocpd_ids_select(
		    &r->suffixes[i].ids, "info_process", "init start");

		while (st != NULL && database_step(r->db, st)) {
			int64_t init = rocpd_ids_int(st, 1);

			if (init == ROCPD_NONE || init == 0)
				init = rocpd_ids_int(st, 2);
			if (init != 0)
				keep_smaller(&origin, init);
		}
		sqlite3_finalize(st);
	}
	for (size_t i = 0; origin == ROCPD_NONE && i < r->names.count; i++)
		for (int k = 0; k < ROCPD_TABLES; k++) {
			const struct rocpd_table *t = &r->suffixes[i].tables[k];

			if (t->name != NULL && t->value[COLUMN_START] >= 0)
				keep_smaller(&origin,
				    database_int(r->db, ROCPD_NONE,
					database_prepare(r->db,
					    "SELECT min(\"%w\") FROM \"%w\"",
					    t->columns[t->value[COLUMN_START]],
					    t->name)));
		}
	return origin != ROCPD_NONE ? origin : 0;
}

/* those of majors 3 and 4 are known; without a version it may be any */
static void
warn_of_schema(const struct rocpd *r)
{
	struct text schema = rocpd_definitions_schema(r), shown = {0};

	if (schema.len > 0 && *schema.p != '3' && *schema.p != '4') {
		text_add_char(&schema, '\0');
		warnx("warning: %s: unknown rocpd schema %s, read as 3; some "
		      "tables may be missing",
		    r->db->name, text_visible_name(&shown, schema.p));
	}
	text_free(&shown);
	text_free(&schema);
}

static void *
open_database(const struct source_input *in)
{
	struct rocpd *r = mem_alloc(sizeof(*r));

	in->db->whole_rows = true;
	*r = (struct rocpd){.db = in->db,
	    .settings = in->settings,
	    .out = in->out,
	    .frames = in->frames};
	row_writer_init(&r->writer, in->frames, NULL);
	r->record.writer = &r->writer;
	r->record.keys = &in->settings->keys;
	r->names = find_suffixes(in->db);
	r->suffixes = mem_alloc((r->names.count + 1) * sizeof(*r->suffixes));
	for (size_t i = 0; i < r->names.count; i++)
		open_suffix(r, &r->suffixes[i], r->names.all[i]);
	r->origin = find_origin(r);
	warn_of_schema(r);
	return r;
}

static void
index_tables(struct rocpd *r)
{
	for (size_t i = 0; i < r->names.count; i++)
		for (int k = 0; k < ROCPD_TABLES; k++)
			if (r->suffixes[i].tables[k].name != NULL)
				rocpd_tables_index(&r->suffixes[i].tables[k],
				    r->db, r->origin, &r->settings->window);
}

static void
definitions(void *rocpd)
{
	struct rocpd *r = rocpd;

	index_tables(r);
	rocpd_definitions_write(r);
}

/* ---- records ---- */

/* keep the rows ahead that become records */
static unsigned
select_ahead(void *rocpd, struct merge_cursor *c)
{
	const struct rocpd *r = rocpd;
	const struct rocpd_chain *chain = c->table;
	unsigned kept = 0;
	int64_t ts, dur;

	for (unsigned i = 0; i < c->rows.count; i++)
		if (rocpd_tables_select(chain->table, &c->rows, i, r->origin,
			&r->settings->window, &ts, &dur) == FATE_RECORD)
			row_merge_keep(c, kept++, i, ts, dur);
	return kept;
}

/* the chains of all tables, and their cursors */
static struct rocpd_chain *
open_chains(struct rocpd *r, struct row_merge *m, size_t *count)
{
	unsigned number = 0;
	size_t i, k, n = 0;
	struct rocpd_chain *chains;

	for (i = 0; i < r->names.count; i++)
		for (k = 0; k < ROCPD_TABLES; k++)
			n += rocpd_tables_chains(&r->suffixes[i].tables[k]);
	*count = n;
	chains = mem_alloc((n + 1) * sizeof(*chains));
	n = 0;
	for (k = 0; k < ROCPD_TABLES; k++)
		for (i = 0; i < r->names.count; i++, number++) {
			struct rocpd_suffix *s = &r->suffixes[i];
			struct rocpd_table *t = &s->tables[k];

			for (size_t c = 0; c < rocpd_tables_chains(t); c++) {
				chains[n] =
				    (struct rocpd_chain){s, t, .events = {0}};
				rocpd_tables_open(
				    &row_merge_add(m, &chains[n++], number)
					 ->rows,
				    r->db, t, c);
			}
		}
	return chains;
}

static void
close_chains(struct rocpd_chain *chains, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		rocpd_details_close(&chains[i].events);
		rocpd_details_close(&chains[i].args);
	}
	free(chains);
}

static int64_t
write_lost(struct rocpd *r, int64_t ts)
{
	for (size_t i = 0; i < r->names.count; i++) {
		const struct rocpd_suffix *s = &r->suffixes[i];

		for (int k = 0; k < ROCPD_TABLES; k++)
			for (int f = FATE_LOST; f < FATES; f++)
				source_write_lost(r->frames, ts,
				    rocpd_check_reason((enum rocpd_fate)f),
				    s->tables[k].table, s->tables[k].fates[f]);
		if ((r->settings->kinds >> KIND_counter & 1) == 0)
			continue;
		source_write_lost(r->frames, ts, "not a number",
		    s->counters.table, s->not_numbers);
		source_write_lost(r->frames, ts, "no event", s->counters.table,
		    s->without_event);
	}
	return rocpd_check_lost(r);
}

/* write all rows in order; returns the time of the last */
static int64_t
write_rows(struct rocpd *r)
{
	struct row_merge merge = {.select = select_ahead, .arg = r};
	struct progress progress;
	struct merge_cursor *c;
	struct rocpd_chain *chains;
	int64_t last = 0;
	size_t count;

	chains = open_chains(r, &merge, &count);
	progress_begin(&progress, r->db->name, rocpd_check_rows(r));
	while ((c = row_merge_next(&merge)) != NULL) {
		rocpd_rows_write(r, c->table, &c->rows);
		last = c->rows.row.bytes->ts;
		progress_step(&progress);
	}
	rocpd_rows_write_waiting(r, INT64_MAX, 0);
	row_merge_close(&merge);
	close_chains(chains, count);
	progress_end(&progress);
	database_check_unchanged(r->db);
	return last;
}

static struct source_result
records(void *rocpd)
{
	struct rocpd *r = rocpd;
	int64_t last;

	r->writer.out = r->out;
	last = write_rows(r);
	return (struct source_result){.lost = write_lost(r, last)};
}

/* the kind of a row is known once it is joined: all are written to nowhere */
static int
count(void *rocpd, int64_t counts[KIND_COUNT])
{
	struct rocpd *r = rocpd;
	struct output nowhere;

	output_open(&nowhere, "/dev/null", ZIO_PLAIN);
	r->writer.out = r->frames = &nowhere;
	index_tables(r);
	write_rows(r);
	nowhere.lines = 0;
	write_lost(r, 0);
	counts[KIND_lost] += nowhere.lines;
	record_values_count(&r->record, counts);
	output_finish(&nowhere, true);
	return TQ_OK;
}

static void
check(void *rocpd, struct check_sheet *s)
{
	rocpd_check(rocpd, s);
}

static void
close_suffix(struct rocpd_suffix *s)
{
	for (int i = 0; i < ROCPD_TABLES; i++)
		if (s->tables[i].name != NULL)
			rocpd_tables_free(&s->tables[i]);
	rocpd_details_close(&s->values);
	rocpd_details_free(&s->events);
	rocpd_details_free(&s->args);
	rocpd_details_free(&s->counters);
	rocpd_ids_free(&s->ids);
	map_free(&s->graphs);
	map_free(&s->counted);
}

static void
close_database(void *rocpd)
{
	struct rocpd *r = rocpd;

	for (size_t i = 0; i < r->names.count; i++)
		close_suffix(&r->suffixes[i]);
	free(r->suffixes);
	name_list_free(&r->names);
	record_values_free(&r->record);
	map_free(&r->counts.nodes);
	free(r->waiting);
	intern_free(&r->stacks);
	text_free(&r->args);
	text_free(&r->text);
	free(r);
}

const struct source rocpd_source = {
    .name = "rocpd",
    .about = "AMD: a database of rocprofv3 or rocprof-systems",
    .database = true,
    .detect = detect,
    .open = open_database,
    .definitions = definitions,
    .count = count,
    .records = records,
    .check = check,
    .close = close_database,
};
