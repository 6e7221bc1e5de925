/*
 * gaps.c - when devices, or their streams, had nothing to do, and why
 *
 * Lanes are in tq/account/device_lanes.h, causes of a gap in gap.h there, the
 * finer causes of gaps of devices and their things in idle_shares.h.
 *
 * With "busy", and with "before" and "after" all work, they add up to the wall
 * of the section.  HTA has three categories for the whole gaps of a stream:
 *
 *	host_wait    a0 > g0
 *	kernel_wait  not so, and the gap is shorter than a delay, 30 us
 *	other        all else, whether the call is known or not
 */

#include <stdlib.h>

#include "tq/account/idle_shares.h"
#include "tq/line/json.h"
#include "tq/names/model.h"

#include "sums/cuda.h"
#include "tq/show/col.h"
#include "tq/names/fold_name.h"
#include "gaps.h"

/* LONGEST: gaps that the report lists; ns */
enum { LONGEST = 100 };

#define HTA_DELAY "delay=30us" /* an argument, and its default */

enum gap_hta { HTA_HOST_WAIT, HTA_KERNEL_WAIT, HTA_OTHER, HTA_CATEGORIES };

/* the time of a lane by cause */
struct gaps_lane {
	int64_t wall;
	struct dist time[GAP_CAUSES];
	dist_wide hta[GAP_CAUSES][HTA_CATEGORIES];
	int64_t hta_gaps[HTA_CATEGORIES];
};

/* the time of a lane that went into a share of idle */
struct gaps_share {
	size_t lane;
	size_t share; /* of gaps.idle.all */
	struct dist time;
};

struct gap {
	size_t lane;
	int64_t start, dur, late; /* late: a0 - g0; NO_ID: not known */
	int64_t sync;             /* of it */
	enum gap_cause cause;
	enum gap_hta hta;
	size_t share;       /* the largest one of gaps.idle.all, */
	int64_t share_time; /* and how long */
	size_t host_range;  /* the largest one of a range, or SIZE_MAX */
	int64_t host_range_time;
	int64_t in_calls, in_none; /* of the thread that launched */
	struct span op, call;      /* names of the operation and its call */
	int64_t tid;               /* of the thread that launched, or NO_ID */
	struct host_share most;    /* of that thread */
	struct span range;         /* the name of the range of the call */
	int64_t range_id; /* while the name is not looked up; or NO_ID */
};

struct gaps {
	bool sums_shown; /* gaps_sum */
	bool list;       /* gaps */
	bool divided;    /* gaps have shares: those of devices */
	int64_t delay;   /* of HTA */
	struct device_lanes lanes;
	struct gaps_lane *sums; /* by lane */
	size_t sum_count, sum_cap;
	struct idle_shares idle;
	KEYED(struct gaps_share) shares; /* by lane and share */
	struct gap *longest;             /* longest first */
	size_t gap_count;
	struct intern names;
	gaps_watch *watch; /* or NULL */
	void *watcher;
};

/* The gaps of a lane, which are in order, are also gaps of its copy. */
static void
copy_gaps(struct gaps *s, size_t lane, size_t copy)
{
	struct gap *all = mem_resize(NULL, 2 * LONGEST, sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < s->gap_count; i++) {
		all[n++] = s->longest[i];
		if (s->longest[i].lane != lane)
			continue;
		all[n] = s->longest[i];
		all[n++].lane = copy;
	}
	s->gap_count = n < LONGEST ? n : LONGEST;
	memcpy(s->longest, all, s->gap_count * sizeof(*all));
	free(all);
}

/* The time of a lane that went into a share. */
static struct dist *
get_share(struct gaps *s, size_t lane, size_t share)
{
	struct gaps_share *g;
	bool fresh;

	g = keyed_get(&s->shares, lane, share, &fresh);
	if (fresh)
		*g = (struct gaps_share){.lane = lane, .share = share};
	return &g->time;
}

