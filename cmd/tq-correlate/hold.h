/*
 * hold.h - output that waits, because it has an operation in it whose call
 * may still come.
 */
#ifndef HOLD_H
#define HOLD_H

#include "tq/io/output.h"

#include "op.h"

struct held {
	struct op op;
	size_t at;     /* of its line in the lines that wait */
	int64_t lines; /* that came before it */
};

/* {0} holds nothing */
struct hold {
	struct output lines; /* append to it while an operation waits */
	struct held *ops;
	size_t first, count, cap;
	size_t written; /* bytes, and lines, at the beginning of lines */
	int64_t written_lines;
};

void hold_free(struct hold *h);

static inline bool
hold_waits(const struct hold *h)
{
	return h->count > 0;
}

/* Let the operation wait behind all that waits. */
void hold_add(struct hold *h, const struct op *op);

/* How many lines wait. */
static inline int64_t
hold_lines(const struct hold *h)
{
	return h->lines.lines - h->written_lines;
}

/* The operation that waits longest; its line is good until hold_add. */
const struct op *hold_first(struct hold *h);

/* Write to o the lines before the first operation, and forget that. */
void hold_take(struct hold *h, struct output *o);

/* Nothing waits for an operation any more: write what is left. */
void hold_finish(struct hold *h, struct output *o);

#endif
