/*
 * merge.h - the rows of all tables in one order: by time, of equal times
 * the longer first, then in the order of the tables and of their rows.
 *
 * It holds a source for each strand, nothing for a row.
 */
#ifndef MERGE_H
#define MERGE_H

#include "table.h"

struct cursor {
	struct table *table;
	struct source rows; /* those ahead are events, with their times */
};

/* its place in the order, as far as its time tells */
struct head {
	int64_t ts;
	struct cursor *cursor;
};

struct merge {
	struct nsys *x;
	const struct window *window;
	struct head *heads; /* a heap: cursors that are not at their end */
	size_t count;
	bool started;
};

/* x, tables and w are borrowed until merge_close */
void merge_open(struct merge *m, struct nsys *x, struct table *tables,
    size_t count, const struct window *w);

/* The cursor that is at the next row; NULL after the last. */
struct cursor *merge_next(struct merge *m);

void merge_close(struct merge *m);

#endif