/* The shares of a lane are also shares of its copy. */
static void
copy_shares(struct gaps *s, size_t lane, size_t copy)
{
	for (size_t i = 0, count = s->shares.count; i < count; i++) {
		struct gaps_share g = s->shares.all[i];

		if (g.lane == lane)
			dist_merge(get_share(s, copy, g.share), &g.time);
	}
}

/* A lane is new, or a GPU's, which starts as a copy of another one. */
static void
lane_made(void *report, size_t lane, size_t of)
{
	struct report *r = report;
	struct gaps *s = r->state;
	struct gaps_lane *to = array_add(&s->sums, &s->sum_count, &s->sum_cap);

	*to = (struct gaps_lane){0};
	if (of == SIZE_MAX)
		return;
	*to = s->sums[of];
	for (size_t i = 0; i < GAP_CAUSES; i++) {
		to->time[i] = (struct dist){0};
		dist_merge(&to->time[i], &s->sums[of].time[i]);
	}
	copy_gaps(s, of, lane);
	copy_shares(s, of, lane);
}

static void
add_time(struct gaps *s, size_t lane, enum gap_cause cause, int64_t dur)
{
	if (s->sums_shown && (dur > 0 || cause == GAP_BUSY))
		dist_add(&s->sums[lane].time[cause], dur);
}

/* ---- gaps ---- */

static enum gap_hta
hta_category(const struct gaps *s, const struct gap_parts *p, int64_t dur)
{
	if (p->late)
		return HTA_HOST_WAIT;
	return dur < s->delay ? HTA_KERNEL_WAIT : HTA_OTHER;
}

/* ---- the longest ---- */

/* In names of a table a NUL is a blank, see groups_part. */
static struct span
save_name(struct gaps *s, struct span name)
{
	struct text t = {0};
	uint32_t n;

	groups_part(&t, name);
	n = intern_get(&s->names, (struct span){t.p, t.len - 1});
	text_free(&t);
	return intern_text(&s->names, n);
}

/* the last range of the path of an operation */
static struct span
path_range(const struct event *ev, struct text *t)
{
	struct json j;
	struct span element, last = {NULL, 0};

	json_open_array(&j, ev->value[KEY_path]);
	while (json_next_element(&j, &element))
		last = element;
	t->len = 0;
	if (last.p != NULL)
		json_decode(t, last);
	return text_span(t);
}

/* The call of the thread that launched, and the range around it. */
static void
describe_host(
    struct gaps *s, struct gap *g, const struct event *ev, struct text *t)
{
	if (event_has(ev, KEY_tid)) {
		g->tid = event_int(ev, KEY_tid, NO_ID);
		g->most = gaps_host_most(&s->lanes.host, model_thread(ev),
		    g->start, time_end(g->start, g->dur));
	}
	if (event_has(ev, KEY_path))
		g->range = save_name(s, path_range(ev, t));
	else
		g->range_id = event_int(ev, KEY_range, NO_ID);
}

/* Look up the names of ranges, while the ranges are held. */
static void
name_ranges(struct gaps *s)
{
	for (size_t i = 0; i < s->gap_count; i++) {
		struct gap *g = &s->longest[i];

		if (g->range_id == NO_ID)
			continue;
		g->range = save_name(
		    s, gaps_host_range_name(&s->lanes.host, g->range_id));
		g->range_id = NO_ID;
	}
}

/* The gap's largest share; of equal ones the first. */
static void
set_share(const struct gaps *s, struct gap *g)
{
	for (size_t i = 0; s->divided && i < s->idle.now_count; i++) {
		size_t n = s->idle.now[i];

		if (i > 0 && s->idle.all.all[n].time <= g->share_time)
			continue;
		g->share = n;
		g->share_time = s->idle.all.all[n].time;
	}
}

