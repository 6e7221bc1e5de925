/*
 * thread_ranges.h - the ranges of each thread, and which of them are around a
 * moment.
 *
 * The ranges of a thread stand in the order in which they came.  A binary tree
 * over blocks of ranges has the latest end of the ranges that a mark has not
 * reached yet: so each range is found once for a mark, in O(log n).
 */
#ifndef THREAD_RANGES_H
#define THREAD_RANGES_H

#include "tq/join/nesting.h"

#include "record_set.h"

enum thread_mark { MARK_KEEP, MARK_CUT, THREAD_MARKS };

/* {0} has no range; nesting_thread.around has the ranges of a thread */
struct thread_ranges {
	struct nesting nesting;
	uint64_t count; /* of ranges that were added: the number of the next */
};

/* The ranges of a thread, or NULL; good until thread_ranges_clear. */
struct ranges_of_thread *thread_ranges_find(
    struct thread_ranges *t, int64_t pid, int64_t tid);

/*
 * Add a range.  Ranges that ended before horizon may be forgotten: no later
 * look-up is of a moment before it.
 */
void thread_ranges_add(struct thread_ranges *t, int64_t pid, int64_t tid,
    int64_t ts, int64_t end, uint64_t record, int64_t horizon);

/*
 * Add to marks the records of the ranges with a number below before that were
 * open when [ts, end] started, but for ranges that the same mark reached
 * before.  r may be NULL.
 */
void thread_ranges_mark(struct ranges_of_thread *r, uint64_t before, int64_t ts,
    int64_t end, enum thread_mark mark, struct record_set *marks);

/* Forget all ranges. */
void thread_ranges_clear(struct thread_ranges *t);

void thread_ranges_free(struct thread_ranges *t);

#endif
