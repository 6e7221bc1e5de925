/* writer_thread.c - a thread that writes queued bytes */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "quiet_thread.h"
#include "writer_thread.h"
#include "tq/base/mem.h"

enum { PIPE_SIZE = 1 << 20, SPARES = 4, SPARE_BYTES = 1 << 20 };

/* bytes in the queue */
struct queued_bytes {
	struct text bytes;
	bool flush; /* the compressor behind them */
	struct queued_bytes *next;
};

struct writer_thread {
	int fd;
	bool created; /* the file; else it is as it was until begun */
	bool is_stdout;
	bool begun; /* of the thread alone */
	struct zio_writer *zio;
	pthread_t writer;

	pthread_mutex_t lock; /* of all members below */
	pthread_cond_t more;
	struct queued_bytes *first, *last; /* not yet being written */
	size_t behind;
	int error;
	int64_t undelivered; /* lines */
	bool closing;
	struct queued_bytes *spare; /* empty ones, to be used again */
	int spares;
};

/* ---- in the thread ---- */

/* the next bytes, once there are some; NULL if there will be none */
static struct queued_bytes *
next_bytes(struct writer_thread *s)
{
	struct queued_bytes *p;

	while (s->first == NULL && !s->closing)
		pthread_cond_wait(&s->more, &s->lock);
	if ((p = s->first) != NULL)
		s->first = p->next;
	return p;
}

/* keep the memory of p, to be used again */
static void
keep_spare(struct writer_thread *s, struct queued_bytes *p)
{
	if (s->spares == SPARES || p->bytes.cap > SPARE_BYTES) {
		text_free(&p->bytes);
		free(p);
		return;
	}
	p->bytes.len = 0;
	p->flush = false;
	p->next = s->spare;
	s->spare = p;
	s->spares++;
}

/* a file that was there loses its bytes when the first new ones come */
static bool
begin(struct writer_thread *s)
{
	struct stat st;

	if (s->begun)
		return true;
	s->begun = true;
	return fstat(s->fd, &st) != 0 || !S_ISREG(st.st_mode) || s->created ||
	       s->is_stdout || ftruncate(s->fd, 0) == 0;
}

static int
write_bytes(struct writer_thread *s, const struct queued_bytes *p)
{
	if (!begin(s))
		return errno;
	return zio_write(s->zio, p->bytes.p, p->bytes.len, p->flush) ? 0
								     : errno;
}

static int64_t
lines_of(const struct text *t)
{
	const char *p = t->p, *end = t->p + t->len;
	int64_t n = 0;

	for (; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
		n++;
	return n;
}

static void *
write_all(void *arg)
{
	struct writer_thread *s = arg;
	struct queued_bytes *p;

	pthread_mutex_lock(&s->lock);
	while ((p = next_bytes(s)) != NULL) {
		int error = s->error;

		pthread_mutex_unlock(&s->lock);
		if (error == 0)
			error = write_bytes(s, p);
		pthread_mutex_lock(&s->lock);
		s->error = error;
		if (error != 0)
			s->undelivered += lines_of(&p->bytes);
		s->behind -= p->bytes.len;
		keep_spare(s, p);
	}
	if (s->error == 0 && s->begun && !zio_finish(s->zio))
		s->error = errno;
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* ---- in the other threads ---- */

static void
free_queue(struct queued_bytes *p)
{
	struct queued_bytes *next;

	for (; p != NULL; p = next) {
		next = p->next;
		text_free(&p->bytes);
		free(p);
	}
}

static int
release(struct writer_thread *s)
{
	int error = s->error;

	zio_writer_close(s->zio);
	/* NFS reports errors here */
	if (close(s->fd) < 0 && error == 0)
		error = errno;
	free_queue(s->spare);
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->more);
	free(s);
	return error;
}

static int
open_file(const char *file, bool *created)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	*created = fd >= 0;
	if (fd < 0 && errno == EEXIST)
		fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	return fd;
}

struct writer_thread *
writer_thread_open(const char *file, enum zio_format format)
{
	struct writer_thread *s;
	struct zio_writer *zio;
	bool created = false;
	int error, fd;

	/* duplicate stdout with close-on-exec */
	fd = file == NULL ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
			  : open_file(file, &created);
	if (fd < 0)
		return NULL;
	fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
	if ((zio = zio_writer_open(fd, format)) == NULL) {
		close(fd);
		errno = ENOMEM;
		return NULL;
	}
	s = mem_alloc(sizeof(*s));
	s->fd = fd;
	s->created = created;
	s->is_stdout = file == NULL;
	s->zio = zio;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->more, NULL);
	if ((error = quiet_thread_start(&s->writer, write_all, s)) == 0)
		return s;
	release(s);
	errno = error;
	return NULL;
}

/* empty bytes for the queue; the lock is held */
static struct queued_bytes *
get_spare(struct writer_thread *s)
{
	struct queued_bytes *p = s->spare;

	if (p == NULL)
		return mem_alloc(sizeof(*p));
	s->spare = p->next;
	s->spares--;
	p->next = NULL;
	return p;
}

static void
append_bytes(struct writer_thread *s, struct queued_bytes *p)
{
	if (s->first == NULL)
		s->first = p;
	else
		s->last->next = p;
	s->last = p;
	pthread_cond_signal(&s->more);
}

void
writer_thread_put(struct writer_thread *s, struct text *t)
{
	struct queued_bytes *p;
	struct text empty;

	if (t->len == 0)
		return;
	pthread_mutex_lock(&s->lock);
	if (s->error != 0) {
		s->undelivered += lines_of(t);
		t->len = 0;
	} else {
		p = get_spare(s);
		empty = p->bytes;
		p->bytes = *t;
		*t = empty;
		s->behind += p->bytes.len;
		append_bytes(s, p);
	}
	pthread_mutex_unlock(&s->lock);
}

void
writer_thread_flush(struct writer_thread *s)
{
	struct queued_bytes *p;

	pthread_mutex_lock(&s->lock);
	if (s->first != NULL) {
		s->last->flush = true;
	} else if (s->error == 0) {
		p = get_spare(s);
		p->flush = true;
		append_bytes(s, p);
	}
	pthread_mutex_unlock(&s->lock);
}

size_t
writer_thread_behind(struct writer_thread *s)
{
	size_t behind;

	pthread_mutex_lock(&s->lock);
	behind = s->behind;
	pthread_mutex_unlock(&s->lock);
	return behind;
}

int
writer_thread_error(struct writer_thread *s)
{
	int error;

	pthread_mutex_lock(&s->lock);
	error = s->error;
	pthread_mutex_unlock(&s->lock);
	return error;
}

bool
writer_thread_created(const struct writer_thread *s)
{
	return s->created;
}

int
writer_thread_close(struct writer_thread *s, int64_t *undelivered)
{
	pthread_mutex_lock(&s->lock);
	s->closing = true;
	pthread_cond_signal(&s->more);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->writer, NULL);
	*undelivered = s->undelivered;
	return release(s);
}
