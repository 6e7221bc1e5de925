/*
 * arena_header.c - any bytes as the memory that a process hands over: it is
 * refused with a reason, or read to its end with nothing outside of it, and
 * what comes of it is a whole stream
 *
 *	size of the memory (3 bytes, in units of 64), whether its fixed numbers
 *	are right (1 byte), its beginning
 */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "launcher/drain.h"
#include "tq/line/json.h"

enum { HEAD = 4, UNIT = 64, RIGHT = 1, AGAIN = 2 };

/* in place of the thread that writes: into memory */
struct writer_thread {
	struct text all;
};

static struct writer_thread sink;

struct writer_thread *
writer_thread_open(const char *file, enum zio_format format)
{
	(void)file, (void)format;
	sink.all.len = 0;
	return &sink;
}

void
writer_thread_put(struct writer_thread *s, struct text *t)
{
	text_add_span(&s->all, text_span(t));
	t->len = 0;
}

void
writer_thread_flush(struct writer_thread *s)
{
	(void)s;
}

int
writer_thread_close(struct writer_thread *s, int64_t *undelivered)
{
	(void)s;
	*undelivered = 0;
	return 0;
}

/* the memory; right: with the numbers that a reader looks at first */
static int
make_memory(const uint8_t *data, size_t size, uint64_t bytes, bool right)
{
	int fd = memfd_create("arena", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	uint32_t chunks = 1 + (uint32_t)(bytes / UNIT % 3);
	uint32_t buffers = (uint32_t)(bytes / UNIT / 3 % 2);
	struct arena *a;

	if (right)
		bytes = arena_size(chunks, buffers);
	REQUIRE(fd >= 0 && ftruncate(fd, (off_t)bytes) == 0);
	if (bytes == 0)
		return fd;
	a = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	REQUIRE(a != MAP_FAILED);
	memcpy(a, data, size < bytes ? size : bytes);
	if (right) {
		a->magic = ARENA_MAGIC;
		a->chunks = chunks;
		a->buffers = buffers;
	}
	munmap(a, bytes);
	return fd;
}

static void
check_stream(const struct text *t)
{
	const char *p = t->p, *end = p + t->len, *newline;

	for (; p < end; p = newline + 1) {
		newline = memchr(p, '\n', (size_t)(end - p));
		REQUIRE(newline != NULL);
		REQUIRE(json_valid((struct span){p, (size_t)(newline - p)}));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct clock_piece piece = {.slope = UINT64_C(1) << 32};
	struct clock clock = {.pieces = &piece, .count = 1};
	struct trace_info about = {.clock = &clock, .mode = "", .rank = -1};
	struct focus focus = {.trigger = FOCUS_ALWAYS};
	struct capture_ids ids = {0};
	struct stack_lines stacks = {0};
	struct out_stream stream = {0};
	const struct lines lines = {.clock = &clock,
	    .focus = &focus,
	    .out = &stream,
	    .ids = &ids,
	    .stacks = &stacks};
	struct captured_process *t;
	const char *error = NULL;
	uint64_t bytes;

	if (size < HEAD)
		return 0;
	bytes =
	    (data[0] | (uint64_t)data[1] << 8 | (uint64_t)data[2] << 16) * UNIT;
	focus_start(&focus);
	REQUIRE(
	    out_stream_open(&stream, NULL, ZIO_PLAIN, &about, &focus, 1 << 20));
	t = captured_process_open(make_memory(data + HEAD, size - HEAD, bytes,
				      (data[3] & RIGHT) != 0),
	    INT32_MAX, &lines, &error);
	REQUIRE((t == NULL) == (error != NULL));
	if (t != NULL) {
		lines_define(&t->lines);
		captured_process_rank(t);
		if (data[3] & AGAIN)
			drain_target(t, true);
		captured_process_report_losses(t);
		captured_process_read_rest(t, "/nowhere");
		captured_process_free(t);
	}
	focus_settle(&focus, INT64_MAX);
	REQUIRE(out_stream_close(&stream, INT64_MIN));
	check_stream(&sink.all);
	out_stream_free(&stream);
	map_free(&ids.symbol_ids);
	stack_lines_free(&stacks);
	focus_free(&focus);
	return 0;
}