/* True for time in a call of an API or the OS. */
static bool
is_in_call(enum idle_cause c)
{
	return (c >= IDLE_OS && c <= IDLE_SLEEP) ||
	       (c >= IDLE_CALL && c <= IDLE_ALLOC) ||
	       (c >= IDLE_SYNC && c <= IDLE_FIRST_USE);
}

/* What the thread that launched was in: calls, or none, and which range. */
static void
set_host_time(const struct gaps *s, struct gap *g)
{
	g->host_range = SIZE_MAX;
	for (size_t i = 0; s->divided && i < s->idle.now_count; i++) {
		const struct idle_share *x = &s->idle.all.all[s->idle.now[i]];

		if (is_in_call(x->cause))
			g->in_calls += x->time;
		if (x->cause != IDLE_HOST && x->cause != IDLE_RANGE)
			continue;
		g->in_none += x->time;
		if (x->cause == IDLE_HOST || x->time <= g->host_range_time)
			continue;
		g->host_range = s->idle.now[i];
		g->host_range_time = x->time;
	}
}

/* Save the gap if it is one of the longest; of equal ones the first. */
static void
save_gap(struct report *r, const struct lane_gap *gap, int64_t dur)
{
	struct gaps *s = r->state;
	struct text *t = &r->scratch;
	const struct event *ev = gap->ev;
	const struct gap_parts *parts = &gap->parts;
	struct gap g = {.lane = gap->lane,
	    .start = gap->from,
	    .dur = dur,
	    .late = NO_ID,
	    .sync = parts->sync,
	    .cause = gap_main_cause(parts),
	    .hta = hta_category(s, parts, dur),
	    .tid = NO_ID,
	    .range_id = NO_ID};
	size_t at = s->gap_count;

	if (at == LONGEST && s->longest[at - 1].dur >= dur)
		return;
	if (event_has(ev, KEY_api_ts)) {
		g.late = time_between(gap->from, event_int(ev, KEY_api_ts, 0));
		g.late = g.late < dur ? g.late : dur;
	}
	t->len = 0;
	g.op =
	    save_name(s, ev->kind == KIND_kernel ? event_str(ev, KEY_name, t)
						 : cuda_operation_name(ev, t));
	t->len = 0;
	g.call = save_name(s, event_str(ev, KEY_api_name, t));
	describe_host(s, &g, ev, t);
	set_share(s, &g);
	set_host_time(s, &g);
	for (; at > 0 && s->longest[at - 1].dur < dur; at--)
		s->longest[at] = s->longest[at - 1];
	s->longest[at] = g;
	if (s->gap_count < LONGEST)
		s->gap_count++;
}

/* ---- records ---- */

/* Cut the gap into shares, and add them to its lane. */
static void
divide(struct gaps *s, const struct lane_gap *gap)
{
	idle_shares_divide(&s->idle, gap);
	for (size_t i = 0; s->sums_shown && i < s->idle.now_count; i++) {
		size_t n = s->idle.now[i];

		dist_add(get_share(s, gap->lane, n), s->idle.all.all[n].time);
	}
}

static void
add_gap(void *report, const struct lane_gap *gap)
{
	struct report *r = report;
	struct gaps *s = r->state;
	const struct gap_parts *p = &gap->parts;
	const struct device_lane *l = &s->lanes.all.all[gap->lane];
	struct gaps_lane *sums = &s->sums[gap->lane];
	int64_t dur = time_between(gap->from, gap->to);
	enum gap_hta hta = hta_category(s, p, dur);

	if (s->divided)
		divide(s, gap);
	if (s->list)
		save_gap(r, gap, dur);
	if (s->watch != NULL && l->shared == 0)
		s->watch(s->watcher, gap, &s->idle);
	add_time(s, gap->lane, GAP_BUSY, time_between(l->from, l->until));
	add_time(s, gap->lane, GAP_SYNC, p->sync);
	add_time(s, gap->lane, GAP_HOST, p->host);
	add_time(s, gap->lane, p->cause, p->rest);
	sums->hta[GAP_SYNC][hta] += p->sync;
	sums->hta[GAP_HOST][hta] += p->host;
	sums->hta[p->cause][hta] += p->rest;
	sums->hta_gaps[hta]++;
}

