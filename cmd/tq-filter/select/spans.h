/*
 * spans.h - the intervals of a selection, per thread, per process or for all:
 * a record is inside if it starts in one of them.
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
 * Add [from, to] for (pid, tid), which may stand for more than a thread.  to is
 * INT64_MAX as long as it is unknown.
 */
void spans_add(
    struct spans *s, int64_t pid, int64_t tid, int64_t from, int64_t to);

/* If the last span of (pid, tid) is open, it ends at to. */
void spans_close(struct spans *s, int64_t pid, int64_t tid, int64_t to);

/* True if the last span of (pid, tid) is open. */
bool spans_open(const struct spans *s, int64_t pid, int64_t tid);

/* All are added: spans that meet become one. */
void spans_finish(struct spans *s);

/*
 * True if [ts, end] starts inside a span of (pid, tid).  *whole becomes false
 * if it ends behind the span, and stays as it is otherwise.
 */
bool spans_hold(const struct spans *s, int64_t pid, int64_t tid, int64_t ts,
    int64_t end, bool *whole);

void spans_free(struct spans *s);

#endif
