/* zio.c - what is written in any format reads back, whole or not at all */

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "tq/io/zio.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char *const formats[] = {"plain", "zstd", "gzip"};

/* lines like those of a stream, or bytes that no compressor shortens */
static void
fill(struct text *t, size_t n, bool random)
{
	uint64_t state = 42;

	while (t->len < n) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		if (random)
			text_add_char(t, (char)(state >> 56));
		else
			text_printf(t, "{\"kind\":\"mark\",\"ts\":%u}\n",
			    (unsigned)(state >> 48));
	}
	t->len = n;
}

static void
write_frame(int fd, enum zio_format format, struct span s, size_t step)
{
	struct zio_writer *w = zio_writer_open(fd, format);

	for (size_t n; s.len > 0; s.p += n, s.len -= n) {
		n = s.len < step ? s.len : step;
		CHECK(zio_write(w, s.p, n, s.len % 3 == 0), "write");
	}
	CHECK(zio_finish(w), "finish");
	zio_writer_close(w);
}

/* all of the file from its start, read step bytes at a time */
static const char *
read_all(int fd, struct text *t, size_t step)
{
	struct zio_reader *r;
	const char *error = NULL;
	ptrdiff_t got;

	lseek(fd, 0, SEEK_SET);
	r = zio_reader_open(fd);
	t->len = 0;
	do {
		got = zio_read(r, text_reserve(t, step), step, &error);
		if (got > 0)
			t->len += (size_t)got;
	} while (got > 0);
	zio_reader_close(r);
	return got < 0 ? error : NULL;
}

/* what was looked at is read all the same */
static void
test_peek(enum zio_format format, size_t size)
{
	struct text text = {0}, back = {0};
	int fd = memfd_create("zio", MFD_CLOEXEC);
	const char *error = NULL;
	struct zio_reader *r;
	char head[ZIO_PEEK];
	ptrdiff_t got;
	size_t n = size < ZIO_PEEK ? size : ZIO_PEEK;

	fill(&text, size, false);
	write_frame(fd, format, text_span(&text), 50);
	lseek(fd, 0, SEEK_SET);
	r = zio_reader_open(fd);
	for (size_t want = 4; want <= ZIO_PEEK; want += 20) {
		got = zio_peek(r, head, want, &error);
		CHECK(got == (ptrdiff_t)(want < n ? want : n) &&
			  memcmp(head, shown(text.p), (size_t)got) == 0,
		    "%s, %zu bytes: peek gives %td", formats[format], size,
		    got);
	}
	while ((got = zio_read(r, text_reserve(&back, 10), 10, &error)) > 0)
		back.len += (size_t)got;
	CHECK(span_eq(text_span(&text), text_span(&back)),
	    "%s: %zu bytes of %zu behind a peek", formats[format], back.len,
	    size);
	zio_reader_close(r);
	close(fd);
	text_free(&text);
	text_free(&back);
}

static void
test_round_trip(enum zio_format format, size_t size, bool random)
{
	static const size_t steps[] = {1000, 1 << 16, 1 << 20};
	struct text text = {0}, back = {0};
	const char *error;

	fill(&text, size, random);
	for (size_t i = 0; i < COUNT(steps); i++) {
		int fd = memfd_create("zio", MFD_CLOEXEC);

		write_frame(fd, format, text_span(&text), steps[i]);
		error = read_all(fd, &back, steps[COUNT(steps) - 1 - i]);
		CHECK(error == NULL &&
			  span_eq(text_span(&back), text_span(&text)),
		    "%s, %zu bytes: %zu, %s", formats[format], size, back.len,
		    shown(error));

		/* a second frame or member continues the text */
		write_frame(fd, format, text_span(&text), steps[i]);
		error = read_all(fd, &back, 4096);
		CHECK(error == NULL && back.len == 2 * text.len &&
			  span_eq((struct span){back.p + text.len, text.len},
			      text_span(&text)),
		    "%s, two of %zu bytes: %zu, %s", formats[format], size,
		    back.len, shown(error));
		close(fd);
	}
	text_free(&text);
	text_free(&back);
}

