/*
 * mpi.c - reports on calls of MPI
 *
 * Of which sort a call is says the class under args: it is the table of the
 * export.  A Sendrecv whose halves differ in rank, tag or size is two records
 * of the same thread, time and name, or one that tells of both: in the trace
 * and among the messages these are two, in the sum of times they are one.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "args.h"
#include "groups.h"
#include "report.h"

/* ---- a call ---- */

enum number { TAG, PEER, ROOT, SIZE, RECV_TAG, RECV_SIZE, NUMBERS };

static const char *const members[] = {
    "tag", "remoteRank", "rootRank", "size", "recvTag", "recvSize", "class"};

enum { CLASS = NUMBERS, MEMBERS };

enum mpi_class { P2P, COLLECTIVES, START_WAIT, OTHER, CLASSES };

static const char *const classes[CLASSES] = {
    "p2p", "collectives", "start-wait", "other"};

struct call {
	enum mpi_class mpi_class;
	bool has[NUMBERS];
	int64_t number[NUMBERS];
};

/* without a class, as --redact leaves it, going by what there is */
static enum mpi_class
class_of(const struct call *c, struct span name)
{
	for (enum mpi_class i = 0; i < CLASSES; i++)
		if (args_is(name, classes[i]))
			return i;
	if (c->has[ROOT] || c->has[RECV_SIZE])
		return COLLECTIVES;
	return c->has[PEER] || c->has[TAG] ? P2P : OTHER;
}

static bool
read_call(struct call *c, const struct event *ev, struct text *scratch)
{
	struct span values[MEMBERS];

	scratch->len = 0;
	if (!span_eq(event_str(ev, KEY_api, scratch), SPAN("mpi")))
		return false;
	args_find(ev, members, MEMBERS, values, scratch);
	for (size_t i = 0; i < NUMBERS; i++)
		c->has[i] = args_int(values[i], &c->number[i]);
	c->mpi_class = class_of(c, values[CLASS]);
	return true;
}

/* does a record tell of both halves of a Sendrecv, and do they differ? */
static bool
has_halves(const struct call *c)
{
	return c->mpi_class == P2P &&
	       ((c->has[RECV_TAG] &&
		    (!c->has[TAG] || c->number[RECV_TAG] != c->number[TAG])) ||
		   (c->has[RECV_SIZE] &&
		       (!c->has[SIZE] ||
			   c->number[RECV_SIZE] != c->number[SIZE])));
}

/* ---- sums ---- */

/* the last Sendrecv of a thread */
struct sendrecv {
	int64_t ts, dur;
};

struct sums {
	struct groups groups;
	struct text key, scratch;
	struct map threads; /* (pid, tid) -> index + 1 */
	struct sendrecv *last;
	size_t count, cap;
};

static struct group *
group_of(struct sums *s, const struct event *ev, const char *source)
{
	s->key.len = s->scratch.len = 0;
	groups_part(&s->key, span_of(source));
	groups_part(&s->key, event_str(ev, KEY_name, &s->scratch));
	return groups_get(&s->groups, text_span(&s->key));
}

static bool
is_sendrecv(struct sums *s, const struct event *ev)
{
	struct span name;

	s->scratch.len = 0;
	name = event_str(ev, KEY_name, &s->scratch);
	return (name.len >= 12 && memcmp(name.p, "MPI_Sendrecv", 12) == 0) ||
	       (name.len >= 13 && memcmp(name.p, "MPI_Isendrecv", 13) == 0);
}

/* is it the second half of a call that was counted? */
static bool
is_counted(struct sums *s, const struct event *ev)
{
	struct sendrecv now = {
	    event_int(ev, KEY_ts, 0), event_int(ev, KEY_dur, 0)};
	uint64_t *slot =
	    map_get(&s->threads, (uint64_t)event_int(ev, KEY_pid, NO_ID),
		(uint64_t)event_int(ev, KEY_tid, NO_ID));

	if (*slot != 0 && s->last[*slot - 1].ts == now.ts &&
	    s->last[*slot - 1].dur == now.dur)
		return true;
	if (*slot == 0) {
		if (s->count == s->cap) {
			s->cap = s->cap * 2 + 8;
			s->last = mem_resize(s->last, s->cap, sizeof(*s->last));
		}
		*slot = ++s->count;
	}
	s->last[*slot - 1] = now;
	return false;
}

