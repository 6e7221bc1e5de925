/*
 * open_calls.h - calls in which threads of a process are: where it hangs
 *
 * The wrappers of the C library record a call when it is over, and so does
 * CUPTI.  One that never is over is published in the arena, which outlives the
 * process, and is seen from outside, in /proc/PID/task/TID/syscall, with its
 * stack.  A thread that is in a call of CUDA may run, and ask the device again
 * and again: then it has a stack of Python only.
 */
#ifndef TQ_CAPTURE_OPEN_CALLS_H
#define TQ_CAPTURE_OPEN_CALLS_H

#include <stdint.h>

#include "arena/arena.h"
#include "stacks/thread_look.h"
#include "thread_comm.h"
#include "tq/base/keyed.h"

struct lines;

/* as in struct arena_thread; call 0: it publishes none, and from is 0 */
struct published_call {
	uint64_t call, from, subject;
};

/* the system call in which a thread was when it was looked at */
struct seen_call {
	struct thread_call call;
	int64_t ts, last; /* ns: the first and the last time that it was seen */
	uint64_t within;  /* ticks: from of the published call at that time */
	bool looked;      /* the members below are set */
	unsigned function; /* of the C library, by the stack, where the call is
			      not published; OSRT_CALLS: unknown */
	int32_t owner;     /* thread that has the lock; 0: unknown */
	int64_t stack;     /* native; 0: none */
	int64_t python;    /* stack of Python; 0: none */
	char file[256];    /* of its descriptor, or that it opens; "": none */
	char source[128];  /* "hang.c:12", of the native stack; "": unknown */
};

struct open_call {
	int32_t tid;
	uint32_t round; /* of the look that saw the thread last */
	struct published_call published;
	uint64_t written; /* from of the published call that is written */
	bool over;        /* the seen call has returned, or is written */
	struct seen_call seen;
	char comm[THREAD_COMM];
};

struct open_calls {
	KEYED(struct open_call) threads; /* by tid; {0} has none */
	uint32_t round;
	uint64_t start; /* ticks: none was published before */
};

/* Read which calls the threads of the process publish. */
void open_calls_read(struct open_calls *o, const struct arena *a);

/*
 * Look at the threads of a running process, 4096 at most; a: its arena, or
 * NULL. The stacks, native and of Python, are taken of those that are in a
 * call; unless `at_once`, only where they were in the same call at the last
 * look.  `all`: also at threads that publish none.
 */
void open_calls_look(
    struct lines *l, const struct arena *a, bool all, bool at_once);

/* A record came of a call of a thread that was over at that time, ns. */
void open_calls_over(struct open_calls *o, int32_t tid, int64_t end);

/* True if open_calls_write has a call to write. */
bool open_calls_any(const struct open_calls *o);

/*
 * Write a line with open for each call that did not return, and forget them;
 * returns how many.  Unless the process has `ended`, calls of CUDA are left
 * out: CUPTI may record them yet.
 */
int open_calls_write(struct lines *l, bool ended);

void open_calls_free(struct open_calls *o);

#endif