static void
add_range(struct gaps *s, const struct event *ev, int64_t ts, int64_t end)
{
	if (!s->list)
		return;
	if (gaps_host_ranges_full(&s->lanes.host))
		name_ranges(s);
	gaps_host_add_range(&s->lanes.host, ev, ts, end);
}

static void
gaps_event(struct report *r, const struct event *ev)
{
	struct gaps *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (!event_has(ev, KEY_ts))
		return;
	switch (ev->kind) {
	case KIND_api:
	case KIND_osrt:
	case KIND_overhead:
		gaps_host_add_call(&s->lanes.host, ev, ts, end);
		break;
	case KIND_range:
		add_range(s, ev, ts, end);
		break;
	case KIND_gil:
	case KIND_sched:
	case KIND_sync:
		break;
	default:
		if (s->divided)
			idle_shares_operation(&s->idle, ev);
		wall_cut(r->wall, &ts, &end);
		device_lanes_add(&s->lanes,
		    device_lanes_find(&s->lanes, ev, ts), ev, ts, end);
		return;
	}
	if (s->divided)
		idle_shares_event(&s->idle, ev, ts, end);
}

static void
gaps_section_end(struct report *r)
{
	struct gaps *s = r->state;
	const struct wall *w = r->wall;

	device_lanes_end(&s->lanes, w->to);
	for (size_t i = s->lanes.first; i < s->lanes.all.count; i++) {
		const struct device_lane *l = &s->lanes.all.all[i];

		s->sums[i].wall = time_between(w->from, w->to);
		add_time(s, i, GAP_BEFORE, time_between(w->from, l->first));
		add_time(s, i, GAP_BUSY, time_between(l->from, l->until));
		add_time(s, i, GAP_AFTER, time_between(l->until, w->to));
	}
	name_ranges(s);
	device_lanes_reset(&s->lanes);
	idle_shares_reset(&s->idle);
}

/* ---- tables ---- */

static const char *const meanings[GAP_CAUSES] = {
    "nothing was launched yet",
    "an operation ran",
    "the next operation was not launched yet",
    "not launched yet: the host waited for a device",
    "the next operation was being launched",
    "from one operation to the next, less than 10 us",
    "the next waited while another stream copied",
    "the next waited while another stream computed",
    "the next waited for something else",
    "the launch of the next is not in the stream",
    "nothing came any more",
};

/* Outside of a window that was asked for there may be operations. */
const char *
gaps_meaning(const struct wall *w, enum gap_cause cause)
{
	if (cause == GAP_BEFORE && w->after != INT64_MIN)
		return "nothing ran yet in the window";
	if (cause == GAP_AFTER && w->before != INT64_MAX)
		return "nothing came any more in the window";
	return meanings[cause];
}

static const char *const categories[HTA_CATEGORIES] = {
    "host_wait", "kernel_wait", "other"};

static void
col_lane(struct table *t, const struct gaps *s, const struct device_lane *l)
{
	col_id(t, "PID", l->pid);
	col_id(t, "Device", l->device);
	if (!s->lanes.by_stream)
		return;
	col_id(t, "Context", l->context);
	col_id(t, "Stream", l->stream);
}

/* the finer cause of a time and what it is of */
struct gaps_why {
	const struct idle_share *share; /* or NULL */
	dist_wide time;
};

static void
col_why(struct table *t, const struct gaps *s, struct gaps_why why)
{
	const struct idle_share *x = why.share;

	if (!s->divided)
		return;
	col_text_if(t, "Finer Cause", x != NULL,
	    span_of(x != NULL ? idle_cause_name(x->cause) : ""));
	col_text_if(t, "Thing", x != NULL,
	    x != NULL ? idle_shares_thing(&s->idle, x) : SPAN(""));
	col_sum_if(t, "Thing Time", UNIT_TIME, x != NULL, why.time);
}

