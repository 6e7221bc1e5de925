/*
 * reader.c - a file of records: sections and line numbers are the same
 * whether it is compressed or not, and a section that was cut is never seen
 * to end.
 */

#include <err.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "tq/io/reader.h"

/* what a run saw: its records, its messages, and how it ended */
struct run {
	struct text seen;
	int status;
};

static struct run *current;
static jmp_buf ended;

/* reader.c prints and exits through these; here both go into the run */
_Noreturn void
errx(int status, const char *fmt, ...)
{
	(void)fmt;
	current->status = status + 100;
	longjmp(ended, 1);
}

void
warnx(const char *fmt, ...)
{
	va_list ap;
	char message[128];

	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	text_add_str(&current->seen, message);
}

static void
read_records(struct reader *r)
{
	int64_t lines = 0;
	bool open = false;

	while (reader_next(r)) {
		struct event *ev = &r->event;

		text_printf(&current->seen, "%zu ", r->in.lineno);
		text_add_span(&current->seen, ev->line);
		switch (ev->kind) {
		case KIND_trace:
			open = true;
			lines = 0;
			break;
		case KIND_end:
			REQUIRE(open);
			REQUIRE(event_int(ev, KEY_events, -1) == lines);
			open = false;
			break;
		default:
			lines++;
		}
	}
	/* who opened a section and did not close it is told so */
	REQUIRE(!open || r->status == 1);
	current->status = r->status;
}

static void
run(struct run *to, int fd)
{
	static struct reader r;
	char path[32], *operands[] = {path, NULL};

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	current = to;
	reader_init(&r, operands, NULL, NULL);
	if (setjmp(ended) == 0)
		read_records(&r);
	reader_free(&r);
}

static int
file_of(const uint8_t *data, size_t size, enum zio_format format)
{
	int fd = memfd_create("records", MFD_CLOEXEC);
	struct zio_writer *w = zio_writer_open(fd, format);

	REQUIRE(zio_write(w, (const char *)data, size, false));
	REQUIRE(zio_finish(w));
	zio_writer_close(w);
	return fd;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct run plain = {0}, packed = {0};
	int a, b;

	if (size > 1 &&
	    (data[0] == 0x28 || data[0] == 0x1f || (data[0] & 0xf0) == 0x50))
		return 0; /* plain, it would not be */
	a = file_of(data, size, ZIO_PLAIN);
	b = file_of(data, size, size % 2 ? ZIO_ZSTD : ZIO_GZIP);
	run(&plain, a);
	run(&packed, b);
	close(a);
	close(b);
	REQUIRE(plain.status == packed.status);
	/* the name of the operand is a number of its own */
	REQUIRE(plain.seen.len == packed.seen.len);
	text_free(&plain.seen);
	text_free(&packed.seen);
	return 0;
}
