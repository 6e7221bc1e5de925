/*
 * cuda_nvtx.c - cuda_gpu_kern_sum:nvtx-name: kernels by the range that they
 * were launched in
 *
 * That is the innermost one open when the call started; for nsys the innermost
 * that the whole call is in, which it takes the end of a section to find.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "cuda.h"
#include "cuda_sums.h"

/* for nsys: a kernel whose range is not known before its section ends */
struct cuda_waiting {
	int64_t ts, dur;
	int64_t pid, tid, api_ts, api_end;
	uint64_t name;
};

/* the place of the name of a range; 0 if it has none */
static uint64_t
range_name(const struct cuda_sums *s, int64_t id)
{
	const uint64_t *place = map_find(&s->ranges, (uint64_t)id, 0);

	return place != NULL ? *place : 0;
}

/* key: the name of the kernel, with that of its range if there is one */
static void
key_in_range(struct cuda_sums *s, uint64_t range, struct span kernel)
{
	s->key.len = 0;
	if (range != 0) {
		groups_part(&s->key, cuda_texts_get(&s->names, range));
		s->key.p[s->key.len - 1] = '/';
	}
	groups_part(&s->key, kernel);
}

static void
add_range(struct report *r, const struct event *ev)
{
	struct cuda_sums *s = r->state;

	if (!event_has(ev, KEY_id))
		return;
	s->t.len = 0;
	if (event_has(ev, KEY_name))
		*map_get(&s->ranges, (uint64_t)event_int(ev, KEY_id, 0), 0) =
		    cuda_texts_put(&s->names, event_str(ev, KEY_name, &s->t));
	if (r->ask->compat)
		cuda_inside_add(&s->inside, ev);
}

static void
add_in_range(struct report *r, const struct event *ev)
{
	struct cuda_sums *s = r->state;
	uint64_t range = range_name(s, event_int(ev, KEY_range, NO_ID));
	uint64_t *slot = NULL;
	struct span kernel;
	struct group *g;

	if (event_has(ev, KEY_sym)) {
		slot = map_get(
		    &s->known, (uint64_t)event_int(ev, KEY_sym, 0), range);
		if (*slot != 0) {
			cuda_sums_add((struct group *)(uintptr_t)*slot, ev);
			return;
		}
	}
	s->t.len = 0;
	kernel = cuda_kernel_name(r, ev, &s->t);
	key_in_range(s, range, kernel);
	g = groups_get(&s->gs, text_span(&s->key));
	if (slot != NULL)
		*slot = (uint64_t)(uintptr_t)g;
	cuda_sums_add(g, ev);
}

static void
wait_for_range(struct report *r, const struct event *ev)
{
	struct cuda_sums *s = r->state;
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
		name =
		    map_get(&s->known, (uint64_t)event_int(ev, KEY_sym, 0), 0);
	if (*name == 0) {
		s->t.len = 0;
		*name =
		    cuda_texts_put(&s->names, cuda_kernel_name(r, ev, &s->t));
	}
	w.name = *name;
	if (s->count == s->cap) {
		s->cap = s->cap * 2 + 1024;
		s->waiting =
		    mem_resize(s->waiting, s->cap, sizeof(*s->waiting));
	}
	s->waiting[s->count++] = w;
}

void
cuda_nvtx_section_end(struct cuda_sums *s)
{
	cuda_inside_close(&s->inside);
	for (size_t i = 0; i < s->count; i++) {
		const struct cuda_waiting *w = &s->waiting[i];
		int64_t id = NO_ID;

		if (w->api_ts != NO_ID)
			id = cuda_inside_find(
			    &s->inside, w->pid, w->tid, w->api_ts, w->api_end);
		s->t.len = 0;
		key_in_range(
		    s, range_name(s, id), cuda_texts_get(&s->names, w->name));
		groups_interval(
		    groups_get(&s->gs, text_span(&s->key)), w->ts, w->dur);
	}
	s->count = 0;
	cuda_inside_reset(&s->inside);
	map_clear(&s->ranges);
}

void
cuda_nvtx_event(struct report *r, const struct event *ev)
{
	if (ev->kind == KIND_range) {
		add_range(r, ev);
	} else if (event_has(ev, KEY_dur)) {
		r->correlated |= event_has(ev, KEY_api_ts);
		if (r->ask->compat)
			wait_for_range(r, ev);
		else
			add_in_range(r, ev);
	}
}

void
cuda_nvtx_free(struct cuda_sums *s)
{
	map_free(&s->ranges);
	cuda_texts_free(&s->names);
	cuda_inside_reset(&s->inside);
	free(s->waiting);
}
