/* read_ahead.c - a ring of buffers, filled by a thread */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "read_ahead.h"
#include "tq/base/mem.h"

enum { BUFFERS = 4, BUFFER = 256 << 10 };

struct filled {
	char bytes[BUFFER];
	ptrdiff_t len; /* as zio_read returned it */
	const char *error;
};

struct read_ahead {
	struct zio_reader *zio;
	bool threaded;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned filled, emptied; /* buffers so far */
	bool stop;
	size_t pos; /* in the one that is read */
	struct filled ring[BUFFERS];
};

/* false where the reader has gone */
static bool
wait_for_room(struct read_ahead *r)
{
	bool go_on;

	pthread_mutex_lock(&r->lock);
	while (!r->stop && r->filled - r->emptied == BUFFERS)
		pthread_cond_wait(&r->changed, &r->lock);
	go_on = !r->stop;
	pthread_mutex_unlock(&r->lock);
	return go_on;
}

static void
count(struct read_ahead *r, unsigned *counter)
{
	pthread_mutex_lock(&r->lock);
	++*counter;
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

static void *
fill(void *arg)
{
	struct read_ahead *r = arg;
	struct filled *f;

	do {
		if (!wait_for_room(r))
			return NULL;
		f = &r->ring[r->filled % BUFFERS];
		f->len = zio_read(r->zio, f->bytes, BUFFER, &f->error);
		count(r, &r->filled);
	} while (f->len > 0);
	return NULL;
}

struct read_ahead *
read_ahead_open(struct zio_reader *zio, bool compressed)
{
	struct read_ahead *r = mem_alloc(sizeof(*r));

	r->zio = zio;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	/* where no thread can be had, this one does the work */
	r->threaded =
	    compressed && pthread_create(&r->thread, NULL, fill, r) == 0;
	return r;
}

static void
wait_for_data(struct read_ahead *r)
{
	pthread_mutex_lock(&r->lock);
	while (r->filled == r->emptied)
		pthread_cond_wait(&r->changed, &r->lock);
	pthread_mutex_unlock(&r->lock);
}

ptrdiff_t
read_ahead_next(struct read_ahead *r, char *buf, size_t n, const char **error)
{
	struct filled *f;

	if (!r->threaded)
		return zio_read(r->zio, buf, n, error);
	wait_for_data(r);
	f = &r->ring[r->emptied % BUFFERS];
	if (f->len <= 0) { /* it stays: nothing comes behind it */
		*error = f->error;
		return f->len;
	}
	if (n > (size_t)f->len - r->pos)
		n = (size_t)f->len - r->pos;
	memcpy(buf, f->bytes + r->pos, n);
	r->pos += n;
	if (r->pos == (size_t)f->len) {
		r->pos = 0;
		count(r, &r->emptied);
	}
	return (ptrdiff_t)n;
}

void
read_ahead_close(struct read_ahead *r)
{
	if (r->threaded) {
		pthread_mutex_lock(&r->lock);
		r->stop = true;
		pthread_cond_signal(&r->changed);
		pthread_mutex_unlock(&r->lock);
		pthread_join(r->thread, NULL);
	}
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
	free(r);
}
