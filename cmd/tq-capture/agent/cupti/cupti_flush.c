/*
 * cupti_flush.c - the thread that flushes CUPTI
 *
 * CUPTI hands over a buffer when it is full, which may never happen.  The first
 * flushes come faster, so that names are known early in case that the process
 * is killed.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "cupti_flush.h"
#include "cupti_kinds.h"
#include "cupti_translate.h"
#include "agent/agent.h"

enum {
	FIRST_PERIOD = 8,  /* ms */
	LOOK_PERIOD = 20,  /* ms between looks at arena.on */
	ASK_FLUSHES = 4,   /* before devices are requested */
	QUIET_FLUSHES = 2, /* until records that are off are dropped */
	EXIT_PATIENCE = 2  /* s for a flush in progress */
};

static const struct cupti_lib *cupti;
static uint32_t period, armed, kept;
static pid_t owner;
static _Atomic bool contexts;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed; /* soon, stop or stopped; monotonic */
static bool soon, stop, stopped = true;

static struct timespec
after(uint64_t ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += (time_t)(ms / 1000);
	t.tv_nsec += (long)(ms % 1000) * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	return t;
}

/* wait that long, or until a flush is due at once: *now; false to stop */
static bool
wait_ms(uint64_t ms, bool *now)
{
	struct timespec until = after(ms);
	bool go_on;

	pthread_mutex_lock(&lock);
	while (!stop && !soon &&
	       pthread_cond_timedwait(&changed, &lock, &until) != ETIMEDOUT)
		;
	*now = soon;
	soon = false;
	go_on = !stop;
	pthread_mutex_unlock(&lock);
	return go_on;
}

/* never under a lock of ours: CUPTI has locks too */
static void
flush(uint32_t flags)
{
	size_t dropped = 0;

	cupti->flush(flags);
	if (cupti->dropped(NULL, 0, &dropped) == CUPTI_SUCCESS && dropped > 0)
		agent_lost(LOSS_CUPTI, dropped);
}

/*
 * Records of bits that go on are kept from now on; of bits that go off, until
 * CUPTI has had time to hand them over; then their kinds are disabled.
 */
static void
follow_bits(uint32_t quiet)
{
	static bool noted;
	uint32_t on = agent_on();
	uint32_t to = quiet < QUIET_FLUSHES ? kept | on : on;
	enum kinds_result r;

	if (to == kept)
		return;
	kept = to;
	cupti_translate_keep(kept);
	r = cupti_kinds_follow(cupti,
	    kept | (armed & (ARENA_GPU | ARENA_NODES)), atomic_load(&contexts));
	if (r == KINDS_LATE && !noted) {
		noted = true;
		agent_note(NOTE_WARNING, "work of the GPU was switched on "
					 "too late to be recorded");
	}
}

/*
 * CUPTI records devices when CUDA begins; if it did not, request them.  Called
 * after each flush.
 */
static void
request_devices(void)
{
	static int flushes; /* since there is a context */

	if (!atomic_load(&contexts) || flushes > ASK_FLUSHES ||
	    flushes++ < ASK_FLUSHES)
		return;
	if (!cupti_translate_saw_device() && cupti->enable_and_dump != NULL)
		cupti->enable_and_dump(CUPTI_ACTIVITY_KIND_DEVICE);
}

static uint64_t
next_due(uint64_t due)
{
	if (period == 0)
		return LOOK_PERIOD;
	return 2 * due < period ? 2 * due : period;
}

static void *
flush_loop(void *arg)
{
	uint64_t due = FIRST_PERIOD, passed = 0, step;
	uint32_t on, last = kept, quiet = 0;
	bool now;

	(void)arg;
	pthread_setname_np(pthread_self(), "tq-flush");
	for (;;) {
		step = due - passed < LOOK_PERIOD ? due - passed : LOOK_PERIOD;
		if (!wait_ms(step, &now))
			break;
		on = agent_on();
		if (on != last)
			quiet = 0;
		last = on;
		passed += step;
		if (passed >= due || now) {
			if (period != 0) {
				flush(0);
				request_devices();
			}
			quiet++;
			passed = 0;
			due = next_due(due);
		}
		follow_bits(quiet);
	}
	pthread_mutex_lock(&lock);
	stopped = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return NULL;
}

void
cupti_flush_start(const struct cupti_lib *lib, uint32_t ms, uint32_t bits)
{
	pthread_condattr_t monotonic;
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t all, old;

	cupti = lib;
	period = ms;
	armed = bits;
	kept = agent_on();
	cupti_translate_keep(kept);
	owner = getpid();
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	stopped = pthread_create(&thread, &attr, flush_loop, NULL) != 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	if (stopped)
		agent_note(NOTE_WARNING, "no thread to flush CUPTI with: CUDA "
					 "is recorded late");
}

void
cupti_flush_context(void)
{
	atomic_store(&contexts, true);
}

void
cupti_flush_soon(void)
{
	if (getpid() != owner)
		return;
	pthread_mutex_lock(&lock);
	soon = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

void
cupti_flush_end(void)
{
	struct timespec until = after(EXIT_PATIENCE * UINT64_C(1000));

	if (cupti == NULL || getpid() != owner)
		return;
	pthread_mutex_lock(&lock);
	stop = true;
	pthread_cond_broadcast(&changed);
	while (!stopped &&
	       pthread_cond_timedwait(&changed, &lock, &until) != ETIMEDOUT)
		;
	pthread_mutex_unlock(&lock);
	flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
}
