/* counter_thread.c - the thread that polls counters, and its queue */

#include <err.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/ticks.h"
#include "counter_queue.h"
#include "lines/paced_thread.h"
#include "poll.h"
#include "process_tree.h"
#include "tq/base/mem.h"

enum {
	PATIENCE = 2,        /* s for a library that does not return */
	QUEUE_MAX = 1 << 20, /* samples */
	TREE_NS = 50000000   /* between looks for new processes */
};

static const int64_t SECOND = 1000000000;

struct counter_thread {
	uint32_t sets;
	int64_t period; /* ns */
	bool counter;   /* the clock is the counter of the processor */
	pid_t root;
	struct paced_thread paced; /* its lock is of waiting */
	bool left;                 /* the thread does not end */
	uint64_t round; /* ticks: of the round that is not over; 0: none is */
	struct counter_batch waiting;
	struct counter_info *infos;
	size_t info_count, info_cap;
	struct poll poll;
};

static uint64_t
read_clock(const struct counter_thread *c)
{
	return c->counter ? ticks_counter() : ticks_system();
}

/* ---- the queue ---- */

uint32_t
counter_thread_define(struct counter_thread *c, const char *name,
    const char *unit, int64_t device)
{
	uint32_t n;

	pthread_mutex_lock(&c->paced.lock);
	n = (uint32_t)c->info_count;
	*array_add(&c->infos, &c->info_count, &c->info_cap) =
	    (struct counter_info){mem_copy(name, strlen(name)), unit, device};
	pthread_mutex_unlock(&c->paced.lock);
	return n;
}

void
counter_thread_put(struct counter_thread *c, const struct counter_sample *s)
{
	struct counter_batch *b = &c->waiting;

	pthread_mutex_lock(&c->paced.lock);
	if (b->count < QUEUE_MAX)
		*array_add(&b->samples, &b->count, &b->cap) = *s;
	else
		b->lost++;
	pthread_mutex_unlock(&c->paced.lock);
}

void
counter_thread_note(struct counter_thread *c, const char *text)
{
	struct counter_batch *b = &c->waiting;

	pthread_mutex_lock(&c->paced.lock);
	*array_add(&b->notes, &b->note_count, &b->note_cap) =
	    mem_copy(text, strlen(text));
	pthread_mutex_unlock(&c->paced.lock);
}

void
counter_thread_take(struct counter_thread *c, struct counter_batch *batch)
{
	pthread_mutex_lock(&c->paced.lock);
	*batch = c->waiting;
	batch->until = c->round != 0 ? c->round : read_clock(c);
	c->waiting = (struct counter_batch){0};
	pthread_mutex_unlock(&c->paced.lock);
}

struct counter_info
counter_thread_info(struct counter_thread *c, uint32_t info)
{
	struct counter_info i;

	pthread_mutex_lock(&c->paced.lock);
	i = c->infos[info];
	pthread_mutex_unlock(&c->paced.lock);
	return i;
}

/* ---- the thread ---- */

/* when what changes slowly was read last, ns */
struct read_at {
	int64_t second, tree;
};

static void
begin_round(
    struct counter_thread *c, struct process_tree *tree, struct read_at *at)
{
	struct poll *p = &c->poll;

	pthread_mutex_lock(&c->paced.lock);
	p->ticks = c->round = read_clock(c);
	pthread_mutex_unlock(&c->paced.lock);
	p->now = (int64_t)ticks_system();
	p->second = p->now - at->second >= SECOND;
	if (p->second)
		at->second = p->now;
	if (p->now - at->tree < TREE_NS)
		return;
	at->tree = p->now;
	process_tree_read(tree, c->root);
	p->pids = tree->pids;
	p->pid_count = tree->count;
	poll_end_absent(p);
}

static void
end_round(struct counter_thread *c)
{
	pthread_mutex_lock(&c->paced.lock);
	c->round = 0;
	pthread_mutex_unlock(&c->paced.lock);
}

static void *
poll_loop(void *arg)
{
	static const struct poll_set *const sets[COUNTERS_SETS] = {
	    &gpu_counters, &cpu_counters, &io_counters, &net_counters};
	struct counter_thread *c = arg;
	struct poll *p = &c->poll;
	void *states[COUNTERS_SETS] = {NULL};
	struct process_tree tree = {0};
	struct read_at at = {0};
	int64_t next = (int64_t)ticks_system();

	for (int i = 0; i < COUNTERS_SETS; i++)
		if (c->sets & 1U << i)
			states[i] = sets[i]->open(p);
	do {
		begin_round(c, &tree, &at);
		for (int i = 0; i < COUNTERS_SETS; i++)
			if (states[i] != NULL)
				sets[i]->read(states[i], p);
		end_round(c);
		next += c->period;
		if (next < p->now)
			next = p->now + c->period; /* rounds take longer */
	} while (paced_thread_wait(&c->paced, next));
	for (int i = 0; i < COUNTERS_SETS; i++)
		if (states[i] != NULL)
			sets[i]->close(states[i]);
	process_tree_free(&tree);
	return NULL;
}

struct counter_thread *
counter_thread_start(
    uint32_t sets, int64_t hz, const struct clock *clock, pid_t root)
{
	struct counter_thread *c = mem_alloc(sizeof(*c));
	int error;

	c->sets = sets;
	c->period = SECOND / hz;
	c->counter = clock->counter;
	c->root = root;
	c->poll.to = c;
	error = paced_thread_start(&c->paced, poll_loop, c);
	if (error == 0)
		return c;
	warnx("--counters: %s", strerror(error));
	free(c);
	return NULL;
}

void
counter_thread_stop(struct counter_thread *c)
{
	const struct timespec pause = {0, 200000};
	uint64_t until = ticks_system() + (uint64_t)(PATIENCE * SECOND);

	paced_thread_stop(&c->paced);
	/* pthread_clockjoin_np would need glibc 2.31 */
	while ((c->left = pthread_tryjoin_np(c->paced.id, NULL) != 0) &&
	       ticks_system() < until)
		nanosleep(&pause, NULL);
	if (c->left)
		warnx("--counters: a library does not return");
}

void
counter_thread_free(struct counter_thread *c)
{
	if (c == NULL || c->left)
		return; /* the thread may still use it */
	for (size_t i = 0; i < c->info_count; i++)
		free(c->infos[i].name);
	free(c->infos);
	free(c->waiting.samples);
	for (size_t i = 0; i < c->waiting.note_count; i++)
		free(c->waiting.notes[i]);
	free(c->waiting.notes);
	keyed_free(&c->poll.series);
	keyed_free(&c->poll.totals);
	paced_thread_free(&c->paced);
	free(c);
}