static void
col_host_time(struct table *t, const struct gaps *s, const struct gap *g)
{
	bool any = s->divided && g->host_range_time > 0;

	if (!s->divided)
		return;
	col_text_if(t, "Host Range", any,
	    any ? idle_shares_thing(&s->idle, &s->idle.all.all[g->host_range])
		: SPAN(""));
	col_int_if(t, "Host Range Time", UNIT_TIME, any, g->host_range_time);
	col_int(t, "In Calls", UNIT_TIME, g->in_calls);
	col_int(t, "In None", UNIT_TIME, g->in_none);
}

static void
gaps_row(struct table *t, const struct gaps *s, const struct device_lane *l,
    const struct gap *g)
{
	uint32_t most = g->most.name;

	col_int(t, "Start", UNIT_TIME, g->start);
	col_int(t, "Duration", UNIT_TIME, g->dur);
	col_int_if(t, "Until Call", UNIT_TIME, g->late != NO_ID, g->late);
	col_int_if(t, "Sync", UNIT_TIME, g->late != NO_ID, g->sync);
	col_lane(t, s, l);
	col_text(t, "Cause", span_of(gap_cause_name(g->cause)));
	col_text(t, "HTA", span_of(categories[g->hta]));
	col_text(t, "Next", g->op);
	col_text(t, "API Name", g->call);
	col_id(t, "TID", g->tid);
	col_text(t, "Host Call", gaps_host_call_name(&s->lanes.host, most));
	col_int_if(t, "Host Time", UNIT_TIME, most != 0, g->most.time);
	col_text_if(t, "Host Time Is", most != 0,
	    g->most.bound ? SPAN("lower bound") : SPAN("exact"));
	col_text(t, "Next Range", g->range);
	col_id(t, "Shared GPU", l->gpu);
	col_why(t, s,
	    (struct gaps_why){
		g->share_time > 0 ? &s->idle.all.all[g->share] : NULL,
		g->share_time});
	col_host_time(t, s, g);
}

static void
gaps_table(struct report *r, struct table *t)
{
	const struct gaps *s = r->state;

	col_heading(t, gaps_row, s, &(struct device_lane){0}, &(struct gap){0});
	for (size_t i = 0; i < s->gap_count; i++)
		gaps_row(t, s, &s->lanes.all.all[s->longest[i].lane],
		    &s->longest[i]);
}

static bool
is_gap(enum gap_cause c)
{
	return c != GAP_BEFORE && c != GAP_BUSY && c != GAP_AFTER;
}

/* Total, its share of the wall, and the distribution. */
static void
col_times(struct table *t, int64_t wall, struct dist *d)
{
	col_int(t, "Count", UNIT_NONE, (int64_t)d->count);
	col_sum(t, "Total", UNIT_TIME, d->sum);
	col_real(t, "Of Wall", UNIT_PERCENT,
	    wall > 0 ? 100 * (long double)d->sum / (long double)wall : 0, 1);
	groups_stats(t, groups_stat_names, UNIT_TIME, d);
}

static void
sum_row(struct table *t, const struct report *r, const struct device_lane *l,
    struct gaps_lane *sums, enum gap_cause c, struct gaps_why why)
{
	const struct gaps *s = r->state;
	int64_t hta[HTA_CATEGORIES];

	for (size_t i = 0; i < HTA_CATEGORIES; i++)
		hta[i] = (int64_t)sums->hta[c][i];
	col_lane(t, s, l);
	col_text(t, "Cause", span_of(gap_cause_name(c)));
	col_times(t, sums->wall, &sums->time[c]);
	col_int_if(
	    t, "HTA Host Wait", UNIT_TIME, is_gap(c), hta[HTA_HOST_WAIT]);
	col_int_if(
	    t, "HTA Kernel Wait", UNIT_TIME, is_gap(c), hta[HTA_KERNEL_WAIT]);
	col_int_if(t, "HTA Other", UNIT_TIME, is_gap(c), hta[HTA_OTHER]);
	col_id(t, "Shared GPU", l->gpu);
	col_text(t, "Meaning", span_of(gaps_meaning(r->wall, c)));
	col_why(t, s, why);
}

