/*
 * Declarations that the files of the fake libcupti share.  FAKE_GENERATION is
 * its version: 118, 124, 130, or 999 for one that is still to come.
 */
#ifndef FAKECUPTI_H
#define FAKECUPTI_H

#include <pthread.h>
#include <time.h>

#include "fakecuda.h"

#ifndef FAKE_GENERATION
#define FAKE_GENERATION 130
#endif

enum {
	RECORD_MAX = 512, /* no record is longer */
	CBIDS = 1024,     /* no callback id of the API is greater */
	NO_DRIVER = FAKE_GENERATION >= 130 ? CUPTI_ERROR_UNKNOWN
					   : CUPTI_ERROR_NOT_INITIALIZED
};

/* ---- subscribe.c: the subscriber, and the link to the driver ---- */

/* Find the driver, and set its hooks; false: there is none. */
bool subscribe_attach(void);
void subscribe_detach(void);
/* Call fn with each context that there is. */
void subscribe_contexts(void (*fn)(CUcontext));

/* ---- control.c: the kinds that are recorded ---- */

bool control_records(CUpti_ActivityKind);
bool control_records_call(const struct fake_call *);
void control_context(CUcontext); /* the records of a new context */
void control_stream(CUstream);
void control_external(uint32_t correlation);
bool control_event_times(void);
void control_reset(void);

/* ---- clock.c: whose time it is, and which thread ---- */

uint64_t clock_now(void);
uint64_t clock_skew(void); /* ns that times of the GPU are wrong by */
uint32_t clock_thread(void);
void clock_reset(void);

/* ---- attributes.c ---- */

bool attributes_zeroed(void); /* buffers come zeroed */
bool attributes_per_thread(void);

/* ---- records.c: how a record looks in this generation ---- */

/* Bytes of a record of this kind; 0: no such kind. */
size_t record_size(uint32_t kind);

/* Make one in a buffer of RECORD_MAX bytes, for buffers_put. */
void record_of_op(void *to, const struct fake_op *);
void record_of_call(void *to, const struct fake_call *, uint64_t end);

/* ---- buffers.c: the way of records to the profiler ---- */

/* put: a record that is complete; later: one of work that has yet to end. */
void buffers_put(const void *record);
void buffers_later(const struct fake_op *);

/* Put what has ended meanwhile. */
void buffers_poll(void);

/* ---- guard.c: the lock, and deadlocks ---- */

enum { GUARD_PATIENCE = 10000 }; /* ms until a wait is a deadlock */

/*
 * The profiler's code is called between enter and leave, which takes what
 * enter returned.  Where it must not call this function, refuse ends the
 * process; in the one callback it may be.
 */
const char *guard_enter(const char *callback);
void guard_leave(const char *before);
void guard_refuse(const char *function, const char *unless);
_Noreturn void guard_fail(const char *what);

void guard_forks(void); /* once */
void guard_lock(void);
void guard_unlock(void);

/* Wait with the lock; false: the time is over.  NULL: there is no limit. */
bool guard_wait(pthread_cond_t *, const struct timespec *limit);
struct timespec guard_deadline(uint64_t ms);

/* ---- names.c, which is made from the headers ---- */

const char *names_runtime(uint32_t cbid);
const char *names_driver(uint32_t cbid);
const char *names_result(uint32_t result);

#endif
