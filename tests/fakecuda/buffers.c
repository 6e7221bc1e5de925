/* buffers.c - records are put into the profiler's buffers, and handed over */

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fakecupti.h"
#include "pending.h"

enum {
	PATIENCE = 10,      /* seconds until a wait is a deadlock */
	NULL_ALLOWED = 127, /* the generation since which NULL is no crash */
	TORN = 16
};

/* A buffer that is being filled, by all threads or by one. */
struct slot {
	uint8_t *buffer;
	size_t size, used, records, most;
	struct slot *next;
};

/* One that waits to be handed over. */
struct full {
	uint8_t *buffer;
	size_t size, used;
	struct full *next;
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t work, idle;
	CUpti_BuffersCallbackRequestFunc request;
	CUpti_BuffersCallbackCompleteFunc complete;
	struct slot shared; /* of work, and of threads without one */
	struct slot *slots; /* those of threads */
	struct full *first, **last;
	size_t under_way; /* handed over at this moment */
	size_t dropped;
	uint64_t seen, timed; /* records, and those of them with times */
	uint64_t drop, notime, reverse, torn;
	unsigned int period; /* ms */
	bool running;
} all = {
    .work = PTHREAD_COND_INITIALIZER,
    .idle = PTHREAD_COND_INITIALIZER,
    .last = &all.first,
};

static _Thread_local struct slot *own;
static _Thread_local const char *inside; /* which of its callbacks, or NULL */

static _Noreturn void
fail(const char *what)
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

void
buffers_enter(const char *callback)
{
	inside = callback;
}

void
buffers_leave(void)
{
	inside = NULL;
}

void
buffers_refuse(const char *function)
{
	if (inside != NULL)
		refuse(function, inside);
}

static struct timespec
deadline(uint64_t ms)
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

static void
lock(void)
{
	struct timespec limit = deadline(PATIENCE * 1000);

	/* in a callback that is called with the lock, it is never free */
	if (inside != NULL && strcmp(inside, "bufferRequested") == 0)
		refuse("CUPTI", inside);
	if (pthread_mutex_timedlock(&all.lock, &limit) != 0)
		fail("a callback does not return: deadlock");
}

static void
unlock(void)
{
	pthread_mutex_unlock(&all.lock);
}

static void
read_knobs(void)
{
	all.drop = fake_number("FAKECUDA_DROP", 0);
	all.notime = fake_number("FAKECUDA_NOTIME", 0);
	all.reverse = fake_number("FAKECUDA_REVERSE", 0);
	all.torn = fake_number("FAKECUDA_TORN", 0);
}

/* ---- handing over ---- */

static void
reverse(uint8_t *buffer, size_t bytes)
{
	uint8_t *copy = malloc(bytes + 1), *end = buffer + bytes;
	CUpti_Activity *record = NULL;
	size_t size;

	memcpy(copy, buffer, bytes);
	while (
	    cuptiActivityGetNextRecord(copy, bytes, &record) == CUPTI_SUCCESS) {
		size = record_size(record->kind);
		end -= size;
		memcpy(end, record, size);
	}
	free(copy);
}

/* Locked, and without the lock while the profiler has its turn. */
static void
hand_over(void)
{
	struct full *full;

	while ((full = all.first) != NULL) {
		if ((all.first = full->next) == NULL)
			all.last = &all.first;
		all.under_way++;
		unlock();
		buffers_enter("bufferCompleted");
		all.complete(NULL, 0, full->buffer, full->size, full->used);
		buffers_leave();
		free(full);
		lock();
		all.under_way--;
	}
	if (all.under_way == 0)
		pthread_cond_broadcast(&all.idle);
}

static void *
worker(void *arg)
{
	struct timespec limit;

	pthread_setname_np(pthread_self(), "cupti-worker");
	lock();
	for (;;) {
		hand_over();
		if (all.period == 0)
			pthread_cond_wait(&all.work, &all.lock);
		else {
			limit = deadline(all.period);
			pthread_cond_timedwait(&all.work, &all.lock, &limit);
			unlock();
			buffers_poll();
			lock();
		}
	}
	return arg;
}

static void
start_worker(void)
{
	sigset_t every, before;
	pthread_t thread;

	if (all.running)
		return;
	all.running = true;
	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &before);
	if (pthread_create(&thread, NULL, worker, NULL) != 0)
		fail("no thread");
	pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* The slot has no buffer afterwards. */
static void
complete(struct slot *slot)
{
	struct full *full;

	if (slot->buffer == NULL)
		return;
	if (all.reverse != 0)
		reverse(slot->buffer, slot->used);
	if (all.torn != 0 && slot->used + TORN <= slot->size) {
		memset(slot->buffer + slot->used, 0, TORN);
		slot->used += TORN;
	}
	full = malloc(sizeof(*full));
	*full = (struct full){slot->buffer, slot->size, slot->used, NULL};
	*all.last = full;
	all.last = &full->next;
	slot->buffer = NULL;
	start_worker();
	pthread_cond_signal(&all.work);
}

static void
complete_some(struct slot *slot, bool empty)
{
	if (empty || slot->used > 0)
		complete(slot);
}

/* ---- filling ---- */

