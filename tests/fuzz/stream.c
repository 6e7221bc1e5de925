/*
 * stream.c - a stream that tq-extract puts in order: no line is lost, times
 * ascend, and what came out comes out again unchanged.
 */

#include <err.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "source.h"
#include "tq/io/reader.h"

static jmp_buf ended;
static bool may_end;

_Noreturn void
errx(int status, const char *fmt, ...)
{
	(void)status;
	(void)fmt;
	REQUIRE(may_end);
	longjmp(ended, 1);
}

void
warnx(const char *fmt, ...)
{
	(void)fmt;
}

static char *
path_of(int fd)
{
	static char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

static int
file_of(struct span bytes)
{
	int fd = memfd_create("stream", MFD_CLOEXEC);

	REQUIRE(write(fd, bytes.p, bytes.len) == (ssize_t)bytes.len);
	return fd;
}

/* how many records there are; -1 where one of them ends the program */
static int64_t
count_records(int fd, bool ordered)
{
	/* of equal keys, it hangs on what else is looked for which is found */
	static struct keyset want[KIND_COUNT + 1];
	char *operands[] = {path_of(fd), NULL};
	static struct reader r;
	static int64_t records;
	int64_t ts, last = INT64_MIN;

	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		keyset_add(&want[k], KEY_kind);
		keyset_add(&want[k], KEY_ts);
		keyset_add(&want[k], KEY_dur);
	}
	reader_init(&r, operands, ordered ? want : NULL, NULL);
	r.any_order = true;
	records = 0;
	may_end = true;
	if (setjmp(ended) == 0) {
		while (reader_next(&r)) {
			const struct event *ev = &r.event;

			records++;
			if (ev->kind == KIND_trace || ev->kind == KIND_end)
				last = INT64_MIN;
			if (!ordered || schema_follows(ev->kind) ||
			    !event_has(ev, KEY_ts) ||
			    schema_role(ev->kind) == ROLE_DEF ||
			    schema_role(ev->kind) == ROLE_FRAME)
				continue;
			ts = event_int(ev, KEY_ts, 0);
			REQUIRE(ts >= last);
			last = ts;
		}
		if (r.status != 0 && ordered)
			records = -1;
	} else
		records = -1;
	may_end = false;
	reader_free(&r);
	return records;
}

static int
extract(int fd, bool live, struct output *out)
{
	const struct source_settings settings = {.kinds = UINT64_MAX,
	    .window = {INT64_MIN, INT64_MAX},
	    .live = live};
	struct operand from;
	const struct source_input in = {
	    .from = &from, .settings = &settings, .out = out, .frames = out};
	int status;

	operand_open(&from, path_of(fd));
	status = sort_stream_source.pass(&in);
	operand_close(&from);
	return status;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct output once = {0}, again = {0}, live = {0};
	int fd = file_of((struct span){(const char *)data, size}), sorted;
	int64_t records = count_records(fd, false);

	if (records <= 0) { /* what is empty is an error */
		close(fd);
		return 0;
	}
	if (extract(fd, false, &once) == 0) {
		sorted = file_of(text_span(&once.buf));
		REQUIRE(count_records(sorted, true) == records);
		REQUIRE(extract(sorted, false, &again) == 0);
		REQUIRE(span_eq(text_span(&once.buf), text_span(&again.buf)));
		close(sorted);
	}
	if (extract(fd, true, &live) == 0)
		REQUIRE(live.buf.len == once.buf.len);
	text_free(&once.buf);
	text_free(&again.buf);
	text_free(&live.buf);
	close(fd);
	return 0;
}
