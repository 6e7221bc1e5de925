/* idle_cuts.c - the time of a gap of a device, cut by its causes */

#include "tq/line/cuda_words.h"
#include "tq/line/json.h"
#include "tq/line/record_args.h"
#include "tq/names/model.h"

#include "tq/account/idle_cuts.h"

/* ---- cuts ---- */

static void
add_cut(struct idle_cuts *c, enum gap_cause group, enum idle_cause cause,
    struct host_thing thing, int64_t from, int64_t to)
{
	if (from < to)
		c->cut(
		    c->arg, &(struct idle_part){group, cause, thing, from, to});
}

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
    struct idle_cuts *c, const struct idle_lines *l, int64_t from, int64_t to)
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
		add_cut(c, GAP_HOST, own.cause, own.thing, from, own.end);
		from = own.end;
	}
}

static void
cut_sync(
    struct idle_cuts *c, const struct idle_lines *l, int64_t from, int64_t to)
{
	while (from < to) {
		struct host_stretch own = host_time_next(l->own, from, to);

		if (!idle_cause_is_call(own.cause))
			own.thing = (struct host_thing){0};
		own.thing.file = l->last;
		add_cut(c, GAP_SYNC, IDLE_SYNC, own.thing, from, own.end);
		from = own.end;
	}
}

/* The operation was being launched. */
static void
cut_launch(
    struct idle_cuts *c, const struct idle_lines *l, int64_t from, int64_t to)
{
	while (from < to) {
		struct host_stretch all = host_time_next(l->all, from, to);

		if (all.cause == IDLE_PROFILER)
			add_cut(c, GAP_LAUNCH, IDLE_PROFILER, all.thing, from,
			    all.end);
		else if (l->first_use || all.cause == IDLE_LOAD)
			add_cut(c, GAP_LAUNCH, IDLE_FIRST_USE,
			    l->kernel.name > 0 ? l->kernel : all.thing, from,
			    all.end);
		else
			add_cut(
			    c, GAP_LAUNCH, IDLE_LAUNCH, l->call, from, all.end);
		from = all.end;
	}
}

/* The number of a text. */
static uint32_t
number_of(struct idle_cuts *c, struct span text)
{
	uint32_t n;

	c->scratch.len = 0;
	text_add_json(&c->scratch, text.p, text.len);
	n = host_time_text(&c->host, text_span(&c->scratch));
	return n;
}

/* What the operation waits for in its queue, if that is known. */
static struct host_thing
queue_thing(struct idle_cuts *c)
{
	struct text t = {0};
	struct host_thing thing = {0};

	if (c->wait == NULL)
		return thing;
	event_waits_text(&t, c->wait);
	thing.name = number_of(c, text_span(&t));
	text_free(&t);
	return thing;
}

/* "after k": what ran last on the device before the gap. */
static uint32_t
last_text(struct idle_cuts *c, const struct lane_gap *gap)
{
	uint32_t last = c->of->all.all[gap->lane].last, n;
	struct text t = {0};

	if (last == 0)
		return 0;
	text_add_str(&t, "after ");
	text_add_span(&t, gaps_host_call_name(&c->of->host, last));
	n = number_of(c, text_span(&t));
	text_free(&t);
	return n;
}

/* The call and what follows it. */
static void
cut_call(
    struct idle_cuts *c, const struct idle_lines *l, const struct lane_gap *gap)
{
	const struct event *ev = gap->ev;
	int64_t from = gap->parts.call;
	int64_t end = time_end(
	    event_int(ev, KEY_api_ts, 0), event_int(ev, KEY_api_dur, 0));

	end = end > from ? end : from;
	if (time_between(end, gap->to) < IDLE_QUEUED) /* 0 if it is later */
		end = gap->to;
	cut_launch(c, l, from, end);
	if (end < gap->to)
		add_cut(
		    c, GAP_LAUNCH, IDLE_QUEUE, queue_thing(c), end, gap->to);
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
toucher(struct idle_cuts *c, const struct event *ev)
{
	struct span copy;

	if (ev->kind != KIND_memcpy || !event_has(ev, KEY_copy))
		return SPAN("");
	copy = ev->value[KEY_copy];
	if (!cuda_words_is_migration(copy) || is_prefetched(ev, &c->scratch))
		return SPAN("");
	return span_ends(copy, SPAN("DtoH\""))
		   ? SPAN("\"touched by the host\"")
		   : SPAN("\"touched by the device\"");
}

static void
cut_unknown(struct idle_cuts *c, const struct lane_gap *gap)
{
	struct span of = toucher(c, gap->ev);

	add_cut(c, GAP_UNKNOWN, of.len > 0 ? IDLE_PAGE_FAULT : IDLE_UNKNOWN,
	    (struct host_thing){.name = host_time_text(&c->host, of)},
	    gap->parts.call, gap->to);
}

/* ---- gaps ---- */

static void
cut_rest(
    struct idle_cuts *c, const struct idle_lines *l, const struct lane_gap *gap)
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
		cut_call(c, l, gap);
	else if (gap->parts.cause == GAP_UNKNOWN)
		cut_unknown(c, gap);
	else
		add_cut(c, gap->parts.cause, causes[gap->parts.cause],
		    gap->parts.cause == GAP_QUEUE ? queue_thing(c)
						  : (struct host_thing){0},
		    gap->parts.call, gap->to);
}

