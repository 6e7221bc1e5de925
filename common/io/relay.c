/* relay.c - lines that one thread has read, for a second thread */

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tq/base/mem.h"
#include "tq/io/relay.h"
#include "tq/line/event.h"

/* before each line of a block */
struct relay_head {
	const char *file;
	size_t len;
	bool begins;
};

struct relay {
	relay_take *take;
	void *arg;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct text blocks[RELAY_BLOCKS];
	size_t given, taken; /* blocks, since the beginning */
	bool over;
};

bool
relay_wanted(void)
{
	const char *threads = getenv("TQ_THREADS");
	cpu_set_t set;

	if (threads != NULL && strcmp(threads, "1") == 0)
		return false;
	return sched_getaffinity(0, sizeof(set), &set) == 0 &&
	       CPU_COUNT(&set) > 1;
}

/* ---- the second thread ---- */

/* The next block that was given; NULL behind the last. */
static const struct text *
wait_for_block(struct relay *r)
{
	const struct text *block = NULL;

	pthread_mutex_lock(&r->lock);
	while (r->taken == r->given && !r->over)
		pthread_cond_wait(&r->changed, &r->lock);
	if (r->taken < r->given)
		block = &r->blocks[r->taken % RELAY_BLOCKS];
	pthread_mutex_unlock(&r->lock);
	return block;
}

static void
take_lines(const struct relay *r, const struct text *block)
{
	const char *p = block->p, *end = p + block->len;
	struct relay_head h;

	while (p < end) {
		memcpy(&h, p, sizeof(h));
		p += sizeof(h);
		r->take(
		    r->arg, &(struct relay_line){{p, h.len}, h.file, h.begins});
		p += h.len;
	}
}

static void *
run(void *relay)
{
	struct relay *r = relay;
	const struct text *block;

	while ((block = wait_for_block(r)) != NULL) {
		take_lines(r, block);
		pthread_mutex_lock(&r->lock);
		r->taken++;
		pthread_cond_signal(&r->changed);
		pthread_mutex_unlock(&r->lock);
	}
	return NULL;
}

/* ---- the thread that reads ---- */

/* Signals stay with the thread that reads. */
static int
start_thread(struct relay *r)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&r->thread, NULL, run, r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

static void
free_relay(struct relay *r)
{
	for (size_t i = 0; i < RELAY_BLOCKS; i++)
		text_free(&r->blocks[i]);
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

struct relay *
relay_start(relay_take *take, void *arg)
{
	struct relay *r = mem_alloc(sizeof(*r));

	r->take = take;
	r->arg = arg;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	if (start_thread(r) != 0) {
		free_relay(r);
		return NULL;
	}
	return r;
}

/* Give the block that was filled, and wait until there is another one. */
static void
give_block(struct relay *r)
{
	pthread_mutex_lock(&r->lock);
	r->given++;
	pthread_cond_signal(&r->changed);
	while (r->given - r->taken == RELAY_BLOCKS)
		pthread_cond_wait(&r->changed, &r->lock);
	pthread_mutex_unlock(&r->lock);
	r->blocks[r->given % RELAY_BLOCKS].len = 0;
}

void
relay_add(struct relay *r, const struct relay_line *line)
{
	const struct relay_head h = {line->file, line->text.len, line->begins};
	struct text *block = &r->blocks[r->given % RELAY_BLOCKS];

	text_reserve(block, sizeof(h) + h.len + EVENT_PADDING);
	text_add(block, (const char *)&h, sizeof(h));
	text_add(block, line->text.p, h.len);
	if (block->len >= RELAY_BYTES)
		give_block(r);
}

void
relay_finish(struct relay *r)
{
	give_block(r);
	pthread_mutex_lock(&r->lock);
	r->over = true;
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->thread, NULL);
	free_relay(r);
}
