/*
 * idle_cause.h - what a thread did while a device had nothing to do.
 *
 * Idle time of a device is divided along the time of the thread that launched
 * the operation that ends it, see gap.h: the time before the call of that
 * operation, by what the thread was in; the time in it; and the time after it.
 * Each cause is a part of one of the causes of gap.h, its group.
 */
#ifndef TQ_ACCOUNT_IDLE_CAUSE_H
#define TQ_ACCOUNT_IDLE_CAUSE_H

#include "tq/names/api_call.h"

/* Of causes that a thread has at one time the last one counts. */
enum idle_cause {
	IDLE_HOST,  /* nothing of the recording */
	IDLE_RANGE, /* a range: host, too, but with a name */
	IDLE_OS,    /* an OS call, or one of no known purpose: */
	IDLE_IO,
	IDLE_WAIT,
	IDLE_LOCK,
	IDLE_SLEEP,
	IDLE_PYTHON_LOCK, /* it waits for the lock of Python */
	IDLE_PREEMPTED,   /* it could run, and had no processor */
	IDLE_CALL,        /* another call of an API, by role: */
	IDLE_OBJECT,
	IDLE_GRAPH_BUILD,
	IDLE_LOAD, /* and overhead that loads or compiles code */
	IDLE_FREE,
	IDLE_ALLOC,    /* and memory that is registered */
	IDLE_PROFILER, /* all threads wait for the profiler */
	IDLE_SYNC,     /* it waits for a device */
	IDLE_LAUNCH,
	IDLE_FIRST_USE, /* likewise, and the call loads the kernel */
	IDLE_NEXT,
	IDLE_QUEUE,
	IDLE_PAGE_FAULT, /* of unified memory */
	IDLE_UNKNOWN,
	IDLE_CAUSES
};

/*
 * The cause of the time in a record of a thread: a range, an OS call, a call of
 * an API, a wait for the lock of Python, or a processor that it gets again.
 * IDLE_HOST of others, and of calls that launch: whether they are late, and for
 * which device, is seen by their operations.
 */
enum idle_cause idle_cause_of(const struct event *ev);

/* The purpose of an OS call, by its name, a JSON string: IDLE_OS to IDLE_SLEEP.
 */
enum idle_cause idle_cause_of_os(struct span name);

/* The cause of the time in a call that a gap does not end with: IDLE_CALL of
   those that launch. */
enum idle_cause idle_cause_of_call(struct named_call call);

/* host, first-use, ...: a range is host, and another call other. */
const char *idle_cause_name(enum idle_cause cause);

/* True if the thread is in a call of an API then. */
static inline bool
idle_cause_is_call(enum idle_cause c)
{
	return c >= IDLE_CALL && c <= IDLE_FIRST_USE && c != IDLE_PROFILER;
}

/* True if it is in an OS call. */
static inline bool
idle_cause_is_os(enum idle_cause c)
{
	return c >= IDLE_OS && c <= IDLE_SLEEP;
}

/* True if it is a part of the cause host of gap.h. */
static inline bool
idle_cause_is_host(enum idle_cause c)
{
	return c < IDLE_SYNC;
}

#endif