/* The largest share of each cause, of each lane. */
static struct gaps_why (*find_largest(const struct gaps *s))[GAP_CAUSES]
{
	struct gaps_why(*all)[GAP_CAUSES] =
	    mem_alloc((s->sum_count + 1) * sizeof(*all));

	for (size_t i = 0; i < s->shares.count; i++) {
		const struct gaps_share *g = &s->shares.all[i];
		const struct idle_share *share = &s->idle.all.all[g->share];
		struct gaps_why *why = &all[g->lane][share->group];

		if (why->share == NULL || g->time.sum > why->time)
			*why = (struct gaps_why){share, g->time.sum};
	}
	return all;
}

static void
sum_table(struct report *r, struct table *t)
{
	struct gaps *s = r->state;
	struct gaps_why(*why)[GAP_CAUSES] = find_largest(s);

	col_heading(t, sum_row, r, &(struct device_lane){0},
	    &(struct gaps_lane){0}, GAP_BEFORE, (struct gaps_why){0});
	for (size_t i = 0; i < s->sum_count; i++)
		for (enum gap_cause c = 0; c < GAP_CAUSES; c++)
			if (s->sums[i].time[c].count > 0)
				sum_row(t, r, &s->lanes.all.all[i], &s->sums[i],
				    c, why[i][c]);
	free(why);
}

/* a row of gaps_sum:thing */
static void
thing_row(struct table *t, const struct gaps *s, const struct device_lane *l,
    int64_t wall, const struct idle_share *share, struct dist *time)
{
	col_lane(t, s, l);
	col_text(t, "Cause", span_of(gap_cause_name(share->group)));
	col_text(t, "Finer Cause", span_of(idle_cause_name(share->cause)));
	col_text(t, "Thing", idle_shares_thing(&s->idle, share));
	col_times(t, wall, time);
	col_id(t, "Shared GPU", l->gpu);
}

/* by lane, the most time first, then by what a row says */
static int
by_time(const void *pa, const void *pb, void *gaps)
{
	const struct gaps_share *a = pa, *b = pb;
	const struct gaps *s = gaps;
	const struct idle_share *x = &s->idle.all.all[a->share];
	const struct idle_share *y = &s->idle.all.all[b->share];

	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->time.sum != b->time.sum)
		return a->time.sum > b->time.sum ? -1 : 1;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->cause != y->cause)
		return x->cause < y->cause ? -1 : 1;
	return span_cmp(
	    idle_shares_thing(&s->idle, x), idle_shares_thing(&s->idle, y));
}

static void
thing_table(struct report *r, struct table *t)
{
	struct gaps *s = r->state;
	size_t count = s->shares.count;
	struct gaps_share *all = mem_alloc((count + 1) * sizeof(*all));

	if (count > 0)
		memcpy(all, s->shares.all, count * sizeof(*all));
	col_heading(t, thing_row, s, &(struct device_lane){0}, 0,
	    &(struct idle_share){0}, &(struct dist){0});
	qsort_r(all, count, sizeof(*all), by_time, s);
	for (size_t i = 0; i < count; i++) {
		struct gaps_share *g = &all[i];

		thing_row(t, s, &s->lanes.all.all[g->lane],
		    s->sums[g->lane].wall, &s->idle.all.all[g->share],
		    &g->time);
	}
	free(all);
}

/* of all gaps: 0 if there are none */
static dist_wide
hta_time(const struct gaps_lane *sums, enum gap_hta hta)
{
	dist_wide time = 0;

	for (size_t c = 0; c < GAP_CAUSES; c++)
		time += sums->hta[c][hta];
	return time;
}

