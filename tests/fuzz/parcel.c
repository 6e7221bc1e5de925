/*
 * parcel.c - parcels: any are read without harm, and what is read are their
 * texts; lines that were written with their outlines are the same lines, and
 * the same records.
 *
 * The first byte of the input says what it is: parcels, but for the magic and
 * the number of the schema, or lines, of which parcels are made and then
 * changed.
 */

#include <err.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../unit/outlines.h"
#include "../unit/respell.h"
#include "fuzz.h"
#include "tq/io/reader.h"

enum { RAW = 1, HUGE = 0x80 };

/* bytes that are not read yet */
struct source {
	const uint8_t *p;
	size_t n;
};

struct made {
	struct text parcels;
	struct text text; /* theirs, as far as it is there */
	bool whole;       /* each outline is that of its line */
};

/* what is fed to the reader of a pipe, so many bytes at a time */
struct feed {
	const struct text *from;
	size_t at, step;
	int fd; /* -1 once all is written */
};

static jmp_buf ended;

_Noreturn void
errx(int status, const char *fmt, ...)
{
	(void)status, (void)fmt;
	longjmp(ended, 1);
}

void
warnx(const char *fmt, ...)
{
	(void)fmt;
}

static unsigned
take(struct source *s)
{
	if (s->n == 0)
		return 0;
	s->n--;
	return *s->p++;
}

static bool
write_part(struct parcel_writer *w, int fd, const char *begin, const char *end)
{
	struct text t = {0};
	bool ok;

	text_add(&t, begin, (size_t)(end - begin));
	ok = parcel_write(w, fd, &t);
	text_free(&t);
	return ok;
}

/* ---- parcels of any bytes ---- */

static struct parcel_head
true_head(void)
{
	static const char text[] = "\n";
	struct parcel_writer w = {0};
	struct parcel_head h;
	int fd = memfd_create("parcel", MFD_CLOEXEC);

	REQUIRE(write_part(&w, fd, text, text + 1));
	REQUIRE(pread(fd, &h, sizeof(h), 0) == sizeof(h));
	parcel_writer_free(&w);
	close(fd);
	return h;
}

static void
take_bytes(struct text *t, struct source *s, size_t n)
{
	if (n > s->n)
		n = s->n;
	text_add(t, (const char *)s->p, n);
	s->p += n;
	s->n -= n;
}

static void
make_raw(struct made *m, struct source *s)
{
	static struct parcel_head h;

	if (h.magic[0] == 0)
		h = true_head();
	while (s->n > 0) {
		unsigned text = take(s), more = take(s);
		size_t from;

		h.shapes = take(s) % 64 * 4;
		h.outlines = take(s) * 4;
		h.text = text | (more & 15) << 8;
		if (more & HUGE) {
			h.outlines = UINT32_MAX & ~(uint32_t)3;
			h.text = UINT32_MAX;
		}
		text_add(&m->parcels, (const char *)&h, sizeof(h));
		take_bytes(&m->parcels, s, (size_t)h.shapes + h.outlines);
		from = m->parcels.len;
		take_bytes(&m->parcels, s, h.text);
		text_add(&m->text, m->parcels.p + from, m->parcels.len - from);
	}
}

/* ---- parcels of lines ---- */

static void
put_bytes(int fd, const struct text *t)
{
	REQUIRE(zio_write_plain(fd, t->p, t->len));
	REQUIRE(lseek(fd, 0, SEEK_SET) == 0);
}

/* the lines of the text, each twice: the event learns the first */
static void
write_lines(int fd, struct text *t, size_t lines)
{
	struct parcel_writer w = {0};
	struct event ev = {0};
	struct outline space;
	char *p, *begin = t->p, *end = t->p + t->len, *newline;
	size_t n = 0;

	for (p = begin; p < end; p = newline + 1) {
		struct span line;

		newline = memchr(p, '\n', (size_t)(end - p));
		if (newline == NULL)
			break;
		line = (struct span){p, (size_t)(newline - p)};
		if (event_parse(&ev, line, NULL)) {
			event_parse(&ev, line, NULL); /* its shape is known */
			parcel_add(&w, event_outline(&ev, &space),
			    (size_t)(p - begin));
		}
		if (++n % lines != 0)
			continue;
		REQUIRE(write_part(&w, fd, begin, newline + 1));
		begin = newline + 1;
	}
	REQUIRE(write_part(&w, fd, begin, end));
	event_free(&ev);
	parcel_writer_free(&w);
}

/* Change a byte of all between the heads and the texts. */
static void
change(struct text *t, size_t place, uint8_t by)
{
	struct parcel_head h;

	for (size_t at = 0; at < t->len; at += sizeof(h) + h.text) {
		memcpy(&h, t->p + at, sizeof(h));
		if (place < h.shapes + h.outlines) {
			t->p[at + sizeof(h) + place] ^= (char)by;
			return;
		}
		place -= h.shapes + h.outlines;
		at += h.shapes + h.outlines;
	}
}

