/* recording.c - the format of a file, by its first bytes */

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tq/base/mem.h"
#include "tq/base/span.h"
#include "tq/io/foreign.h"
#include "tq/io/zio.h"
#include "tq/line/event.h"

#include "recording.h"

/* the bracket behind a byte order mark and white space, or 0 */
static char
bracket_of_json(const char *head, ptrdiff_t n)
{
	ptrdiff_t i = n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	while (i < n && (head[i] == ' ' || head[i] == '\t' || head[i] == '\r' ||
			    head[i] == '\n'))
		i++;
	return i < n && (head[i] == '{' || head[i] == '[') ? head[i] : '\0';
}

/* a packet of protocol buffers; text has none of these bytes */
static bool
begins_as_packet(const char *head, ptrdiff_t n)
{
	if (n < 4 || *head != '\n')
		return false;
	for (ptrdiff_t i = 1; i < n; i++)
		if ((unsigned char)head[i] < ' ' &&
		    memchr("\t\n\r", head[i], 3) == NULL)
			return true;
	return false;
}

/* a dictionary of Python's marshal, whose first key is a tuple */
static bool
begins_as_totals(const char *head, ptrdiff_t n)
{
	return n > 1 && (head[0] & 0x7f) == '{' &&
	       ((head[1] & 0x7f) == '(' || (head[1] & 0x7f) == ')');
}

static bool
begins(const char *head, ptrdiff_t n, const char *with, size_t len)
{
	return n >= (ptrdiff_t)len && memcmp(head, with, len) == 0;
}

static bool
is_named_report(const char *path)
{
	struct span name = span_of(path);

	return span_ends(name, SPAN(".nsys-rep")) ||
	       span_ends(name, SPAN(".qdrep")) ||
	       span_ends(name, SPAN(".qdstrm"));
}

/*
 * A stream, by its trace record.  One whose lines are in no order is of a
 * capture that was killed before it had sorted them, or has --live.
 */
static enum recording
stream_with(struct zio_reader *zio)
{
	enum { LINE = 1 << 20 }; /* a command is shorter */
	char *line = mem_alloc(LINE + EVENT_PADDING), *end = NULL;
	const char *error;
	struct event ev = {0};
	ptrdiff_t n = 0, got;
	enum recording r = RECORDING_STREAM;

	while (
	    end == NULL && n < LINE &&
	    (got = zio_read(zio, line + n, (size_t)(LINE - n), &error)) > 0) {
		end = memchr(line + n, '\n', (size_t)got);
		n += got;
	}
	if (end != NULL &&
	    event_parse(&ev, (struct span){line, (size_t)(end - line)}, NULL) &&
	    ev.kind == KIND_trace) {
		if (foreign_part(&ev) != KIND_UNKNOWN)
			r = RECORDING_PART;
		else if (event_int(&ev, KEY_slack, 0) > 0)
			r = RECORDING_UNSORTED;
	}
	event_free(&ev);
	free(line);
	return r;
}

/* of its first n bytes, which zio gives again */
static enum recording
recording_with(struct zio_reader *zio, const char *head, ptrdiff_t n)
{
	static const char database[] = "SQLite format 3",
			  report[] = "NVIDIA Tegra Profiler Report ",
			  part[] = "{\"partial\":", account[] = "{\"account\":",
			  pointer[] = "version https://git-lfs";

	if (begins(head, n, database, sizeof(database)) ||
	    begins(head, n, report, strlen(report)) ||
	    begins(head, n, pointer, strlen(pointer)))
		return RECORDING_EXPORT;
	/* version 1: until the release after 0.2 */
	if (begins(head, n, part, strlen(part)) ||
	    begins(head, n, account, strlen(account)))
		return RECORDING_PART;
	if (begins_as_packet(head, n))
		return RECORDING_PERFETTO;
	if (begins_as_totals(head, n))
		return RECORDING_TOTALS;
	if (n > 0 && memmem(head, (size_t)n, "\"kind\"", 6) != NULL)
		return stream_with(zio);
	if (bracket_of_json(head, n) != '\0')
		return RECORDING_JSON;
	return n != 0 ? RECORDING_FOREIGN : RECORDING_EMPTY;
}

