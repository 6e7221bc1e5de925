/*
 * trace.c - a Chrome trace that tq-extract reads: whatever it is, what comes
 * out are records in order of time, and no event is unaccounted for.
 */

#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include "chrome/chrome.h"
#include "chrome/chrome_source.h"
#include "fuzz.h"
#include "fuzz_exit.h"
#include "tq/line/event.h"

void
warnx(const char *fmt, ...)
{
	(void)fmt;
}

static int
file_of(const uint8_t *data, size_t size)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);

	REQUIRE(write(fd, data, size) == (ssize_t)size);
	return fd;
}

static void
check_counts(const struct chrome *c)
{
	for (size_t i = 0; i < c->counts.count; i++) {
		const struct chrome_count *n = &c->counts.all[i];

		REQUIRE(n->events + n->split ==
			n->records + n->paired + n->folded + n->lost);
	}
}

/* every line is a record; events ascend */
static void
check_lines(struct text *out)
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct source_settings settings = {
	    .kinds = UINT64_MAX, .window = {INT64_MIN, INT64_MAX}};
	static struct operand from;
	static struct output out;
	const struct source_input in = {
	    .from = &from, .settings = &settings, .out = &out, .frames = &out};
	char path[32];
	void *trace;
	int fd;

	fd = file_of(data, size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	out = (struct output){0};
	from = (struct operand){0};
	if (setjmp(ended) == 0) {
		operand_open(&from, path);
		trace = chrome_source.open(&in);
		check_counts(trace);
		chrome_source.definitions(trace);
		chrome_source.records(trace);
		check_lines(&out.buf);
		chrome_source.close(trace);
	}
	operand_close(&from);
	text_free(&out.buf);
	close(fd);
	return 0;
}
