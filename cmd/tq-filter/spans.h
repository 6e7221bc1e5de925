/*
 * spans.h - the intervals that a selection is about, per thread, per process
 * or for all: what starts in one of them is inside.
 */
#ifndef SPANS_H
#define SPANS_H

#include <stdbool.h>
#include <stddef.h>

#include "tq/base/map.h"

struct span_list;

/* {0} has none */
struct spans {
	struct map lists; /* (pid, tid) -> list */
};

/*
 * Add [from, to] for (pid, tid), whatever they stand for.  to is INT64_MAX
 * where it is not known yet.
 */
void spans_add(
    struct spans *s, int64_t pid, int64_t tid, int64_t from, int64_t to);

/* The span of (pid, tid) that was added last ends at to, if it is open. */
void spans_close(struct spans *s, int64_t pid, int64_t tid, int64_t to);

/* Is the span of (pid, tid) that was added last still open? */
bool spans_open(const struct spans *s, int64_t pid, int64_t tid);

/* All are added: those that meet become one. */
void spans_finish(struct spans *s);

/*
 * Does [ts, end] start inside a span of (pid, tid)?  *whole becomes false
 * where it ends behind it, and else is left alone.
 */
bool spans_hold(const struct spans *s, int64_t pid, int64_t tid, int64_t ts,
    int64_t end, bool *whole);

void spans_free(struct spans *s);

#endif
