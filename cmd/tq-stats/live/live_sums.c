/* live_sums.c - sums of a stream that goes on */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/line/json.h"
#include "tq/names/api_call.h"

#include "live_sums.h"

static void
add(struct live_sum *s, int64_t v)
{
	s->total = time_end(s->total, v);
}

static void
next(struct live_sum *s)
{
	s->last = s->total - s->before;
	s->before = s->total;
}

static void
count(struct live_sums *s, enum live_count which, int64_t v)
{
	add(&s->counts[which], v);
}

void
live_sums_keys(struct keyset *want)
{
	static const enum key keys[] = {KEY_kind, KEY_ts, KEY_dur, KEY_pid,
	    KEY_device, KEY_name, KEY_category, KEY_domain, KEY_bytes, KEY_copy,
	    KEY_gpu, KEY_open, KEY_count, KEY_origin_utc_ns};

	for (enum kind k = 0; k <= KIND_COUNT; k++)
		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
			keyset_add(&want[k], keys[i]);
	losses_keys(want);
}

/* ---- groups ---- */

static struct live_group *
find_group(struct live_groups *g, struct span name)
{
	uint32_t n = intern_find(&g->names, name);

	if (n == INTERN_NONE)
		n = intern_get(&g->names,
		    g->count < LIVE_NAMES_MAX ? name : SPAN("others"));
	if (n == g->count)
		*array_add(&g->all, &g->count, &g->cap) =
		    (struct live_group){0};
	return &g->all[n];
}

static void
add_to_group(struct live_groups *g, struct span name, const struct event *ev)
{
	struct live_group *x = find_group(g, name);

	add(&x->operations, 1);
	add(&x->ns, event_int(ev, KEY_dur, 0));
	add(&x->bytes, event_int(ev, KEY_bytes, 0));
}

static void
next_groups(struct live_groups *g)
{
	for (size_t i = 0; i < g->count; i++) {
		struct live_group *x = &g->all[i];

		next(&x->operations);
		next(&x->ns);
		next(&x->bytes);
	}
}

static void
free_groups(struct live_groups *g)
{
	intern_free(&g->names);
	free(g->all);
}

static int64_t
group_ns(const struct live_group *g, bool since_start)
{
	return since_start ? g->ns.total : g->ns.last;
}

size_t
live_sums_top(
    const struct live_groups *g, bool since_start, uint32_t top[LIVE_TOP])
{
	size_t n = 0;

	for (uint32_t i = 0; i < g->count; i++) {
		int64_t ns = group_ns(&g->all[i], since_start);
		size_t at = n;

		if (!since_start && g->all[i].operations.last == 0)
			continue;
		while (
		    at > 0 && group_ns(&g->all[top[at - 1]], since_start) < ns)
			at--;
		if (at == LIVE_TOP)
			continue;
		n += n < LIVE_TOP;
		memmove(&top[at + 1], &top[at], (n - 1 - at) * sizeof(*top));
		top[at] = i;
	}
	return n;
}

/* ---- records ---- */

static struct span
text_of(struct live_sums *s, const struct event *ev, enum key key)
{
	s->scratch.len = 0;
	return event_str(ev, key, &s->scratch);
}

static void
count_operation(struct live_sums *s, const struct event *ev)
{
	count(s, LIVE_OPERATIONS, 1);
	switch (ev->kind) {
	case KIND_kernel:
		count(s, LIVE_KERNELS, 1);
		count(s, LIVE_KERNEL_NS, event_int(ev, KEY_dur, 0));
		add_to_group(&s->kernels, text_of(s, ev, KEY_name), ev);
		break;
	case KIND_memcpy:
		add_to_group(&s->copies, text_of(s, ev, KEY_copy), ev);
		break;
	case KIND_memset:
		add_to_group(&s->copies, SPAN("memset"), ev);
		break;
	default:
		break;
	}
}

/* a count of operations decides it; else its name */
static bool
is_launch(const struct event *ev)
{
	enum api_role role;

	if (event_has(ev, KEY_gpu))
		return event_int(ev, KEY_gpu, 0) > 0;
	role = api_call_of_event(ev).role;
	return role == API_LAUNCH || role == API_GRAPH_LAUNCH;
}

static bool
is_step(struct live_sums *s, const struct event *ev)
{
	return range_spec_match_event(s->step, ev, &s->scratch, NULL) ==
	       PATTERN_YES;
}

/* a range counts when it has ended */
static void
count_range(struct live_sums *s, const struct event *ev)
{
	if (event_true(ev, KEY_open))
		return;
	count(s, LIVE_RANGES, 1);
	if (is_step(s, ev))
		count(s, LIVE_STEPS, 1);
}

