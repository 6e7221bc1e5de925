/*
 * cuda_nvtx.c - cuda_gpu_kern_sum:nvtx-name: kernels by the innermost range
 * that was open when their call started
 *
 * With --compat it is another range.
 */

#include <stdlib.h>

#include "compat/missing.h"
#include "tq/names/model.h"

#include "cuda.h"
#include "ranges/tree.h"
#include "sums.h"

/* all ranges of the section, for a kernel may come long after its range */
struct cuda_nvtx {
	struct map ranges; /* id -> number of the name + 1 */
	struct intern names;
};

struct group *
cuda_nvtx_group(struct report *r, struct span range, struct span kernel)
{
	r->key.len = 0;
	if (range.p != NULL && !(r->settings->compat && kernel.len == 0)) {
		groups_part(&r->key, range);
		r->key.p[r->key.len - 1] = '/';
	}
	groups_part(&r->key, kernel);
	return sums_group(r);
}

static void
add_range(struct report *r, const struct event *ev)
{
	struct cuda_nvtx *s = r->state;

	if (!event_has(ev, KEY_id) || !event_has(ev, KEY_name))
		return;
	r->scratch.len = 0;
	*map_get(&s->ranges, (uint64_t)event_int(ev, KEY_id, 0), 0) =
	    1 + (uint64_t)intern_get(
		    &s->names, event_str(ev, KEY_name, &r->scratch));
}

static void
add_kernel(struct report *r, const struct event *ev)
{
	struct cuda_nvtx *s = r->state;
	const uint64_t *name =
	    map_find(&s->ranges, (uint64_t)event_int(ev, KEY_range, NO_ID), 0);
	struct span range = {NULL, 0};
	struct group **g =
	    sums_words(r, model_symbol(ev), name != NULL ? *name : 0);

	if (*g == NULL) {
		if (name != NULL)
			range = intern_text(&s->names, (uint32_t)(*name - 1));
		r->scratch.len = 0;
		*g = cuda_nvtx_group(
		    r, range, cuda_kernel_name(r, ev, &r->scratch));
	}
	groups_interval(
	    *g, event_int(ev, KEY_ts, 0), event_int(ev, KEY_dur, 0));
}

static void
add_event(struct report *r, const struct event *ev)
{
	if (ev->kind == KIND_range) {
		add_range(r, ev);
	} else if (event_has(ev, KEY_dur)) {
		r->correlated |= event_has(ev, KEY_api_ts);
		add_kernel(r, ev);
	}
}

static void
section_end(struct report *r)
{
	struct cuda_nvtx *s = r->state;

	map_clear(&s->ranges);
}

void
cuda_nvtx_table(struct report *r, struct table *t)
{
	if (r->correlated)
		sums_table(r, t);
}

static void
close_report(struct report *r)
{
	struct cuda_nvtx *s = r->state;

	map_free(&s->ranges);
	intern_free(&s->names);
}

static const struct report_kind kern_nvtx = {
    .name = "cuda_gpu_kern_sum",
    .title = "CUDA GPU Kernel Summary",
    .missing = "no kernel with its API call in the stream",
    .correlated = true,
    .kinds = KINDS(kernel) | KINDS(range),
    .keys =
	KEYS(KEY_ts, KEY_dur, KEY_name, KEY_sym, KEY_api_ts, KEY_range, KEY_id),
    .sum = SUM(KEY_dur, "Instances", {{"Name"}}),
    .size = sizeof(struct cuda_nvtx),
    .event = add_event,
    .section_end = section_end,
    .table = cuda_nvtx_table,
    .close = close_report,
};

/*
 * ---- --compat ----
 *
 * As nsys has it: the innermost range that encloses the whole call, of any
 * domain, and of equal ones the first.  A range that was never closed ends with
 * the last one, so that kernels wait for the end of their section.
 */

/* a kernel, until the end of its section */
struct innermost_kernel {
	int64_t ts, dur;
	int64_t pid, tid, api_ts, api_end;
	uint32_t name;
};

struct innermost {
	struct tree ranges;
	struct map range_names;     /* id -> number of the name + 1 */
	NUMBERED(uint32_t) symbols; /* -> number of the name */
	struct intern names;
	struct innermost_kernel *kernels;
	size_t count, cap;
};

static void
innermost_open(struct report *r)
{
	struct innermost *s = r->state;

	tree_init(&s->ranges, r->settings, TREE_SORTED);
}

