/* idle_shares.c - what the time of a gap of a device went into */

#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/line/record_args.h"
#include "tq/names/model.h"

#include "tq/account/idle_shares.h"

enum {
	QUEUED = 10000,       /* ns after a call */
	SHARES_MOST = 1 << 17 /* with a thing */
};

/* ---- shares ---- */

static void
add_part(struct idle_shares *s, uint32_t text)
{
	if (text == 0)
		return;
	if (s->scratch.len > 0)
		text_add_char(&s->scratch, ' ');
	json_decode(&s->scratch, intern_text(&s->host.texts, text - 1));
}

/* True if the thing of a cause is a range, as it has none of its own. */
static bool
is_range(enum idle_cause cause)
{
	return cause == IDLE_RANGE || cause == IDLE_PYTHON_LOCK ||
	       cause == IDLE_PREEMPTED;
}

/* The number of a thing as people read it. */
static uint32_t
read_thing(struct idle_shares *s, enum idle_cause cause, struct host_thing of)
{
	if (s->things.count == 0)
		intern_get(&s->things, SPAN(""));
	s->scratch.len = 0;
	add_part(s, of.name);
	if (is_range(cause) && s->fold != NULL)
		s->fold(&s->scratch);
	add_part(s, of.file);
	return intern_get(&s->things, text_span(&s->scratch));
}

/* The index of a share. */
static size_t
find_share(struct idle_shares *s, enum gap_cause group, enum idle_cause cause,
    struct host_thing of)
{
	uint64_t kind = (uint64_t)group << 8 | cause, *slot;
	struct idle_share *share;
	uint32_t thing;
	bool fresh;

	if (s->ends.count >= SHARES_MOST &&
	    map_find(&s->ends, kind, (uint64_t)of.name << 32 | of.file) == NULL)
		of = (struct host_thing){0};
	slot = map_get(&s->ends, kind, (uint64_t)of.name << 32 | of.file);
	if (*slot == 0) {
		thing = read_thing(s, cause, of);
		share = keyed_get(&s->all, kind, thing, &fresh);
		if (fresh)
			*share = (struct idle_share){
			    .group = group, .cause = cause, .thing = thing};
		*slot = (uint64_t)(share - s->all.all) + 1;
	}
	return *slot - 1;
}

static void
add_time(struct idle_shares *s, enum gap_cause group, enum idle_cause cause,
    struct host_thing of, int64_t time)
{
	size_t i = find_share(s, group, cause, of);
	struct idle_share *share = &s->all.all[i];

	if (share->gap != s->gaps) {
		share->gap = s->gaps;
		share->time = 0;
		*array_add(&s->now, &s->now_count, &s->now_cap) = i;
	}
	share->time = time_end(share->time, time);
}

/* ---- cuts ---- */

/* what cuts a gap */
struct idle_lines {
	const struct host_line *own, *all; /* of its thread, of all threads */
	struct host_thing call, kernel;    /* of the operation that ends it */
	uint32_t last;                     /* what ran last, as text */
	bool first_use;
};

/* Nothing was launched in [from, to), nor waited for. */
static void
cut_host(
    struct idle_shares *s, const struct idle_lines *l, int64_t from, int64_t to)
{
	while (from < to) {
		struct host_stretch all = host_time_next(l->all, from, to);
		struct host_stretch own = host_time_next(l->own, from, all.end);

		if (all.cause > own.cause) {
			own.cause = all.cause;
			own.thing = all.thing;
		}
		if (!idle_cause_is_host(own.cause))
			own.cause = IDLE_CALL;
		else if (own.cause == IDLE_RANGE && own.thing.name == 0)
			own.cause = IDLE_HOST;
		add_time(s, GAP_HOST, own.cause, own.thing,
		    time_between(from, own.end));
		from = own.end;
	}
}

static void
cut_sync(
    struct idle_shares *s, const struct idle_lines *l, int64_t from, int64_t to)
{
	while (from < to) {
		struct host_stretch own = host_time_next(l->own, from, to);

		if (!idle_cause_is_call(own.cause))
			own.thing = (struct host_thing){0};
		own.thing.file = l->last;
		add_time(s, GAP_SYNC, IDLE_SYNC, own.thing,
		    time_between(from, own.end));
		from = own.end;
	}
}

