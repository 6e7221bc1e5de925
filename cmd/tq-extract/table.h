/*
 * table.h - a table of the export at hand: which columns it has, what they
 * become, and its rows in order of time.
 */
#ifndef TABLE_H
#define TABLE_H

#include "export.h"
#include "nsys_map.h"
#include "source.h"

/* one key of a record, from the columns of a row */
struct step {
	const struct nsys_column *from;
	const char *arg;
	int col[3];    /* cells of a row; -1 where the table lacks it */
	int64_t value; /* of keys that define something first: its id */
	/*
	 * Most steps write an integer as it is: such are those of number,
	 * but for the values they leave out.
	 */
	bool number, not_zero, not_ones;
	bool after_raw; /* raw or open may stand in front of it */
};

/* events that overlap [from, to) */
struct window {
	int64_t from, to;
};

/* rows from first to last are in order */
struct run {
	int64_t first, last;
};

/* why a row cannot become a record */
enum loss { LOSS_NONE, LOSS_NO_TIME, LOSS_TIME_RANGE, LOSS_COUNT };

#define NEVER_ENDED INT64_MAX /* as a duration; the longest there is */

/* a table as one kind of record */
struct table {
	const struct nsys_table *map;
	char *name; /* as the export spells it */
	struct step *steps;
	int step_count;
	bool defines;   /* a row may need a symbol or stack first */
	char **columns; /* the cells of a row */
	int column_count;
	int start, end, filter; /* cells, or -1 */
	struct layout layout;

	struct run *runs;
	size_t run_count;
	bool unsorted; /* too many runs: SQLite sorts */

	int64_t rows;    /* events, in the window */
	int64_t records; /* written */
	int64_t others;  /* rows that are no events of this kind */
	int64_t outside; /* of the window */
	int64_t lost[LOSS_COUNT];
	struct text unknown; /* columns that the map does not have */
};

/*
 * Find the tables of kinds (bits) that the export has; *count of them.
 */
struct table *tables_find(struct export *x, uint64_t kinds, size_t *count);
void tables_free(struct table *tables, size_t count);

/*
 * Find the ascending runs of the rows in the window, and count operations
 * by the call that launched them (x->launched).
 */
void table_index(struct export *x, struct table *t, const struct window *w);

/*
 * The rows of run i in order, rows that are no events among them; all rows
 * in order where the table is unsorted (then i is 0).
 */
struct source *table_rows(struct export *x, const struct table *t, size_t i);
void table_close(struct source *rows);

enum row { ROW_EVENT, ROW_OTHER, ROW_OUTSIDE, ROW_LOST };

/*
 * What a row is, and for an event what it is ordered by: its time, and of
 * equal times the longer first.
 */
enum row table_select(const struct export *x, const struct table *t,
    const struct cell *row, const struct window *w, int64_t *ts, int64_t *dur);

/* Write the record of a row. */
void table_write(struct export *x, struct table *t, const struct cell *row,
    int64_t ts, int64_t dur);

#endif
