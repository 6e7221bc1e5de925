/* mpi.c - sums of calls of MPI, and of their messages */

#include <stdlib.h>

#include "tq/base/numbered.h"
#include "tq/line/record_args.h"
#include "tq/names/model.h"

#include "mpi.h"
#include "sums.h"
#include "tq/show/col.h"

/* ---- a call ---- */

enum { CLASS = MPI_NUMBERS, MEMBERS };

static const char *const members[MEMBERS] = {
    "tag", "remoteRank", "rootRank", "size", "recvTag", "recvSize", "class"};

static const char *const classes[MPI_CLASSES] = {
    "p2p", "collectives", "start-wait", "other", "nvtx"};

/* Without a class, as --redact leaves it, the numbers decide. */
static enum mpi_class
class_of(const struct mpi_call *c, struct span name)
{
	for (enum mpi_class i = 0; i < MPI_CLASSES; i++)
		if (record_args_is(name, classes[i]))
			return i;
	if (c->has[MPI_ROOT] || c->has[MPI_RECV_SIZE])
		return MPI_COLLECTIVES;
	return c->has[MPI_PEER] || c->has[MPI_TAG] ? MPI_P2P : MPI_OTHER;
}

/* True for a call that is an NVTX range. */
static bool
is_nvtx(const struct event *ev, struct text *scratch)
{
	struct span name;

	scratch->len = 0;
	if (!span_eq(event_str(ev, KEY_domain, scratch), SPAN("MPI")))
		return false;
	scratch->len = 0;
	name = event_str(ev, KEY_name, scratch);
	return name.len > 4 && memcmp(name.p, "MPI_", 4) == 0;
}

bool
mpi_read(struct mpi_call *c, struct report *r, const struct event *ev)
{
	struct text *scratch = &r->scratch;
	struct span values[MEMBERS];

	if (ev->kind == KIND_range) {
		*c = (struct mpi_call){.mpi_class = MPI_NVTX};
		return !r->settings->compat && is_nvtx(ev, scratch);
	}
	scratch->len = 0;
	if (!span_eq(event_str(ev, KEY_api, scratch), SPAN("mpi")))
		return false;
	record_args_find(ev, members, MEMBERS, values, scratch);
	for (size_t i = 0; i < MPI_NUMBERS; i++)
		c->has[i] = record_args_int(values[i], &c->number[i]);
	c->mpi_class = class_of(c, values[CLASS]);
	return true;
}

/* True if the record has a second number, and it is not the first. */
static bool
differ(const struct mpi_call *c, enum mpi_number a, enum mpi_number b)
{
	return c->has[b] && (!c->has[a] || c->number[a] != c->number[b]);
}

bool
mpi_has_halves(const struct mpi_call *c)
{
	return c->mpi_class == MPI_P2P &&
	       (differ(c, MPI_TAG, MPI_RECV_TAG) ||
		   differ(c, MPI_SIZE, MPI_RECV_SIZE));
}

/* ---- mpi_event_sum ---- */

/* the last Sendrecv of a thread */
struct sendrecv {
	int64_t ts, dur;
};

struct mpi_sum {
	struct mpi_call call; /* that it reads */
	NUMBERED(struct sendrecv) threads;
};

static bool
is_sendrecv(struct report *r, const struct event *ev)
{
	struct span name;

	r->scratch.len = 0;
	name = event_str(ev, KEY_name, &r->scratch);
	return (name.len >= 12 && memcmp(name.p, "MPI_Sendrecv", 12) == 0) ||
	       (name.len >= 13 && memcmp(name.p, "MPI_Isendrecv", 13) == 0);
}

/* True for the second half of a call whose first half counted. */
static bool
is_second_half(struct mpi_sum *s, const struct event *ev)
{
	const struct sendrecv now = {
	    event_int(ev, KEY_ts, 0), event_int(ev, KEY_dur, 0)};
	bool fresh;
	struct sendrecv *last =
	    numbered_get(&s->threads, model_thread(ev), &fresh);

	if (!fresh && last->ts == now.ts && last->dur == now.dur)
		return true;
	*last = now;
	return false;
}

