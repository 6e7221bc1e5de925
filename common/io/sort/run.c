/* run.c - lines in order on the disk */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "run.h"
#include "tq/base/mem.h"
#include "tq/io/temporary.h"
#include "tq/io/zio.h"

enum { RELEASE = 1 << 20 }; /* bytes that are given back at once */

/* stands before the text of each line */
struct head {
	int64_t ts, dur;
	uint32_t len, tag;
};

/* ---- writing ---- */

bool
run_create(struct run *r, uint64_t bytes)
{
	int fd = temporary_open();

	*r = (struct run){.fd = fd};
	if (fd < 0)
		return false;
	/* to fail now, not when the last of the room is taken */
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes) == 0 ||
	    errno == EOPNOTSUPP || errno == EINVAL || errno == ENOSYS)
		return true;
	run_close(r);
	return false;
}

static bool
write_all(struct run *r, const char *p, size_t n)
{
	if (!zio_write_plain(r->fd, p, n))
		return false;
	r->size += (off_t)n;
	return true;
}

static bool
write_buffer(struct run *r)
{
	size_t n = r->len;

	r->len = 0;
	return write_all(r, r->buf, n);
}

bool
run_put(struct run *r, const struct sorter_line *l, size_t cap)
{
	struct head head = {l->ts, l->dur, (uint32_t)l->line.len, l->tag};

	if (r->buf == NULL) {
		r->buf = mem_resize(NULL, cap, 1);
		r->cap = cap;
		r->line = *l; /* the first one is the one at hand */
	}
	if (r->cap - r->len < sizeof(head) && !write_buffer(r))
		return false;
	memcpy(r->buf + r->len, &head, sizeof(head));
	r->len += sizeof(head);
	r->lines++;
	if (r->cap - r->len < l->line.len && !write_buffer(r))
		return false;
	if (l->line.len >= r->cap)
		return write_all(r, l->line.p, l->line.len);
	if (l->line.len > 0)
		memcpy(r->buf + r->len, l->line.p, l->line.len);
	r->len += l->line.len;
	return true;
}

bool
run_written(struct run *r)
{
	if (!write_buffer(r))
		return false;
	free(r->buf);
	r->buf = NULL;
	return true;
}

/* ---- reading ---- */

/* n bytes at pos of the buffer */
static bool
need(struct run *r, size_t n)
{
	if (r->len - r->pos >= n)
		return true;
	memmove(r->buf, r->buf + r->pos, r->len - r->pos);
	r->len -= r->pos;
	r->pos = 0;
	if (r->cap < n) {
		r->buf = mem_resize(r->buf, n, 1);
		r->cap = n;
	}
	while (r->len < n) {
		ssize_t got =
		    pread(r->fd, r->buf + r->len, r->cap - r->len, r->next);

		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0)
			errno = EIO;
		if (got <= 0)
			return false;
		r->len += (size_t)got;
		r->next += got;
	}
	return true;
}

static bool
read_head(struct run *r, struct head *head)
{
	if (!need(r, sizeof(*head)))
		return false;
	memcpy(head, r->buf + r->pos, sizeof(*head));
	return need(r, sizeof(*head) + head->len);
}

/* the line at pos becomes the one at hand */
static bool
read_line(struct run *r)
{
	struct head head;

	if (!read_head(r, &head)) {
		r->broken = true;
		return false;
	}
	r->line = (struct sorter_line){head.ts, head.dur,
	    {r->buf + r->pos + sizeof(head), head.len}, head.tag};
	return true;
}

bool
run_load(struct run *r, size_t cap)
{
	if (r->buf != NULL)
		return true;
	r->buf = mem_resize(NULL, cap, 1);
	r->cap = cap;
	r->pos = r->len = 0;
	return read_line(r);
}

bool
run_next(struct run *r)
{
	r->pos += run_bytes(r->line.line.len);
	return --r->lines > 0 && read_line(r);
}

/* where the line at hand stands in the file */
static off_t
place(const struct run *r)
{
	return r->next - (off_t)(r->len - r->pos);
}

uint64_t
run_left(const struct run *r)
{
	return (uint64_t)(r->size - place(r));
}

void
run_mark(struct run *r)
{
	r->marked = place(r);
	r->marked_lines = r->lines;
	r->marked_line = r->line;
}

void
run_return(struct run *r)
{
	free(r->buf);
	r->buf = NULL;
	r->pos = r->len = 0;
	r->next = r->marked;
	r->lines = r->marked_lines;
	r->line = r->marked_line;
	r->broken = false;
}

void
run_release(struct run *r)
{
	/* the file's part that is in the buffer is not needed any more */
	off_t done = r->next & ~(off_t)(RELEASE - 1);

	if (done == r->released)
		return;
	/* where the file system cannot, the room is free when all is read */
	(void)fallocate(r->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
	    r->released, done - r->released);
	r->released = done;
}

void
run_close(struct run *r)
{
	int error = errno;

	close(r->fd);
	free(r->buf);
	errno = error;
}

uint64_t
run_bytes(size_t len)
{
	return sizeof(struct head) + len;
}
