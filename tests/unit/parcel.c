/* parcel.c - lines with outlines are the same lines and the same records */

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "outlines.h"
#include "respell.h"
#include "tq/io/input.h"
#include "tq/io/parcel.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define OTHER_VERSION "comes from another version of tq"

enum { ROUNDS = 20, LONG = 300000, PLAN = 9 };

static const char kernel[] =
    "{\"kind\":\"kernel\",\"ts\":12345678901,\"dur\":1700,\"pid\":4711,"
    "\"corr\":99,\"name\":\"gemm\",\"sym\":3,\"device\":0,\"context\":1,"
    "\"stream\":7,\"grid\":[128,1,1],\"block\":[256,1,1],\"regs\":32}";

static const char *const lines[] = {
    "{\"kind\":\"trace\",\"version\":1,\"source\":\"nsys\"}",
    kernel,
    "{\"kind\":\"kernel\",\"ts\":1,\"dur\":-1,\"grid\":[],\"block\":[-1]}",
    "{\"kind\":\"range\",\"ts\":-5,\"name\":\"\",\"open\":true}",
    "{\"kind\":\"range\",\"ts\":5,\"name\":\"\",\"open\":false}",
    "{\"kind\":\"range\",\"ts\":5,\"name\":\"say \\\"hi\\\"\"}",
    "{\"kind\":\"range\",\"name\":\"x\",\"ts\":5}",
    "{\"kind\":\"mark\",\"ts\":1,\"args\":{\"a\":[1,{\"b\":null}]}}",
    "{\"kind\":\"mark\",\"ts\":123456789012345}",
    "{\"kind\":\"mark\",\"ts\":1234567890123456}",
    "{\"kind\":\"stack\",\"id\":1,\"frames\":[\"main\",\"\"]}",
    "{\"kind\":\"counter\",\"ts\":0,\"counter\":1,\"value\":-1.5e-3}",
    "{\"kind\":\"mark\"}",
    "{\"kind\":\"new\",\"ts\":1}",
    "{ \"kind\" : \"mark\" }",
    "\xc3\xa9",
    "",
};

/* how the parcels of a text are made */
static const struct {
	size_t lines;   /* of a parcel */
	unsigned every; /* of so many lines one has an outline that may */
} makes[] = {{1, 1}, {1, 2}, {7, 1}, {7, 3}, {1000, 1}, {1000, 2}, {3, 1000}};

static size_t
random_below(size_t n)
{
	return (size_t)(check_random() >> 33) % n;
}

static void
add_line(struct text *t, const char *line)
{
	text_add_str(t, line);
	text_add_char(t, '\n');
}

static void
pad(struct text *t)
{
	memset(text_reserve(t, EVENT_PADDING), 0, EVENT_PADDING);
}

static void
fill(struct text *t)
{
	for (int i = 0; i < ROUNDS; i++)
		for (size_t k = 0; k < COUNT(lines); k++)
			add_line(t, lines[random_below(COUNT(lines))]);
	/* longer than any buffer, and in the middle of others */
	text_add_str(t, "{\"kind\":\"mark\",\"name\":\"");
	memset(text_reserve(t, LONG), 'x', LONG);
	t->len += LONG;
	text_add_str(t, "\"}\n");
	for (size_t k = 0; k < COUNT(lines); k++)
		add_line(t, lines[k]);
	text_add_str(t, "{\"kind\":\"mark\",\"ts\":7}");
	pad(t);
}

/* ---- writing ---- */

