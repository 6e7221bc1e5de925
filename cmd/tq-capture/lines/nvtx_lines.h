/*
 * ranges.h - NVTX: from what threads did to ranges, marks and counters
 */
#ifndef TQ_CAPTURE_RANGES_H
#define TQ_CAPTURE_RANGES_H

#include "dictionary.h"
#include "record_parts.h"
#include "section.h"

/* a range that was begun; what is known of it is written already */
struct open_range {
	int64_t ts;
	uint32_t domain;
	bool trigger;      /* its end is to be told to the focus */
	bool open;         /* else it was ended, below others of the stack */
	size_t name, args; /* where in thread.text: name .. args .. next */
};

struct thread {
	int32_t tid;
	bool is_defined;
	struct text name;
	struct open_range *stack; /* push and pop, of all domains */
	size_t depth, cap;
	struct text text; /* of the stack */
	struct gather gather;
};

/* one that may be ended by any thread */
struct started {
	int64_t ts;
	int32_t tid;
	bool trigger;
	struct text name, args;
};

/* the annotations of one process; {0} has none */
struct ranges {
	struct map threads; /* tid to 1 + index */
	struct thread **all;
	size_t count, cap;
	struct map started;    /* id to 1 + index */
	struct started *begun; /* ts is INT64_MAX where it is unused */
	size_t begun_count, begun_cap;
	size_t *unused;
	size_t unused_count;
};

/* of which process, and where to */
struct source {
	int pid;
	uint32_t process; /* index */
	const struct clock *clock;
	struct focus *focus;
	struct names *names;
	struct stream *out;
	int64_t *range_ids;   /* counts the ranges of the capture */
	int64_t *counter_ids; /* and its counters */
	struct map *counters; /* of the process: see counters.c */
};

/* The thread, known from then on; good until ranges_free. */
struct thread *ranges_thread(struct ranges *r, int32_t tid);

/* Write the definition of the thread, where it is new or has a new name. */
void ranges_define(
    struct thread *t, const struct source *from, struct span name);

/*
 * A record of NVTX: writes what is complete.  Returns how many events that
 * makes known: 1, or 0 where it is the first half of a range, or garbage.
 */
int ranges_record(struct ranges *r, struct thread *t, const struct source *from,
    const struct record *rec);

/* The start (ns) of the oldest range that is open, INT64_MAX: none is. */
int64_t ranges_oldest(const struct ranges *r);

/* The process is over: write what was never ended.  Returns how many. */
int64_t ranges_finish(struct ranges *r, const struct source *from);

void ranges_free(struct ranges *r);

#endif