static void
innermost_add_range(struct report *r, const struct event *ev)
{
	struct innermost *s = r->state;
	struct span name;

	if (!event_has(ev, KEY_id))
		return;
	r->scratch.len = 0;
	name = event_str(ev, KEY_name, &r->scratch);
	if (event_has(ev, KEY_name) && !missing_is(name))
		*map_get(&s->range_names, (uint64_t)event_int(ev, KEY_id, 0),
		    0) = 1 + (uint64_t)intern_get(&s->names, name);
	range_time_add(&s->ranges.time, ev);
	if (!event_has(ev, KEY_end_tid))
		tree_add_unnamed(&s->ranges, ev);
}

static void
innermost_add_kernel(struct report *r, const struct event *ev)
{
	struct innermost *s = r->state;
	bool fresh;
	uint32_t *name = numbered_get(&s->symbols, model_symbol(ev), &fresh);
	struct innermost_kernel k = {
	    .ts = event_int(ev, KEY_ts, 0),
	    .dur = event_int(ev, KEY_dur, 0),
	    .pid = event_int(ev, KEY_pid, NO_ID),
	    .tid = event_int(ev, KEY_tid, NO_ID),
	    .api_ts = event_int(ev, KEY_api_ts, NO_ID),
	};

	k.api_end = time_end(k.api_ts, event_int(ev, KEY_api_dur, 0));
	if (fresh) {
		r->scratch.len = 0;
		*name =
		    intern_get(&s->names, cuda_kernel_name(r, ev, &r->scratch));
	}
	k.name = *name;
	*array_add(&s->kernels, &s->count, &s->cap) = k;
}

static void
innermost_event(struct report *r, const struct event *ev)
{
	if (ev->kind == KIND_range) {
		innermost_add_range(r, ev);
	} else if (ev->kind == KIND_end) { /* kernels may have no calls */
		r->correlated |= event_has(ev, KEY_resolved);
	} else if (event_has(ev, KEY_dur)) {
		r->correlated |= event_has(ev, KEY_api_ts);
		innermost_add_kernel(r, ev);
	}
}

/* The name of the range of a kernel; p is NULL if there is none. */
static struct span
range_of(struct innermost *s, const struct innermost_kernel *k)
{
	const struct tree_range *range = NULL;
	const uint64_t *name = NULL;

	if (k->api_ts != NO_ID)
		range = tree_enclosing(
		    &s->ranges, k->pid, k->tid, k->api_ts, k->api_end);
	if (range != NULL)
		name = map_find(&s->range_names, (uint64_t)range->id, 0);
	if (name == NULL)
		return (struct span){NULL, 0};
	return intern_text(&s->names, (uint32_t)(*name - 1));
}

static void
innermost_section_end(struct report *r)
{
	struct innermost *s = r->state;

	tree_finish(&s->ranges);
	for (size_t i = 0; i < s->count; i++) {
		const struct innermost_kernel *k = &s->kernels[i];

		groups_interval(cuda_nvtx_group(r, range_of(s, k),
				    intern_text(&s->names, k->name)),
		    k->ts, k->dur);
	}
	s->count = 0;
	tree_reset(&s->ranges);
	map_clear(&s->range_names);
	numbered_clear(&s->symbols);
}

static void
innermost_close(struct report *r)
{
	struct innermost *s = r->state;

	tree_free(&s->ranges);
	map_free(&s->range_names);
	numbered_free(&s->symbols);
	intern_free(&s->names);
	free(s->kernels);
}

static const struct report_kind innermost_report = {
    .name = "cuda_gpu_kern_sum",
    .title = "CUDA GPU Kernel Summary",
    .missing = "no kernel with its API call in the stream",
    .correlated = true,
    .kinds = KINDS(kernel) | KINDS(range) | KINDS(end),
    .keys = KEYS(KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_sym,
	KEY_api_ts, KEY_api_dur, KEY_id, KEY_open, KEY_end_tid),
    .sum = SUM(KEY_dur, "Instances", {{"Name"}}),
    .size = sizeof(struct innermost),
    .open = innermost_open,
    .event = innermost_event,
    .section_end = innermost_section_end,
    .table = cuda_nvtx_table,
    .close = innermost_close,
};

/* ---- which of them ---- */

void
cuda_nvtx_open(struct report *r)
{
	if (r->arg == NULL || strcmp(r->arg, "nvtx-name") != 0)
		return;
	r->kind = r->settings->compat ? &innermost_report : &kern_nvtx;
	r->state = region_get(&r->life, r->kind->size);
	if (r->kind->open != NULL)
		r->kind->open(r);
}