void
live_sums_begin(struct live_sums *s)
{
	for (size_t i = 0; i < s->gpus.count; i++)
		device_time_begin(&s->gpus.all[i].time, INT64_MIN);
	s->newest = s->settled = s->origin = NO_ID;
}

static void
begin_section(struct live_sums *s, const struct event *ev)
{
	live_sums_begin(s);
	if (!json_int(text_of(s, ev, KEY_origin_utc_ns), &s->origin))
		s->origin = NO_ID;
	s->losses = (struct losses){0};
}

void
live_sums_event(struct live_sums *s, const struct event *ev)
{
	enum role role = schema_role(ev->kind);
	int64_t ts;

	count(s, LIVE_RECORDS, 1);
	if (ev->kind == KIND_trace)
		begin_section(s, ev);
	else if (role == ROLE_WORK && ev->kind != KIND_sync)
		count_operation(s, ev);
	else if (role == ROLE_LAUNCH) {
		count(s, LIVE_CALLS, 1);
		count(s, LIVE_LAUNCHES, is_launch(ev));
	} else if (ev->kind == KIND_range)
		count_range(s, ev);
	else if (ev->kind == KIND_lost || ev->kind == KIND_end)
		count(s, LIVE_LOST, losses_add(&s->losses, ev));
	if (role == ROLE_DEF || role == ROLE_FRAME || !event_has(ev, KEY_ts) ||
	    schema_follows(ev->kind))
		return;
	ts = event_int(ev, KEY_ts, 0);
	if (s->newest == NO_ID || ts > s->newest)
		s->newest = ts;
	if (s->settled == NO_ID)
		s->settled = ts;
}

/* ---- devices ---- */

static struct live_gpu *
find_gpu(struct live_sums *s, const struct names *names, const struct event *ev,
    int64_t ts)
{
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t device = event_int(ev, KEY_device, 0);
	struct defined_name name;
	bool fresh;
	struct live_gpu *g =
	    keyed_get(&s->gpus, (uint64_t)pid, (uint64_t)device, &fresh);

	if (!fresh)
		return g;
	names_device(names, pid, device, &name);
	*g = (struct live_gpu){.pid = pid,
	    .device = device,
	    .name = region_copy(&s->life, name.name)};
	device_time_begin(&g->time, ts);
	return g;
}

void
live_sums_operation(
    struct live_sums *s, const struct names *names, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	enum device_class c;
	struct live_gpu *g;

	if (!event_has(ev, KEY_ts) || !device_time_class(ev, &c))
		return;
	g = find_gpu(s, names, ev, ts);
	device_time_add(&g->time, c, ts, event_end(ev, ts));
	add(&g->operations, 1);
}

/* the times of the device are known up to ts */
static void
settle_gpu(struct live_gpu *g, int64_t ts)
{
	device_time_advance(&g->time, ts);
	for (size_t i = 0; i < DEVICE_CLASSES; i++)
		g->busy[i].total = g->time.exposed[i];
}

void
live_sums_settle(struct live_sums *s, int64_t ts)
{
	if (s->settled == NO_ID || ts <= s->settled)
		return;
	for (size_t i = 0; i < s->gpus.count; i++)
		settle_gpu(&s->gpus.all[i], ts);
	count(s, LIVE_STREAM_NS, time_between(s->settled, ts));
	s->settled = ts;
}

void
live_sums_end(struct live_sums *s)
{
	int64_t end = s->newest;

	for (size_t i = 0; i < s->gpus.count; i++) {
		int64_t busy = device_time_busy(&s->gpus.all[i].time);

		if (busy > end && busy != INT64_MAX)
			end = busy;
	}
	live_sums_settle(s, end);
}

int64_t
live_sums_lag(const struct live_sums *s, int64_t now_utc)
{
	int64_t utc, lag;

	if (s->origin == NO_ID || s->newest == NO_ID ||
	    __builtin_add_overflow(s->origin, s->newest, &utc) ||
	    __builtin_sub_overflow(now_utc, utc, &lag))
		return NO_ID;
	return lag;
}

void
live_sums_next(struct live_sums *s)
{
	for (size_t i = 0; i < LIVE_COUNTS; i++)
		next(&s->counts[i]);
	for (size_t i = 0; i < s->gpus.count; i++) {
		struct live_gpu *g = &s->gpus.all[i];

		next(&g->operations);
		for (size_t c = 0; c < DEVICE_CLASSES; c++)
			next(&g->busy[c]);
	}
	next_groups(&s->kernels);
	next_groups(&s->copies);
}

void
live_sums_free(struct live_sums *s)
{
	keyed_free(&s->gpus);
	free_groups(&s->kernels);
	free_groups(&s->copies);
	region_free(&s->life);
	text_free(&s->scratch);
}
