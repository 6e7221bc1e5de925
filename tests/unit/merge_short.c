/* merge_short.c - which kernels become one record, and its keys */

#include <inttypes.h>

#include "change/merge_short.h"
#include "check.h"

/* a kernel, or the like, on a stream; more are its other keys */
#define WORK(kind, ts, dur, stream, more) \
	"{\"kind\":\"" kind "\",\"ts\":" #ts ",\"dur\":" #dur \
	",\"pid\":1,\"device\":0,\"context\":1,\"stream\":" #stream more "}\n"
#define K(ts, dur, stream) WORK("kernel", ts, dur, stream, "")
#define K2(ts, dur, stream, more) WORK("kernel", ts, dur, stream, more)
#define M(ts, dur, stream, count, busy) \
	WORK("kernel", ts, dur, stream, ",\"count\":" #count ",\"busy\":" #busy)
#define MARK(ts) "{\"kind\":\"mark\",\"ts\":" #ts "}\n"

/* give the lines of text to m */
static void
merge_lines(struct merge_short *m, const char *text)
{
	struct event ev = {0};
	struct text line = {0};

	while (*text != '\0') {
		line.len = 0;
		text_add(&line, text, strcspn(text, "\n"));
		text_reserve(&line, EVENT_PADDING);
		CHECK(event_parse(&ev, text_span(&line), NULL), "%s: %s", text,
		    shown(ev.error));
		merge_short_event(m, &ev);
		text += line.len + 1;
	}
	text_free(&line);
	event_free(&ev);
}

/* what becomes of in with a limit of 10 */
static void
row(const char *what, const char *in, const char *expected)
{
	struct output out = {0};
	struct merge_short *m = merge_short_open(10, &out);
	int64_t lines = 0;

	merge_lines(m, in);
	merge_short_finish(m);
	CHECK(text_is(&out.buf, expected), "%s:\n%.*s", what, (int)out.buf.len,
	    out.buf.p);
	for (const char *p = expected; *p != '\0'; p++)
		lines += *p == '\n';
	CHECK(out.lines == lines, "%s: %" PRId64 " lines", what, out.lines);
	merge_short_free(m);
	text_free(&out.buf);
}

static void
test_runs(void)
{
	row("nothing", "", "");
	row("one", K(0, 5, 7), K(0, 5, 7));
	row("two", K(0, 5, 7) K(5, 4, 7), M(0, 9, 7, 2, 9));
	row("a gap", K(0, 5, 7) K(14, 4, 7), M(0, 18, 7, 2, 9));
	row("a gap of the limit", K(0, 5, 7) K(15, 4, 7),
	    K(0, 5, 7) K(15, 4, 7));
	row("overlap", K(0, 9, 7) K(1, 2, 7) K(18, 1, 7), M(0, 19, 7, 3, 12));
	row("at once", K(3, 0, 7) K(3, 0, 7), M(3, 0, 7, 2, 0));
	row("two streams", K(0, 1, 7) K(1, 1, 8) K(2, 1, 7) K(3, 1, 8),
	    M(0, 3, 7, 2, 2) M(1, 3, 8, 2, 2));
	row("what is not on a stream",
	    K(0, 1, 7) MARK(1) K(2, 1, 7) MARK(2) MARK(20),
	    M(0, 3, 7, 2, 2) MARK(1) MARK(2) MARK(20));
	row("a copy on another stream",
	    K(0, 1, 7) WORK("memcpy", 1, 1, 8, "") K(2, 1, 7),
	    M(0, 3, 7, 2, 2) WORK("memcpy", 1, 1, 8, ""));
	row("another process",
	    "{\"kind\":\"kernel\",\"ts\":0,\"dur\":1,\"pid\":1}\n"
	    "{\"kind\":\"kernel\",\"ts\":1,\"dur\":1,\"pid\":2}\n",
	    "{\"kind\":\"kernel\",\"ts\":0,\"dur\":1,\"pid\":1}\n"
	    "{\"kind\":\"kernel\",\"ts\":1,\"dur\":1,\"pid\":2}\n");
	row("the ends of time",
	    K(-9223372036854775807, 1, 7) K(-9223372036854775806, 1, 7)
		K(9223372036854775805, 1, 7) K(9223372036854775806, 1, 7)
		    K(9223372036854775807, 1, 7),
	    M(-9223372036854775807, 2, 7, 2, 2) M(
		9223372036854775805, 2, 7, 2, 2) K(9223372036854775807, 1, 7));
}

static void
test_breaks(void)
{
	row("a kernel of the limit", K(0, 5, 7) K(5, 10, 7) K(15, 5, 7),
	    K(0, 5, 7) K(5, 10, 7) K(15, 5, 7));
	row("a copy in between",
	    K(0, 1, 7) K(1, 1, 7) WORK("memcpy", 2, 1, 7, "") K(3, 1, 7)
		K(4, 1, 7),
	    M(0, 2, 7, 2, 2) WORK("memcpy", 2, 1, 7, "") M(3, 2, 7, 2, 2));
	row("never ended", K(0, 1, 7) K2(1, 1, 7, ",\"open\":true") K(2, 1, 7),
	    K(0, 1, 7) K2(1, 1, 7, ",\"open\":true") K(2, 1, 7));
	row("merged before", K(0, 1, 7) M(1, 3, 7, 2, 2) K(4, 1, 7),
	    K(0, 1, 7) M(1, 3, 7, 2, 2) K(4, 1, 7));
	row("no duration",
	    K(0, 1, 7) "{\"kind\":\"kernel\",\"ts\":1,\"pid\":1,\"device\":0,"
		       "\"context\":1,\"stream\":7}\n" K(2, 1, 7),
	    K(0, 1, 7) "{\"kind\":\"kernel\",\"ts\":1,\"pid\":1,\"device\":0,"
		       "\"context\":1,\"stream\":7}\n" K(2, 1, 7));
	row("out of order", K(5, 1, 7) K(3, 1, 7), K(5, 1, 7) K(3, 1, 7));
}

static void
test_keys(void)
{
	row("equal names",
	    K2(0, 1, 7, ",\"name\":\"a\"") K2(1, 1, 7, ",\"name\":\"a\""),
	    K2(0, 2, 7, ",\"name\":\"a\",\"count\":2,\"busy\":2"));
	row("other names",
	    K2(0, 1, 7, ",\"name\":\"a\"") K2(1, 1, 7, ",\"name\":\"b\""),
	    K2(0, 2, 7, ",\"name\":\"2 kernels\",\"count\":2,\"busy\":2"));
	row("a name and none", K2(0, 1, 7, ",\"name\":\"a\"") K(1, 1, 7),
	    K2(0, 2, 7, ",\"name\":\"2 kernels\",\"count\":2,\"busy\":2"));
	row("none and a name", K(0, 1, 7) K2(1, 1, 7, ",\"name\":\"a\""),
	    K2(0, 2, 7, ",\"name\":\"2 kernels\",\"count\":2,\"busy\":2"));
	row("keys of all",
	    K2(0, 1, 7,
		",\"corr\":1,\"sym\":3,\"grid\":[1,2],\"x\":1,\"y\":2,"
		"\"args\":{\"a\":1}") K2(1, 1, 7,
		",\"y\":2,\"args\":{\"a\":1},\"corr\":2,\"sym\":3,"
		"\"grid\":[1,1],\"x\":2,\"local\":4"),
	    K2(0, 2, 7,
		",\"sym\":3,\"y\":2,\"args\":{\"a\":1},\"count\":2,"
		"\"busy\":2"));
	row("not of the third",
	    K2(0, 1, 7, ",\"x\":1,\"sym\":3,\"y\":null,\"z\":1") K2(
		1, 1, 7, ",\"x\":1,\"sym\":3,\"z\":1") K2(2, 1, 7, ",\"z\":1"),
	    K2(0, 3, 7, ",\"y\":null,\"z\":1,\"count\":3,\"busy\":3"));
	row("any spelling",
	    "{ \"ts\": 0, \"dur\":1.0,\"kind\" :\"kernel\",\"pid\":1e0}\n"
	    "{\"kind\":\"kern\\u0065l\",\"ts\":1,\"dur\":1,\"pid\":1}\n",
	    "{\"ts\":0,\"dur\":2,\"kind\":\"kernel\",\"pid\":1e0,\"count\":2,"
	    "\"busy\":2}\n");
}

static void
test_written_as_time_passes(void)
{
	struct output out = {0};
	struct merge_short *m = merge_short_open(10, &out);

	merge_lines(m, MARK(0));
	CHECK(out.lines == 1, "nothing waits yet");
	merge_lines(m, K(0, 5, 7) K(5, 5, 7) K(6, 5, 8) MARK(19));
	CHECK(out.lines == 1, "%" PRId64 " lines", out.lines);
	merge_lines(m, MARK(20));
	CHECK(out.lines == 2, "the first is closed, the second waits");
	merge_lines(m, MARK(21));
	CHECK(out.lines == 6, "%" PRId64 " lines", out.lines);
	CHECK(merge_short_kernels(m) == 2 && merge_short_records(m) == 1,
	    "counts");
	merge_short_free(m);
	text_free(&out.buf);
}

static void
test_bounded(void)
{
	struct output out = {0};
	struct merge_short *m = merge_short_open(10, &out);

	merge_lines(m, K(0, 1, 7) K(0, 1, 7));
	for (int i = 1; i < MERGE_SHORT_LINES; i++)
		merge_lines(m, MARK(0));
	CHECK(out.lines == 0, "%" PRId64 " lines", out.lines);
	merge_lines(m, MARK(0));
	CHECK(
	    out.lines == MERGE_SHORT_LINES + 1, "%" PRId64 " lines", out.lines);
	merge_lines(m, K(0, 1, 7));
	CHECK(out.lines == MERGE_SHORT_LINES + 1, "a new run");
	merge_short_finish(m);
	CHECK(
	    out.lines == MERGE_SHORT_LINES + 2, "%" PRId64 " lines", out.lines);
	merge_short_free(m);
	text_free(&out.buf);
}

static void
test_no_room_for_busy(void)
{
	struct output out = {0};
	struct merge_short *m = merge_short_open(INT64_MAX, &out);

	/* the first two fill 64 bits */
	merge_lines(m, K(0, 9223372036854775806, 7) K(0, 1, 7) K(1, 1, 7));
	merge_short_finish(m);
	CHECK(text_is(&out.buf, M(0, 9223372036854775806, 7, 2,
				    9223372036854775807) K(1, 1, 7)),
	    "%.*s", (int)out.buf.len, out.buf.p);
	merge_short_free(m);
	text_free(&out.buf);
}

int
main(void)
{
	test_runs();
	test_breaks();
	test_keys();
	test_written_as_time_passes();
	test_bounded();
	test_no_room_for_busy();
	return check_status();
}
