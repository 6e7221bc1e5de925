/*
 * task_names.h - processes and threads that a recording names on its way, and
 * their records.
 */
#ifndef TASK_NAMES_H
#define TASK_NAMES_H

#include "tq/base/keyed.h"
#include "tq/base/region.h"
#include "tq/base/time.h"
#include "tq/io/output.h"

struct task_process {
	int64_t pid, rank; /* rank may be NO_ID */
	int64_t ranks;     /* of the group of which that is the rank */
	struct span name, host;
};

struct task_thread {
	int64_t pid, tid; /* pid may be NO_ID */
	struct span name;
};

/* {0} is empty */
struct task_names {
	KEYED(struct task_process) processes;
	KEYED(struct task_thread) threads;
	struct region texts;
};

/*
 * A process or thread; its name is any bytes, and empty if it is not known.
 * Of several names the last counts.
 */
void task_names_process(struct task_names *t, int64_t pid, struct span name);
void task_names_thread(
    struct task_names *t, int64_t pid, int64_t tid, struct span name);

/*
 * The same of its host, and its rank, or NO_ID, of so many.  Of several ranks
 * the one in the largest group counts.
 */
void task_names_rank(struct task_names *t, int64_t pid, struct span host,
    int64_t rank, int64_t ranks);

/* Write process and thread records. */
void task_names_write(const struct task_names *t, struct output *o);

void task_names_free(struct task_names *t);

#endif