static void
make_of_lines(struct made *m, struct source *s)
{
	unsigned how = take(s), changes = how % 4;
	uint8_t changed[3][3];
	int fd = memfd_create("parcels", MFD_CLOEXEC);
	off_t len;

	for (size_t i = 0; i < sizeof(changed); i++)
		if (i / 3 < changes)
			changed[i / 3][i % 3] = (uint8_t)take(s);
	take_bytes(&m->text, s, s->n);
	text_reserve(&m->text, EVENT_PADDING);
	memset(m->text.p + m->text.len, 0, EVENT_PADDING);
	write_lines(fd, &m->text, 1 + how / 4 % 16);
	len = lseek(fd, 0, SEEK_END);
	REQUIRE(pread(fd, text_reserve(&m->parcels, (size_t)len), (size_t)len,
		    0) == len);
	m->parcels.len = (size_t)len;
	close(fd);
	m->whole = changes == 0;
	for (size_t i = 0; i < changes; i++)
		change(&m->parcels,
		    changed[i][0] | (size_t)(changed[i][1] & 15) << 8,
		    changed[i][2]);
}

/* ---- their bytes ---- */

/* Outlines are those of bytes that come one after the other. */
static void
check_queue(struct parcel_queue *q, uint64_t len)
{
	uint64_t end = 0;

	while (q->next != UINT64_MAX) {
		REQUIRE(q->next >= end);
		end = q->next;
		end += parcel_next(q)->bytes + (uint64_t)2;
		REQUIRE(end <= q->text);
	}
	REQUIRE(len <= q->text);
}

static void
check_bytes(const struct made *m, size_t step)
{
	struct parcel_queue q = {.next = UINT64_MAX};
	struct text back = {0};
	const char *error = NULL;
	struct zio_reader *r;
	ptrdiff_t got;
	int fd = memfd_create("parcels", MFD_CLOEXEC);

	put_bytes(fd, &m->parcels);
	r = zio_reader_open(fd);
	zio_reader_parcels(r, &q);
	do {
		got = zio_read(r, text_reserve(&back, step), step, &error);
		REQUIRE(got >= -1 && got <= (ptrdiff_t)step);
		if (got > 0)
			back.len += (size_t)got;
	} while (got > 0);
	REQUIRE((got < 0) == (error != NULL));
	REQUIRE(
	    back.len <= m->text.len && (got < 0 || back.len == m->text.len));
	REQUIRE(span_eq(text_span(&back), (struct span){m->text.p, back.len}));
	REQUIRE(got == 0 || !m->whole);
	if (got == 0)
		check_queue(&q, back.len);
	zio_reader_close(r);
	parcel_queue_free(&q);
	close(fd);
	text_free(&back);
}

/* ---- their lines ---- */

/* before a read that would wait */
static int
feed_more(void *arg)
{
	struct feed *f = arg;
	size_t n = f->from->len - f->at;

	if (n > f->step)
		n = f->step;
	if (n > 0)
		REQUIRE(zio_write_plain(f->fd, f->from->p + f->at, n));
	f->at += n;
	if (n == 0) {
		close(f->fd);
		f->fd = -1;
	}
	return 0;
}

static void
open_pipe(struct input *in, struct feed *f)
{
	struct zio_reader *zio;
	int fds[2];

	REQUIRE(pipe(fds) == 0);
	f->fd = fds[1];
	in->idle = feed_more;
	in->idle_arg = f;
	zio = zio_reader_open(fds[0]);
	zio_reader_parcels(zio, &in->parcels);
	input_take(in, "parcels", fds[0], zio);
}

static void
open_text(struct input *in, const struct text *t)
{
	int fd = memfd_create("text", MFD_CLOEXEC);

	put_bytes(fd, t);
	input_take(in, "text", fd, zio_reader_open(fd));
}

/* All that is read of a value stands in its line. */
static void
check_value(const struct event *ev, enum key k, struct text *t)
{
	struct span v = ev->value[k], e = {0};
	struct json j;

	t->len = 0;
	switch (schema_keys[k].type) {
	case TYPE_INT:
		event_number(v);
		break;
	case TYPE_STR:
		e = event_str(ev, k, t);
		REQUIRE(e.len <= v.len);
		if (k == KEY_address)
			event_address(ev);
		break;
	case TYPE_BOOL:
		event_true(ev, k);
		break;
	case TYPE_INTS:
	case TYPE_STRS:
		json_open_array(&j, v);
		while (json_next_element(&j, &e))
			;
		break;
	case TYPE_OBJ:
		json_open(&j, v);
		while (json_next(&j, t, &e))
			;
		break;
	case TYPE_NUM:
		break;
	}
	if (ev->outline == NULL)
		return;
	REQUIRE(v.p >= ev->line.p && v.len > 0);
	REQUIRE(v.p + v.len <= ev->line.p + ev->line.len);
}