/* The operation was being launched. */
static void
cut_launch(
    struct idle_shares *s, const struct idle_lines *l, int64_t from, int64_t to)
{
	while (from < to) {
		struct host_stretch all = host_time_next(l->all, from, to);
		int64_t time = time_between(from, all.end);

		if (all.cause == IDLE_PROFILER)
			add_time(s, GAP_LAUNCH, IDLE_PROFILER, all.thing, time);
		else if (l->first_use || all.cause == IDLE_LOAD)
			add_time(s, GAP_LAUNCH, IDLE_FIRST_USE,
			    l->kernel.name > 0 ? l->kernel : all.thing, time);
		else
			add_time(s, GAP_LAUNCH, IDLE_LAUNCH, l->call, time);
		from = all.end;
	}
}

/* The number of a text. */
static uint32_t
number_of(struct idle_shares *s, struct span text)
{
	uint32_t n;

	s->scratch.len = 0;
	text_add_json(&s->scratch, text.p, text.len);
	n = host_time_text(&s->host, text_span(&s->scratch));
	return n;
}

/* What the operation waits for in its queue, if that is known. */
static struct host_thing
queue_thing(struct idle_shares *s)
{
	struct text t = {0};
	struct host_thing thing = {0};

	if (s->wait == NULL)
		return thing;
	event_waits_text(&t, s->wait);
	thing.name = number_of(s, text_span(&t));
	text_free(&t);
	return thing;
}

/* "after k": what ran last on the device before the gap. */
static uint32_t
last_text(struct idle_shares *s, const struct lane_gap *gap)
{
	uint32_t last = s->of->all.all[gap->lane].last, n;
	struct text t = {0};

	if (last == 0)
		return 0;
	text_add_str(&t, "after ");
	text_add_span(&t, gaps_host_call_name(&s->of->host, last));
	n = number_of(s, text_span(&t));
	text_free(&t);
	return n;
}

/* The call and what follows it. */
static void
cut_call(struct idle_shares *s, const struct idle_lines *l,
    const struct lane_gap *gap)
{
	const struct event *ev = gap->ev;
	int64_t from = gap->parts.call;
	int64_t end = time_end(
	    event_int(ev, KEY_api_ts, 0), event_int(ev, KEY_api_dur, 0));

	end = end > from ? end : from;
	if (time_between(end, gap->to) < QUEUED) /* 0 if it is later */
		end = gap->to;
	cut_launch(s, l, from, end);
	if (end < gap->to)
		add_time(s, GAP_LAUNCH, IDLE_QUEUE, queue_thing(s),
		    time_between(end, gap->to));
}

/* ---- unified memory ---- */

/* True if the record has that cause of a migration. */
static bool
is_prefetched(const struct event *ev, struct text *scratch)
{
	static const char *const name[] = {"migrationCause"};
	struct span cause;

	record_args_find(ev, name, 1, &cause, scratch);
	return record_args_is(cause, "User prefetch");
}

/* The side that touched the page which the operation moves; else empty. */
static struct span
toucher(struct idle_shares *s, const struct event *ev)
{
	struct span copy;

	if (ev->kind != KIND_memcpy || !event_has(ev, KEY_copy))
		return SPAN("");
	copy = ev->value[KEY_copy];
	if (!span_begins(copy, SPAN("\"UVM")) || is_prefetched(ev, &s->scratch))
		return SPAN("");
	return span_ends(copy, SPAN("DtoH\""))
		   ? SPAN("\"touched by the host\"")
		   : SPAN("\"touched by the device\"");
}

static void
cut_unknown(struct idle_shares *s, const struct lane_gap *gap)
{
	struct host_thing side = {
	    .name = host_time_text(&s->host, toucher(s, gap->ev))};

	add_time(s, GAP_UNKNOWN, side.name > 0 ? IDLE_PAGE_FAULT : IDLE_UNKNOWN,
	    side, gap->parts.rest);
}

