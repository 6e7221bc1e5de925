/* gpu_account.c - the time of each GPU, for the page */

#include <stdlib.h>

#include "tq/base/array.h"

#include "sums/cuda.h"
#include "time/step.h"
#include "gpu_account.h"
#include "run_report.h"
#include "class_bins.h"

/* ---- GPUs ---- */

/*
 * All time of a GPU passes here once, classes out of order: idle time is known
 * when it is over.
 */
static void
add_time(struct account_gpu *g, enum page_class c, int64_t from, int64_t to)
{
	g->gpu.time[c] = time_end(g->gpu.time[c], time_between(from, to));
	class_bins_add(g->gpu.strip, c, from, to);
}

/* True if n is a 256th above the last one. */
static bool
is_further(int64_t n, int64_t last)
{
	return n - last > last / 256;
}

static void
add_progress(struct account_gpu *g, int64_t at)
{
	size_t n = g->progress_count;
	struct account_progress now = {
	    g->gpu.time[PAGE_COMPUTE], g->gpu.time[PAGE_COPY], at};

	if (n == 0 || is_further(now.computed, g->progress[n - 1].computed) ||
	    is_further(now.copied, g->progress[n - 1].copied))
		*array_add(&g->progress, &g->progress_count, &g->progress_cap) =
		    now;
}

static void
work_seen(void *gpu, enum device_class c, int64_t from, int64_t to)
{
	static const enum page_class classes[DEVICE_CLASSES] = {
	    PAGE_COMPUTE, PAGE_COMMUNICATION, PAGE_COPY};

	add_time(gpu, classes[c], from, to);
	if (c != DEVICE_COMMUNICATION)
		add_progress(gpu, to);
}

static size_t
add_gpu(struct report *r, const struct device_lane *l)
{
	struct gpu_account *s = r->state;
	struct account_gpu *g = region_get(&r->life, sizeof(*g));
	struct defined_name name, process;

	names_device(r->names, l->pid, l->device, &name);
	names_process(r->names, l->pid, &process);
	*g = (struct account_gpu){.number = name.number,
	    .pid = l->pid,
	    .rank = process.number,
	    .trace = s->trace_count,
	    .model = region_copy(&r->life, name.name),
	    .first = l->first,
	    .until = l->first};
	if (g->number == NO_ID)
		g->number = l->device;
	if (g->rank == NO_ID && s->run != NULL)
		g->rank = run_report_rank(s->run);
	g->gpu.strip = region_get(&r->life, sizeof(*g->gpu.strip));
	class_bins_begin(g->gpu.strip, l->first);
	g->time.watch = work_seen;
	g->time.watcher = g;
	device_time_begin(&g->time, l->first);
	*array_add(&s->gpus, &s->gpu_count, &s->gpu_cap) = g;
	return s->gpu_count - 1;
}

size_t
gpu_account_find(const struct gpu_account *s, uint32_t device)
{
	const size_t *gpu = numbered_find(&s->of_device, device);

	return gpu != NULL ? *gpu : SIZE_MAX;
}

/* The GPU of a lane; the lane of a shared GPU is as its first device. */
static size_t
find_gpu(struct report *r, size_t lane)
{
	struct gpu_account *s = r->state;
	const struct device_lane *all = s->of->all.all, *l = &all[lane];
	size_t gpu = gpu_account_find(s, l->number);
	bool fresh;

	if (gpu != SIZE_MAX)
		return gpu;
	if (l->shared > 0)
		gpu = gpu_account_find(s, all[l->shared - 1].number);
	if (gpu == SIZE_MAX)
		gpu = add_gpu(r, l);
	*numbered_get(&s->of_device, l->number, &fresh) = gpu;
	return gpu;
}

/* ---- gaps ---- */

static void
add_cause(struct account_cause *c, int64_t time)
{
	if (time <= 0)
		return;
	c->count++;
	c->time = time_end(c->time, time);
	if (c->longest < time)
		c->longest = time;
}

/* Add to a number of an array, which grows. */
static void
add_named(int64_t **sums, size_t *cap, size_t name, int64_t n)
{
	while (name >= *cap) {
		size_t old = *cap;

		*sums = mem_more(*sums, old, cap, sizeof(**sums));
		memset(*sums + old, 0, (*cap - old) * sizeof(**sums));
	}
	(*sums)[name] = time_end((*sums)[name], n);
}

/* Add the finer causes of a gap, each once, and its things. */
static void
add_shares(struct gpu_account *s, const struct idle_shares *idle)
{
	int64_t times[IDLE_CAUSES] = {0};
	uint32_t causes = 0;

	s->shares = idle;
	for (size_t i = 0; i < idle->now_count; i++) {
		size_t n = idle->now[i];
		const struct idle_share *share = &idle->all.all[n];
		enum idle_cause c =
		    share->cause == IDLE_RANGE ? IDLE_HOST : share->cause;

		causes |= (uint32_t)1 << c;
		times[c] = time_end(times[c], share->time);
		add_named(&s->things, &s->thing_cap, n, share->time);
	}
	for (; causes != 0; causes &= causes - 1) {
		int c = __builtin_ctz(causes);

		add_cause(&s->causes[c], times[c]);
	}
}

