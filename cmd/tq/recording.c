/* recording.c - the format of a file, by its first bytes */

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tq/base/span.h"
#include "tq/io/zio.h"

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

static enum recording
recording_in(int fd)
{
	static const char database[] = "SQLite format 3",
			  report[] = "NVIDIA Tegra Profiler Report ",
			  pointer[] = "version https://git-lfs";
	struct zio_reader *zio = zio_reader_open(fd);
	char head[64]; /* a stream has its kind there */
	const char *error;
	ptrdiff_t n = zio_peek(zio, head, sizeof(head), &error);

	zio_reader_close(zio);
	if (begins(head, n, database, sizeof(database)) ||
	    begins(head, n, report, strlen(report)) ||
	    begins(head, n, pointer, strlen(pointer)))
		return RECORDING_EXPORT;
	if (begins_as_packet(head, n))
		return RECORDING_PERFETTO;
	if (begins_as_totals(head, n))
		return RECORDING_TOTALS;
	if (n > 0 && memmem(head, (size_t)n, "\"kind\"", 6) != NULL)
		return RECORDING_STREAM;
	return bracket_of_json(head, n) != '\0' ? RECORDING_JSON
						: RECORDING_OTHER;
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
