/* counter_thread.c - the thread that polls counters, and what it hands over */

#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/ticks.h"
#include "counter_queue.h"
#include "lines/quiet_thread.h"
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
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t stopped;
	bool stop, left; /* left: the thread does not end */
	struct counter_batch waiting;
	struct counter_info *infos;
	size_t info_count, info_cap;
	struct poll poll;
};

/* ---- the queue ---- */

uint32_t
counter_thread_define(struct counter_thread *c, const char *name,
    const char *unit, int64_t device)
{
	uint32_t n;

	pthread_mutex_lock(&c->lock);
	n = (uint32_t)c->info_count;
	*array_add(&c->infos, &c->info_count, &c->info_cap) =
	    (struct counter_info){mem_copy(name, strlen(name)), unit, device};
	pthread_mutex_unlock(&c->lock);
	return n;
}

void
counter_thread_put(struct counter_thread *c, const struct counter_sample *s)
{
	struct counter_batch *b = &c->waiting;

	pthread_mutex_lock(&c->lock);
	if (b->count < QUEUE_MAX)
		*array_add(&b->samples, &b->count, &b->cap) = *s;
	else
		b->lost++;
	pthread_mutex_unlock(&c->lock);
}

void
counter_thread_note(struct counter_thread *c, const char *text)
{
	struct counter_batch *b = &c->waiting;

	pthread_mutex_lock(&c->lock);
	*array_add(&b->notes, &b->note_count, &b->note_cap) =
	    mem_copy(text, strlen(text));
	pthread_mutex_unlock(&c->lock);
}

void
counter_thread_take(struct counter_thread *c, struct counter_batch *batch)
{
	pthread_mutex_lock(&c->lock);
	*batch = c->waiting;
	c->waiting = (struct counter_batch){0};
	pthread_mutex_unlock(&c->lock);
}

struct counter_info
counter_thread_info(struct counter_thread *c, uint32_t info)
{
	struct counter_info i;

	pthread_mutex_lock(&c->lock);
	i = c->infos[info];
	pthread_mutex_unlock(&c->lock);
	return i;
}

/* ---- the thread ---- */

static struct timespec
at_time(int64_t ns)
{
	return (struct timespec){ns / SECOND, ns % SECOND};
}

/* false if it is time to stop */
static bool
wait_until(struct counter_thread *c, int64_t ns)
{
	struct timespec t = at_time(ns);
	bool stop;

	pthread_mutex_lock(&c->lock);
	while (!c->stop &&
	       pthread_cond_timedwait(&c->stopped, &c->lock, &t) != ETIMEDOUT)
		;
	stop = c->stop;
	pthread_mutex_unlock(&c->lock);
	return !stop;
}

/* when what changes slowly was read last, ns */
struct read_at {
	int64_t second, tree;
};

static void
begin_round(
    struct counter_thread *c, struct process_tree *tree, struct read_at *at)
{
	struct poll *p = &c->poll;

	p->now = (int64_t)ticks_system();
	p->ticks = c->counter ? ticks_counter() : (uint64_t)p->now;
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
		next += c->period;
		if (next < p->now)
			next = p->now + c->period; /* rounds take longer */
	} while (wait_until(c, next));
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
	pthread_condattr_t monotonic;
	int error;

	c->sets = sets;
	c->period = SECOND / hz;
	c->counter = clock->counter;
	c->root = root;
	c->poll.to = c;
	pthread_mutex_init(&c->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&c->stopped, &monotonic);
	pthread_condattr_destroy(&monotonic);
	error = quiet_thread_start(&c->thread, poll_loop, c);
	if (error == 0)
		return c;
	warnx("--counters: %s", strerror(error));
	free(c);
	return NULL;
}

void
counter_thread_stop(struct counter_thread *c)
{
	struct timespec until;

	pthread_mutex_lock(&c->lock);
	c->stop = true;
	pthread_cond_signal(&c->stopped);
	pthread_mutex_unlock(&c->lock);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE;
	c->left = pthread_timedjoin_np(c->thread, NULL, &until) != 0;
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
	pthread_cond_destroy(&c->stopped);
	pthread_mutex_destroy(&c->lock);
	free(c);
}
