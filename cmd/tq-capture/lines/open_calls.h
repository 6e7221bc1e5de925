/*
 * open_calls.h - system calls in which threads of a process are: where it hangs
 *
 * The wrappers of the C library record a call when it is over.  One that never
 * is over is seen from outside, in /proc/PID/task/TID/syscall.
 */
#ifndef TQ_CAPTURE_OPEN_CALLS_H
#define TQ_CAPTURE_OPEN_CALLS_H

#include <stdint.h>

#include "stacks/thread_look.h"
#include "tq/base/keyed.h"

struct lines;

/* the call in which a thread was when it was looked at */
struct open_call {
	int32_t tid;
	bool over;        /* it has returned, or is written */
	int64_t ts, seen; /* ns: the first and the last time that it was seen */
	struct thread_call call;
	int64_t stack;  /* 0: none */
	char file[256]; /* of its descriptor; "": none */
};

struct open_calls {
	KEYED(struct open_call) threads; /* by tid; {0} has none */
};

/* Look at the threads of a running process, 4096 at most. */
void open_calls_look(struct lines *l);

/* A record came of a call of a thread that was over at that time, ns. */
void open_calls_over(struct open_calls *o, int32_t tid, int64_t end);

/* Write a line with open for each call that was seen and did not return, and
   forget them; returns how many. */
int open_calls_write(struct lines *l);

void open_calls_free(struct open_calls *o);

#endif
