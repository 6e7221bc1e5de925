/* guard.c - the lock of libcupti, and what would be a deadlock */

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "fakecupti.h"

static const char requested[] = "bufferRequested";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local const char *inside; /* which callback, or NULL */

_Noreturn void
guard_fail(const char *what)
{
	fprintf(stderr, "fakecuda: %s\n", what);
	abort();
}

static _Noreturn void
refuse(const char *function, const char *callback)
{
	fprintf(stderr, "fakecuda: %s was called in %s: deadlock\n", function,
	    callback);
	abort();
}

const char *
guard_enter(const char *callback)
{
	const char *before = inside;

	inside = callback;
	return before;
}

void
guard_leave(const char *before)
{
	inside = before;
}

void
guard_refuse(const char *function, const char *unless)
{
	if (inside != NULL && (unless == NULL || strcmp(inside, unless) != 0))
		refuse(function, inside);
}

struct timespec
guard_deadline(uint64_t ms)
{
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at);
	at.tv_sec += (time_t)(ms / 1000);
	at.tv_nsec += (long)(ms % 1000) * 1000000;
	if (at.tv_nsec >= 1000000000) {
		at.tv_nsec -= 1000000000;
		at.tv_sec++;
	}
	return at;
}

void
guard_lock(void)
{
	struct timespec limit = guard_deadline(GUARD_PATIENCE);

	/* this callback is called with the lock */
	if (inside != NULL && strcmp(inside, requested) == 0)
		refuse("CUPTI", inside);
	if (pthread_mutex_timedlock(&lock, &limit) != 0)
		guard_fail("a callback does not return: deadlock");
}

void
guard_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

/* A child is to find the lock free, whichever thread it had. */
void
guard_forks(void)
{
	pthread_atfork(guard_lock, guard_unlock, guard_unlock);
}

bool
guard_wait(pthread_cond_t *condition, const struct timespec *limit)
{
	if (limit != NULL)
		return pthread_cond_timedwait(condition, &lock, limit) == 0;
	return pthread_cond_wait(condition, &lock) == 0;
}
