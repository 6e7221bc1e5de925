/*
 * silent.h - processes of the command that have sent no record: those that are
 * in their first call, and those that run without our libraries
 *
 * Of them the system calls are recorded in which their threads hang.
 */
#ifndef TQ_CAPTURE_SILENT_H
#define TQ_CAPTURE_SILENT_H

#include "lines/thread_comm.h"
#include "outputs.h"

/* a process that was in a call when it was looked at */
struct silent_process {
	char name[THREAD_COMM]; /* of its program */
	bool defined;           /* in the output */
	struct lines lines;
};

/* {0} has none */
struct silent {
	struct silent_process **all;
	size_t count, cap;
};

/*
 * Look at a process, which no target in use has; lines has what target_open
 * wants, with its output.
 */
void silent_look(struct silent *s, int pid, const struct lines *lines);

/* Look again at those that were seen before. */
void silent_look_again(struct silent *s);

/* The process records itself from now on. */
void silent_forget(struct silent *s, int pid);

/* Write the calls that are open, and forget them. */
void silent_write(struct silent *s);

void silent_free(struct silent *s);

#endif