static enum recording
recording_in(int fd)
{
	struct zio_reader *zio = zio_reader_open(fd);
	char head[64]; /* a stream has its kind there */
	const char *error;
	ptrdiff_t n = zio_peek(zio, head, sizeof(head), &error);
	enum recording r = recording_with(zio, head, n);

	zio_reader_close(zio);
	return r;
}

enum recording
recording_of(const char *path)
{
	enum recording r = RECORDING_NONE;
	struct stat st;
	int fd;

	/* a pipe would lose the bytes read here */
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return r;
	r = is_named_report(path) ? RECORDING_EXPORT : recording_in(fd);
	close(fd);
	return r;
}

/* until the pipe that stdin is has n bytes, or no writer; returns how many */
static int
wait_for_bytes(int n)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	int waiting = 0;

	while (poll(&in, 1, -1) < 0 ||
	       (ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting < n &&
		   (in.revents & POLLHUP) == 0))
		nanosleep(&moment, NULL);
	return waiting;
}

/* what waits in stdin, in a pipe of its own, and in stdin still; or -1 */
static int
copy_of_pipe(int size)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	fcntl(ends[1], F_SETPIPE_SZ, size);
	if (tee(STDIN_FILENO, ends[1], (size_t)size, SPLICE_F_NONBLOCK) <= 0) {
		close(ends[0]);
		ends[0] = -1;
	}
	close(ends[1]);
	return ends[0];
}

static enum recording
recording_of_pipe(void)
{
	/* a block of zstd has 128 KiB; a stream has its kind in a few bytes */
	enum { FEW = 64, BLOCK = 1 << 18 };
	enum recording r = RECORDING_NONE;
	unsigned char head[2] = {0};
	int fd;

	fcntl(STDIN_FILENO, F_SETPIPE_SZ, 2 * BLOCK);
	if (wait_for_bytes(FEW) == 0 || (fd = copy_of_pipe(BLOCK)) < 0)
		return r;
	if (read(fd, head, sizeof(head)) == sizeof(head) &&
	    (head[0] == 0x28 || head[0] == 0x1f)) /* of zstd, or of gzip */
		wait_for_bytes(BLOCK);
	close(fd);
	if ((fd = copy_of_pipe(BLOCK)) < 0)
		return r;
	r = recording_in(fd);
	close(fd);
	return r;
}

enum recording
recording_of_stdin(void)
{
	enum recording r = RECORDING_NONE;
	struct stat st;
	off_t at;

	if (fstat(STDIN_FILENO, &st) < 0)
		return r;
	if (S_ISREG(st.st_mode)) {
		at = lseek(STDIN_FILENO, 0, SEEK_CUR);
		r = recording_in(STDIN_FILENO);
		lseek(STDIN_FILENO, at, SEEK_SET);
	} else if (S_ISFIFO(st.st_mode)) {
		r = recording_of_pipe();
	}
	return r;
}

bool
recording_is_extracted(enum recording r)
{
	return r == RECORDING_EXPORT || r == RECORDING_JSON ||
	       r == RECORDING_PERFETTO || r == RECORDING_UNSORTED;
}

/* its array has an event, or its object the member traceEvents */
static bool
has_events_in(struct zio_reader *zio)
{
	static const char name[] = "\"traceEvents\"";
	enum { KEEP = sizeof(name) - 2 }; /* it may stand across a border */
	char buf[1 << 16];
	const char *error;
	ptrdiff_t n = zio_peek(zio, buf, ZIO_PEEK, &error), got;

	if (n > 0 && bracket_of_json(buf, n) == '[')
		return memmem(buf, (size_t)n, "\"ph\"", 4) != NULL;
	n = 0;
	while ((got = zio_read(zio, buf + n, sizeof(buf) - (size_t)n, &error)) >
	       0) {
		n += got;
		if (memmem(buf, (size_t)n, name, sizeof(name) - 1) != NULL)
			return true;
		if (n > KEEP) {
			memmove(buf, buf + n - KEEP, KEEP);
			n = KEEP;
		}
	}
	return false;
}

bool
recording_has_events(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct zio_reader *zio = zio_reader_open(fd);
	bool found = has_events_in(zio);

	zio_reader_close(zio);
	close(fd);
	return found;
}

bool
recording_is_zstd(const char *path)
{
	static const char magic[] = {'\x28', '\xb5', '\x2f', '\xfd'};
	char head[sizeof(magic)];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, head, sizeof(head));

	close(fd);
	return begins(head, n, magic, sizeof(magic));
}
