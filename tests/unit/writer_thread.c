/* sink.c - all that was put is written, by nobody who had to wait for it */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "lines/writer_thread.h"
#include "check.h"
#include "tq/base/mem.h"

enum { PIECES = 200, PIECE = 100000 };

static char folder[] = "/tmp/tq-sink.XXXXXX";
static char file[sizeof(folder) + 16];

/* lines that are all different */
static void
add_lines(struct text *t, size_t n)
{
	static int64_t line;

	n += t->len;
	while (t->len < n)
		text_printf(t, "line %jd of many\n", (intmax_t)line++);
}

static void
put(struct writer_thread *s, const struct text *t)
{
	struct text copy = {0};

	text_add_span(&copy, text_span(t));
	writer_thread_put(s, &copy);
	CHECK(copy.len == 0, "put leaves nothing");
	text_free(&copy);
}

static int64_t undelivered; /* lines, of the one that was closed last */

static int
close_all(struct writer_thread *s)
{
	int error = writer_thread_close(s, &undelivered);

	CHECK(error != 0 || undelivered == 0, "%jd lines are missing",
	    (intmax_t)undelivered);
	return error;
}

static int64_t
count_lines(const struct text *t)
{
	int64_t n = 0;

	for (size_t i = 0; i < t->len; i++)
		n += t->p[i] == '\n';
	return n;
}

/* what is in fd, as far as it can be read; closes it */
static const char *
read_fd(int fd, struct text *t)
{
	struct zio_reader *r = zio_reader_open(fd);
	const char *error = NULL;
	ptrdiff_t got;

	t->len = 0;
	while ((got = zio_read(r, text_reserve(t, PIECE), PIECE, &error)) > 0)
		t->len += (size_t)got;
	zio_reader_close(r);
	close(fd);
	return got < 0 ? error : NULL;
}

static void
test_file(const char *name, enum zio_format format)
{
	struct text piece = {0}, all = {0}, back = {0};
	struct writer_thread *s;
	const char *error;

	snprintf(file, sizeof(file), "%s/%s", folder, name);
	s = writer_thread_open(file, format);
	for (int i = 0; i < PIECES; i++) {
		piece.len = 0;
		add_lines(&piece, i % 5 == 0 ? 0 : PIECE / 10);
		text_add_span(&all, text_span(&piece));
		put(s, &piece);
		if (i % 7 == 0)
			writer_thread_flush(s);
	}
	CHECK(close_all(s) == 0, "%s: close", name);
	error = read_fd(open(file, O_RDONLY | O_CLOEXEC), &back);
	CHECK(error == NULL && span_eq(text_span(&all), text_span(&back)),
	    "%s: %zu bytes of %zu, %s", name, back.len, all.len, shown(error));
	text_free(&piece);
	text_free(&all);
	text_free(&back);
}

/* what was flushed can be read while the file is not complete */
static void
test_flush(enum zio_format format, const char *truncated)
{
	struct text piece = {0}, back = {0};
	const char *error;
	struct writer_thread *s;

	snprintf(file, sizeof(file), "%s/flush", folder);
	unlink(file);
	s = writer_thread_open(file, format);
	add_lines(&piece, PIECE);
	put(s, &piece);
	writer_thread_flush(s);
	do {
		sched_yield();
		error = read_fd(open(file, O_RDONLY | O_CLOEXEC), &back);
	} while (back.len < piece.len);
	CHECK(span_eq(text_span(&piece), text_span(&back)), "flushed");
	CHECK(span_eq(span_of(shown(error)), span_of(truncated)), "%s, not %s",
	    shown(error), truncated);
	CHECK(close_all(s) == 0, "close");
	text_free(&piece);
	text_free(&back);
}

/* stdout becomes a pipe; returns its other end */
static int
pipe_as_stdout(int *saved)
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) < 0)
		abort();
	fflush(stdout);
	*saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	dup2(fd[1], STDOUT_FILENO);
	close(fd[1]);
	return fd[0];
}

