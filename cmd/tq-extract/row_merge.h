/*
 * row_merge.h - the rows of all tables in one order: by time, of equal times
 * the longer first, then in the order of the tables and of their rows.
 *
 * It holds a source for each chain, nothing for a row.
 */
#ifndef ROW_MERGE_H
#define ROW_MERGE_H

#include "nsys/event_table.h"

struct merge_cursor {
	struct event_table *table;
	struct row_source
	    rows; /* all rows ahead are events, with their times */
};

/* a cursor in the order of its next row; equal times need a closer look */
struct merge_head {
	int64_t ts;
	struct merge_cursor *cursor;
};

struct row_merge {
	struct nsys *x;
	const struct time_window *window;
	struct merge_head
	    *heads; /* a heap: cursors that are not at their end */
	size_t count;
	bool started;
};

/* x, tables and w are borrowed until merge_close */
void row_merge_open(struct row_merge *m, struct nsys *x,
    struct event_table *tables, size_t count, const struct time_window *w);

/* The cursor that is at the next row; NULL after the last. */
struct merge_cursor *row_merge_next(struct row_merge *m);

void row_merge_close(struct row_merge *m);

#endif
