/* parcel.c - pieces of a stream with the outlines of their lines */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "tq/base/array.h"
#include "tq/base/hash.h"
#include "tq/io/parcel.h"
#include "tq/io/zio.h"

/* as no stream and no compressed one begins; LF ends no magic of a text */
const unsigned char parcel_magic[4] = {0x01, 't', 'q', 0x0a};

/* a pipe of tq has no room for more */
enum { PAGE = 4096, PIPE_BYTES = 1 << 20, PIPE_PAGES = PIPE_BYTES / PAGE };
enum { SHORT = 1 << 16 };

struct new_shape {
	uint16_t parent;
	uint16_t key;
};

static bool
says(struct span word)
{
	const char *p = getenv(PARCEL_VARIABLE);

	while (p != NULL && *p != '\0') {
		size_t n = strcspn(p, ",");

		if (span_eq((struct span){p, n}, word))
			return true;
		p += n + (p[n] == ',');
	}
	return false;
}

bool
parcel_may_come(void)
{
	return says(SPAN("in"));
}

bool
parcel_may_go(void)
{
	return says(SPAN("out"));
}

bool
parcel_tell(bool in, bool out)
{
	static const char *const words[2][2] = {
	    {"none", "out"}, {"in", "in,out"}};

	return setenv(PARCEL_VARIABLE, words[in][out], false) == 0;
}

/* the kinds and keys of this build: numbers of another one mean others */
static uint32_t
schema_number(void)
{
	static _Atomic uint32_t known; /* threads read */
	uint32_t number = known;
	uint64_t h = 0;

	if (number != 0)
		return number;
	for (enum kind k = 0; k < KIND_COUNT; k++)
		h = hash_mix(h ^ hash_text(span_of(schema_kinds[k].name)),
		    schema_kinds[k].len | 1);
	for (enum key k = 0; k < KEY_COUNT; k++)
		h = hash_mix(h ^ hash_text(span_of(schema_keys[k].name)),
		    schema_keys[k].len | 1);
	known = number = (uint32_t)(h ^ h >> 32) | 1;
	return number;
}

/* ---- writing ---- */

/* the shapes that the reader does not have yet */
static void
add_shapes(struct parcel_writer *w)
{
	if (w->shapes < OUTLINE_KINDS)
		w->shapes = OUTLINE_KINDS;
	while (w->shapes < outline_shape_count) {
		const struct outline_shape *s = outline_shapes[++w->shapes];
		struct new_shape x = {s->parent, (uint16_t)s->key};

		text_add(&w->head, (const char *)&x, sizeof(x));
	}
}

static struct parcel_lent lent_at_end[PARCEL_LENT];

/* Keep the memory of a text that a pipe has; the text gets some that was read,
   or none. */
static void
lend(struct parcel_writer *w, struct text *t)
{
	struct parcel_lent *first = &w->lent[w->lent_first], *x;
	struct text again = {0};

	/* a pipe has no room for more pages: these were read */
	if (w->lent_count > 0 && w->pages - first->pages >= PIPE_PAGES) {
		again = first->text;
		w->lent_first = (w->lent_first + 1) % PARCEL_LENT;
		w->lent_count--;
	}
	x = &w->lent[(w->lent_first + w->lent_count++) % PARCEL_LENT];
	*x = (struct parcel_lent){*t, w->pages};
	*t = again;
}

/*
 * Lend the pages of the text to the pipe; false with errno 0 where there is
 * none, or it takes none.  A text that is short is cheaper to copy.
 */
static bool
lend_pages(struct parcel_writer *w, int fd, struct text *t)
{
	struct iovec rest = {t->p, t->len};

	errno = 0;
	if (t->len < SHORT || w->lent_count == PARCEL_LENT ||
	    fcntl(fd, F_GETPIPE_SZ) > PIPE_BYTES)
		return false;
	while (rest.iov_len > 0) {
		ssize_t n = vmsplice(fd, &rest, 1, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			if (errno != EPIPE && rest.iov_len == t->len)
				errno = 0;
			return false;
		}
		w->pages += (uint64_t)n / PAGE;
		rest.iov_base = (char *)rest.iov_base + n;
		rest.iov_len -= (size_t)n;
	}
	lend(w, t);
	return true;
}

