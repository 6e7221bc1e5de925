/*
 * unloaded_processes.h - processes of the command that can't be recorded: the
 * library with the wrappers and timers is not loaded there, or can't reach us
 */
#ifndef TQ_CAPTURE_UNLOADED_PROCESSES_H
#define TQ_CAPTURE_UNLOADED_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tq/base/keyed.h"
#include "tq/base/text.h"

/* a program that a process runs */
struct unloaded_process {
	int pid;
	uint64_t device, inode; /* of its file */
	int64_t since;          /* ns, when it was first seen */
	bool loaded;            /* it has the library */
	bool known;             /* it was reported, or is recorded */
};

/* {0} has seen nothing */
struct unloaded_processes {
	KEYED(struct unloaded_process) processes; /* by pid */
	struct map said;     /* (device, inode) -> 1: of a program */
	const char *library; /* base name of its file */
	bool timers;  /* samples are what is missing, else all it records */
	size_t count; /* programs that were reported */
};

/*
 * Look at a process, and append to said a text with its NUL if it is the first
 * of its program that can't be recorded.  is_captured: it sends records.  now:
 * ns.
 */
void unloaded_processes_look(struct unloaded_processes *u, int pid,
    bool is_captured, int64_t now, struct text *said);

void unloaded_processes_free(struct unloaded_processes *u);

#endif
