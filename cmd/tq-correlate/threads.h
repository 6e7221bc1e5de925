/*
 * threads.h - the threads of a section, and what is open on them.
 */
#ifndef THREADS_H
#define THREADS_H

#include "tq/base/map.h"
#include "tq/base/text.h"

#include "stack.h"

/* the ranges of one domain that can be parents */
struct nest {
	struct stack stack;
	struct text domain;
	struct nest *next;
};

struct thread {
	int64_t pid, tid;
	struct stack open;
	struct scope *scope; /* all that is open, or NULL */
	struct nest nest;    /* of the default domain */
	struct nest *others;
};

#define ALL_THREADS (INT64_MIN + 1) /* of a process, as if they were one */

enum { THREADS_LATELY = 64 }; /* a power of two */

/* {0} has none */
struct threads {
	struct map map;
	struct thread *lately[THREADS_LATELY]; /* asked for */
};

/* A thread, new where there is none; good until threads_clear. */
static inline struct thread *threads_get(
    struct threads *ts, int64_t pid, int64_t tid);
struct thread *threads_find(struct threads *ts, int64_t pid, int64_t tid);

/* The same for its nest of a domain. */
struct nest *threads_nest(struct thread *t, struct span domain);

/* Forget them all. */
void threads_clear(struct threads *ts);

void threads_free(struct threads *ts);

static inline struct thread *
threads_get(struct threads *ts, int64_t pid, int64_t tid)
{
	uint64_t mixed = (uint64_t)pid * 5 + (uint64_t)tid;
	struct thread **t = &ts->lately[mixed % THREADS_LATELY];

	if (*t == NULL || (*t)->pid != pid || (*t)->tid != tid)
		*t = threads_find(ts, pid, tid);
	return *t;
}

#endif