static void
hta_row(struct table *t, const struct gaps *s, const struct device_lane *l,
    const struct gaps_lane *sums, enum gap_hta hta)
{
	dist_wide all = 0;

	for (size_t i = 0; i < HTA_CATEGORIES; i++)
		all += hta_time(sums, (enum gap_hta)i);
	col_lane(t, s, l);
	col_text(t, "Category", span_of(categories[hta]));
	col_sum(t, "Idle", UNIT_TIME, hta_time(sums, hta));
	col_share(t, "Of Idle", hta_time(sums, hta), all);
	col_int(t, "Gaps", UNIT_NONE, sums->hta_gaps[hta]);
}

static void
hta_table(struct report *r, struct table *t)
{
	struct gaps *s = r->state;

	col_heading(t, hta_row, s, &(struct device_lane){0},
	    &(struct gaps_lane){0}, HTA_HOST_WAIT);
	for (size_t i = 0; i < s->sum_count; i++)
		for (enum gap_hta h = 0; h < HTA_CATEGORIES; h++)
			if (s->sums[i].hta_gaps[h] > 0)
				hta_row(
				    t, s, &s->lanes.all.all[i], &s->sums[i], h);
}

/* ---- for the page ---- */

const struct device_lanes *
gaps_lanes(const struct report *r)
{
	const struct gaps *s = r->state;

	return &s->lanes;
}

void
gaps_set_watch(struct report *r, gaps_watch *watch, void *watcher)
{
	struct gaps *s = r->state;

	s->watch = watch;
	s->watcher = watcher;
}

bool
gaps_longest(const struct report *r, size_t n, struct gap_listed *listed)
{
	const struct gaps *s = r->state;

	for (size_t i = 0; i < s->gap_count; i++) {
		const struct gap *g = &s->longest[i];
		const struct idle_share *share = &s->idle.all.all[g->share];

		if (s->lanes.all.all[g->lane].shared > 0 || n-- > 0)
			continue;
		*listed = (struct gap_listed){
		    .device = s->lanes.all.all[g->lane].number,
		    .cause = share->cause,
		    .thing = idle_shares_thing(&s->idle, share),
		    .start = g->start,
		    .dur = g->dur,
		    .next = g->op,
		    .range = g->range};
		return true;
	}
	return false;
}

/* ---- reports ---- */

static const struct report_kind sum_kinds[3];

static bool
is_arg(const struct report *r, const char *word)
{
	return r->arg != NULL && strcmp(r->arg, word) == 0;
}

static void
fold(struct text *name)
{
	name->len = fold_name_always(name->p, name->len);
	name->len = fold_name_numbers(name->p, name->len);
}

static void
gaps_open(struct report *r)
{
	struct gaps *s = r->state;

	/* a copy for a rank is of the kind of an argument already */
	s->sums_shown =
	    r->kind->table == sum_table || r->kind->table == thing_table;
	s->list = r->kind->table == gaps_table;
	for (const struct report_kind *k = sum_kinds;
	     s->sums_shown && k->name != NULL; k++)
		if (is_arg(r, k->args))
			r->kind = k;
	s->lanes = (struct device_lanes){
	    .by_stream = r->kind->table == hta_table || is_arg(r, "stream"),
	    .names = r->names,
	    .calls = s->list && !r->hidden,
	    .gap = add_gap,
	    .made = lane_made};
	s->divided = !s->lanes.by_stream;
	s->idle = (struct idle_shares){
	    .cuts = {.of = &s->lanes, .things = true}, .fold = fold};
	s->delay = r->number;
	s->longest = region_get(&r->life, (LONGEST + 1) * sizeof(*s->longest));
	device_lanes_open(&s->lanes);
}

/* The report does not move any more. */
static void
gaps_begin(struct report *r)
{
	struct gaps *s = r->state;

	s->lanes.arg = r;
}

