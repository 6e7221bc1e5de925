/*
 * io.c - io_sum: calls of the operating system by the file or other descriptor
 * that they are about
 *
 * A call that never ended counts, and takes no time.
 */

#include "sums.h"
#include "tq/show/col.h"

/* numbers of a group; its values are the durations of all calls */
enum { BYTES, TRANSFER, WAIT, NUMBERS };

static bool
has_file(struct report *r, const struct event *ev)
{
	(void)r;
	return event_has(ev, KEY_file) || event_int(ev, KEY_bytes, 0) > 0;
}

/* by the name that the file has in the stream */
static struct span
kind_of(const struct report *r, const struct event *ev, struct text *t)
{
	static const struct {
		const char *begin, *kind;
	} kinds[] = {
	    {"socket", "socket"},
	    {"pipe", "pipe"},
	    {"anon_inode:", "anonymous"},
	    {"/dev/", "device"},
	    {"/memfd:", "memory"},
	};
	struct span file = event_str(ev, KEY_file, t);

	(void)r;
	if (file.len == 0)
		return SPAN("unknown");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (span_begins(file, span_of(kinds[i].begin)))
			return span_of(kinds[i].kind);
	return SPAN("file");
}

static void
add_call(struct report *r, struct group *g, const struct event *ev)
{
	int64_t bytes = event_int(ev, KEY_bytes, 0);
	int64_t dur = event_int(ev, KEY_dur, 0);

	sums_interval(r, g, event_int(ev, KEY_ts, 0), dur);
	groups_number(g, BYTES, bytes > 0 ? bytes : 0);
	groups_number(g, bytes > 0 ? TRANSFER : WAIT, dur);
}

static void
io_row(struct table *t, struct report *r, struct group *g)
{
	dist_sort(&g->values);
	col_int(t, "Calls", UNIT_NONE, (int64_t)g->values.count);
	col_sum(t, "Bytes", UNIT_SIZE, g->numbers[BYTES]);
	col_rate(t, "Rate", g->numbers[BYTES], g->numbers[TRANSFER]);
	col_sum(t, "Total Time", UNIT_TIME, g->values.sum);
	col_sum(t, "Wait", UNIT_TIME, g->numbers[WAIT]);
	col_int(t, "Max", UNIT_TIME, dist_max(&g->values));
	if (r->pct)
		groups_more(t, &g->values);
	col_text(t, "Kind", groups_key(g, 0));
	col_text(t, "File", groups_key(g, 1));
}

const struct report_kind io_reports[] = {
    {.name = "io_sum",
	.question = ASKS_HOST,
	.title = "Calls by File, Socket and Pipe",
	.missing = "no OS runtime call in the stream has a file",
	.kinds = KINDS(osrt),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_bytes, KEY_file),
	.sum =
	    SUM(KEY_dur, NULL, {{"Kind", .make = kind_of}, {"File", KEY_file}},
		has_file, .add = add_call, .row = io_row, .numbers = NUMBERS)},
    {0},
};