static void
gap_seen(
    void *report, const struct lane_gap *gap, const struct idle_shares *idle)
{
	struct report *r = report;
	struct gpu_account *s = r->state;
	struct account_gpu *g = s->gpus[find_gpu(r, gap->lane)];
	const struct gap_parts *p = &gap->parts;
	int64_t host = gap->from + p->sync, rest = host + p->host;

	add_cause(&g->causes[GAP_SYNC], p->sync);
	add_cause(&g->causes[GAP_HOST], p->host);
	add_cause(&g->causes[p->cause], p->rest);
	add_shares(s, idle);
	add_time(g, PAGE_SYNC, gap->from, host);
	add_time(g, PAGE_HOST, host, rest);
	add_time(g, PAGE_OTHER, rest, gap->to);
}

/* ---- records ---- */

static void
add_operation(struct report *r, const struct event *ev, int64_t ts, int64_t end)
{
	struct gpu_account *s = r->state;
	struct account_trace *trace = &s->trace;
	struct account_gpu *g;
	enum device_class c;
	size_t n;

	if (!device_time_class(ev, &c))
		return;
	wall_cut(r->wall, &ts, &end);
	n = find_gpu(r, s->of->last);
	g = s->gpus[n];
	if (!trace->any || ts < trace->first)
		trace->first = ts;
	trace->any = true;
	g->gpu.operations++;
	thread_lanes_add_launch(&s->threads, ev, n);
	device_time_add(&g->time, c, ts, end);
}

static void
add_range(struct gpu_account *s, const struct event *ev, int64_t ts)
{
	if (event_has(ev, KEY_name) && event_has(ev, KEY_dur))
		thread_lanes_add_range(&s->threads, ev, ts, event_end(ev, ts),
		    range_names_number(&s->ranges, ev, true));
}

static void
step_seen(void *account, const struct event *ev, int64_t ts, int64_t end)
{
	struct gpu_account *s = account;

	thread_lanes_add_step(&s->threads, ev, ts, end,
	    range_names_number(&s->ranges, ev, false));
}

/* The reports of its page with the recording, the causes of waits, and steps,
   which stand before it and read each record first. */
static void
find_reports(struct report *r)
{
	struct gpu_account *s = r->state;

	for (struct report *other = r->set->all; other < r; other++) {
		if (!other->page)
			continue;
		if (strcmp(other->kind->name, "run") == 0) {
			s->run = other;
		} else if (strcmp(other->kind->name, "gaps") == 0) {
			s->of = gaps_lanes(other);
			gaps_set_watch(other, gap_seen, r);
		} else if (strcmp(other->kind->name, "step") == 0) {
			step_set_watch(other, step_seen, s);
		}
	}
}

static void
account_event(struct report *r, const struct event *ev)
{
	struct gpu_account *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0);

	if (!event_has(ev, KEY_ts))
		return;
	if (ev->kind == KIND_range)
		add_range(s, ev, ts);
	else
		add_operation(r, ev, ts, event_end(ev, ts));
}

static void
account_section_end(struct report *r)
{
	struct gpu_account *s = r->state;

	s->trace.until = s->trace.first;
	for (; s->first < s->gpu_count; s->first++) {
		struct account_gpu *g = s->gpus[s->first];

		device_time_end(&g->time, r->wall->to);
		g->until = g->time.now;
		if (s->trace.until < g->until)
			s->trace.until = g->until;
		g->gpu.lane = thread_lanes_get(&s->threads, s->first,
		    time_between(g->first, g->until), &g->gpu.steps);
	}
	s->trace.from = r->wall->from;
	s->trace.to = r->wall->to;
	if (r->wall->any)
		*array_add(&s->traces, &s->trace_count, &s->trace_cap) =
		    s->trace;
	s->trace = (struct account_trace){0};
	thread_lanes_reset(&s->threads);
}

static void
account_close(struct report *r)
{
	struct gpu_account *s = r->state;

	for (size_t i = 0; i < s->gpu_count; i++) {
		free(s->gpus[i]->progress);
		class_bins_free(s->gpus[i]->gpu.strip);
		if (s->gpus[i]->gpu.lane != NULL)
			thread_intervals_free(s->gpus[i]->gpu.lane);
		free(s->gpus[i]->gpu.lane);
	}
	free(s->gpus);
	free(s->traces);
	range_names_free(&s->ranges);
	thread_lanes_free(&s->threads);
	free(s->things);
	numbered_free(&s->of_device);
}

const struct gpu_account *
gpu_account_of(const struct report *r)
{
	return r->state;
}

static const enum key keys[] = {
    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_open, KEY_NONE};
static const enum key work_keys[] = {KEY_device, KEY_category, KEY_NONE};

const struct report_kind gpu_account_kind = {
    .name = "page_account",
    .title = "Time of the GPUs",
    .missing = "no record in the stream",
    .kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph) |
	     KINDS(range),
    .wall = true,
    .keys = keys,
    .work_keys = work_keys,
    .size = sizeof(struct gpu_account),
    .begin = find_reports,
    .event = account_event,
    .section_end = account_section_end,
    .close = account_close,
};