static void
gaps_close(struct report *r)
{
	struct gaps *s = r->state;

	for (size_t i = 0; i < s->sum_count; i++)
		for (size_t c = 0; c < GAP_CAUSES; c++)
			dist_free(&s->sums[i].time[c]);
	for (size_t i = 0; i < s->shares.count; i++)
		dist_free(&s->shares.all[i].time);
	free(s->sums);
	keyed_free(&s->shares);
	idle_shares_free(&s->idle);
	device_lanes_free(&s->lanes);
	intern_free(&s->names);
}

static const enum key gap_keys[] = {
    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_open, KEY_id, KEY_NONE};
static const enum key gap_work_keys[] = {KEY_device, KEY_context, KEY_stream,
    KEY_copy, KEY_src, KEY_dst, KEY_graph, KEY_api_ts, KEY_api_dur,
    KEY_api_name, KEY_range, KEY_path, KEY_NONE};
static const enum key sum_keys[] = {
    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_open, KEY_NONE};
static const enum key sum_work_keys[] = {KEY_device, KEY_context, KEY_stream,
    KEY_src, KEY_dst, KEY_api_ts, KEY_api_dur, KEY_NONE};

#define OPERATIONS \
	(KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph))

static const enum key hta_keys[] = {
    KEY_ts, KEY_dur, KEY_pid, KEY_open, KEY_NONE};
static const enum key hta_work_keys[] = {
    KEY_device, KEY_context, KEY_stream, KEY_api_ts, KEY_NONE};

/* what a thread was in */
#define HOST \
	(KINDS(api) | KINDS(osrt) | KINDS(overhead) | KINDS(range) | \
	    KINDS(gil) | KINDS(sched) | KINDS(sync))

/* all of these reports */
#define GAPS \
	.correlated = true, .row_parts = true, .size = sizeof(struct gaps), \
	.open = gaps_open, .begin = gaps_begin, .event = gaps_event, \
	.section_end = gaps_section_end, .close = gaps_close

#define SUM \
	.name = "gaps_sum", .question = ASKS_IDLE, .rows = ROWS_GAP, \
	.title = "Gaps of the Devices by Cause", .wall_title = true, \
	.wall = true, .keys = sum_keys, .work_keys = sum_work_keys, GAPS

/* gaps_sum with an argument */
static const struct report_kind sum_kinds[3] = {
    {.args = "stream",
	.missing = "no operation of a device in the stream",
	.kinds = OPERATIONS | KINDS(api),
	.table = sum_table,
	SUM},
    {.args = "thing",
	.missing = "no gap between operations in the stream",
	.kinds = OPERATIONS | HOST,
	.wanted = idle_cuts_keys,
	.table = thing_table,
	SUM},
    {0},
};

const struct report_kind gaps_reports[] = {
    {.name = "gaps",
	.question = ASKS_IDLE,
	.rows = ROWS_GAP,
	.title = "Longest Gaps of the Devices",
	.kernels = "Next",
	.largest = "Duration",
	.most = LONGEST,
	.missing = "no gap between operations in the stream",
	.args = "device|stream|" HTA_DELAY,
	.kinds = OPERATIONS | HOST,
	.wall = true,
	.keys = gap_keys,
	.work_keys = gap_work_keys,
	.wanted = idle_cuts_keys,
	.table = gaps_table,
	GAPS},
    {.args = "device|stream|thing|" HTA_DELAY,
	.missing = "no operation of a device in the stream",
	.kinds = OPERATIONS | HOST,
	.wanted = idle_cuts_keys,
	.table = sum_table,
	SUM},
    {.name = "hta_idle",
	.question = ASKS_IDLE,
	.title = "Idle Time of the Streams as in HTA",
	.args = HTA_DELAY,
	.missing = "no gap between operations in the stream",
	.kinds = OPERATIONS,
	.keys = hta_keys,
	.work_keys = hta_work_keys,
	.table = hta_table,
	GAPS},
    {0},
};
