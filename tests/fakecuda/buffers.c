/* buffers.c - records are put into the profiler's buffers, and handed over */

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "fakecupti.h"
#include "pending.h"

enum {
	NULL_ALLOWED = 127, /* the generation since which NULL is no crash */
	TORN = 16
};

/* A buffer that is being filled, by all threads or by one. */
struct slot {
	uint8_t *buffer;
	size_t size, used, records, most;
	uint32_t *open; /* places for work that has yet to end */
	struct slot *next;
};

/* One that waits to be handed over. */
struct full {
	uint8_t *buffer;
	size_t size, used;
	uint32_t *open;
	struct full *next;
};

static struct {
	pthread_cond_t work, back; /* with the lock of guard.c */
	CUpti_BuffersCallbackRequestFunc request;
	CUpti_BuffersCallbackCompleteFunc complete;
	struct slot shared; /* of work, and of threads without one */
	struct slot *slots; /* of threads */
	struct full *first, **last;
	struct full *held; /* until all of their work has ended */
	uint64_t handed_in, handed_over;
	size_t dropped;
	uint64_t seen, timed; /* records, and records with times */
	uint64_t drop, notime, reverse, torn;
	uint64_t taken, launched; /* kernels */
	uint64_t reserve;
	unsigned int period; /* ms */
	bool running;
} all = {
    .work = PTHREAD_COND_INITIALIZER,
    .back = PTHREAD_COND_INITIALIZER,
    .last = &all.first,
};

static _Thread_local struct slot *own;
static const char completed[] = "bufferCompleted";

static void
read_knobs(void)
{
	all.drop = fake_number("FAKECUDA_DROP", 0);
	all.notime = fake_number("FAKECUDA_NOTIME", 0);
	all.reverse = fake_number("FAKECUDA_REVERSE", 0);
	all.torn = fake_number("FAKECUDA_TORN", 0);
	all.taken = fake_number("FAKECUDA_TAKEN", 0);
	all.reserve = fake_number("FAKECUDA_RESERVE", 0);
}

/* ---- another client ---- */

static void CUPTIAPI
request_other(uint8_t **buffer, size_t *size, size_t *records)
{
	*size = 1 << 20;
	*buffer = calloc(1, *size);
	*records = 0;
}

/* Buffers that it did not lend are none of its business. */
static void CUPTIAPI
complete_other(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
    size_t used)
{
	(void)context;
	(void)stream;
	(void)buffer;
	(void)size;
	(void)used;
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
	const char *before;
	struct full *full;

	while ((full = all.first) != NULL) {
		if ((all.first = full->next) == NULL)
			all.last = &all.first;
		guard_unlock();
		before = guard_enter(completed);
		all.complete(NULL, 0, full->buffer, full->size, full->used);
		guard_leave(before);
		free(full);
		guard_lock();
		all.handed_over++;
		pthread_cond_broadcast(&all.back);
	}
}

