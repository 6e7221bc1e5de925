/* ring_thread.c - the thread that empties the rings of the kernel */

#include <err.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tq/base/mem.h"

#include "arena/ticks.h"
#include "lines/quiet_thread.h"
#include "ring_thread.h"

enum {
	PERIOD_MS = 10,
	QUEUE_MAX = 64 << 20 /* bytes that wait for the launcher */
};

static const int64_t IN_FLIGHT = 5000000; /* ns */

struct ring_thread {
	struct perf_rings *rings;
	pthread_t thread;
	pthread_mutex_t lock;
	bool stop, joined;
	struct ring_batch waiting;
};

/* a record in a batch: the payload is behind it */
struct queued_record {
	struct perf_record record;
	size_t size; /* with the payload and what fills it up */
};

static void
put(struct ring_batch *b, const struct perf_record *r)
{
	struct queued_record q = {*r, sizeof(q) + (r->payload.len + 7) / 8 * 8};
	char *to;

	/* records of mappings are small, and needed later */
	if (b->size + q.size > QUEUE_MAX &&
	    (r->type == PERF_RECORD_SAMPLE || r->type == PERF_RECORD_SWITCH)) {
		b->lost++;
		return;
	}
	while (b->size + q.size > b->cap)
		b->bytes = mem_more(b->bytes, b->cap, &b->cap, 1);
	to = b->bytes + b->size;
	memcpy(to, &q, sizeof(q));
	memcpy(to + sizeof(q), r->payload.p, r->payload.len);
	b->size += q.size;
}

bool
ring_thread_next(
    const struct ring_batch *b, size_t *at, struct perf_record *record)
{
	struct queued_record q;

	if (*at >= b->size)
		return false;
	memcpy(&q, b->bytes + *at, sizeof(q));
	*record = q.record;
	record->payload.p = b->bytes + *at + sizeof(q);
	*at += q.size;
	return true;
}

/* empty the rings; false if this was the last time */
static bool
read_rings(struct ring_thread *t)
{
	struct perf_record r;
	int64_t until;
	bool stop;

	pthread_mutex_lock(&t->lock);
	stop = t->stop;
	if (stop)
		perf_rings_stop(t->rings);
	until = (int64_t)ticks_system();
	/* a processor that writes a record has taken its time before */
	until = stop ? INT64_MAX : until - IN_FLIGHT;
	while (perf_rings_next(t->rings, until, &r))
		put(&t->waiting, &r);
	if (!stop)
		t->waiting.until = until;
	pthread_mutex_unlock(&t->lock);
	return !stop;
}

static void *
read_loop(void *arg)
{
	struct ring_thread *t = arg;

	while (read_rings(t))
		perf_rings_wait(t->rings, PERIOD_MS);
	return NULL;
}

struct ring_thread *
ring_thread_start(struct perf_rings *r)
{
	struct ring_thread *t = mem_alloc(sizeof(*t));
	int error;

	t->rings = r;
	pthread_mutex_init(&t->lock, NULL);
	error = quiet_thread_start(&t->thread, read_loop, t);
	if (error == 0)
		return t;
	warnx("--sample: %s", strerror(error));
	free(t);
	return NULL;
}

void
ring_thread_take(struct ring_thread *t, struct ring_batch *batch)
{
	struct ring_batch empty = *batch;

	empty.size = 0;
	empty.until = empty.lost = 0;
	pthread_mutex_lock(&t->lock);
	*batch = t->waiting;
	t->waiting = empty;
	t->waiting.until = batch->until;
	pthread_mutex_unlock(&t->lock);
}

void
ring_thread_stop(struct ring_thread *t)
{
	if (t->joined)
		return;
	t->joined = true;
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->thread, NULL);
}

void
ring_thread_free(struct ring_thread *t)
{
	if (t == NULL)
		return;
	pthread_mutex_destroy(&t->lock);
	free(t->waiting.bytes);
	free(t);
}