static void
event_event(struct report *r, const struct event *ev)
{
	struct sums *s = r->state;
	struct call c;

	if (!event_has(ev, KEY_dur) || !read_call(&c, ev, &s->scratch))
		return;
	if (c.mpi_class == P2P && !r->ask->compat && is_sendrecv(s, ev) &&
	    is_counted(s, ev))
		return;
	groups_interval(group_of(s, ev, classes[c.mpi_class]),
	    event_int(ev, KEY_ts, 0), event_int(ev, KEY_dur, 0));
}

static void
event_table(struct report *r, struct table *t)
{
	static const char *const labels[] = {"Source", "Name", NULL};
	struct sums *s = r->state;

	groups_table(&s->groups, t, "Instances", labels, r);
}

static void
add_size(struct sums *s, const struct event *ev, const struct call *c,
    enum number size, const char *source)
{
	if (c->has[size])
		dist_add(&group_of(s, ev, source)->values, c->number[size]);
}

static void
size_event(struct report *r, const struct event *ev)
{
	struct sums *s = r->state;
	struct call c;

	if (!read_call(&c, ev, &s->scratch))
		return;
	if (c.mpi_class == P2P) {
		add_size(s, ev, &c, SIZE, "p2p");
		if (has_halves(&c))
			add_size(s, ev, &c, c.has[RECV_SIZE] ? RECV_SIZE : SIZE,
			    "p2p");
	} else if (c.mpi_class == COLLECTIVES) {
		add_size(s, ev, &c, SIZE, "coll_send");
		add_size(s, ev, &c, RECV_SIZE, "coll_recv");
	}
}

/* as nsys: the most instances first */
static int
compare_counts(const void *pa, const void *pb)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;

	if (a->values.count != b->values.count)
		return a->values.count > b->values.count ? -1 : 1;
	if (a->values.sum != b->values.sum)
		return a->values.sum > b->values.sum ? -1 : 1;
	return span_cmp(a->key, b->key);
}

/* in bytes whatever the format has sizes in: messages are short */
static void
size_columns(struct table *t, bool pct)
{
	static const char *const names[5] = {
	    "Avg (B)", "Med (B)", "Min (B)", "Max (B)", "StdDev (B)"};
	static const char *const more[4] = {
	    "P50 (B)", "P90 (B)", "P95 (B)", "P99 (B)"};

	table_column(t, "Total Message Volume (B)", UNIT_NONE);
	table_column(t, "Instances", UNIT_NONE);
	groups_columns(t, names, UNIT_NONE);
	for (size_t i = 0; pct && i < 4; i++)
		table_column(t, more[i], UNIT_NONE);
	table_text_column(t, "Source");
	table_text_column(t, "Name");
}

static void
size_table(struct report *r, struct table *t)
{
	static const unsigned permille[4] = {500, 900, 950, 990};
	struct groups *gs = &((struct sums *)r->state)->groups;

	groups_sort(gs);
	if (r->ask->compat && gs->count > 1)
		qsort(
		    gs->all, gs->count, sizeof(struct group *), compare_counts);
	size_columns(t, r->pct);
	for (size_t n = 0; n < gs->count; n++) {
		struct group *g = gs->all[n];

		table_int(t, (int64_t)g->values.sum);
		table_int(t, (int64_t)g->values.count);
		groups_cells(t, &g->values);
		for (size_t i = 0; r->pct && i < 4; i++)
			table_int(t, dist_quantile(&g->values, permille[i]));
		table_text(t, groups_key(g, 0));
		table_text(t, groups_key(g, 1));
	}
}

static void
sums_section_end(struct report *r)
{
	struct sums *s = r->state;

	map_clear(&s->threads);
	s->count = 0;
}

static struct groups *
sums_groups(const struct report *r)
{
	return &((struct sums *)r->state)->groups;
}

static void
sums_close(struct report *r)
{
	struct sums *s = r->state;

	groups_free(&s->groups);
	text_free(&s->key);
	text_free(&s->scratch);
	map_free(&s->threads);
	free(s->last);
}

