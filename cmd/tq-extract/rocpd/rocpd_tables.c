/* rocpd_tables.c - the tables of a rocpd database whose rows have a time */

#include <stdlib.h>

#include "rocpd_tables.h"
#include "tq/base/mem.h"

/* the columns of schema 3; those of schema 4 that have other names behind */
static const char *const columns[ROCPD_COLUMNS] = {
    [COLUMN_START] = "start",
    [COLUMN_END] = "end",
    [COLUMN_EVENT] = "event_id",
    [COLUMN_PID] = "pid",
    [COLUMN_TID] = "tid",
    [COLUMN_TRACK] = "track_id",
    [COLUMN_NAME] = "name_id",
    [COLUMN_AGENT] = "agent_id",
    [COLUMN_QUEUE] = "queue_id",
    [COLUMN_STREAM] = "stream_id",
    [COLUMN_KERNEL] = "kernel_id",
    [COLUMN_PRIVATE] = "private_segment_size",
    [COLUMN_GROUP] = "group_segment_size",
    [COLUMN_WORKGROUP_X] = "workgroup_size_x",
    [COLUMN_WORKGROUP_Y] = "workgroup_size_y",
    [COLUMN_WORKGROUP_Z] = "workgroup_size_z",
    [COLUMN_GRID_X] = "grid_size_x",
    [COLUMN_GRID_Y] = "grid_size_y",
    [COLUMN_GRID_Z] = "grid_size_z",
    [COLUMN_REGION_NAME] = "region_name_id",
    [COLUMN_GRAPH] = "graph_exec_id",
    [COLUMN_GRAPH_NODE] = "graph_node_id",
    [COLUMN_DST_AGENT] = "dst_agent_id",
    [COLUMN_SRC_AGENT] = "src_agent_id",
    [COLUMN_DST_ADDRESS] = "dst_address",
    [COLUMN_SRC_ADDRESS] = "src_address",
    [COLUMN_SIZE] = "size",
    [COLUMN_TYPE] = "type",
    [COLUMN_LEVEL] = "level",
    [COLUMN_ADDRESS] = "address",
    [COLUMN_EXTDATA] = "extdata",
};

#define BIT(column) ((uint64_t)1 << COLUMN_##column)
#define WHERE \
	(BIT(START) | BIT(END) | BIT(EVENT) | BIT(PID) | BIT(TID) | BIT(TRACK))
#define QUEUE (BIT(AGENT) | BIT(QUEUE) | BIT(STREAM))
#define GRAPH (BIT(GRAPH) | BIT(GRAPH_NODE))

static const struct {
	const char *name;
	uint64_t columns; /* that are read, as bits */
} tables[ROCPD_TABLES] = {
    [ROCPD_REGION] = {"region", WHERE | BIT(NAME)},
    [ROCPD_SAMPLE] = {"sample", WHERE | BIT(NAME)},
    [ROCPD_KERNEL] = {"kernel_dispatch",
	WHERE | QUEUE | GRAPH | BIT(KERNEL) | BIT(PRIVATE) | BIT(GROUP) |
	    BIT(WORKGROUP_X) | BIT(WORKGROUP_Y) | BIT(WORKGROUP_Z) |
	    BIT(GRID_X) | BIT(GRID_Y) | BIT(GRID_Z) | BIT(REGION_NAME)},
    [ROCPD_COPY] = {"memory_copy",
	WHERE | QUEUE | GRAPH | BIT(NAME) | BIT(DST_AGENT) | BIT(SRC_AGENT) |
	    BIT(DST_ADDRESS) | BIT(SRC_ADDRESS) | BIT(SIZE)},
    [ROCPD_ALLOC] = {"memory_allocate", WHERE | QUEUE | BIT(SIZE) | BIT(TYPE) |
					    BIT(LEVEL) | BIT(ADDRESS) |
					    BIT(EXTDATA)},
    [ROCPD_GRAPH] = {"graph_launch", WHERE | QUEUE | GRAPH},
    [ROCPD_OPERATION] = {"event_operation", WHERE | QUEUE | BIT(TYPE)},
};

const char *
rocpd_tables_base(enum rocpd_rows rows)
{
	return tables[rows].name;
}

/* ---- columns ---- */

/* the times of a table that has ids of times, as columns; empty for none */
static struct text
times_by_id(const struct rocpd_ids *ids, const struct name_list *has)
{
	static const char *const times[][2] = {{"start_id", "start"},
	    {"end_id", "end"}, {"timestamp_id", "timestamp"}};
	struct text sql = {0};

	for (int i = 0; i < 3; i++) {
		char *time;

		if (name_list_find(has, times[i][0]) < 0)
			continue;
		time = database_sql(", (SELECT value FROM "
				    "\"rocpd_timestamp%w\" WHERE id = %s) AS "
				    "\"%s\"",
		    ids->suffix, times[i][0], times[i][1]);
		text_add_str(&sql, time);
		sqlite3_free(time);
	}
	if (sql.len > 0)
		text_add_char(&sql, '\0');
	return sql;
}

/*
 * Schema 4.0 keeps times in a table of their own: a view has them where schema
 * 3 does.  Returns the table that is to be read.
 */