/* a record that has an outline, where nothing but padding is behind its line */
static void
check_outlined(struct event *ev, struct span line, const struct outline *o,
    bool whole, const struct keyset *want)
{
	static struct event plain;
	static struct text t;
	char *copy = malloc(line.len + EVENT_PADDING);

	memcpy(copy, line.p, line.len);
	memcpy(copy + line.len, "\",]}1\"]},1:\"n]}1", EVENT_PADDING);
	line.p = copy;
	if (event_parse_outlined(ev, line, o, want)) {
		for (enum key k = 0; k < KEY_COUNT; k++)
			if (event_has(ev, k))
				check_value(ev, k, &t);
	} else {
		REQUIRE(ev->error != NULL && !whole);
	}
	if (whole) {
		REQUIRE(ev->outline == o && event_parse(&plain, line, NULL));
		REQUIRE(event_difference(ev, &plain,
			    want != NULL ? &want[ev->kind] : NULL) == NULL);
	}
	free(copy);
}

/* as output_record */
static void
add_again(struct parcel_writer *w, const struct event *ev, size_t at)
{
	struct outline space;
	const struct outline *o = event_outline(ev, &space);

	if (o->bytes == ev->line.len - 1)
		parcel_add(w, o, at);
}

/* The lines are those of the text where their outlines are right. */
static void
check_lines(const struct made *m, size_t step, const struct keyset *want)
{
	struct feed f = {.from = &m->parcels, .step = step};
	struct parcel_writer w = {0};
	struct input in, text;
	struct event ev = {0};
	struct span line, expect;
	const char *error, *none;
	char *operands[] = {NULL};
	size_t bytes = 0;
	bool got;

	input_init(&in, operands);
	input_init(&text, operands);
	open_pipe(&in, &f);
	open_text(&text, &m->text);
	do {
		got = input_line(&in, &line, &error);
		if (m->whole) {
			REQUIRE(input_line(&text, &expect, &none) == got);
			REQUIRE(error == none && in.lineno == text.lineno);
			REQUIRE(in.partial == text.partial);
		}
		if (!got)
			break;
		REQUIRE(!m->whole || span_eq(line, expect));
		if (in.outline != NULL) {
			check_outlined(&ev, line, in.outline, m->whole, want);
			add_again(&w, &ev, bytes);
		}
		bytes += line.len + 1;
	} while (got);
	REQUIRE(bytes <= m->text.len + 1);
	if (f.fd >= 0)
		close(f.fd);
	input_free(&in);
	input_free(&text);
	event_free(&ev);
	parcel_writer_free(&w);
}

static void
check_records(const struct made *m, size_t step)
{
	static struct reader r;
	static struct feed f;
	char *operands[] = {NULL};

	f = (struct feed){.from = &m->parcels, .step = step};
	reader_init(&r, operands, NULL, NULL);
	open_pipe(&r.in, &f);
	if (setjmp(ended) == 0)
		while (reader_next(&r))
			;
	if (f.fd >= 0)
		close(f.fd);
	reader_free(&r);
}

/* ---- */

/* it would not be text that is read */
static bool
is_compressed(const struct text *t)
{
	unsigned char c = t->len > 0 ? (unsigned char)*t->p : 0;

	return c == 0x28 || c == 0x1f || (c & 0xf0) == 0x50;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source s = {data, size};
	struct made m = {0};
	struct keyset want[KIND_COUNT + 1] = {0};
	unsigned how = take(&s);
	size_t step;

#ifdef TQ_CHECK_LINES
	event_checks_outlines = false;
#endif
	if (how & RAW)
		make_raw(&m, &s);
	else
		make_of_lines(&m, &s);
	/* some keys of each kind, by any number */
	for (size_t i = 0; i <= KIND_COUNT; i++)
		for (enum key k = 0; k < KEY_COUNT; k++)
			if ((k * 7 + i * 3 + m.text.len) % 5 == 0)
				keyset_add(&want[i], k);
	/* in few pieces, for there is a call for each */
	step = m.parcels.len / (how / 2 % 16 + 1) + 1;
	if (how / 32 % 2)
		step = m.parcels.len / 64 + 1;
	if (m.parcels.len > 0 && !is_compressed(&m.text)) {
		check_bytes(&m, step);
		check_lines(&m, step, NULL);
		check_lines(&m, step, want);
		check_records(&m, step);
	}
	outlines_forget();
	text_free(&m.parcels);
	text_free(&m.text);
	return 0;
}
