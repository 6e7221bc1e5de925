/*
 * row_merge.h - the rows of all tables in one order: by time, of equal times
 * the longer first, then in the order of the tables and of their rows.
 *
 * It holds a reader for each chain, nothing for a row.
 */
#ifndef ROW_MERGE_H
#define ROW_MERGE_H

#include "row_chains.h"

/* the rows of a table; or of several, from a feed that gives their numbers */
struct merge_cursor {
	void *table;            /* of the caller; NULL: of several tables */
	unsigned number;        /* of the table, in their order */
	struct row_source rows; /* all rows ahead are events, with times */
};

/* a cursor in the order of its next row; equal times need a closer look */
struct merge_head {
	int64_t ts;
	struct merge_cursor *cursor;
};

/* select and arg of the caller; all else {0} */
struct row_merge {
	/*
	 * Keep the rows ahead of a cursor that are events, with their times
	 * (row_merge_keep); returns how many.
	 */
	unsigned (*select)(void *arg, struct merge_cursor *c);
	void *arg;
	struct merge_head
	    *heads; /* a heap: cursors that are not at their end */
	size_t count, cap;
	bool started;
};

/*
 * Add a cursor: its rows are to be opened before the next call.  table and
 * number: see struct merge_cursor.
 */
struct merge_cursor *row_merge_add(
    struct row_merge *m, void *table, unsigned number);

/* The cursor that is at the next row; NULL after the last. */
struct merge_cursor *row_merge_next(struct row_merge *m);

void row_merge_close(struct row_merge *m);

/* Row i ahead becomes row `to`, which is not behind it. */
static inline void
row_merge_keep(
    struct merge_cursor *c, unsigned to, unsigned i, int64_t ts, int64_t dur)
{
	struct row_source *rows = &c->rows;
	struct row_bytes *kept = &rows->ahead[to];

	if (to != i) {
		*kept = rows->ahead[i];
		rows->row.bytes = NULL; /* it may have moved */
	}
	kept->ts = ts;
	kept->dur = dur;
	kept->number = c->number;
}

#endif
