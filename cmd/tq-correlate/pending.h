/*
 * pending.h - output that waits, because an operation in it waits for its
 * call.
 */
#ifndef PENDING_H
#define PENDING_H

#include "tq/io/output.h"

#include "device_operation.h"

struct pending_operation {
	struct device_operation op;
	size_t at;     /* of its line in the lines that wait */
	int64_t lines; /* that came before it */
	int64_t since; /* when it came; of a live section */
};

/* {0} is empty */
struct pending {
	struct output lines; /* append to it while an operation waits */
	struct pending_operation *ops;
	size_t first, count, cap; /* ops[first] to ops[first + count - 1] */
	size_t written;           /* bytes at the beginning of lines */
	int64_t written_lines;
};

void pending_free(struct pending *p);

static inline bool
pending_any(const struct pending *p)
{
	return p->count > 0;
}

/* The operation waits behind all output that waits; since when. */
void pending_add(
    struct pending *p, const struct device_operation *op, int64_t since);

/* How many lines wait. */
static inline size_t
pending_lines(const struct pending *p)
{
	return (size_t)(p->lines.lines - p->written_lines);
}

/* The operation that waits longest; its line is good until pending_add. */
const struct device_operation *pending_first(struct pending *p);

static inline int64_t
pending_since(const struct pending *p)
{
	return p->ops[p->first].since;
}

/* Write the lines before the first operation to o, and remove that. */
void pending_take(struct pending *p, struct output *o);

/* No operation waits any more: write the remaining lines. */
void pending_finish(struct pending *p, struct output *o);

#endif
