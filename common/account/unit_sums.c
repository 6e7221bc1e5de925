/* unit_sums.c - what a unit adds to an account */

#include "tq/base/time.h"

#include "unit_sums.h"

struct row_sum *
unit_sums_row(struct unit_sums *s, uint32_t row, uint32_t device)
{
	bool fresh;
	struct row_sum *r = keyed_get(&s->rows, row, device, &fresh);

	if (fresh)
		*r = (struct row_sum){.row = row, .device = device};
	return r;
}

struct shape_sum *
unit_sums_shape(struct unit_sums *s, uint32_t row, uint32_t shape)
{
	bool fresh;
	struct shape_sum *r = keyed_get(&s->shapes, row, shape, &fresh);

	if (fresh)
		*r = (struct shape_sum){.row = row, .shape = shape};
	return r;
}

struct call_sum *
unit_sums_call(struct unit_sums *s, uint32_t call)
{
	bool fresh;
	struct call_sum *r = keyed_get(&s->calls, call, 0, &fresh);

	if (fresh)
		*r = (struct call_sum){.call = call};
	return r;
}

struct path_sum *
unit_sums_path(struct unit_sums *s, uint32_t path)
{
	bool fresh;
	struct path_sum *r = keyed_get(&s->paths, path, 0, &fresh);

	if (fresh)
		*r = (struct path_sum){.path = path};
	return r;
}

struct copy_sum *
unit_sums_copy(struct unit_sums *s, uint32_t copy)
{
	bool fresh;
	struct copy_sum *r = keyed_get(&s->copies, copy, 0, &fresh);

	if (fresh)
		*r = (struct copy_sum){.copy = copy};
	return r;
}

void
unit_sums_launch(
    struct unit_sums *s, int64_t pid, int64_t tid, uint32_t row, uint32_t path)
{
	bool fresh;
	uint32_t *thread;

	if (s->launch_count == SEQUENCE_LAUNCHES) {
		s->unsequenced = true;
		return;
	}
	thread = keyed_get(&s->threads, (uint64_t)pid, (uint64_t)tid, &fresh);
	if (fresh)
		*thread = (uint32_t)(s->threads.count - 1);
	*array_add(&s->launches, &s->launch_count, &s->launch_cap) =
	    (struct account_launch){row, *thread, path};
}

static void
merge_rows(struct unit_sums *s, const struct unit_sums *other)
{
	for (size_t i = 0; i < other->rows.count; i++) {
		const struct row_sum *from = &other->rows.all[i];
		struct row_sum *to = unit_sums_row(s, from->row, from->device);

		to->sum.n += from->sum.n;
		to->sum.dur = time_end(to->sum.dur, from->sum.dur);
		to->sum.exposed = time_end(to->sum.exposed, from->sum.exposed);
		durations_merge(&to->times, &from->times);
	}
	for (size_t i = 0; i < other->shapes.count; i++) {
		const struct shape_sum *from = &other->shapes.all[i];
		struct shape_sum *to =
		    unit_sums_shape(s, from->row, from->shape);

		to->n += from->n;
		to->dur = time_end(to->dur, from->dur);
	}
}

static void
merge_paths(struct unit_sums *s, const struct unit_sums *other)
{
	for (size_t i = 0; i < other->paths.count; i++) {
		const struct path_sum *from = &other->paths.all[i];
		struct path_sum *to = unit_sums_path(s, from->path);

		to->n += from->n;
		to->dur = time_end(to->dur, from->dur);
		to->exposed = time_end(to->exposed, from->exposed);
		to->idle = time_end(to->idle, from->idle);
	}
}

void
unit_sums_merge(struct unit_sums *s, const struct unit_sums *other)
{
	merge_rows(s, other);
	merge_paths(s, other);
	for (size_t i = 0; i < other->calls.count; i++) {
		const struct call_sum *from = &other->calls.all[i];
		struct call_sum *to = unit_sums_call(s, from->call);

		to->n += from->n;
		to->dur = time_end(to->dur, from->dur);
	}
	for (size_t i = 0; i < other->copies.count; i++) {
		const struct copy_sum *from = &other->copies.all[i];
		struct copy_sum *to = unit_sums_copy(s, from->copy);

		to->n += from->n;
		to->bytes = time_end(to->bytes, from->bytes);
		to->dur = time_end(to->dur, from->dur);
	}
	s->overhead = time_end(s->overhead, other->overhead);
}

void
unit_sums_clear(struct unit_sums *s)
{
	for (size_t i = 0; i < s->rows.count; i++)
		durations_free(&s->rows.all[i].times);
	keyed_clear(&s->rows);
	keyed_clear(&s->shapes);
	keyed_clear(&s->calls);
	keyed_clear(&s->paths);
	keyed_clear(&s->copies);
	keyed_clear(&s->threads);
	s->overhead = 0;
	s->launch_count = 0;
	s->unsequenced = false;
}

void
unit_sums_free(struct unit_sums *s)
{
	unit_sums_clear(s);
	keyed_free(&s->rows);
	keyed_free(&s->shapes);
	keyed_free(&s->calls);
	keyed_free(&s->paths);
	keyed_free(&s->copies);
	keyed_free(&s->threads);
	free(s->launches);
	*s = (struct unit_sums){0};
}
