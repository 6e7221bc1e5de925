/* host_rows.c - calls of the host by name, and ranges by path */

#include <stdlib.h>

#include "host_rows.h"
#include "tq/base/array.h"

#define NOWHERE UINT32_MAX

/* a recording while rows are made */
struct host_recording {
	const struct account *a;
	int side;
	uint32_t *paths; /* of the rows, by path of the recording */
};

/* while rows are made */
struct host_draft {
	struct host_rows *h;
	struct host_recording *recordings;
	size_t recording_count, recording_cap;
	struct host_row *calls;
	size_t call_count, call_cap;
	uint32_t *places; /* of ranges, by path: from 0, or NOWHERE */
	size_t range_count;
};

static void
add_sum(struct host_sum *to, const struct host_sum *sum)
{
	to->n = time_end(to->n, sum->n);
	to->dur = time_end(to->dur, sum->dur);
	to->exposed = time_end(to->exposed, sum->exposed);
	to->idle = time_end(to->idle, sum->idle);
}

/* ---- kinds ---- */

static bool
has_kind(const struct accounts *side, const char *count)
{
	for (size_t r = 0; r < side->count; r++)
		if (account_fact_int(side->all[r], count, 0) > 0)
			return true;
	return false;
}

/* True if both sides have a record of a kind, which may not start in a unit:
   a kind that one side did not record is not compared. */
static bool
is_compared(enum kind kind, const struct accounts *const *sides)
{
	const char *count = kind == KIND_api    ? "count.api"
			    : kind == KIND_osrt ? "count.osrt"
						: "count.range";

	return has_kind(sides[SIDE_A], count) && has_kind(sides[SIDE_B], count);
}

/* ---- calls ---- */

/* The row of a call, added if it is new. */
static struct host_row *
get_call(
    struct host_draft *d, enum kind kind, struct span name, struct text *key)
{
	uint32_t number;

	key->len = 0;
	text_add_char(key, (char)kind);
	text_add_span(key, name);
	number = intern_get(&d->h->names, text_span(key));
	if (number == d->call_count)
		*array_add(&d->calls, &d->call_count, &d->call_cap) =
		    (struct host_row){.kind = kind, .number = number};
	return &d->calls[number];
}

static void
add_calls(struct host_draft *d)
{
	struct text key = {0};

	for (size_t r = 0; r < d->recording_count; r++) {
		const struct host_recording *of = &d->recordings[r];

		for (size_t i = 0; i < of->a->call_count; i++) {
			const struct account_call *c = &of->a->calls[i];

			add_sum(
			    &get_call(d, c->kind, c->name, &key)->on[of->side],
			    &(struct host_sum){.n = c->n, .dur = c->dur});
		}
	}
	text_free(&key);
}

static void
drop_calls(struct host_draft *d, const struct accounts *const *sides)
{
	const bool api = is_compared(KIND_api, sides);
	const bool osrt = is_compared(KIND_osrt, sides);
	size_t n = 0;

	for (size_t i = 0; i < d->call_count; i++)
		if (d->calls[i].kind == KIND_api ? api : osrt)
			d->calls[n++] = d->calls[i];
	d->call_count = n;
}

/* Names begin with their kind. */
static int
by_name(const void *x, const void *y, void *names)
{
	const struct intern *in = names;
	const struct host_row *a = x, *b = y;

	return span_cmp(intern_text(in, a->number), intern_text(in, b->number));
}

/* ---- ranges ---- */

/* The paths of a recording become paths of the rows. */
static void
number_paths(struct host_draft *d, struct host_recording *of)
{
	const struct range_paths *from = &of->a->range_paths;

	of->paths = mem_alloc((from->count + 1) * sizeof(*of->paths));
	if (from->count > 0)
		of->paths[0] = range_paths_root(&d->h->paths);
	for (size_t i = 1; i < from->count; i++)
		of->paths[i] = range_paths_get(&d->h->paths,
		    of->paths[from->all[i].parent],
		    intern_text(&from->names, from->all[i].name));
}

/* Paths that are only the beginning of others have no row. */
static void
place_ranges(struct host_draft *d)
{
	size_t count = d->h->paths.count;
	uint32_t *order = range_paths_order(&d->h->paths);

	d->places = mem_resize(NULL, count + 1, sizeof(*d->places));
	memset(d->places, 0xff, (count + 1) * sizeof(*d->places));
	for (size_t r = 0; r < d->recording_count; r++) {
		const struct host_recording *of = &d->recordings[r];

		for (size_t i = 0; i < of->a->path_count; i++)
			d->places[of->paths[of->a->paths[i].path]] = 0;
	}
	for (size_t i = 0; i < count; i++)
		if (d->places[order[i]] != NOWHERE)
			d->places[order[i]] = (uint32_t)d->range_count++;
	free(order);
}

static void
add_ranges(const struct host_draft *d, struct host_row *rows)
{
	for (uint32_t i = 0; i < d->h->paths.count && d->range_count > 0; i++)
		if (d->places[i] != NOWHERE)
			rows[d->places[i]] =
			    (struct host_row){.kind = KIND_range, .number = i};
	for (size_t r = 0; r < d->recording_count && d->range_count > 0; r++) {
		const struct host_recording *of = &d->recordings[r];

		for (size_t i = 0; i < of->a->path_count; i++) {
			const struct account_path *p = &of->a->paths[i];

			add_sum(
			    &rows[d->places[of->paths[p->path]]].on[of->side],
			    &(struct host_sum){.n = p->n,
				.dur = p->dur,
				.exposed = p->work.exposed,
				.idle = p->idle});
		}
	}
}

/* ---- both ---- */

/* Rows are in order of kinds: calls may stand before and behind the ranges. */
static void
join(struct host_draft *d)
{
	struct host_rows *h = d->h;
	size_t before = 0;

	while (before < d->call_count && d->calls[before].kind < KIND_range)
		before++;
	h->count = d->call_count + d->range_count;
	h->all = mem_resize(NULL, h->count, sizeof(*h->all));
	for (size_t i = 0; i < d->call_count; i++)
		h->all[i < before ? i : i + d->range_count] = d->calls[i];
	add_ranges(d, h->all + before);
}

void
host_rows_make(struct host_rows *h, const struct accounts *const *sides)
{
	struct host_draft d = {.h = h};

	*h = (struct host_rows){0};
	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < sides[side]->count; r++)
			*array_add(&d.recordings, &d.recording_count,
			    &d.recording_cap) = (struct host_recording){
			    .a = sides[side]->all[r], .side = side};
	add_calls(&d);
	drop_calls(&d, sides);
	if (d.call_count > 0)
		qsort_r(d.calls, d.call_count, sizeof(*d.calls), by_name,
		    &h->names);
	if (is_compared(KIND_range, sides)) {
		for (size_t r = 0; r < d.recording_count; r++)
			number_paths(&d, &d.recordings[r]);
		place_ranges(&d);
		range_paths_close(&h->paths);
	}
	join(&d);
	for (size_t r = 0; r < d.recording_count; r++)
		free(d.recordings[r].paths);
	free(d.recordings);
	free(d.calls);
	free(d.places);
}

void
host_rows_add_name(
    struct text *t, const struct host_rows *h, const struct host_row *row)
{
	if (row->kind == KIND_range) {
		range_paths_add(t, &h->paths, row->number);
	} else if (row->kind != 0) {
		struct span name = intern_text(&h->names, row->number);

		text_add(t, name.p + 1, name.len - 1);
	}
}

void
host_rows_free(struct host_rows *h)
{
	free(h->all);
	intern_free(&h->names);
	range_paths_free(&h->paths);
}
