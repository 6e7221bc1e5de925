/*
 * ranges.h - NVTX: from what threads did to ranges, marks and counters
 */
#ifndef TQ_CAPTURE_NVTX_LINES_H
#define TQ_CAPTURE_NVTX_LINES_H

#include "dictionary.h"
#include "record_parts.h"
#include "out_stream.h"

/* a range that was begun; what is known of it is written already */
struct pushed_range {
	int64_t ts;
	uint32_t domain;
	bool trigger;      /* its end is to be told to the focus */
	bool open;         /* else it was ended, below others of the stack */
	size_t name, args; /* where in thread.text: name .. args .. next */
};

struct target_thread {
	int32_t tid;
	bool is_defined;
	struct text name;
	struct pushed_range *stack; /* push and pop, of all domains */
	size_t depth, cap;
	struct text text; /* of the stack */
	struct gathered_parts gather;
};

/* one that may be ended by any thread */
struct started_range {
	int64_t ts;
	int32_t tid;
	bool trigger;
	struct text name, args;
};

/* the annotations of one process; {0} has none */
struct annotations {
	struct map threads; /* tid to 1 + index */
	struct target_thread **all;
	size_t count, cap;
	struct map started;          /* id to 1 + index */
	struct started_range *begun; /* ts is INT64_MAX where it is unused */
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
	struct dictionary *names;
	struct out_stream *out;
	int64_t *range_ids;   /* counts the ranges of the capture */
	int64_t *counter_ids; /* and its counters */
	struct map *counters; /* of the process: see counters.c */
};

/* The thread, known from then on; good until nvtx_lines_free. */
struct target_thread *nvtx_lines_thread(struct annotations *r, int32_t tid);

/* Write the definition of the thread, where it is new or has a new name. */
void nvtx_lines_define(
    struct target_thread *t, const struct source *from, struct span name);

/*
 * A record of NVTX: writes what is complete.  Returns how many events that
 * makes known: 1, or 0 where it is the first half of a range, or garbage.
 */
int nvtx_lines_record(struct annotations *r, struct target_thread *t,
    const struct source *from, const struct record *rec);

/* The start (ns) of the oldest range that is open, INT64_MAX: none is. */
int64_t nvtx_lines_oldest(const struct annotations *r);

/* The process is over: write what was never ended.  Returns how many. */
int64_t nvtx_lines_finish(struct annotations *r, const struct source *from);

void nvtx_lines_free(struct annotations *r);

#endif
