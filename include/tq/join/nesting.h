/*
 * nesting.h - the ranges that are open on each thread, and which of them
 * encloses which.
 *
 * Here a range is a pointer with a start and an end; all else belongs to the
 * tool.
 */
#ifndef TQ_JOIN_NESTING_H
#define TQ_JOIN_NESTING_H

#include "tq/base/intern.h"
#include "tq/base/map.h"

struct nesting_slot {
	void *range; /* or NULL; the top slot is not empty */
	int64_t ts, end;
	int64_t within, reach; /* first and last end, of this and all below */
};

/*
 * Ranges in order of their start; of equal starts the longer is below.  {0} is
 * an empty stack.
 *
 * Ranges that nest come and go at the top.  A range that goes from far below
 * leaves an empty slot, so that ranges which cross cost little as well; within
 * and reach still count it, until most slots are empty and they are closed up.
 * Where nesting_parent() has to look at many slots, it makes an index.
 */
struct nesting_stack {
	struct nesting_slot *slots;
	size_t count, cap;
	size_t empty;           /* of count */
	bool older;             /* see nesting_parent(); set while empty */
	struct shortest *index; /* or NULL */
};

void nesting_push(
    struct nesting_stack *s, void *range, int64_t ts, int64_t end);

/* Remove a range, which is on the stack and starts at ts. */
void nesting_remove(struct nesting_stack *s, const void *range, int64_t ts);

/*
 * The range that encloses [ts, end] with the least slack before and behind it;
 * of equal ones the younger, or the older.  NULL if there is none.  A range
 * that starts after end hides ranges below it: push ranges in order of their
 * start.
 */
void *nesting_parent(struct nesting_stack *s, int64_t ts, int64_t end);

/* Free the memory; *s is empty then. */
void nesting_stack_free(struct nesting_stack *s);

/* ---- threads ---- */

/* the ranges of one domain that can be parents */
struct nesting_domain {
	struct nesting_stack stack;
	struct span name;
	struct nesting_domain *next; /* of the thread */
};

struct nesting_thread {
	int64_t pid, tid;
	struct nesting_stack open;
	struct nesting_domain unnamed; /* the default domain */
	struct nesting_domain *named;  /* in no order */
	struct nesting_domain *latest; /* of named, or NULL */
	void *around; /* for the tool: the range around a call on the thread */
	struct nesting_thread *next;
};

#define NESTING_ALL_THREADS (INT64_MIN + 1) /* a process as one thread */

enum { NESTING_RECENT = 64 }; /* a power of two */

/* {0} has no thread */
struct nesting {
	struct nesting_thread *first; /* of all threads, in no order */
	struct map map;               /* (pid, tid) -> thread */
	struct intern names;          /* of domains */
	struct map domains;           /* (thread, name) -> domain */
	struct nesting_thread *recent[NESTING_RECENT];
};

/* The thread, new if there is none; good until nesting_clear. */
static inline struct nesting_thread *nesting_thread(
    struct nesting *n, int64_t pid, int64_t tid);

/* The same, but NULL if there is none. */
static inline struct nesting_thread *nesting_find(
    struct nesting *n, int64_t pid, int64_t tid);

/* The domain of a name on the thread, new if there is none. */
struct nesting_domain *nesting_domain(
    struct nesting *n, struct nesting_thread *t, struct span name);

/* Forget all threads; the tool frees what around points to before. */
void nesting_clear(struct nesting *n);

/* The same, and free all memory. */
void nesting_free(struct nesting *n);

/* Not to be called directly. */
struct nesting_thread *nesting_look_up(
    struct nesting *n, int64_t pid, int64_t tid, bool make);

static inline struct nesting_thread *
nesting_recent(struct nesting *n, int64_t pid, int64_t tid, bool make)
{
	uint64_t mixed = (uint64_t)pid * 5 + (uint64_t)tid;
	struct nesting_thread **t = &n->recent[mixed % NESTING_RECENT];

	if (*t == NULL || (*t)->pid != pid || (*t)->tid != tid)
		*t = nesting_look_up(n, pid, tid, make);
	return *t;
}

static inline struct nesting_thread *
nesting_thread(struct nesting *n, int64_t pid, int64_t tid)
{
	return nesting_recent(n, pid, tid, true);
}

static inline struct nesting_thread *
nesting_find(struct nesting *n, int64_t pid, int64_t tid)
{
	return nesting_recent(n, pid, tid, false);
}

#endif
