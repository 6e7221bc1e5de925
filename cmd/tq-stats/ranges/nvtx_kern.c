/*
 * nvtx_kern.c - nvtx_kern_sum: kernels by the ranges they were launched in
 *
 * A kernel counts for every range of its thread that its whole call lies in.
 * The calls that start in a range follow each other in order of their start,
 * and all but those that cross its end are in it: a range is a piece of all
 * kernels in that order, or a few.  See nvtx_kern_rows.c for what comes of it.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "nvtx_kern.h"

/* ---- names of kernels ---- */

static struct span
kernel_name(const struct report *r, const struct event *ev, struct text *t)
{
	int64_t sym = event_int(ev, KEY_sym, NO_ID);
	struct span name = {"", 0};

	if (r->arg != NULL && strcmp(r->arg, "mangled") == 0)
		name = known_mangled(r->known, sym);
	if (name.len == 0 && (r->arg == NULL || strcmp(r->arg, "base") != 0))
		name = known_demangled(r->known, sym);
	return name.len > 0 ? name : event_str(ev, KEY_name, t);
}

/* A symbol is looked up once in a section; its base name is the event's. */
static uint32_t
kernel_of(struct report *r, const struct event *ev)
{
	struct nvtx_kern *s = r->state;
	bool base = r->arg != NULL && strcmp(r->arg, "base") == 0;
	uint64_t *slot = NULL;
	uint32_t name;

	if (event_has(ev, KEY_sym) && !base) {
		slot = map_get(
		    &s->symbols, (uint64_t)event_int(ev, KEY_sym, NO_ID), 0);
		if (*slot != 0)
			return (uint32_t)*slot - 1;
	}
	s->scratch.len = 0;
	name = nvtx_name(&s->kernels, kernel_name(r, ev, &s->scratch));
	if (slot != NULL)
		*slot = (uint64_t)name + 1;
	return name;
}

/* ---- places, and what was launched there ---- */

static struct kern_place *
place_of(struct nvtx_kern *s, uint32_t name, enum nvtx_style style, int64_t pid,
    int64_t tid)
{
	uint64_t thread = map_number(&s->threads, (uint64_t)pid, (uint64_t)tid);
	uint64_t *slot =
	    map_get(&s->by_place, (uint64_t)name << 2 | style, thread);

	if (*slot != 0)
		return &s->places[*slot - 1];
	if (s->place_count == s->place_cap) {
		s->place_cap = s->place_cap * 2 + 64;
		s->places =
		    mem_resize(s->places, s->place_cap, sizeof(*s->places));
	}
	s->places[s->place_count] = (struct kern_place){.pid = pid,
	    .tid = tid,
	    .name = name,
	    .style = (unsigned char)style};
	*slot = ++s->place_count;
	return &s->places[*slot - 1];
}

static void
add_piece(struct nvtx_kern *s, struct kern_place *place, size_t from, size_t to,
    uint32_t range)
{
	if (s->piece_count == s->piece_cap) {
		s->piece_cap = s->piece_cap * 2 + 256;
		s->pieces =
		    mem_resize(s->pieces, s->piece_cap, sizeof(*s->pieces));
	}
	s->pieces[s->piece_count] = (struct kern_piece){
	    (uint32_t)from, (uint32_t)to, range, place->last};
	place->last = (uint32_t)++s->piece_count;
}

static void
add_op(struct nvtx_kern *s, uint32_t kernel, int64_t dur)
{
	if (s->count == s->cap) {
		s->cap = s->cap * 2 + 256;
		s->all = mem_resize(s->all, s->cap, sizeof(*s->all));
	}
	s->all[s->count++] = (struct kern_op){
	    kernel, (uint32_t)dur, (uint32_t)((uint64_t)dur >> 32)};
}

static void
add_outside(
    struct nvtx_kern *s, int64_t pid, int64_t tid, size_t from, size_t to)
{
	uint32_t name = nvtx_name(&s->ranges.names, SPAN(""));

	if (to > from)
		add_piece(
		    s, place_of(s, name, NVTX_NONE, pid, tid), from, to, 0);
}

/* ---- the stream ---- */

/* a kernel without a call is in no range */
static void
add_loose(struct nvtx_kern *s, uint32_t kernel, int64_t dur)
{
	if (s->loose_count == s->loose_cap) {
		s->loose_cap = s->loose_cap * 2 + 64;
		s->loose =
		    mem_resize(s->loose, s->loose_cap, sizeof(*s->loose));
	}
	s->loose[s->loose_count++] = (struct kern_op){
	    kernel, (uint32_t)dur, (uint32_t)((uint64_t)dur >> 32)};
}

void
nvtx_kern_event(struct report *r, const struct event *ev)
{
	struct nvtx_kern *s = r->state;
	struct nvtx_op *op;

	nvtx_time_see(&s->ranges.time, ev);
	s->correlated |= event_has(ev, KEY_api_ts) || event_has(ev, KEY_depth);
	if (ev->kind == KIND_range && !event_has(ev, KEY_end_tid))
		nvtx_ranges_add(&s->ranges, r->ask, ev);
	if (ev->kind != KIND_kernel)
		return;
	op = nvtx_ops_add(&s->ops, ev);
	if (op != NULL)
		op->kernel = kernel_of(r, ev);
	else
		add_loose(s, kernel_of(r, ev), event_int(ev, KEY_dur, 0));
}