static void *
worker(void *arg)
{
	struct timespec limit;

	pthread_setname_np(pthread_self(), "cupti-worker");
	guard_lock();
	for (;;) {
		hand_over();
		if (all.period == 0)
			guard_wait(&all.work, NULL);
		else {
			limit = guard_deadline(all.period);
			guard_wait(&all.work, &limit);
			guard_unlock();
			buffers_poll();
			guard_lock();
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
		guard_fail("no thread");
	pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void
queue(struct full *full)
{
	full->next = NULL;
	*all.last = full;
	all.last = &full->next;
	all.handed_in++;
	start_worker();
	pthread_cond_signal(&all.work);
}

/* Those whose work has ended meanwhile. */
static void
release_held(void)
{
	struct full **at = &all.held, *full;

	while ((full = *at) != NULL)
		if (*full->open == 0) {
			*at = full->next;
			queue(full);
		} else {
			at = &full->next;
		}
}

/* The slot has no buffer afterwards. */
static void
hand_in(struct slot *slot)
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
	*full = (struct full){
	    slot->buffer, slot->size, slot->used, slot->open, NULL};
	slot->buffer = NULL;
	if (full->open != NULL && *full->open > 0) {
		full->next = all.held;
		all.held = full;
	} else {
		queue(full);
	}
}

static void
hand_in_some(struct slot *slot, bool empty)
{
	if (empty ||
	    (slot->used > 0 && (slot->open == NULL || *slot->open == 0)))
		hand_in(slot);
}

/* A kernel is launched; the other client flushes when it has registered. */
static void
take_over(void)
{
	if (all.taken == 0 || ++all.launched != all.taken)
		return;
	all.request = request_other;
	all.complete = complete_other;
	hand_in(&all.shared);
	for (struct slot *s = all.slots; s != NULL; s = s->next)
		hand_in(s);
}

/* ---- filling ---- */

static bool
zero(const uint8_t *p, size_t n)
{
	return n == 0 || (p[0] == 0 && memcmp(p, p + 1, n - 1) == 0);
}

static bool
get_buffer(struct slot *slot, size_t needed)
{
	const char *before;

	slot->used = slot->records = slot->most = slot->size = 0;
	slot->open = all.reserve != 0 ? calloc(1, sizeof(uint32_t)) : NULL;
	before = guard_enter("bufferRequested");
	all.request(&slot->buffer, &slot->size, &slot->most);
	guard_leave(before);
	if (slot->buffer == NULL || slot->size < needed) {
		slot->buffer = NULL;
		if (FAKE_GENERATION < NULL_ALLOWED)
			guard_fail("no buffer: CUPTI before 12.9 crashes");
		return false;
	}
	if ((uintptr_t)slot->buffer % 8 != 0)
		guard_fail("a buffer is not aligned to 8 bytes");
	if (!attributes_zeroed())
		memset(slot->buffer, 0, slot->size);
	else if (!zero(slot->buffer, slot->size))
		guard_fail("a buffer is not zeroed");
	return true;
}

static struct slot *
slot_of_thread(void)
{
	if (!attributes_per_thread())
		return &all.shared;
	if (own == NULL) {
		own = calloc(1, sizeof(*own));
		own->next = all.slots;
		all.slots = own;
	}
	return own;
}

/* Where it is, or NULL. */
static uint8_t *
put(struct slot *slot, const void *record)
{
	uint32_t kind;
	uint8_t *place;
	size_t size;

	memcpy(&kind, record, sizeof(kind));
	size = record_size(kind);
	if (all.request == NULL ||
	    (all.drop != 0 && ++all.seen % all.drop == 0)) {
		all.dropped++;
		return NULL;
	}
	if (slot->buffer != NULL && slot->used + size > slot->size)
		hand_in(slot);
	if (slot->buffer == NULL && !get_buffer(slot, size)) {
		all.dropped++;
		return NULL;
	}
	place = slot->buffer + slot->used;
	memcpy(place, record, size);
	slot->used += size;
	if (++slot->records == slot->most)
		hand_in(slot);
	return place;
}

static bool
on_gpu(const struct fake_op *op)
{
	return op->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
	       op->kind == CUPTI_ACTIVITY_KIND_KERNEL ||
	       op->kind == CUPTI_ACTIVITY_KIND_GRAPH_TRACE ||
	       op->kind == CUPTI_ACTIVITY_KIND_CUDA_EVENT ||
	       op->kind == CUPTI_ACTIVITY_KIND_MEMCPY ||
	       op->kind == CUPTI_ACTIVITY_KIND_MEMCPY2 ||
	       op->kind == CUPTI_ACTIVITY_KIND_MEMSET;
}

static void
put_op(struct fake_op *op)
{
	_Alignas(8) uint8_t record[RECORD_MAX];
	uint64_t skew;

	if (on_gpu(op)) {
		skew = clock_skew();
		op->start += skew;
		op->end += skew;
		if (op->unfinished ||
		    (all.notime != 0 && ++all.timed % all.notime == 0))
			op->start = op->end = 0;
	}
	record_of_op(record, op);
	if (op->place != NULL) {
		memcpy(op->place, record, record_size(op->kind));
		--*op->open;
	} else if (all.reserve == 0) {
		put(&all.shared, record);
	}
}

/* The kind is there, the rest when the work has ended. */
static void
reserve(struct fake_op *op)
{
	_Alignas(8) uint8_t record[RECORD_MAX] = {0};
	uint32_t kind = op->kind;

	memcpy(record, &kind, sizeof(kind));
	op->place = put(&all.shared, record);
	op->open = all.shared.open;
	if (op->place != NULL)
		++*op->open;
}

void
buffers_put(const void *record)
{
	guard_lock();
	put(slot_of_thread(), record);
	guard_unlock();
}

void
buffers_later(const struct fake_op *done)
{
	struct fake_op copy = *done, *op = &copy;

	guard_lock();
	if (all.reserve != 0)
		reserve(op);
	pending_add(op);
	if (op->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
		take_over();
	guard_unlock();
}

void
buffers_poll(void)
{
	uint64_t now = clock_now();
	struct fake_op op;

	guard_lock();
	while (pending_take(&op, now))
		put_op(&op);
	guard_unlock();
}

/* ---- what the profiler calls ---- */

CUptiResult
cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
    CUpti_BuffersCallbackCompleteFunc complete)
{
	if (request == NULL || complete == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	guard_lock();
	read_knobs();
	all.request = request;
	all.complete = complete;
	guard_unlock();
	return CUPTI_SUCCESS;
}

/* for records put up to now; others may come meanwhile */
static void
wait_for_worker(void)
{
	struct timespec limit = guard_deadline(GUARD_PATIENCE);
	uint64_t enough = all.handed_in;

	while (all.handed_over < enough)
		if (!guard_wait(&all.back, &limit))
			guard_fail("bufferCompleted does not return: deadlock");
}

CUptiResult
cuptiActivityFlushAll(uint32_t flag)
{
	bool forced = (flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) != 0;
	struct fake_op op;

	guard_refuse(__func__, NULL);
	if (!subscribe_attach())
		return (CUptiResult)NO_DRIVER;
	if (all.request == NULL)
		return CUPTI_ERROR_INVALID_OPERATION;
	usleep((unsigned int)fake_number("FAKECUDA_SLOWFLUSH", 0) * 1000);
	buffers_poll();
	guard_lock();
	while (forced && pending_take(&op, UINT64_MAX)) {
		op.unfinished = true;
		put_op(&op);
	}
	release_held();
	hand_in_some(&all.shared, forced);
	for (struct slot *s = all.slots; s != NULL; s = s->next)
		hand_in_some(s, forced);
	if (fake_number("FAKECUDA_CALLER", 0) != 0)
		hand_over();
	wait_for_worker();
	guard_unlock();
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
	guard_lock();
	all.period = ms;
	start_worker();
	pthread_cond_signal(&all.work);
	guard_unlock();
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityGetNumDroppedRecords(
    CUcontext context, uint32_t stream, size_t *dropped)
{
	bool lax = fake_number("FAKECUDA_LAX", 0) != 0;

	(void)context;
	(void)stream;
	if (dropped == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	guard_refuse(__func__, lax ? completed : NULL);
	if (!subscribe_attach())
		return (CUptiResult)NO_DRIVER;
	guard_lock();
	*dropped = all.dropped;
	all.dropped = 0;
	guard_unlock();
	return CUPTI_SUCCESS;
}
