/*
 * rocpd_tables.h - the tables of a rocpd database whose rows have a time.
 */
#ifndef ROCPD_TABLES_H
#define ROCPD_TABLES_H

#include "rocpd_ids.h"
#include "sqlite/row_chains.h"
#include "time_window.h"
#include "tq/line/schema.h"

/* in the order in which records of equal time and duration are written */
enum rocpd_rows {
	ROCPD_REGION,
	ROCPD_SAMPLE,
	ROCPD_KERNEL,
	ROCPD_COPY,
	ROCPD_ALLOC,
	ROCPD_GRAPH,
	ROCPD_OPERATION,
	ROCPD_TABLES
};

/* the columns that are read, of any table */
enum rocpd_column {
	COLUMN_START, /* or the time of an instant */
	COLUMN_END,
	COLUMN_EVENT,
	COLUMN_PID,
	COLUMN_TID,
	COLUMN_TRACK,
	COLUMN_NAME,
	COLUMN_AGENT,
	COLUMN_QUEUE,
	COLUMN_STREAM,
	COLUMN_KERNEL,
	COLUMN_PRIVATE,
	COLUMN_GROUP,
	COLUMN_WORKGROUP_X,
	COLUMN_WORKGROUP_Y,
	COLUMN_WORKGROUP_Z,
	COLUMN_GRID_X,
	COLUMN_GRID_Y,
	COLUMN_GRID_Z,
	COLUMN_REGION_NAME,
	COLUMN_GRAPH,
	COLUMN_GRAPH_NODE,
	COLUMN_DST_AGENT,
	COLUMN_SRC_AGENT,
	COLUMN_DST_ADDRESS,
	COLUMN_SRC_ADDRESS,
	COLUMN_SIZE,
	COLUMN_TYPE,
	COLUMN_LEVEL,
	COLUMN_ADDRESS,
	COLUMN_EXTDATA,
	ROCPD_COLUMNS
};

/* the fate of a row */
enum rocpd_fate {
	FATE_RECORD,   /* it may become one, but for the next two */
	FATE_FOLDED,   /* other records have the same content */
	FATE_UNWANTED, /* of a kind that is not chosen */
	FATE_OUTSIDE,  /* of the window */
	FATE_NO_START,
	FATE_TIME_RANGE,
	FATE_ZERO_TIME, /* an operation that starts and ends at 0 */
	FATE_BACKWARD,  /* an operation that ends before it starts */
	FATES
};

enum { FATE_LOST = FATE_NO_START }; /* from here on */

struct rocpd_table {
	enum rocpd_rows rows;
	char *table; /* NULL: the suffix lacks it */
	char *name;  /* of the table or view that is read */
	char *columns[ROCPD_COLUMNS];
	int value[ROCPD_COLUMNS]; /* of a row; -1: it lacks the column */
	struct table_layout layout;
	struct row_formats formats;
	struct row_chains chains;
	int64_t fates[FATES];
	int64_t records[KIND_COUNT];
};

/* Find a table of a suffix; name stays NULL where there is none. */
void rocpd_tables_find(
    struct rocpd_table *t, const struct rocpd_ids *ids, enum rocpd_rows rows);

/* Arrange its rows in chains, and count rows that never become records. */
void rocpd_tables_index(struct rocpd_table *t, const struct database *db,
    int64_t origin, const struct time_window *w);

/* The rows of chain i; of an unsorted table all in order (i is 0). */
void rocpd_tables_open(struct row_source *rows, const struct database *db,
    struct rocpd_table *t, size_t i);

void rocpd_tables_free(struct rocpd_table *t);

/* The number of chains of rocpd_tables_open. */
static inline size_t
rocpd_tables_chains(const struct rocpd_table *t)
{
	if (t->name == NULL || t->value[COLUMN_START] < 0)
		return 0;
	return t->chains.unsorted ? 1 : t->chains.count;
}

/* Whether row i ahead becomes a record, and when. */
enum rocpd_fate rocpd_tables_select(const struct rocpd_table *t,
    struct row_source *rows, unsigned i, int64_t origin,
    const struct time_window *w, int64_t *ts, int64_t *dur);

/* An integer of the current row; ROCPD_NONE for any other value. */
static inline int64_t
rocpd_tables_int(
    const struct rocpd_table *t, struct row_source *rows, enum rocpd_column c)
{
	int64_t v;

	return row_source_int(rows, t->value[c], &v) ? v : ROCPD_NONE;
}

/* A text of it; empty for any other value. */
struct span rocpd_tables_text(
    const struct rocpd_table *t, struct row_source *rows, enum rocpd_column c);

/* The name of the table without suffix and "rocpd_". */
const char *rocpd_tables_base(enum rocpd_rows rows);

#endif
