/* unit_sums.c - the sums that a unit adds to an account */

#include "tq/base/time.h"

#include "unit_sums.h"

static struct account_sum *
row_sum(struct unit_sums *s, uint32_t on)
{
	bool fresh;
	struct row_sum *r = numbered_get(&s->rows, on + 1, &fresh);

	if (fresh)
		*r = (struct row_sum){.on = on};
	return &r->sum;
}

static struct detail_sum *
detail_sum(struct unit_sums *s, uint32_t detail)
{
	bool fresh;
	struct detail_sum *d = numbered_get(&s->details, detail + 1, &fresh);

	if (fresh)
		*d = (struct detail_sum){.detail = detail};
	return d;
}

void
unit_sums_add(
    struct unit_sums *s, const struct summed_launch *of, struct account_sum sum)
{
	account_sum_add(row_sum(s, of->on), sum);
	if (of->detail > 0)
		account_sum_add(&detail_sum(s, of->detail - 1)->sum, sum);
	if (of->path > 0)
		account_sum_add(&unit_sums_path(s, of->path - 1)->work, sum);
}

void
unit_sums_whole(struct unit_sums *s, const struct summed_launch *of,
    int64_t dur, int64_t bytes)
{
	struct detail_sum *d;

	if (of->detail == 0)
		return;
	d = detail_sum(s, of->detail - 1);
	d->dur = time_end(d->dur, dur);
	d->bytes = time_end(d->bytes, bytes);
}

void
unit_sums_take(
    struct unit_sums *s, const struct summed_launch *of, int64_t rest)
{
	row_sum(s, of->on)->dur -= rest;
	if (of->detail > 0)
		detail_sum(s, of->detail - 1)->sum.dur -= rest;
	if (of->path > 0)
		unit_sums_path(s, of->path - 1)->work.dur -= rest;
}

void
unit_sums_ended(
    struct unit_sums *s, const struct summed_launch *of, int64_t dur)
{
	struct account_path *p;

	if (of->path == 0)
		return;
	p = unit_sums_path(s, of->path - 1);
	p->idle = time_end(p->idle, dur);
}

void
unit_sums_idle(struct unit_sums *s, uint32_t device, enum account_part part,
    enum idle_cause cause, int64_t dur)
{
	bool fresh;
	struct idle_sum *i;

	if (cause == IDLE_RANGE) /* which has no name here */
		cause = IDLE_HOST;
	i = keyed_get(
	    &s->idle, device, (uint64_t)part * IDLE_CAUSES + cause, &fresh);
	if (fresh)
		*i = (struct idle_sum){
		    .device = device, .part = part, .cause = cause};
	i->dur = time_end(i->dur, dur);
}

struct durations *
unit_sums_times(struct unit_sums *s, uint32_t row)
{
	struct durations *d;

	if (row >= s->time_count) {
		size_t count = (size_t)row * 2 + 4;

		s->times = mem_resize(s->times, count, sizeof(*s->times));
		memset(s->times + s->time_count, 0,
		    (count - s->time_count) * sizeof(*s->times));
		s->time_count = count;
	}
	d = &s->times[row];
	if (d->n == 0)
		*array_add(&s->timed, &s->timed_count, &s->timed_cap) = row;
	return d;
}

struct call_sum *
unit_sums_call(struct unit_sums *s, uint32_t call)
{
	bool fresh;
	struct call_sum *r = numbered_get(&s->calls, call + 1, &fresh);

	if (fresh)
		*r = (struct call_sum){.call = call};
	return r;
}

struct account_path *
unit_sums_path(struct unit_sums *s, uint32_t path)
{
	bool fresh;
	struct account_path *p;

	while (!s->of_unit && s->paths.count <= path) {
		uint32_t n = (uint32_t)s->paths.count;

		*array_add(&s->paths.all, &s->paths.count, &s->paths.cap) =
		    (struct account_path){.path = n};
	}
	if (!s->of_unit)
		return &s->paths.all[path];
	if (s->last < s->paths.count && s->paths.all[s->last].path == path)
		return &s->paths.all[s->last];
	p = keyed_get(&s->paths, path, 0, &fresh);
	if (fresh)
		*p = (struct account_path){.path = path};
	s->last = (size_t)(p - s->paths.all);
	return p;
}

