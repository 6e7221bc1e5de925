/*
 * cuda_nvtx.c - cuda_gpu_kern_sum:nvtx-name: kernels by the innermost range
 * that was open when their call started
 *
 * With --compat it is another range, see compat/innermost.h.
 */

#include "tq/names/model.h"

#include "compat/innermost.h"
#include "cuda.h"
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