/* cut anywhere behind its magic, it is not taken for whole */
static void
test_truncated(enum zio_format format, size_t size)
{
	struct text text = {0}, back = {0};
	int fd = memfd_create("zio", MFD_CLOEXEC);
	char expect[32];
	off_t end;

	fill(&text, size, false);
	write_frame(fd, format, text_span(&text), 1 << 20);
	end = lseek(fd, 0, SEEK_END);
	snprintf(
	    expect, sizeof(expect), "%s data is truncated", formats[format]);
	for (off_t cut = end - 1; cut >= 4; cut -= 1 + cut / 64) {
		const char *error;

		CHECK(ftruncate(fd, cut) == 0, "ftruncate");
		error = read_all(fd, &back, 1 << 16);
		CHECK(error != NULL && strcmp(error, expect) == 0,
		    "%s, %zu bytes cut to %td: %s", formats[format], size,
		    (ptrdiff_t)cut, shown(error));
		CHECK(back.len <= text.len &&
			  span_eq(text_span(&back),
			      (struct span){text.p, back.len}),
		    "%s, cut to %td: other bytes", formats[format],
		    (ptrdiff_t)cut);
	}
	close(fd);
	text_free(&text);
	text_free(&back);
}

/* what was flushed can be read before the writer is done, all of it */
static void
test_flush(enum zio_format format)
{
	struct text text = {0}, back = {0};
	const char *error = NULL;
	struct zio_reader *r;
	struct zio_writer *w;
	ptrdiff_t got = 1;
	int fds[2];

	/* reading more than there is would be an error here */
	CHECK(pipe2(fds, O_CLOEXEC | O_NONBLOCK) == 0, "pipe2");
	w = zio_writer_open(fds[1], format);
	for (int i = 0; i < 50000; i++)
		text_add_str(&text, "five\n");
	CHECK(zio_write(w, text.p, 10, false), "write");
	CHECK(zio_write(w, text.p + 10, text.len - 10, true), "flush");
	r = zio_reader_open(fds[0]);
	while (got > 0 && back.len < text.len) {
		got = zio_read(r, text_reserve(&back, 4096), 4096, &error);
		if (got > 0)
			back.len += (size_t)got;
	}
	CHECK(span_eq(text_span(&back), text_span(&text)),
	    "%s: %zu bytes of %zu came through: %s", formats[format], back.len,
	    text.len, shown(error));
	zio_reader_close(r);
	zio_writer_close(w);
	close(fds[0]);
	close(fds[1]);
	text_free(&text);
	text_free(&back);
}

static const struct {
	const char *file;
	enum zio_format format;
} names[] = {
    {"a.zst", ZIO_ZSTD},
    {"d.gz/a.gz", ZIO_GZIP},
    {"a", ZIO_PLAIN},
    {"zst", ZIO_PLAIN},
    {".zst", ZIO_PLAIN},
    {"a.zst.tq", ZIO_PLAIN},
    {"a.ZST", ZIO_PLAIN},
    {"", ZIO_PLAIN},
};

int
main(void)
{
	static const size_t sizes[] = {
	    0, 1, 2, 3, 4, 5, 4096, 131071, 131072, 131073, 1 << 20};

	for (size_t i = 0; i < COUNT(names); i++)
		CHECK(zio_format_of(names[i].file) == names[i].format,
		    "%s: format", names[i].file);
	for (enum zio_format f = ZIO_PLAIN; f <= ZIO_GZIP; f++) {
		for (size_t i = 0; i < COUNT(sizes); i++) {
			test_round_trip(f, sizes[i], false);
			test_round_trip(f, sizes[i], true);
		}
		test_peek(f, 0);
		test_peek(f, 10);
		test_peek(f, 1000);
		if (f == ZIO_PLAIN)
			continue;
		test_truncated(f, 100);
		test_truncated(f, 1 << 20);
		test_flush(f);
	}
	return check_status();
}