/* ---- mpi_event_trace ---- */

struct trace {
	struct table t;
	struct text scratch;
};

static void
trace_open(struct report *r)
{
	static const char *const numbers[] = {"Pid", "Tid", "Tag", "Rank",
	    "PeerRank", "RootRank", "Size (B)", "CollSendSize (B)",
	    "CollRecvSize (B)"};
	struct table *t = &((struct trace *)r->state)->t;

	table_column(t, "Start", UNIT_TIME);
	table_column(t, "End", UNIT_TIME);
	table_column(t, "Duration", UNIT_TIME);
	table_text_column(t, "Event");
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		table_column(t, numbers[i], UNIT_NONE);
}

static void
number(struct table *t, const struct call *c, enum number n, bool shown)
{
	table_id(t, shown && c->has[n] ? c->number[n] : NO_ID);
}

static void
row(struct report *r, const struct event *ev, const struct call *c)
{
	struct trace *s = r->state;
	struct table *t = &s->t;
	int64_t ts = event_int(ev, KEY_ts, NO_ID), rank;
	int64_t dur = event_int(ev, KEY_dur, NO_ID);
	int64_t pid = event_int(ev, KEY_pid, NO_ID);

	table_id(t, ts);
	table_id(t, ts != NO_ID && dur != NO_ID ? time_end(ts, dur) : NO_ID);
	table_id(t, dur);
	s->scratch.len = 0;
	table_text(t, event_str(ev, KEY_name, &s->scratch));
	table_id(t, pid);
	table_id(t, event_int(ev, KEY_tid, NO_ID));
	number(t, c, TAG, true);
	table_id(t, known_rank(r->known, pid, &rank) ? rank : NO_ID);
	number(t, c, PEER, true);
	number(t, c, ROOT, true);
	number(t, c, SIZE, c->mpi_class != COLLECTIVES);
	number(t, c, SIZE, c->mpi_class == COLLECTIVES);
	number(t, c, RECV_SIZE, c->mpi_class == COLLECTIVES);
}

static void
take(struct call *c, enum number to, enum number from)
{
	if (!c->has[from])
		return;
	c->has[to] = true;
	c->number[to] = c->number[from];
}

static void
trace_event(struct report *r, const struct event *ev)
{
	struct trace *s = r->state;
	struct call c;

	if (!read_call(&c, ev, &s->scratch))
		return;
	row(r, ev, &c);
	if (!has_halves(&c))
		return;
	take(&c, TAG, RECV_TAG);
	take(&c, SIZE, RECV_SIZE);
	row(r, ev, &c);
}

/* the table is the state: hand it over */
static void
trace_table(struct report *r, struct table *t)
{
	struct trace *s = r->state;

	s->t.report = t->report;
	s->t.title = t->title;
	*t = s->t;
	s->t = (struct table){0};
}

static void
trace_close(struct report *r)
{
	struct trace *s = r->state;

	table_free(&s->t);
	text_free(&s->scratch);
}

/* ---- the reports ---- */

static const enum key keys[] = {
    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_api, KEY_args, KEY_NONE};

#define CALLS .kinds = KINDS(api), .keys = keys
#define SUMS \
	.size = sizeof(struct sums), .section_end = sums_section_end, \
	.groups = sums_groups, .close = sums_close

const struct report_kind report_mpi[] = {
    {.name = "mpi_event_sum",
	.title = "MPI Event Summary",
	.missing = "no call of MPI in the stream",
	.event = event_event,
	.table = event_table,
	CALLS,
	SUMS},
    {.name = "mpi_event_trace",
	.title = "MPI Event Trace",
	.missing = "no call of MPI in the stream",
	.size = sizeof(struct trace),
	.open = trace_open,
	.event = trace_event,
	.table = trace_table,
	.close = trace_close,
	CALLS},
    {.name = "mpi_msg_size_sum",
	.title = "MPI Message Size Summary",
	.missing = "no message of MPI with a size in the stream",
	.event = size_event,
	.table = size_table,
	CALLS,
	SUMS},
    {0},
};
