/* device_lanes.c - which operations are of one device, or of one stream */

#include <stdlib.h>

#include "tq/names/model.h"

#include "tq/account/device_lanes.h"

/* ---- which gaps are open, for gaps_host ---- */

/*
 * True if a gap that is still open may begin in [from, to]: it begins where its
 * lane stops being busy.  Every later gap begins after the present record.
 */
static bool
can_begin(const void *lanes, int64_t pid, int64_t from, int64_t to)
{
	const struct device_lanes *l = lanes;

	for (size_t i = l->first; i < l->all.count; i++) {
		const struct device_lane *x = &l->all.all[i];

		if ((x->pid == pid || x->pid == NO_ID) && from <= x->until &&
		    x->until <= to)
			return true;
	}
	return false;
}

/* The first operation of a lane to come may end a gap since the beginning,
 * which only the waits of that time divide. */
static int64_t
open_since(const void *lanes, int64_t pid)
{
	const struct device_lanes *l = lanes;
	int64_t since = INT64_MAX;

	for (size_t i = l->first; i < l->all.count; i++) {
		const struct device_lane *x = &l->all.all[i];

		if ((x->pid == pid || x->pid == NO_ID) && since > x->until)
			since = x->until;
	}
	return since == INT64_MAX && l->whole ? l->begin : since;
}

void
device_lanes_open(struct device_lanes *l)
{
	l->host.begins = can_begin;
	l->host.since = open_since;
	l->host.lanes = l;
	l->host.all = l->calls;
	gaps_host_open(&l->host);
}

/* ---- GPUs of several processes ---- */

/* The GPU of a lane, NULL if it is unknown. */
static struct lane_gpu *
find_gpu(struct device_lanes *l, size_t lane)
{
	const struct device_lane *x = &l->all.all[lane];
	int64_t number;
	uint32_t i =
	    gpu_numbers_find(&l->numbers, l->names, x->pid, x->device, &number);

	if (i == INTERN_NONE)
		return NULL;
	if (i == l->gpu_count)
		*array_add(&l->gpus, &l->gpu_count, &l->gpu_cap) =
		    (struct lane_gpu){
			.number = number != NO_ID ? number : i, .first = lane};
	return &l->gpus[i];
}

static void
tell(struct device_lanes *l, size_t lane, size_t of)
{
	if (l->made != NULL)
		l->made(l->arg, lane, of);
}

/* A second process uses the GPU. */
static void
make_shared(struct device_lanes *l, struct lane_gpu *g)
{
	struct device_lane *x =
	    array_add(&l->all.all, &l->all.count, &l->all.cap);
	struct device_lane *first = &l->all.all[g->first];

	*x = *first;
	x->pid = x->device = NO_ID;
	x->gpu = first->gpu = g->number;
	g->shared = first->shared = (size_t)(x - l->all.all) + 1;
	tell(l, g->shared - 1, g->first);
}

/* The lane is of a GPU that other processes may use, too. */
static void
set_gpu(struct device_lanes *l, size_t lane)
{
	struct lane_gpu *g = find_gpu(l, lane);

	if (g == NULL || g->first == lane)
		return;
	if (g->shared == 0)
		make_shared(l, g);
	l->all.all[lane].gpu = g->number;
	l->all.all[lane].shared = g->shared;
}

/* ---- lanes ---- */

size_t
device_lanes_find(struct device_lanes *l, const struct event *ev, int64_t ts)
{
	bool streams = l->by_stream, fresh;
	struct device_lane *x = numbered_get(
	    &l->all, streams ? model_stream(ev) : model_device(ev), &fresh);
	int64_t since = l->whole ? l->begin : ts;

	l->last = (size_t)(x - l->all.all);
	if (!fresh)
		return l->last;
	*x = (struct device_lane){.number = model_device(ev),
	    .process = model_process(ev),
	    .pid = event_int(ev, KEY_pid, NO_ID),
	    .device = event_int(ev, KEY_device, 0),
	    .context = streams ? event_int(ev, KEY_context, NO_ID) : NO_ID,
	    .stream = streams ? event_int(ev, KEY_stream, NO_ID) : NO_ID,
	    .gpu = NO_ID,
	    .first = ts,
	    .from = since,
	    .until = since,
	    .copies = INT64_MIN,
	    .kernels = INT64_MIN};
	tell(l, l->last, SIZE_MAX);
	if (!streams && l->names != NULL)
		set_gpu(l, l->last);
	return l->last;
}

/* ---- gaps ---- */

/* The operation was in its queue: what other streams did. */
static enum gap_cause
queue_cause(const struct device_lanes *l, const struct device_lane *x)
{
	enum gap_cause cause = GAP_QUEUE;

	for (size_t i = l->first; i < l->all.count && l->by_stream; i++) {
		const struct device_lane *o = &l->all.all[i];

		if (o == x || o->pid != x->pid || o->device != x->device)
			continue;
		if (o->copies > x->until)
			return GAP_COPY;
		if (o->kernels > x->until)
			cause = GAP_KERNEL;
	}
	return cause;
}

/* A gap of the lane ends with the operation at ts. */
static void
end_gap(struct device_lanes *l, size_t lane, const struct event *ev, int64_t ts)
{
	const struct device_lane *x = &l->all.all[lane];
	struct lane_gap gap = {.lane = lane,
	    .from = x->until,
	    .to = ts,
	    .parts = gap_divide(&l->host, x->until, ev, ts),
	    .ev = ev};

	if (gap.parts.cause == GAP_QUEUE)
		gap.parts.cause = queue_cause(l, x);
	l->gap(l->arg, &gap);
}

static void
add_to_lane(struct device_lanes *l, size_t lane, const struct event *ev,
    int64_t ts, int64_t end)
{
	struct device_lane *x = &l->all.all[lane];
	bool copies = ev->kind == KIND_memcpy || ev->kind == KIND_memset;
	int64_t *last = copies ? &x->copies : &x->kernels;

	if (ts > x->until) {
		if (l->gap != NULL)
			end_gap(l, lane, ev, ts);
		x->from = ts;
	}
	if (x->until < end || x->ops == 0) {
		x->until = end > x->until ? end : x->until;
		if (l->gap != NULL)
			x->last = gaps_host_operation(&l->host, ev);
	}
	if (*last < end)
		*last = end;
	x->ops++;
	x->thread = model_thread(ev);
}

void
device_lanes_add(struct device_lanes *l, size_t lane, const struct event *ev,
    int64_t ts, int64_t end)
{
	gaps_host_add_copy(&l->host, ev);
	for (lane++; lane > 0; lane = l->all.all[lane - 1].shared)
		add_to_lane(l, lane - 1, ev, ts, end);
}

/* ---- the end of a section ---- */

void
device_lanes_end(struct device_lanes *l, int64_t last)
{
	for (size_t i = l->first; i < l->all.count; i++)
		if (l->all.all[i].until == INT64_MAX)
			l->all.all[i].until = last;
}

void
device_lanes_reset(struct device_lanes *l)
{
	gpu_numbers_reset(&l->numbers);
	l->gpu_count = 0;
	l->first = l->all.count;
	gaps_host_reset(&l->host);
}

void
device_lanes_free(struct device_lanes *l)
{
	numbered_free(&l->all);
	gpu_numbers_free(&l->numbers);
	free(l->gpus);
	gaps_host_free(&l->host);
}