/* ---- the end of a section ---- */

/* the calls of a section */
struct calls {
	const struct nvtx_ops *ops;
	size_t base;     /* the first of all that is of this section */
	int64_t *latest; /* end of it or one before it, on its thread */
	int32_t *cover;  /* ranges that begin at it, less those that end */
};

static bool
same_thread(const struct nvtx_op *a, const struct nvtx_op *b)
{
	return a->pid == b->pid && a->tid == b->tid;
}

static struct calls
take_calls(struct nvtx_kern *s)
{
	size_t n = s->ops.count;
	struct calls c = {&s->ops, s->count};

	c.latest = mem_resize(NULL, n + 1, sizeof(*c.latest));
	c.cover = mem_alloc((n + 1) * sizeof(*c.cover));
	for (size_t i = 0; i < n; i++) {
		const struct nvtx_op *op = &s->ops.all[i];

		add_op(s, op->kernel, nvtx_duration(op->ts, op->end));
		c.latest[i] = op->api_end;
		if (i > 0 && same_thread(op, op - 1) &&
		    c.latest[i - 1] > op->api_end)
			c.latest[i] = c.latest[i - 1];
	}
	return c;
}

/* behind the calls from i on that start within r */
static size_t
calls_end(const struct calls *c, size_t i, const struct nvtx_range *r)
{
	size_t high = c->ops->count;

	while (i < high) {
		size_t mid = i + (high - i) / 2;

		if (nvtx_ops_in(c->ops, mid, r))
			i = mid + 1;
		else
			high = mid;
	}
	return i;
}

/* the first of [from, to) at or before which one crosses end */
static size_t
first_crossing(const struct calls *c, size_t from, size_t to, int64_t end)
{
	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (c->latest[mid] <= end)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

/* Kernels of a range; the first of its calls may be at i. */
static void
add_range(struct nvtx_kern *s, const struct calls *c,
    const struct nvtx_range *r, size_t i)
{
	size_t to = calls_end(c, i, r);
	size_t end = first_crossing(c, i, to, r->end);

	s->range++;
	while (i < to) {
		while (end < to && c->ops->all[end].api_end <= r->end)
			end++;
		if (end > i) {
			add_piece(s,
			    place_of(s, r->name, r->style, r->pid, r->tid),
			    c->base + i, c->base + end, s->range);
			c->cover[i]++;
			c->cover[end]--;
		}
		i = ++end;
	}
}

/* Kernels with a call in no range, and those without a call. */
static void
add_rest(struct nvtx_kern *s, const struct calls *c)
{
	size_t from = 0, n = c->ops->count;
	int64_t depth = 0;

	for (size_t i = 0; i < n; i++) {
		const struct nvtx_op *op = &c->ops->all[i];

		depth += c->cover[i];
		if (depth > 0)
			from = i + 1;
		else if (i + 1 == n || depth + c->cover[i + 1] > 0 ||
			 !same_thread(op, op + 1)) {
			add_outside(s, op->pid, op->tid, c->base + from,
			    c->base + i + 1);
			from = i + 1;
		}
	}
	for (size_t i = 0; i < s->loose_count; i++)
		add_op(s, s->loose[i].kernel, kern_duration(&s->loose[i]));
	add_outside(s, NO_ID, NO_ID, s->count - s->loose_count, s->count);
	s->loose_count = 0;
}

void
nvtx_kern_section_end(struct report *r)
{
	struct nvtx_kern *s = r->state;
	struct calls c;
	size_t at = 0;

	nvtx_ranges_finish(&s->ranges, r->ask);
	nvtx_ops_sort(&s->ops);
	c = take_calls(s);
	for (size_t i = 0; i < s->ranges.count; i++) {
		at = nvtx_ops_from(&s->ops, at, &s->ranges.all[i]);
		add_range(s, &c, &s->ranges.all[i], at);
	}
	add_rest(s, &c);
	free(c.latest);
	free(c.cover);
	nvtx_ops_free(&s->ops);
	map_clear(&s->symbols);
	nvtx_ranges_reset(&s->ranges);
}

void
nvtx_kern_close(struct report *r)
{
	struct nvtx_kern *s = r->state;

	nvtx_kern_drop_rows(s);
	nvtx_kern_deep_free(s->deep);
	free(s->rows);
	free(s->row_of);
	free(s->order);
	free(s->places);
	free(s->pieces);
	free(s->all);
	free(s->loose);
	map_free(&s->threads);
	map_free(&s->symbols);
	map_free(&s->by_place);
	nvtx_names_free(&s->kernels);
	nvtx_ops_free(&s->ops);
	nvtx_ranges_free(&s->ranges);
	text_free(&s->scratch);
}