void
unit_sums_launch(
    struct unit_sums *s, uint32_t thread, uint32_t row, uint32_t path)
{
	bool fresh;
	uint32_t *n;

	if (s->launch_count == SEQUENCE_LAUNCHES) {
		s->unsequenced = true;
		return;
	}
	n = numbered_get(&s->threads, thread, &fresh);
	if (fresh)
		*n = (uint32_t)(s->threads.count - 1);
	*array_add(&s->launches, &s->launch_count, &s->launch_cap) =
	    (struct account_launch){row, *n, path};
}

static void
merge_launches(struct unit_sums *s, const struct unit_sums *other)
{
	for (size_t i = 0; i < other->rows.count; i++)
		account_sum_add(
		    row_sum(s, other->rows.all[i].on), other->rows.all[i].sum);
	for (size_t i = 0; i < other->details.count; i++) {
		const struct detail_sum *from = &other->details.all[i];
		struct detail_sum *to = detail_sum(s, from->detail);

		account_sum_add(&to->sum, from->sum);
		to->bytes = time_end(to->bytes, from->bytes);
		to->dur = time_end(to->dur, from->dur);
	}
	for (size_t i = 0; i < other->timed_count; i++)
		durations_merge(unit_sums_times(s, other->timed[i]),
		    &other->times[other->timed[i]]);
}

void
unit_sums_overhead(struct unit_sums *s, int64_t ts, int64_t end)
{
	int64_t until;

	if (!s->begun) /* outside of the unit's time on devices */
		return;
	if (ts < s->after_end)
		ts = s->after_end;
	if (end <= ts)
		return;
	until = s->ops_end < ts ? ts : s->ops_end < end ? s->ops_end : end;
	s->overhead = time_end(s->overhead, time_between(ts, until));
	s->after = time_end(s->after, time_between(until, end));
	s->after_end = end;
}

/* What was behind all operations so far lies between two of them now. */
void
unit_sums_operation(struct unit_sums *s, int64_t ts, int64_t end)
{
	int64_t left = time_between(end, s->after_end);

	if (!s->begun) {
		s->ops_end = s->after_end = ts;
		s->begun = true;
	}
	if (left > s->after)
		left = s->after;
	s->overhead = time_end(s->overhead, s->after - left);
	s->after = left;
	if (s->ops_end < end)
		s->ops_end = end;
}

void
unit_sums_merge(struct unit_sums *s, const struct unit_sums *other)
{
	merge_launches(s, other);
	for (size_t i = 0; i < other->idle.count; i++) {
		const struct idle_sum *from = &other->idle.all[i];

		unit_sums_idle(
		    s, from->device, from->part, from->cause, from->dur);
	}
	for (size_t i = 0; i < other->paths.count; i++) {
		const struct account_path *from = &other->paths.all[i];
		struct account_path *to = unit_sums_path(s, from->path);

		to->n += from->n;
		to->dur = time_end(to->dur, from->dur);
		to->idle = time_end(to->idle, from->idle);
		account_sum_add(&to->work, from->work);
	}
	for (size_t i = 0; i < other->calls.count; i++) {
		const struct call_sum *from = &other->calls.all[i];
		struct call_sum *to = unit_sums_call(s, from->call);

		to->n += from->n;
		to->dur = time_end(to->dur, from->dur);
	}
	s->overhead = time_end(s->overhead, other->overhead);
}

void
unit_sums_clear(struct unit_sums *s)
{
	for (size_t i = 0; i < s->timed_count; i++)
		durations_clear(&s->times[s->timed[i]]);
	s->timed_count = 0;
	numbered_clear(&s->rows);
	numbered_clear(&s->details);
	keyed_clear(&s->idle);
	numbered_clear(&s->calls);
	keyed_clear(&s->paths);
	numbered_clear(&s->threads);
	s->overhead = s->after = 0;
	s->begun = false;
	s->launch_count = 0;
	s->unsequenced = false;
}

void
unit_sums_free(struct unit_sums *s)
{
	for (size_t i = 0; i < s->time_count; i++)
		durations_free(&s->times[i]);
	free(s->times);
	free(s->timed);
	numbered_free(&s->rows);
	numbered_free(&s->details);
	keyed_free(&s->idle);
	numbered_free(&s->calls);
	keyed_free(&s->paths);
	numbered_free(&s->threads);
	free(s->launches);
	*s = (struct unit_sums){0};
}
