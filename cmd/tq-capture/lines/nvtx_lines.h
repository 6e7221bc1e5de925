/*
 * nvtx_lines.h - records of NVTX become lines: ranges, marks, counters, and
 * the names of threads
 */
#ifndef TQ_CAPTURE_NVTX_LINES_H
#define TQ_CAPTURE_NVTX_LINES_H

#include "tq/base/keyed.h"

#include "record_parts.h"

struct lines;

/* a push/pop range whose pop has not come; its line is written up to there */
struct pushed_range {
	int64_t ts;
	uint32_t domain;
	bool trigger;      /* the focus waits for its end */
	bool open;         /* false: popped, but ranges above it are open */
	int64_t stack;     /* of Python; 0: none */
	size_t name, args; /* where in thread.text: name .. args .. next */
};

struct target_thread {
	int32_t tid;
	bool is_defined;
	struct text name;
	struct pushed_range *stack; /* of all domains */
	size_t depth, cap;
	struct text text; /* of the stack */
	struct gathered_parts gathered;
};

/* a start/end range, which any thread may end */
struct started_range {
	int64_t ts; /* INT64_MAX: this element is unused */
	int32_t tid;
	uint32_t domain;
	bool trigger;
	int64_t stack; /* as of pushed_range */
	struct text name, args;
};

/* the end of a start/end range that was read before its start: the chunks of
   threads are read one after the other */
struct early_end {
	int32_t tid;
	struct record head;
	struct record_parts parts; /* in bytes */
	struct text bytes;
};

/* the annotations of one process; {0} has none */
struct annotations {
	KEYED(struct target_thread *) threads; /* by tid */
	struct map started;                    /* id -> index + 1 in begun */
	KEYED(struct early_end) early;         /* by id of the range */
	size_t early_waiting;                  /* of early */
	struct started_range *begun;
	size_t begun_count, begun_cap;
	size_t *unused; /* elements of begun */
	size_t unused_count, unused_cap;
};

/* The thread of that id, a new one if need be; it lives until
   nvtx_lines_free. */
struct target_thread *nvtx_lines_thread(struct annotations *a, int32_t tid);

/* Write the definition of the thread if it is new, or if its name is. */
void nvtx_lines_define(
    struct lines *l, struct target_thread *t, struct span name);

/*
 * The same of a thread that has no chunk, if it has no definition yet: its name
 * is the kernel's name for it.
 */
void nvtx_lines_define_thread(struct lines *l, int32_t tid);

/* The same of a thread that had that name, which may be "". */
void nvtx_lines_define_as(struct lines *l, int32_t tid, const char *name);

/* The start (ns) of the oldest open range; INT64_MAX: none is open. */
int64_t nvtx_lines_oldest(const struct annotations *a);

/* Write the ranges that are open, as such; returns how many. */
int64_t nvtx_lines_open(struct lines *l);

/* The process has ended: write the open ranges, and return how many. */
int64_t nvtx_lines_finish(struct lines *l);

void nvtx_lines_free(struct annotations *a);

#endif