/* ---- gaps ---- */

static void
cut_rest(struct idle_shares *s, const struct idle_lines *l,
    const struct lane_gap *gap)
{
	static const enum idle_cause causes[GAP_CAUSES] = {
	    [GAP_NEXT] = IDLE_NEXT,
	    [GAP_QUEUE] = IDLE_QUEUE,
	    [GAP_COPY] = IDLE_QUEUE,
	    [GAP_KERNEL] = IDLE_QUEUE,
	};

	if (gap->parts.rest == 0)
		return;
	if (gap->parts.cause == GAP_LAUNCH)
		cut_call(s, l, gap);
	else if (gap->parts.cause == GAP_UNKNOWN)
		cut_unknown(s, gap);
	else
		add_time(s, gap->parts.cause, causes[gap->parts.cause],
		    gap->parts.cause == GAP_QUEUE ? queue_thing(s)
						  : (struct host_thing){0},
		    gap->parts.rest);
}

/* The lines and things that the rest of the gap needs. */
static struct idle_lines
lines_of(struct idle_shares *s, const struct lane_gap *gap)
{
	const struct event *ev = gap->ev;
	bool late = gap->parts.call > gap->from;
	struct idle_lines l = {.first_use = s->first_use};

	if (!late && gap->parts.cause != GAP_LAUNCH)
		return l;
	l.all = host_time_line(&s->host, model_any_thread(ev), gap->to);
	if (late)
		l.own = host_time_line(&s->host, model_thread(ev), gap->to);
	if (gap->parts.sync > 0)
		l.last = last_text(s, gap);
	if (gap->parts.cause != GAP_LAUNCH)
		return l;
	l.call.name = host_time_launching(&s->host, ev);
	if (ev->kind == KIND_kernel && event_has(ev, KEY_name) &&
	    (l.first_use || l.all != NULL))
		l.kernel.name = host_time_text(&s->host, ev->value[KEY_name]);
	return l;
}

/* The time before the call of the operation. */
static void
cut_before(struct idle_shares *s, const struct idle_lines *l,
    const struct lane_gap *gap)
{
	const struct gaps_host *host = &s->of->host;
	uint32_t thread = model_thread(gap->ev);
	int64_t from = gap->from, wait = from, until = gap->parts.call;

	while (gaps_host_wait(host, thread, &wait, &until)) {
		cut_host(s, l, from, wait);
		cut_sync(s, l, wait, until);
		from = wait = until;
		until = gap->parts.call;
	}
	cut_host(s, l, from, gap->parts.call);
}

void
idle_shares_divide(struct idle_shares *s, const struct lane_gap *gap)
{
	struct idle_lines l = lines_of(s, gap);

	s->gaps++;
	s->now_count = 0;
	if (gap->parts.call > gap->from)
		cut_before(s, &l, gap);
	cut_rest(s, &l, gap);
}

/* ---- records ---- */

void
idle_shares_event(
    struct idle_shares *s, const struct event *ev, int64_t ts, int64_t end)
{
	if (ev->kind == KIND_sync) {
		event_waits_add(&s->waits, ev);
		return;
	}
	s->host.since = s->of->host.since;
	s->host.of = s->of->host.lanes;
	host_time_add(&s->host, ev, ts, end, 0);
}

void
idle_shares_operation(struct idle_shares *s, const struct event *ev)
{
	s->first_use = first_uses_add(&s->uses, ev);
	s->wait = event_waits_of(&s->waits, ev);
}

void
idle_shares_reset(struct idle_shares *s)
{
	host_time_reset(&s->host);
	first_uses_reset(&s->uses);
	event_waits_reset(&s->waits);
}

void
idle_shares_free(struct idle_shares *s)
{
	host_time_free(&s->host);
	first_uses_free(&s->uses);
	event_waits_free(&s->waits);
	map_free(&s->ends);
	keyed_free(&s->all);
	free(s->now);
	intern_free(&s->things);
	text_free(&s->scratch);
}
