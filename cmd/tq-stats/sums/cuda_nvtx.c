/*
 * cuda_nvtx.c - cuda_gpu_kern_sum:nvtx-name: kernels by the range that they
 * were launched in
 *
 * That is the innermost one open when the call started; for nsys the innermost
 * that the whole call is in, which it takes the end of a section to find.
 */

#include <stdlib.h>

#include "tq/base/array.h"

#include "cuda.h"
#include "sums.h"

/* a kernel, for nsys, until the end of its section */
struct cuda_waiting {
	int64_t ts, dur;
	int64_t pid, tid, api_ts, api_end;
	uint32_t name;
};

/* all ranges of the section, for a kernel may come long after its range */
struct cuda_nvtx {
	struct map ranges;  /* id -> number of the name + 1 */
	struct map symbols; /* for nsys: -> number of the name + 1 */
	struct intern names;
	struct cuda_inside inside;
	struct cuda_waiting *waiting;
	size_t count, cap;
};

/* the number of the name of a range, + 1; 0 if it has none */
static uint64_t
range_name(const struct cuda_nvtx *s, int64_t id)
{
	const uint64_t *name = map_find(&s->ranges, (uint64_t)id, 0);

	return name != NULL ? *name : 0;
}

/* The name of the kernel, behind that of its range if there is one. */
static struct group *
group_in_range(struct report *r, uint64_t range, struct span kernel)
{
	const struct cuda_nvtx *s = r->state;

	r->key.len = 0;
	if (range != 0) {
		groups_part(
		    &r->key, intern_text(&s->names, (uint32_t)(range - 1)));
		r->key.p[r->key.len - 1] = '/';
	}
	groups_part(&r->key, kernel);
	return sums_group(r);
}

static void
add_range(struct report *r, const struct event *ev)
{
	struct cuda_nvtx *s = r->state;

	if (!event_has(ev, KEY_id))
		return;
	r->scratch.len = 0;
	if (event_has(ev, KEY_name))
		*map_get(&s->ranges, (uint64_t)event_int(ev, KEY_id, 0), 0) =
		    1 + (uint64_t)intern_get(
			    &s->names, event_str(ev, KEY_name, &r->scratch));
	if (r->settings->compat)
		cuda_inside_add(&s->inside, ev);
}

static void
add_in_range(struct report *r, const struct event *ev)
{
	uint64_t range = range_name(r->state, event_int(ev, KEY_range, NO_ID));
	uint64_t *slot = NULL;
	struct group *g;

	if (event_has(ev, KEY_sym))
		slot = map_get(&r->known_groups,
		    (uint64_t)event_int(ev, KEY_sym, 0), range);
	if (slot != NULL && *slot != 0) {
		g = (struct group *)(uintptr_t)*slot;
	} else {
		r->scratch.len = 0;
		g = group_in_range(
		    r, range, cuda_kernel_name(r, ev, &r->scratch));
		if (slot != NULL)
			*slot = (uint64_t)(uintptr_t)g;
	}
	groups_interval(g, event_int(ev, KEY_ts, 0), event_int(ev, KEY_dur, 0));
}

static void
wait_for_range(struct report *r, const struct event *ev)
{
	struct cuda_nvtx *s = r->state;
	uint64_t none = 0, *name = &none;
	struct cuda_waiting w = {
	    .ts = event_int(ev, KEY_ts, 0),
	    .dur = event_int(ev, KEY_dur, 0),
	    .pid = event_int(ev, KEY_pid, NO_ID),
	    .tid = event_int(ev, KEY_tid, NO_ID),
	    .api_ts = event_int(ev, KEY_api_ts, NO_ID),
	};

	w.api_end = time_end(w.api_ts, event_int(ev, KEY_api_dur, 0));
	if (event_has(ev, KEY_sym))
		name = map_get(
		    &s->symbols, (uint64_t)event_int(ev, KEY_sym, 0), 0);
	if (*name == 0) {
		r->scratch.len = 0;
		*name = 1 + (uint64_t)intern_get(&s->names,
				cuda_kernel_name(r, ev, &r->scratch));
	}
	w.name = (uint32_t)(*name - 1);
	*array_add(&s->waiting, &s->count, &s->cap) = w;
}

static void
section_end(struct report *r)
{
	struct cuda_nvtx *s = r->state;

	cuda_inside_close(&s->inside);
	for (size_t i = 0; i < s->count; i++) {
		const struct cuda_waiting *w = &s->waiting[i];
		int64_t id = NO_ID;

		if (w->api_ts != NO_ID)
			id = cuda_inside_find(
			    &s->inside, w->pid, w->tid, w->api_ts, w->api_end);
		groups_interval(group_in_range(r, range_name(s, id),
				    intern_text(&s->names, w->name)),
		    w->ts, w->dur);
	}
	s->count = 0;
	cuda_inside_reset(&s->inside);
	map_clear(&s->ranges);
	map_clear(&s->symbols);
}

static void
add_event(struct report *r, const struct event *ev)
{
	if (ev->kind == KIND_range) {
		add_range(r, ev);
	} else if (event_has(ev, KEY_dur)) {
		r->correlated |= event_has(ev, KEY_api_ts);
		if (r->settings->compat)
			wait_for_range(r, ev);
		else
			add_in_range(r, ev);
	}
}

/* without calls no kernel can be in a range */
static void
make_table(struct report *r, struct table *t)
{
	if (r->correlated)
		sums_table(r, t);
}

static void
close_report(struct report *r)
{
	struct cuda_nvtx *s = r->state;

	map_free(&s->ranges);
	map_free(&s->symbols);
	intern_free(&s->names);
	cuda_inside_reset(&s->inside);
	free(s->waiting);
}

static const struct report_kind kern_nvtx = {
    .name = "cuda_gpu_kern_sum",
    .title = "CUDA GPU Kernel Summary",
    .missing = "no kernel with its call in the stream",
    .correlated = true,
    .kinds = KINDS(kernel) | KINDS(range),
    .keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_sym,
	KEY_api_ts, KEY_api_dur, KEY_range, KEY_id, KEY_open, KEY_end_tid),
    .sum = SUM(KEY_dur, "Instances", {{"Name"}}),
    .size = sizeof(struct cuda_nvtx),
    .event = add_event,
    .section_end = section_end,
    .table = make_table,
    .close = close_report,
};

void
cuda_nvtx_open(struct report *r)
{
	if (r->arg == NULL || strcmp(r->arg, "nvtx-name") != 0)
		return;
	r->kind = &kern_nvtx;
	r->state = region_get(&r->life, r->kind->size);
}
