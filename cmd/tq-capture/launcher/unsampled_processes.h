/*
 * unsampled_processes.h - processes of the command that timers can't sample:
 * the library with the timers is not loaded there
 */
#ifndef TQ_CAPTURE_UNSAMPLED_PROCESSES_H
#define TQ_CAPTURE_UNSAMPLED_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "counters/process_tree.h"
#include "tq/base/keyed.h"
#include "tq/base/text.h"

/* a program that a process runs */
struct unsampled_process {
	int pid;
	uint64_t device, inode; /* of its file */
	int64_t since;          /* ns, when it was first seen */
	bool known;             /* its program was reported, or is sampled */
};

/* {0} has seen nothing */
struct unsampled_processes {
	KEYED(struct unsampled_process) processes; /* by pid */
	struct map said; /* (device, inode) -> 1: of a program */
};

/*
 * Look at these processes, and append to said a text with its NUL for
 * the first process of each program that is not sampled.  now: ns.
 */
void unsampled_processes_look(struct unsampled_processes *u,
    const struct process_tree *tree, int64_t now, struct text *said);

void unsampled_processes_free(struct unsampled_processes *u);

#endif