/* The outline of a line, of which two were read. */
static struct outline
outline_of(struct event *ev, struct span line)
{
	struct outline space = {0};

	if (!event_parse(ev, line, NULL))
		return space;
	event_parse(ev, line, NULL); /* its shape is known now */
	return *event_outline(ev, &space);
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

/* Parcels of the text, which has padding; returns how many have outlines. */
static size_t
write_parcels(int fd, const struct text *t, size_t count, unsigned every)
{
	struct parcel_writer w = {0};
	struct event ev = {0};
	char *begin = t->p, *end = t->p + t->len, *newline;
	size_t n = 0, outlined = 0;

	for (char *p = begin; p < end; p = newline + 1) {
		struct outline o;

		newline = memchr(p, '\n', (size_t)(end - p));
		if (newline == NULL)
			break;
		o = outline_of(&ev, (struct span){p, (size_t)(newline - p)});
		if (n++ % every == 0) {
			outlined += o.shape != 0;
			parcel_add(&w, &o, (size_t)(p - begin));
		}
		if (n % count != 0)
			continue;
		CHECK(write_part(&w, fd, begin, newline + 1), "write");
		begin = newline + 1;
	}
	CHECK(write_part(&w, fd, begin, end), "write");
	event_free(&ev);
	parcel_writer_free(&w);
	return outlined;
}

static struct parcel_head
head_at(int fd, off_t at)
{
	struct parcel_head h = {0};

	CHECK(pread(fd, &h, sizeof(h), at) == sizeof(h), "head");
	return h;
}

/* ---- reading ---- */

/* all of the text, step bytes at a time */
static const char *
read_text(int fd, struct text *t, size_t step)
{
	struct parcel_queue q = {.next = UINT64_MAX};
	struct zio_reader *r;
	const char *error = NULL;
	ptrdiff_t got;

	lseek(fd, 0, SEEK_SET);
	r = zio_reader_open(fd);
	zio_reader_parcels(r, &q);
	t->len = 0;
	do {
		got = zio_read(r, text_reserve(t, step), step, &error);
		if (got > 0)
			t->len += (size_t)got;
	} while (got > 0);
	zio_reader_close(r);
	parcel_queue_free(&q);
	return got < 0 ? error : NULL;
}

static void
open_parcels(struct input *in, int fd)
{
	char *none[] = {NULL};
	struct zio_reader *zio;

	fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	lseek(fd, 0, SEEK_SET);
	zio = zio_reader_open(fd);
	input_init(in, none);
	zio_reader_parcels(zio, &in->parcels);
	input_take(in, "parcels", fd, zio);
}

/* keys that are asked for: each that the number has a bit of */
static void
some_keys(struct keyset *want, unsigned bits)
{
	for (enum key k = 0; k < KEY_COUNT; k++)
		if (bits >> k % 8 & 1)
			for (size_t i = 0; i <= KIND_COUNT; i++)
				keyset_add(&want[i], k);
}

/* the record by its outline is the one of its text */
static void
check_record(struct event *ev, struct span line, const struct outline *o)
{
	for (unsigned bits = 0; bits < 256; bits += 51) {
		struct keyset want[KIND_COUNT + 1] = {0};
		const struct keyset *some = bits > 0 ? want : NULL;
		struct event plain = {0};
		const char *difference;

		some_keys(want, bits);
		CHECK(
		    event_parse_outlined(ev, line, o, some) && ev->outline == o,
		    "not by its outline: %.*s", (int)line.len, line.p);
		CHECK(event_parse(&plain, line, NULL), "no record");
		CHECK(!ev->plain || plain.kind != KIND_UNKNOWN, "plain");
		difference = event_difference(
		    ev, &plain, some != NULL ? &want[ev->kind] : NULL);
		CHECK(difference == NULL, "%s differs: %.*s", shown(difference),
		    (int)line.len, line.p);
		event_free(&plain);
	}
}

/* The lines of the input are those of the text; how many have an outline. */
static size_t
check_lines(struct input *in, const struct text *t)
{
	const char *p = t->p, *end = t->p + t->len, *error;
	struct event ev = {0};
	struct span line;
	size_t outlined = 0;

	while (input_line(in, &line, &error)) {
		while (p < end && *p == '\n')
			p++;
		CHECK(line.len <= (size_t)(end - p) &&
			  memcmp(p, line.p, line.len) == 0 &&
			  (p + line.len == end || p[line.len] == '\n'),
		    "line %zu is another one: %.*s", in->lineno, (int)line.len,
		    line.p);
		p += line.len;
		if (in->outline == NULL)
			continue;
		outlined++;
		check_record(&ev, line, in->outline);
	}
	CHECK(error == NULL, "%s", shown(error));
	while (p < end && *p == '\n')
		p++;
	CHECK(p == end, "%td bytes are missing", end - p);
	event_free(&ev);
	return outlined;
}

static void
test_round_trip(const struct text *t, size_t count, unsigned every)
{
	static const size_t steps[] = {7, 4096, 1 << 18, 1 << 20};
	int fd = memfd_create("parcels", MFD_CLOEXEC);
	size_t written = write_parcels(fd, t, count, every), read;
	struct text back = {0};
	struct input in;

	for (size_t i = 0; i < COUNT(steps); i++) {
		const char *error = read_text(fd, &back, steps[i]);

		CHECK(error == NULL && span_eq(text_span(&back), text_span(t)),
		    "%zu bytes of %zu by %zu: %s", back.len, t->len, steps[i],
		    shown(error));
	}
	open_parcels(&in, fd);
	read = check_lines(&in, t);
	CHECK(read == written, "%zu outlines of %zu", read, written);
	input_free(&in);
	text_free(&back);
	close(fd);
}

/* ---- stdin ---- */

/* the bytes of the file come through a pipe, so many at a time */
static pid_t
write_pipe(int fd, size_t step)
{
	char buf[4096];
	ssize_t got;
	int fds[2];
	pid_t child;

	CHECK(pipe(fds) == 0, "pipe");
	if ((child = fork()) == 0) {
		for (off_t at = 0; (got = pread(fd, buf, step, at)) > 0;
		     at += got)
			if (write(fds[1], buf, (size_t)got) != got)
				break;
		_exit(0);
	}
	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
	close(fds[1]);
	return child;
}

static void
test_stdin(const struct text *t)
{
	static const size_t steps[] = {13, 4096};
	int fd = memfd_create("parcels", MFD_CLOEXEC);
	size_t written = write_parcels(fd, t, 50, 1), read;
	char *operands[] = {NULL};
	struct input in;

	unsetenv(PARCEL_VARIABLE);
	CHECK(!parcel_may_come() && !parcel_may_go(), "nobody said so");
	CHECK(parcel_tell(true, false), "tell");
	CHECK(parcel_may_come() && !parcel_may_go(), "in");
	for (size_t i = 0; i < COUNT(steps); i++) {
		pid_t child = write_pipe(fd, steps[i]);

		input_init(&in, operands);
		input_keep(&in);
		read = check_lines(&in, t);
		CHECK(read == written, "%zu outlines of %zu", read, written);
		/* the copy has parcels too */
		input_rewind(&in);
		read = check_lines(&in, t);
		CHECK(read == written && !in.changed,
		    "again: %zu outlines of %zu", read, written);
		input_free(&in);
		waitpid(child, NULL, 0);
	}
	close(fd);
}

/* ---- what has no outline ---- */

static void
add_member(struct text *t, enum key k)
{
	static const char *const values[] = {
	    [TYPE_INT] = "1",
	    [TYPE_STR] = "\"x\"",
	    [TYPE_BOOL] = "true",
	    [TYPE_NUM] = "1.5",
	    [TYPE_INTS] = "[1]",
	    [TYPE_STRS] = "[\"a\"]",
	    [TYPE_OBJ] = "{}",
	};

	text_printf(
	    t, ",\"%s\":%s", schema_keys[k].name, values[schema_keys[k].type]);
}

/* A line of so many members; its outline as it is added is in *o. */
static void
many_members(struct text *t, struct outline *o, size_t n)
{
	t->len = 0;
	text_add_str(t, "{\"kind\":\"mark\"");
	outlines_begin(o, KIND_mark);
	for (enum key k = KEY_ts; k < KEY_ts + n; k++) {
		size_t from = t->len;

		add_member(t, k);
		outline_add(o, k, t->len - from);
	}
	text_add_char(t, '}');
	pad(t);
}

static void
test_members(void)
{
	for (size_t n = 1; n <= OUTLINE_MEMBERS + 1; n++) {
		struct event ev = {0};
		struct text t = {0};
		struct outline read, added;

		many_members(&t, &added, n);
		read = outline_of(&ev, text_span(&t));
		CHECK(read.shape == added.shape, "%zu members: %d, %d", n,
		    read.shape, added.shape);
		CHECK((read.shape != 0) == (n <= OUTLINE_MEMBERS),
		    "%zu members: %d", n, read.shape);
		if (read.shape != 0) {
			CHECK(
			    read.bytes == t.len - 1 && added.bytes == t.len - 1,
			    "%d and %d bytes", read.bytes, added.bytes);
			CHECK(memcmp(read.len, added.len, n) == 0, "lengths");
			check_record(&ev, text_span(&t), &read);
		}
		event_free(&ev);
		text_free(&t);
	}
}

static void
test_long_member(void)
{
	for (size_t n = UINT8_MAX - 1; n <= UINT8_MAX + 1; n++) {
		struct event ev = {0};
		struct text t = {0};
		struct outline read, added;

		text_printf(&t,
		    "{\"kind\":\"mark\",\"name\":\"%0*d\",\"ts\":1}",
		    (int)(n - strlen(",\"name\":\"\"")), 0);
		pad(&t);
		outlines_begin(&added, KIND_mark);
		outline_add(&added, KEY_name, n);
		outline_add(&added, KEY_ts, strlen(",\"ts\":1"));
		read = outline_of(&ev, text_span(&t));
		CHECK(read.shape == added.shape &&
			  (read.shape != 0) == (n <= UINT8_MAX),
		    "%zu bytes: %d, %d", n, read.shape, added.shape);
		if (read.shape != 0)
			check_record(&ev, text_span(&t), &read);
		event_free(&ev);
		text_free(&t);
	}
}

static size_t
least_value(enum key k)
{
	enum type type = schema_keys[k].type;

	return type == TYPE_INT || type == TYPE_NUM ? 1 : 2;
}

/* Values stand in their line, whatever an outline says of a member. */
static void
check_wrong(struct event *ev, struct span line, struct outline o)
{
	for (size_t i = 0; i < 256 * outline_shapes[o.shape]->count; i++) {
		unsigned char right = o.len[i / 256];

		o.len[i / 256] = (unsigned char)i;
		event_parse_outlined(ev, line, &o, NULL);
		o.len[i / 256] = right;
		for (enum key k = 0; k < KEY_COUNT; k++) {
			struct span v = ev->value[k];

			CHECK(ev->outline == NULL || !event_has(ev, k) ||
				  (v.p > line.p && v.len < line.len &&
				      v.p + v.len < line.p + line.len &&
				      v.len >= least_value(k)),
			    "%s, %zu bytes: %.*s", schema_keys[k].name, i % 256,
			    (int)line.len, line.p);
		}
	}
}

static void
test_wrong(void)
{
#ifdef TQ_CHECK_LINES
	event_checks_outlines = false;
#endif
	for (size_t k = 0; k < COUNT(lines); k++) {
		struct event ev = {0};
		struct text t = {0};
		struct outline o;

		text_add_str(&t, lines[k]);
		pad(&t);
		o = outline_of(&ev, text_span(&t));
		for (; o.shape != 0 && t.len > 0; t.len--)
			check_wrong(&ev, text_span(&t), o);
		event_free(&ev);
		text_free(&t);
	}
#ifdef TQ_CHECK_LINES
	event_checks_outlines = true;
#endif
}

/* ---- what is no parcel ---- */

static struct text
few_lines(void)
{
	struct text t = {0};

	for (size_t k = 0; k < 5; k++)
		add_line(&t, lines[k]);
	pad(&t);
	return t;
}

/* A writer that died in the midst of a parcel: what it wrote ends there. */
static void
test_cut(void)
{
	struct text t = few_lines(), back = {0}, before;
	int fd = memfd_create("parcels", MFD_CLOEXEC);
	struct input in;
	off_t end;

	write_parcels(fd, &t, 2, 1);
	end = lseek(fd, 0, SEEK_END);
	for (off_t cut = end; cut >= (off_t)sizeof(parcel_magic); cut--) {
		const char *error;

		CHECK(ftruncate(fd, cut) == 0, "ftruncate");
		error = read_text(fd, &back, 100);
		CHECK(error == NULL && back.len <= t.len &&
			  memcmp(back.p, t.p, back.len) == 0,
		    "cut to %td: %s", (ptrdiff_t)cut, shown(error));
		CHECK((cut == end) == (back.len == t.len), "%zu of %zu",
		    back.len, t.len);
		before = (struct text){t.p, back.len, t.cap};
		open_parcels(&in, fd);
		check_lines(&in, &before);
		input_free(&in);
	}
	close(fd);
	text_free(&t);
	text_free(&back);
}

/* Parcels of another version, from the first one or a later one on. */
static void
test_schema(void)
{
	struct text t = few_lines(), back = {0};
	int fd = memfd_create("parcels", MFD_CLOEXEC);
	struct parcel_head h;
	size_t texts = 0;

	write_parcels(fd, &t, 2, 1);
	for (off_t at = 0, end = lseek(fd, 0, SEEK_END); at < end;
	     at += sizeof(h) + h.shapes + h.outlines + h.text) {
		const char *error;

		h = head_at(fd, at);
		CHECK(parcel_head_is(&h), "no head");
		h.schema++;
		CHECK(!parcel_head_is(&h), "a head");
		CHECK(pwrite(fd, &h, sizeof(h), at) == sizeof(h), "pwrite");
		error = read_text(fd, &back, 100);
		CHECK(error != NULL && strcmp(error, OTHER_VERSION) == 0,
		    "another version: %s", shown(error));
		CHECK(back.len == texts, "%zu bytes of %zu", back.len, texts);
		h.schema--;
		CHECK(pwrite(fd, &h, sizeof(h), at) == sizeof(h), "pwrite");
		texts += h.text;
	}
	CHECK(texts == t.len, "texts");
	close(fd);
	text_free(&t);
	text_free(&back);
}

/* A reader that has no room for more shapes reads lines that have them. */
static void
test_no_room(const struct text *t)
{
	int fd = memfd_create("parcels", MFD_CLOEXEC);
	size_t written = write_parcels(fd, t, 3, 1), read;
	struct input in;

	outlines_forget();
	for (enum kind kind = 0; kind < KIND_COUNT; kind++)
		for (enum key k = KEY_ts; k < KEY_COUNT; k++)
			outline_shape_with((uint16_t)(1 + kind), k);
	CHECK(outline_shape_count + 1 == OUTLINE_SHAPES, "%d shapes",
	    outline_shape_count);
	open_parcels(&in, fd);
	read = check_lines(&in, t);
	CHECK(read > 0 && read < written, "%zu outlines of %zu", read, written);
	input_free(&in);
	close(fd);
	outlines_forget();
}

/* ---- plans ---- */

/* Any members of the plan, as if they were added one after the other. */
static void
test_plan(void)
{
	unsigned char keys[OUTLINE_MEMBERS + 1];
	struct outline_plan x;

	for (size_t i = 0; i < sizeof(keys); i++)
		keys[i] = (unsigned char)(KEY_COUNT - 1 - i);
	CHECK(!outline_plan_set(&x, KIND_mark, keys, sizeof(keys)), "long");
	CHECK(outline_plan_set(&x, KIND_mark, keys, OUTLINE_MEMBERS), "whole");
	CHECK(x.shape != 0, "whole");
	keys[1] = KEY_NONE;
	CHECK(!outline_plan_set(&x, KIND_mark, keys, 2), "no key");
	keys[1] = KEY_kind;
	CHECK(outline_plan_set(&x, KIND_mark, keys, PLAN) && x.shape == 0,
	    "kind is there");
	keys[1] = KEY_ts;
	CHECK(outline_plan_set(&x, KIND_mark, keys, PLAN), "plan");
	for (unsigned i = 0; i < 1 << (PLAN + 1); i++) {
		unsigned has = i * 37 % (1 << PLAN);
		struct outline o = {0}, added;
		size_t count;

		outlines_begin(&added, KIND_mark);
		for (size_t m = 0; m < PLAN; m++) {
			o.len[m] =
			    (has >> m & 1) != 0 ? (unsigned char)(40 + m) : 0;
			outline_add(&added, (enum key)keys[m], o.len[m]);
		}
		outline_finish(&o, &x);
		CHECK(o.shape == added.shape, "%x: %d, %d", has, o.shape,
		    added.shape);
		count = outline_shapes[o.shape]->count;
		CHECK(count == (size_t)__builtin_popcount(has) &&
			  memcmp(o.len, added.len, count) == 0,
		    "%x: lengths", has);
	}
}

int
main(void)
{
	struct text t = {0};

	fill(&t);
	for (size_t i = 0; i < COUNT(makes); i++)
		test_round_trip(&t, makes[i].lines, makes[i].every);
	test_stdin(&t);
	test_members();
	test_long_member();
	test_wrong();
	test_cut();
	test_schema();
	test_plan();
	test_no_room(&t);
	text_free(&t);
	return check_status();
}
