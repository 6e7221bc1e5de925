/* unit_sums.c - the sums that a unit adds to an account */

#include "tq/base/time.h"

#include "unit_sums.h"

struct launch_sum *
unit_sums_of(struct unit_sums *s, uint32_t launch, uint32_t device)
{
	bool fresh;
	struct launch_sum *l;

	if (s->last < s->sums.count) {
		l = &s->sums.all[s->last];
		if (l->launch == launch && l->device == device)
			return l;
	}
	l = keyed_get(&s->sums, launch, device, &fresh);
	if (fresh)
		*l = (struct launch_sum){.launch = launch, .device = device};
	s->last = (size_t)(l - s->sums.all);
	return l;
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

struct path_sum *
unit_sums_path(struct unit_sums *s, uint32_t path)
{
	bool fresh;
	struct path_sum *r = numbered_get(&s->paths, path + 1, &fresh);

	if (fresh)
		*r = (struct path_sum){.path = path};
	return r;
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
	for (size_t i = 0; i < other->sums.count; i++) {
		const struct launch_sum *from = &other->sums.all[i];
		struct launch_sum *to =
		    unit_sums_of(s, from->launch, from->device);

		account_sum_add(&to->sum, from->sum);
		to->idle = time_end(to->idle, from->idle);
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
		const struct path_sum *from = &other->paths.all[i];
		struct path_sum *to = unit_sums_path(s, from->path);

		to->n += from->n;
		to->dur = time_end(to->dur, from->dur);
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
	keyed_clear(&s->sums);
	keyed_clear(&s->idle);
	numbered_clear(&s->calls);
	numbered_clear(&s->paths);
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
	keyed_free(&s->sums);
	keyed_free(&s->idle);
	numbered_free(&s->calls);
	numbered_free(&s->paths);
	numbered_free(&s->threads);
	free(s->launches);
	*s = (struct unit_sums){0};
}
