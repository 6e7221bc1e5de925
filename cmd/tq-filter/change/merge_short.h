/*
 * merge_short.h - runs of short kernels become one record.
 *
 * A run is of kernels shorter than a limit, one after the other on one stream
 * (pid, device, context, stream), with no other work on it in between, and no
 * gap of the limit or longer between the end of one and the start of the next.
 * A run of two or more becomes a record in the place of its first: ts of the
 * first, dur to the latest end, count, busy (the sum of their durations), and
 * the keys that all of them have with the same value, spelt alike; name is "N
 * kernels" where it differs.  So sums over dur of single kernels and busy of
 * merged ones stay exact.
 *
 * A kernel that never ended or is merged already is work like any other, and
 * stays as it is, like a run of one.
 *
 * Lines wait while a run is open that began before them, at most
 * MERGE_SHORT_LINES: then the oldest run is closed.  That bounds memory.
 */
#ifndef MERGE_SHORT_H
#define MERGE_SHORT_H

#include "tq/line/event.h"
#include "tq/io/output.h"

enum { MERGE_SHORT_LINES = 1 << 16 };

struct merge_short;

/* Records go to out, which is borrowed; limit in ns, > 0. */
struct merge_short *merge_short_open(int64_t limit, struct output *out);

/* Lines that still wait are lost; m may be NULL. */
void merge_short_free(struct merge_short *m);

/* A record that is neither trace nor end, parsed in full. */
void merge_short_event(struct merge_short *m, const struct event *ev);

/* The section is over: write all lines that wait. */
void merge_short_finish(struct merge_short *m);

/* Kernels that went into merged records, and those records. */
int64_t merge_short_kernels(const struct merge_short *m);
int64_t merge_short_records(const struct merge_short *m);

#endif
