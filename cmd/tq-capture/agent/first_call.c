/* first_call.c - a fork waits until the first calls of NVTX are over */

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "arena/arena.h"
#include "arena/ticks.h"
#include "first_call.h"

/* ns */
static const uint64_t LOADED = 200000000;   /* until an entry point begins */
static const uint64_t RETURNED = 5000000;   /* until the loader has noted it */
static const uint64_t PATIENCE = 200000000; /* for an entry point */
static const long PAUSE = 20000;

static _Atomic uint32_t running;
static _Atomic uint64_t until; /* a first call may not be over before */

void
first_call_begin(void)
{
	atomic_fetch_add(&running, 1);
}

void
first_call_end(void)
{
	atomic_store(&until, ticks_system() + RETURNED);
	atomic_fetch_sub(&running, 1);
}

void
first_call_preloaded(void)
{
	atomic_store(&until, 0);
}

static void
before_fork(void)
{
	struct timespec pause = {.tv_nsec = PAUSE};
	uint64_t begin = ticks_system(), now = begin;
	int error = errno;

	while (now < atomic_load(&until) ||
	       (atomic_load(&running) > 0 && now - begin < PATIENCE)) {
		nanosleep(&pause, NULL);
		now = ticks_system();
	}
	errno = error;
}

/* in a child after fork no thread is in an entry point any more */
static void
in_child(void)
{
	atomic_store(&running, 0);
	atomic_store(&until, 0);
}

/* tq-capture loads the library too, without this variable */
__attribute__((constructor)) static void
library_is_loaded(void)
{
	if (getenv(CAPTURE_VARIABLE) == NULL)
		return;
	atomic_store(&until, ticks_system() + LOADED);
	pthread_atfork(before_fork, NULL, in_child);
}