static bool
is_call(struct report *r, const struct event *ev)
{
	struct mpi_sum *s = r->state;

	return mpi_read(&s->call, r, ev) &&
	       !(s->call.mpi_class == MPI_P2P && !r->settings->compat &&
		   is_sendrecv(r, ev) && is_second_half(s, ev));
}

static struct span
class_name(const struct report *r, const struct event *ev, struct text *t)
{
	const struct mpi_sum *s = r->state;

	(void)ev, (void)t;
	return span_of(classes[s->call.mpi_class]);
}

static void
sum_section_end(struct report *r)
{
	struct mpi_sum *s = r->state;

	numbered_clear(&s->threads);
}

static void
sum_close(struct report *r)
{
	struct mpi_sum *s = r->state;

	numbered_free(&s->threads);
}

/* ---- mpi_msg_size_sum ---- */

static void
add_size(struct report *r, const struct event *ev, const struct mpi_call *c,
    enum mpi_number size, const char *source)
{
	if (!c->has[size])
		return;
	r->key.len = r->scratch.len = 0;
	groups_part(&r->key, span_of(source));
	groups_part(&r->key, event_str(ev, KEY_name, &r->scratch));
	dist_add(&sums_group(r)->values, c->number[size]);
}

static void
size_event(struct report *r, const struct event *ev)
{
	struct mpi_call c;

	if (!mpi_read(&c, r, ev))
		return;
	if (c.mpi_class == MPI_NVTX) {
		r->missing = "MPI calls are NVTX ranges here, which have no "
			     "sizes";
	} else if (c.mpi_class == MPI_P2P) {
		add_size(r, ev, &c, MPI_SIZE, "p2p");
		if (mpi_has_halves(&c))
			add_size(r, ev, &c,
			    c.has[MPI_RECV_SIZE] ? MPI_RECV_SIZE : MPI_SIZE,
			    "p2p");
	} else if (c.mpi_class == MPI_COLLECTIVES) {
		add_size(r, ev, &c, MPI_SIZE, "coll_send");
		add_size(r, ev, &c, MPI_RECV_SIZE, "coll_recv");
	}
}

/* as nsys: the most instances first */
static int
by_count(const void *pa, const void *pb)
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
size_row(struct table *t, struct report *r, struct group *g)
{
	static const char *const stats[5] = {
	    "Avg (B)", "Med (B)", "Min (B)", "Max (B)", "StdDev (B)"};
	static const char *const quantiles[4] = {
	    "P50 (B)", "P90 (B)", "P95 (B)", "P99 (B)"};

	col_sum(t, "Total Message Volume (B)", UNIT_NONE, g->values.sum);
	col_int(t, "Instances", UNIT_NONE, (int64_t)g->values.count);
	groups_stats(t, stats, UNIT_NONE, &g->values);
	if (r->pct)
		groups_quantiles(t, quantiles, UNIT_NONE, &g->values);
	col_text(t, "Source", groups_key(g, 0));
	col_text(t, "Name", groups_key(g, 1));
}

static void
size_table(struct report *r, struct table *t)
{
	sums_rows(r, t, r->settings->compat ? by_count : groups_by_sum);
}

/* ---- the reports ---- */

#define CALLS \
	.kinds = KINDS(api) | KINDS(range), \
	.keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_api, \
	    KEY_domain, KEY_args)

const struct report_kind mpi_reports[] = {
    {.name = "mpi_event_sum",
	.question = ASKS_RANKS,
	.title = "MPI Event Summary",
	.missing = "no MPI call in the stream",
	CALLS,
	.sum = SUM(KEY_dur, "Instances",
	    {{"Source", .make = class_name}, {"Name", KEY_name}}, is_call),
	.size = sizeof(struct mpi_sum),
	.section_end = sum_section_end,
	.close = sum_close},
    {.name = "mpi_event_trace",
	.question = ASKS_RANKS,
	.row_parts = true,
	.title = "MPI Event Trace",
	.missing = "no MPI call in the stream",
	CALLS,
	.open = mpi_trace_open,
	.event = mpi_trace_event},
    {.name = "mpi_msg_size_sum",
	.question = ASKS_RANKS,
	.title = "MPI Message Size Summary",
	.missing = "no message of MPI with a size in the stream",
	CALLS,
	.sum = SUM(KEY_bytes, .row = size_row),
	.event = size_event,
	.table = size_table},
    {0},
};