static char *
with_times(const struct rocpd_ids *ids, char *table, struct name_list *has)
{
	struct text times = times_by_id(ids, has);
	char *view, *sql;

	if (times.len == 0)
		return table;
	view = database_sql("%s with times", table);
	sql = database_sql("CREATE TEMP VIEW \"%w\" AS SELECT *%s FROM "
			   "\"%w\"",
	    view, times.p, table);
	if (sqlite3_exec(ids->db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		database_fail(ids->db);
	sqlite3_free(sql);
	sqlite3_free(table);
	text_free(&times);
	name_list_free(has);
	*has = database_names(
	    ids->db, database_prepare(ids->db,
			 "SELECT name FROM pragma_table_info(%Q)", view));
	return view;
}

static void
choose_columns(struct rocpd_table *t, const struct name_list *has)
{
	for (int c = 0; c < ROCPD_COLUMNS; c++) {
		const char *name = columns[c];

		t->value[c] = -1;
		if (!(tables[t->rows].columns >> c & 1))
			continue;
		if (c == COLUMN_START && t->rows == ROCPD_SAMPLE)
			name = "timestamp";
		if (name_list_find(has, name) < 0)
			continue;
		t->value[c] = t->layout.row.count;
		t->columns[t->layout.row.count++] =
		    mem_copy(name, strlen(name));
	}
}

void
rocpd_tables_find(
    struct rocpd_table *t, const struct rocpd_ids *ids, enum rocpd_rows rows)
{
	char *name = database_sql("rocpd_%s%s", tables[rows].name, ids->suffix);
	struct name_list has = database_names(
	    ids->db, database_prepare(ids->db,
			 "SELECT name FROM pragma_table_info(%Q)", name));

	*t = (struct rocpd_table){.rows = rows};
	if (has.count == 0) {
		sqlite3_free(name);
		return;
	}
	t->table = database_sql("%s", name);
	t->name = with_times(ids, name, &has);
	choose_columns(t, &has);
	row_source_layout(
	    &t->layout, ids->db, t->name, t->columns, t->layout.row.count);
	name_list_free(&has);
}

void
rocpd_tables_free(struct rocpd_table *t)
{
	for (int i = 0; i < t->layout.row.count; i++)
		free(t->columns[i]);
	row_format_close(&t->formats);
	row_chains_free(&t->chains);
	sqlite3_free(t->name);
	sqlite3_free(t->table);
}

/* ---- rows ---- */

struct span
rocpd_tables_text(
    const struct rocpd_table *t, struct row_source *rows, enum rocpd_column c)
{
	const struct sql_value *v;

	if (t->value[c] < 0)
		return SPAN("");
	v = &row_source_values(rows)[t->value[c]];
	return v->type == SQL_TEXT ? v->s : SPAN("");
}

/* an integer of row i ahead */
static bool
int_ahead(const struct rocpd_table *t, struct row_source *rows, unsigned i,
    enum rocpd_column c, int64_t *v)
{
	return t->value[c] >= 0 &&
	       row_source_int_ahead(rows, i, t->value[c], v);
}

static bool
is_operation(const struct rocpd_table *t)
{
	return t->rows == ROCPD_KERNEL || t->rows == ROCPD_COPY ||
	       t->rows == ROCPD_GRAPH || t->rows == ROCPD_OPERATION;
}

enum rocpd_fate
rocpd_tables_select(const struct rocpd_table *t, struct row_source *rows,
    unsigned i, int64_t origin, const struct time_window *w, int64_t *ts,
    int64_t *dur)
{
	int64_t start, end;

	if (!int_ahead(t, rows, i, COLUMN_START, &start))
		return FATE_NO_START;
	if (t->rows == ROCPD_SAMPLE)
		end = start;
	else if (!int_ahead(t, rows, i, COLUMN_END, &end))
		end = 0;
	if (end < start && end != 0 && is_operation(t))
		return FATE_BACKWARD;
	if (start == 0 && end == 0 && is_operation(t))
		return FATE_ZERO_TIME;
	if (__builtin_sub_overflow(start, origin, ts))
		return FATE_TIME_RANGE;
	*dur = NEVER_ENDED;
	if ((end != 0 || t->rows == ROCPD_SAMPLE) &&
	    __builtin_sub_overflow(end, start, dur))
		return FATE_TIME_RANGE;
	return time_window_overlaps(w, *ts, *dur) ? FATE_RECORD : FATE_OUTSIDE;
}

void
rocpd_tables_index(struct rocpd_table *t, const struct database *db,
    int64_t origin, const struct time_window *w)
{
	struct row_source rows;
	int64_t ts, dur;

	row_format_open(&t->formats, &t->layout.row, 0);
	t->chains.unsorted = !t->layout.has_rowid;
	row_source_open(&rows, db, &t->layout, &t->formats, NULL, 0);
	while (row_source_fill(&rows))
		for (unsigned i = 0; i < rows.count; i++) {
			enum rocpd_fate fate = rocpd_tables_select(
			    t, &rows, i, origin, w, &ts, &dur);

			t->fates[fate]++;
			if (fate == FATE_RECORD)
				row_chains_add(&t->chains, rows.ahead[i].rowid,
				    ts, dur, 0);
		}
	row_source_close(&rows);
}

void
rocpd_tables_open(struct row_source *rows, const struct database *db,
    struct rocpd_table *t, size_t i)
{
	const char *start = t->columns[t->value[COLUMN_START]], *end = start;
	char *order;

	if (!t->chains.unsorted) {
		row_source_open(rows, db, &t->layout, &t->formats,
		    t->chains.all[i].intervals, t->chains.all[i].count);
		return;
	}
	if (t->value[COLUMN_END] >= 0)
		end = t->columns[t->value[COLUMN_END]];
	/* rows that never ended come first */
	order = database_sql("ORDER BY \"%w\", coalesce(\"%w\", 0) <> 0, "
			     "\"%w\" DESC, 1",
	    start, end, end);
	row_source_open_sorted(rows, db, &t->layout, order);
	sqlite3_free(order);
}