bool
parcel_write(struct parcel_writer *w, int fd, struct text *t)
{
	struct parcel_head h = {.schema = schema_number(),
	    .outlines = (uint32_t)w->outlines.len,
	    .text = (uint32_t)t->len};

	if (t->len == 0)
		return true;
	memcpy(h.magic, parcel_magic, sizeof(h.magic));
	w->head.len = 0;
	text_reserve(&w->head, sizeof(h));
	w->head.len = sizeof(h);
	add_shapes(w);
	h.shapes = (uint32_t)(w->head.len - sizeof(h));
	memcpy(w->head.p, &h, sizeof(h));
	text_add_span(&w->head, text_span(&w->outlines));
	w->outlines.len = w->covered = 0;
	if (!zio_write_plain(fd, w->head.p, w->head.len))
		return false;
	if (!lend_pages(w, fd, t) &&
	    (errno != 0 || !zio_write_plain(fd, t->p, t->len)))
		return false;
	t->len = 0;
	return true;
}

void
parcel_writer_free(struct parcel_writer *w)
{
	text_free(&w->outlines);
	text_free(&w->head);
	/* free(3) writes to what it frees, which may not be read yet */
	memcpy(lent_at_end, w->lent, sizeof(lent_at_end));
}

/* ---- reading ---- */

bool
parcel_head_is(const struct parcel_head *h)
{
	return memcmp(h->magic, parcel_magic, sizeof(h->magic)) == 0 &&
	       h->schema == schema_number() && h->text > 0 &&
	       h->shapes <= OUTLINE_SHAPES * sizeof(struct new_shape) &&
	       h->shapes % sizeof(struct new_shape) == 0 &&
	       h->outlines % PARCEL_ALIGN == 0 &&
	       h->outlines / PARCEL_ALIGN <= h->text;
}

/* a shape of the writer; false if it has none of this number */
static bool
find_shape(
    const struct parcel_queue *q, uint16_t number, struct parcel_shape *s)
{
	size_t i = (size_t)number - OUTLINE_KINDS - 1;

	*s = (struct parcel_shape){number, 0};
	if (number > OUTLINE_KINDS && i < q->shape_count)
		*s = q->shapes[i];
	return number > 0 && (number <= OUTLINE_KINDS || i < q->shape_count);
}

static bool
take_shapes(struct parcel_queue *q, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i += sizeof(struct new_shape)) {
		struct new_shape x;
		struct parcel_shape s;

		memcpy(&x, p + i, sizeof(x));
		if (!find_shape(q, x.parent, &s) || x.key >= KEY_COUNT ||
		    s.count == OUTLINE_MEMBERS ||
		    q->shape_count == OUTLINE_SHAPES)
			return false;
		if (s.number != 0)
			s.number =
			    outline_shape_locked(s.number, (enum key)x.key);
		s.count++;
		*array_add(&q->shapes, &q->shape_count, &q->shape_cap) = s;
	}
	return true;
}

/* without the outlines that were read */
static void
drop_read(struct parcel_queue *q)
{
	struct text *t = &q->outlines;

	if (q->at == 0)
		return;
	memmove(t->p, t->p + q->at, t->len - q->at);
	t->len -= q->at;
	q->at = 0;
}

/*
 * Keep the outlines whose shape has a number here, and set that number and the
 * place of their line in the stream.
 */
static bool
take_outlines(struct parcel_queue *q, size_t from, uint64_t text)
{
	struct text *t = &q->outlines;
	uint64_t start, end = q->text;
	size_t to = from;

	while (from < t->len) {
		struct parcel_entry *e = (void *)(t->p + from);
		size_t left = t->len - from, n;
		struct parcel_shape s;

		if (left < offsetof(struct parcel_entry, outline.len) ||
		    !find_shape(q, e->outline.shape, &s) ||
		    left < (n = parcel_entry_bytes(s.count)))
			return false;
		from += n;
		start = end + e->skip;
		end = start + e->outline.bytes + (uint64_t)2;
		if (s.number == 0)
			continue;
		if (q->next == UINT64_MAX)
			q->next = start;
		e->skip = (uint32_t)(start - q->end);
		e->outline.shape = s.number;
		q->end = end;
		if (to < from - n)
			memmove(t->p + to, e, n);
		to += n;
	}
	t->len = to;
	q->text += text;
	return end <= q->text;
}

bool
parcel_take(struct parcel_queue *q, const struct parcel_head *h, const char *p)
{
	size_t from;

	if (q->text == 0 && q->outlines.len == 0)
		q->next = UINT64_MAX;
	if (!take_shapes(q, p, h->shapes))
		return false;
	drop_read(q);
	from = q->outlines.len;
	text_add(&q->outlines, p + h->shapes, h->outlines);
	/* an outline is copied, and its lengths are compared, whole */
	memset(text_reserve(&q->outlines, sizeof(struct parcel_entry)), 0,
	    sizeof(struct parcel_entry));
	return take_outlines(q, from, h->text);
}

void
parcel_queue_free(struct parcel_queue *q)
{
	text_free(&q->outlines);
	free(q->shapes);
}