static bool
zero(const uint8_t *p, size_t n)
{
	return n == 0 || (p[0] == 0 && memcmp(p, p + 1, n - 1) == 0);
}

static bool
request(struct slot *slot, size_t needed)
{
	const char *before = inside;

	slot->used = slot->records = slot->most = slot->size = 0;
	inside = "bufferRequested";
	all.request(&slot->buffer, &slot->size, &slot->most);
	inside = before;
	if (slot->buffer == NULL || slot->size < needed) {
		slot->buffer = NULL;
		if (FAKE_GENERATION < NULL_ALLOWED)
			fail("no buffer: CUPTI before 12.9 crashes");
		return false;
	}
	if ((uintptr_t)slot->buffer % 8 != 0)
		fail("a buffer is not aligned to 8 bytes");
	if (!control_zeroed())
		memset(slot->buffer, 0, slot->size);
	else if (!zero(slot->buffer, slot->size))
		fail("a buffer is not zeroed");
	return true;
}

static struct slot *
slot_of_thread(void)
{
	if (!control_per_thread())
		return &all.shared;
	if (own == NULL) {
		own = calloc(1, sizeof(*own));
		own->next = all.slots;
		all.slots = own;
	}
	return own;
}

static void
put(struct slot *slot, const void *record)
{
	uint32_t kind;
	size_t size;

	memcpy(&kind, record, sizeof(kind));
	size = record_size(kind);
	if (all.request == NULL ||
	    (all.drop != 0 && ++all.seen % all.drop == 0)) {
		all.dropped++;
		return;
	}
	if (slot->buffer != NULL && slot->used + size > slot->size)
		complete(slot);
	if (slot->buffer == NULL && !request(slot, size)) {
		all.dropped++;
		return;
	}
	memcpy(slot->buffer + slot->used, record, size);
	slot->used += size;
	if (++slot->records == slot->most)
		complete(slot);
}

static void
put_op(struct fake_op *op)
{
	_Alignas(8) uint8_t record[RECORD_MAX];

	if (all.notime != 0 && ++all.timed % all.notime == 0)
		op->start = op->end = 0;
	record_of_op(record, op);
	put(&all.shared, record);
}

void
buffers_put(const void *record)
{
	lock();
	put(slot_of_thread(), record);
	unlock();
}

void
buffers_later(const struct fake_op *op)
{
	lock();
	pending_add(op);
	unlock();
}

void
buffers_poll(void)
{
	uint64_t now = control_now();
	struct fake_op op;

	lock();
	while (pending_take(&op, now))
		put_op(&op);
	unlock();
}

/* ---- what the profiler calls ---- */

CUptiResult
cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc requested,
    CUpti_BuffersCallbackCompleteFunc completed)
{
	if (requested == NULL || completed == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	lock();
	read_knobs();
	all.request = requested;
	all.complete = completed;
	unlock();
	return CUPTI_SUCCESS;
}

static void
wait_for_worker(void)
{
	struct timespec limit = deadline(PATIENCE * 1000);

	while (all.first != NULL || all.under_way > 0)
		if (pthread_cond_timedwait(&all.idle, &all.lock, &limit) != 0)
			fail("bufferCompleted does not return: deadlock");
}

CUptiResult
cuptiActivityFlushAll(uint32_t flag)
{
	bool forced = (flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) != 0;
	struct fake_op op;

	buffers_refuse(__func__);
	if (!subscribe_attach())
		return (CUptiResult)NO_DRIVER;
	if (all.request == NULL)
		return CUPTI_ERROR_INVALID_OPERATION;
	usleep((unsigned int)fake_number("FAKECUDA_SLOWFLUSH", 0) * 1000);
	buffers_poll();
	lock();
	while (forced && pending_take(&op, UINT64_MAX)) {
		op.start = op.end = 0;
		put_op(&op);
	}
	complete_some(&all.shared, forced);
	for (struct slot *s = all.slots; s != NULL; s = s->next)
		complete_some(s, forced);
	if (fake_number("FAKECUDA_CALLER", 0) != 0)
		hand_over();
	wait_for_worker();
	unlock();
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityFlush(CUcontext context, uint32_t stream, uint32_t flag)
{
	(void)context;
	(void)stream;
	return cuptiActivityFlushAll(flag);
}

CUptiResult
cuptiActivityFlushPeriod(uint32_t ms)
{
	if (!subscribe_attach())
		return (CUptiResult)NO_DRIVER;
	lock();
	all.period = ms;
	start_worker();
	pthread_cond_signal(&all.work);
	unlock();
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityGetNumDroppedRecords(
    CUcontext context, uint32_t stream, size_t *dropped)
{
	bool lax = fake_number("FAKECUDA_LAX", 0) != 0 && inside != NULL &&
		   strcmp(inside, "bufferCompleted") == 0;

	(void)context;
	(void)stream;
	if (dropped == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (!lax)
		buffers_refuse(__func__);
	if (!subscribe_attach())
		return (CUptiResult)NO_DRIVER;
	lock();
	*dropped = all.dropped;
	all.dropped = 0;
	unlock();
	return CUPTI_SUCCESS;
}