struct chunk_progress {
	int fd;
	struct text text;
};

static void *
read_later(void *arg)
{
	struct chunk_progress *r = arg;

	read_fd(r->fd, &r->text);
	return NULL;
}

/* much more than a pipe holds is put while nobody reads */
static void
test_slow_reader(void)
{
	struct text piece = {0}, all = {0};
	struct chunk_progress reading = {0};
	pthread_t reader;
	struct writer_thread *s;
	size_t behind;
	int saved, error;

	reading.fd = pipe_as_stdout(&saved);
	s = writer_thread_open(NULL, ZIO_PLAIN);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	for (int i = 0; i < PIECES; i++) {
		piece.len = 0;
		add_lines(&piece, PIECE);
		text_add_span(&all, text_span(&piece));
		put(s, &piece);
	}
	behind = writer_thread_behind(s);
	CHECK(behind > all.len / 2 && behind <= all.len, "%zu behind", behind);
	pthread_create(&reader, NULL, read_later, &reading);
	error = close_all(s);
	pthread_join(reader, NULL);
	CHECK(error == 0 && span_eq(text_span(&all), text_span(&reading.text)),
	    "slow reader: %s, %zu bytes of %zu", strerror(error),
	    reading.text.len, all.len);
	text_free(&piece);
	text_free(&all);
	text_free(&reading.text);
}

/* put until the error shows, and on; nothing waits, nothing dies */
static void
expect_error(
    const char *what, struct writer_thread *s, bool compressed, int error)
{
	struct text piece = {0};
	int64_t lines = 0;

	while (writer_thread_error(s) == 0) {
		piece.len = 0;
		add_lines(&piece, PIECE);
		put(s, &piece);
		lines += count_lines(&piece);
		sched_yield();
	}
	put(s, &piece);
	lines += count_lines(&piece);
	writer_thread_flush(s);
	CHECK(writer_thread_error(s) == error, "%s: %s", what,
	    strerror(writer_thread_error(s)));
	CHECK(close_all(s) == error, "%s: close", what);
	CHECK(undelivered > 0 && undelivered <= lines &&
		  (compressed || undelivered == lines),
	    "%s: %jd of %jd lines", what, (intmax_t)undelivered,
	    (intmax_t)lines);
	text_free(&piece);
}

static void
test_errors(void)
{
	struct text little = {0};
	struct writer_thread *s;
	int saved, fd;

	CHECK(writer_thread_open("/nonexistent/file", ZIO_PLAIN) == NULL &&
		  errno == ENOENT,
	    "no folder: %s", strerror(errno));
	expect_error(
	    "full", writer_thread_open("/dev/full", ZIO_PLAIN), false, ENOSPC);
	expect_error("full, zstd", writer_thread_open("/dev/full", ZIO_ZSTD),
	    true, ENOSPC);

	fd = pipe_as_stdout(&saved);
	s = writer_thread_open(NULL, ZIO_PLAIN);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(fd);
	expect_error("nobody reads", s, false, EPIPE);

	/* only the end of the file finds no room */
	s = writer_thread_open("/dev/full", ZIO_ZSTD);
	text_add_str(&little, "little");
	put(s, &little);
	text_free(&little);
	CHECK(close_all(s) == ENOSPC, "full at the end");
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		return 1;
	test_file("plain", ZIO_PLAIN);
	test_file("zstd", ZIO_ZSTD);
	test_file("gzip", ZIO_GZIP);
	test_flush(ZIO_PLAIN, "(none)");
	test_flush(ZIO_ZSTD, "zstd data is truncated");
	test_flush(ZIO_GZIP, "gzip data is truncated");
	test_slow_reader();
	test_errors();
	unlink(file);
	for (int i = 0; i < 3; i++) {
		static const char *const name[] = {"plain", "zstd", "gzip"};

		snprintf(file, sizeof(file), "%s/%s", folder, name[i]);
		unlink(file);
	}
	rmdir(folder);
	return check_status();
}