/* The lines and things that the rest of the gap needs. */
static struct idle_lines
lines_of(struct idle_cuts *c, const struct lane_gap *gap)
{
	const struct event *ev = gap->ev;
	bool late = gap->parts.call > gap->from;
	struct idle_lines l = {.first_use = c->first_use};

	if (!late && gap->parts.cause != GAP_LAUNCH)
		return l;
	l.all = host_time_line(&c->host, model_any_thread(ev), gap->to);
	if (late)
		l.own = host_time_line(&c->host, model_thread(ev), gap->to);
	if (c->things && gap->parts.sync > 0)
		l.last = last_text(c, gap);
	if (!c->things || gap->parts.cause != GAP_LAUNCH)
		return l;
	l.call.name = host_time_launching(&c->host, ev);
	if (ev->kind == KIND_kernel && event_has(ev, KEY_name) &&
	    (l.first_use || l.all != NULL))
		l.kernel.name = host_time_text(&c->host, ev->value[KEY_name]);
	return l;
}

/* The time before the call of the operation. */
static void
cut_before(
    struct idle_cuts *c, const struct idle_lines *l, const struct lane_gap *gap)
{
	const struct gaps_host *host = &c->of->host;
	uint32_t thread = model_thread(gap->ev);
	int64_t from = gap->from, wait = from, until = gap->parts.call;

	while (gaps_host_wait(host, thread, &wait, &until)) {
		cut_host(c, l, from, wait);
		cut_sync(c, l, wait, until);
		from = wait = until;
		until = gap->parts.call;
	}
	cut_host(c, l, from, gap->parts.call);
}

void
idle_cuts_divide(struct idle_cuts *c, const struct lane_gap *gap)
{
	struct idle_lines l = lines_of(c, gap);

	if (gap->parts.call > gap->from)
		cut_before(c, &l, gap);
	cut_rest(c, &l, gap);
}

/* ---- records ---- */

void
idle_cuts_keys(struct keyset *want)
{
	static const enum key sched[] = {
	    KEY_on, KEY_state, KEY_reason, KEY_NONE};
	static const enum key of_call[] = {KEY_api_name, KEY_NONE};
	static const enum key sync[] = {KEY_device, KEY_context, KEY_stream,
	    KEY_sync, KEY_event, KEY_wait_stream, KEY_wait_context, KEY_NONE};

	for (size_t k = 0; k < KIND_COUNT; k++)
		if (schema_role((enum kind)k) == ROLE_WORK)
			keyset_add_all(&want[k], of_call);
	keyset_add(&want[KIND_kernel], KEY_sym);
	keyset_add(&want[KIND_memcpy], KEY_copy);
	keyset_add(&want[KIND_memcpy], KEY_args);
	keyset_add(&want[KIND_osrt], KEY_file);
	keyset_add(&want[KIND_overhead], KEY_what);
	keyset_add_all(&want[KIND_sched], sched);
	keyset_add_all(&want[KIND_sync], sync);
}

void
idle_cuts_event(
    struct idle_cuts *c, const struct event *ev, int64_t ts, int64_t end)
{
	if (ev->kind == KIND_sync) {
		if (c->things)
			event_waits_add(&c->waits, ev);
		return;
	}
	c->host.since = c->of->host.since;
	c->host.of = c->of->host.lanes;
	host_time_add(&c->host, ev, ts, end, 0);
}

void
idle_cuts_operation(struct idle_cuts *c, const struct event *ev, bool first_use)
{
	c->first_use = first_use;
	c->wait = c->things ? event_waits_of(&c->waits, ev) : NULL;
}

void
idle_cuts_reset(struct idle_cuts *c)
{
	host_time_reset(&c->host);
	event_waits_reset(&c->waits);
}

void
idle_cuts_free(struct idle_cuts *c)
{
	host_time_free(&c->host);
	event_waits_free(&c->waits);
	text_free(&c->scratch);
}
