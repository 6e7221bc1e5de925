/*
 * unrecorded_processes.h - processes of the command that have sent no record:
 * they are in their first call, or run without our libraries
 *
 * The system calls in which their threads hang are recorded.
 */
#ifndef TQ_CAPTURE_UNRECORDED_PROCESSES_H
#define TQ_CAPTURE_UNRECORDED_PROCESSES_H

#include "lines/thread_comm.h"
#include "outputs.h"

struct unrecorded_process {
	char name[THREAD_COMM]; /* of its program */
	bool defined;           /* in the output */
	struct lines lines;
};

/* {0} has none */
struct unrecorded_processes {
	struct unrecorded_process **all;
	size_t count, cap;
};

/*
 * Look at a process that is not captured; lines is set as for
 * captured_process_open, with its output; at_once: as for open_calls_look.
 */
void unrecorded_processes_look(struct unrecorded_processes *s, int pid,
    const struct lines *lines, bool at_once);

/* Write the calls of processes that have ended, and forget these. */
void unrecorded_processes_end(struct unrecorded_processes *s);

/* The process records itself from now on. */
void unrecorded_processes_forget(struct unrecorded_processes *s, int pid);

/* Write the calls that are open, and forget them. */
void unrecorded_processes_write(struct unrecorded_processes *s);

void unrecorded_processes_free(struct unrecorded_processes *s);

#endif
