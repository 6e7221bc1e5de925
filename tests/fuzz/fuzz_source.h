/*
 * fuzz_source.h - a source of tq-extract reads any bytes: every line that it
 * writes is a record, and events ascend.  For targets with fuzz_exit.h.
 */
#ifndef FUZZ_SOURCE_H
#define FUZZ_SOURCE_H

#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include "operand.h"
#include "source.h"
#include "tq/line/event.h"

void
warnx(const char *fmt, ...)
{
	(void)fmt;
}

static int
fuzz_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);

	REQUIRE(write(fd, data, size) == (ssize_t)size);
	return fd;
}

/* every line is a record; events ascend */
static void
fuzz_lines(struct text *out)
{
	static struct event ev;
	const char *p, *end;
	int64_t last = INT64_MIN;

	memset(text_reserve(out, EVENT_PADDING), 0, EVENT_PADDING);
	end = out->p + out->len;
	for (p = out->p; p < end;) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));

		REQUIRE(newline != NULL);
		REQUIRE(event_parse(
		    &ev, (struct span){p, (size_t)(newline - p)}, NULL));
		REQUIRE(ev.kind != KIND_UNKNOWN);
		if (event_has(&ev, KEY_ts)) {
			REQUIRE(event_int(&ev, KEY_ts, 0) >= last);
			last = event_int(&ev, KEY_ts, 0);
		}
		p = newline + 1;
	}
}

/* for targets that try more than what is asked for without options */
static struct source_settings fuzz_settings = {
    .kinds = UINT64_MAX, .window = {INT64_MIN, INT64_MAX}};

/*
 * check is called with what the source opened, and may be NULL.  False where
 * the source ends the program.
 */
static bool
fuzz_source(const struct source *source, const uint8_t *data, size_t size,
    void (*check)(const void *))
{
	static struct operand from;
	static struct output out;
	const struct source_input in = {.from = &from,
	    .settings = &fuzz_settings,
	    .out = &out,
	    .frames = &out};
	char path[32];
	void *recording;
	volatile bool whole = false;
	int fd = fuzz_file(data, size);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	out = (struct output){0};
	from = (struct operand){0};
	if (setjmp(ended) == 0) {
		operand_open(&from, path);
		source->detect(&in);
		recording = source->open(&in);
		if (check != NULL)
			check(recording);
		source->definitions(recording);
		source->records(recording);
		fuzz_lines(&out.buf);
		source->close(recording);
		whole = true;
	}
	operand_close(&from);
	text_free(&out.buf);
	close(fd);
	return whole;
}

#endif
