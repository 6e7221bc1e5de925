/* row_writer.h - rows of an export become records */
#ifndef ROW_WRITER_H
#define ROW_WRITER_H

#include "nsys/nsys.h"
#include "row_program.h"
#include "sqlite/row_source.h"

/* of members, and room behind them for a vector */
enum { ROW_PLACES = OUTLINE_ROOM + 16 };

/* the digits of a time but for the last eight, which are zeros in from */
struct recent_time {
	int64_t from;
	char text[16];
	unsigned char len;
};

struct row_writer {
	struct output *out;
	struct nsys *x; /* NULL where no column refers to more than a row */
	struct recent_time recent;
	int64_t odd_values; /* of a type that their column does not have */
	int64_t bad_bytes;  /* that were no UTF-8 */

	/* of the current record */
	const struct row_program *program;
	const struct row *row;
	int64_t a, b, symbol, stack;
	struct span raw;
	int64_t bad;                 /* bytes that were no UTF-8 */
	unsigned char odd;           /* not 0: one of its values is not plain */
	size_t members;              /* in places: */
	uint16_t places[ROW_PLACES]; /* where they begin; where it ends */
};

/* Both are borrowed. */
void row_writer_init(struct row_writer *w, struct output *out, struct nsys *x);

/*
 * Write the record of the current row, which has its times, and the symbols
 * and stacks it is the first to refer to.
 */
void row_writer_row(
    struct row_writer *w, struct record_map *m, struct row_source *rows);

/* The same for the values that were set in m->flat. */
void row_writer_flat(
    struct row_writer *w, struct record_map *m, int64_t ts, int64_t dur);

#endif
