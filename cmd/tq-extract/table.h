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

/* what decides whether a row is an event, and about its place */
struct when {
	const struct nsys_table *map;
	int start, end, filter; /* cells, or -1 */
};

/* runs of rows that are in order, one behind the other */
struct strand {
	struct run *runs;
	size_t count;
	int64_t ts, dur; /* of the last row */
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
	struct when when;
	struct layout layout;
	struct row_shapes shapes; /* of its rows */

	struct strand *strands;      /* all events */
	size_t strand_count, strand; /* strand: that of the last event */
	bool unsorted;               /* too many strands: SQLite sorts */

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
struct table *tables_find(struct nsys *x, uint64_t kinds, size_t *count);
void tables_free(struct table *tables, size_t count);

/*
 * Arrange the events of all tables in strands, and count operations by the
 * call that launched them (x->launched).
 */
void tables_index(
    struct nsys *x, struct table *tables, size_t count, const struct window *w);

/* The rows of a strand; of an unsorted table all in order (i is 0). */
void table_rows(struct source *rows, struct nsys *x, struct table *t, size_t i);

enum row_is { ROW_EVENT, ROW_OTHER, ROW_OUTSIDE, ROW_LOST };

/*
 * What a row is, and for an event what it is ordered by: its time, and of
 * equal times the longer first.  In select.h for rows with a shape.
 */
enum row_is table_select_cells(const struct nsys *x, const struct when *when,
    const struct cell *row, const struct window *w, int64_t *ts, int64_t *dur);

/* Write the record of the row at hand: by a plan, or from its cells. */
void table_write(struct nsys *x, struct table *t, struct source *row);

void table_write_cells(struct nsys *x, struct table *t, const struct cell *row,
    int64_t ts, int64_t dur);

#endif
