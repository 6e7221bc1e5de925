/* steps.c - how long the steps of processes take, and what is in each */

#include <stdlib.h>
#include <string.h>

#include "tq/account/device_time.h"
#include "tq/base/array.h"
#include "tq/base/ascending.h"
#include "tq/base/hash.h"
#include "tq/base/lower_bound.h"
#include "tq/base/time.h"
#include "tq/names/api_call.h"
#include "tq/names/model.h"

#include "tq/advice/steps.h"

__extension__ typedef __int128 steps_wide;

enum { PER_MILLION = 1000000, END = 90, FEW = 3 };

void
steps_keys(struct keyset *want)
{
	keyset_add(&want[KIND_range], KEY_tid);
	keyset_add(&want[KIND_api], KEY_tid);
	keyset_add(&want[KIND_api], KEY_name);
	keyset_add(&want[KIND_kernel], KEY_grid);
	keyset_add(&want[KIND_memcpy], KEY_copy);
	keyset_add(&want[KIND_alloc], KEY_op);
	keyset_add(&want[KIND_alloc], KEY_bytes);
}

/* ---- what is in a step ---- */

static struct process_steps *
get_process(struct step_table *s, uint32_t process)
{
	bool fresh;
	struct process_steps *p = numbered_get(&s->processes, process, &fresh);

	if (fresh)
		*p = (struct process_steps){.tid = NO_ID};
	return p;
}

const struct process_steps *
steps_find(const struct step_table *s, uint32_t process)
{
	return numbered_find(&s->processes, process);
}

const struct process_steps *
steps_slower(const struct step_table *s)
{
	const struct process_steps *most = NULL;

	for (size_t i = 0; i < s->processes.count; i++) {
		const struct process_steps *p = &s->processes.all[i];

		if ((p->level > 0 || p->drift > 0) &&
		    (most == NULL || p->level > most->level ||
			(p->level == most->level && p->drift > most->drift)))
			most = p;
	}
	return most;
}

struct step *
steps_at(const struct process_steps *p, int64_t ts)
{
	size_t i;

	LOWER_BOUND(i, 0, p->count, p->all[i].ts <= ts);
	return i > 0 && ts < p->all[i - 1].end ? &p->all[i - 1] : NULL;
}

bool
steps_end_with(const struct process_steps *p, int64_t ts)
{
	const struct step *x = steps_at(p, ts);

	return x != NULL && ts >= x->launched;
}

bool
steps_has(const struct process_steps *p, const struct event *range)
{
	int64_t ts = event_int(range, KEY_ts, 0);
	const struct step *x;

	if (event_int(range, KEY_tid, NO_ID) != p->tid)
		return false;
	x = steps_at(p, ts);
	return x != NULL && x->ts == ts && x->end == event_end(range, ts);
}

int64_t
steps_share(int64_t length, int64_t of)
{
	steps_wide share = (steps_wide)length * 100 / of;

	return share < INT64_MAX ? (int64_t)share : INT64_MAX;
}

int64_t
steps_share_rounded(int64_t length, int64_t of)
{
	steps_wide share = ((steps_wide)length * 200 / of + 1) / 2;

	return share < INT64_MAX ? (int64_t)share : INT64_MAX;
}

int64_t
steps_phase(const struct step *x, int64_t ts)
{
	int64_t length = time_between(x->ts, x->end);

	return length > 0 ? steps_share(time_between(x->ts, ts), length) : 0;
}

void
steps_add(struct step_table *s, uint32_t process, const struct event *ev,
    int64_t number)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	int64_t tid = event_int(ev, KEY_tid, NO_ID);
	struct process_steps *p = get_process(s, process);

	if (p->count == 0)
		p->tid = tid;
	if (end == INT64_MAX || end <= ts || tid != p->tid ||
	    p->count == STEPS_MOST ||
	    (p->count > 0 && p->all[p->count - 1].end > ts))
		return;
	*array_add(&p->all, &p->count, &p->cap) = (struct step){.ts = ts,
	    .end = end,
	    .number = number,
	    .launched = ts,
	    .peak = p->memory};
}

static struct device_steps *
get_device(struct step_table *s, size_t section, uint32_t process,
    const struct event *ev)
{
	bool fresh;
	struct device_steps *d =
	    numbered_get(&s->devices, model_device(ev), &fresh);

	if (fresh)
		*d = (struct device_steps){.section = section,
		    .process = process,
		    .device = event_int(ev, KEY_device, 0),
		    .until = INT64_MIN,
		    .busy = INT64_MIN};
	return d;
}

static struct device_step *
get_step(struct device_steps *d, size_t step)
{
	while (step >= d->cap) {
		size_t old = d->cap;

		d->all = mem_more(d->all, old, &d->cap, sizeof(*d->all));
		memset(d->all + old, 0, (d->cap - old) * sizeof(*d->all));
	}
	return &d->all[step];
}

/* A kernel of a step computes, where no other one of its device did. */
static void
add_computing(struct device_steps *d, struct device_step *on,
    const struct event *ev, int64_t ts, int64_t end)
{
	enum device_class class;

	if (!device_time_class(ev, &class) || class != DEVICE_COMPUTE)
		return;
	if (ts < d->until)
		ts = d->until;
	if (d->until < end)
		d->until = end;
	on->computes = time_end(on->computes, time_between(ts, end));
}

/* When the first operation of a step begins to be waited for. */
static int64_t
waits_since(const struct device_steps *d, const struct step *x, int64_t ts)
{
	int64_t since = d->busy;

	if (x->number == 0 && since < x->ts)
		since = x->ts;
	return since == INT64_MIN || since > ts ? ts : since;
}

static void
add_on_device(struct device_steps *d, const struct process_steps *p,
    const struct step *x, const struct event *ev, int64_t ts, int64_t end)
{
	struct device_step *on = get_step(d, (size_t)(x - p->all));

	if (!on->any)
		on->from = on->to = waits_since(d, x, ts);
	on->any = true;
	if (on->to < end)
		on->to = end;
	add_computing(d, on, ev, ts, end);
}

static bool
copies_to_host(const struct event *ev)
{
	return ev->kind == KIND_memcpy && event_is(ev, KEY_copy, SPAN("DtoH"));
}

void
steps_add_work(struct step_table *s, size_t section, uint32_t process,
    const struct event *ev)
{
	struct process_steps *p = numbered_find(&s->processes, process);
	struct device_steps *d = get_device(s, section, process, ev);
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	struct step *x = NULL;

	if (p != NULL)
		x = steps_at(p, event_int(ev, KEY_api_ts, ts));
	if (x != NULL && end < INT64_MAX)
		add_on_device(d, p, x, ev, ts, end);
	if (end < INT64_MAX && d->busy < end)
		d->busy = end;
	if (x == NULL)
		return;
	x->launches++;
	ts = event_int(ev, KEY_api_ts, ts);
	if (x->launched < ts && !copies_to_host(ev))
		x->launched = ts;
	if (ev->kind == KIND_kernel && event_has(ev, KEY_grid))
		x->grids += hash_text(ev->value[KEY_grid]);
}

static void
add_memory(struct process_steps *p, const struct event *ev)
{
	int64_t bytes = event_int(ev, KEY_bytes, NO_ID);
	struct step *x = steps_at(p, event_int(ev, KEY_ts, 0));

	p->allocates = true;
	if (event_is(ev, KEY_op, SPAN("alloc")))
		p->memory_unsure |=
		    bytes < 0 ||
		    __builtin_add_overflow(p->memory, bytes, &p->memory);
	else if (event_is(ev, KEY_op, SPAN("free")))
		p->memory_unsure |=
		    bytes < 0 ||
		    __builtin_sub_overflow(p->memory, bytes, &p->memory);
	if (x != NULL && x->peak < p->memory)
		x->peak = p->memory;
}

void
steps_add_record(struct step_table *s, uint32_t process, const struct event *ev)
{
	struct process_steps *p;
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct step *x;

	if (ev->kind == KIND_alloc) {
		add_memory(get_process(s, process), ev);
		return;
	}
	if (ev->kind != KIND_api || api_call_of_event(ev).role != API_WAIT ||
	    (p = numbered_find(&s->processes, process)) == NULL ||
	    event_int(ev, KEY_tid, NO_ID) != p->tid)
		return;
	x = steps_at(p, ts);
	if (x != NULL && steps_phase(x, ts) < END)
		x->syncs++;
}

/* ---- all of them ---- */

/* The lower one of two in the middle; the order of values changes. */
static int64_t
median_of(int64_t *values, size_t n)
{
	qsort(values, n, sizeof(*values), ascending);
	return values[(n - 1) / 2];
}

/* The first step with a number of 1 or more. */
static size_t
skip_first(const struct process_steps *p)
{
	return p->count > 0 && p->all[0].number == 0;
}

static void
find_median(struct process_steps *p)
{
	size_t from = skip_first(p), n = p->count - from;
	int64_t *lengths;

	if (n < FEW)
		return;
	lengths = mem_alloc(n * sizeof(*lengths));
	for (size_t i = 0; i < n; i++)
		lengths[i] = p->all[from + i].length;
	p->median = median_of(lengths, n);
	free(lengths);
}

static bool
same_launches(const struct process_steps *p, size_t from)
{
	for (size_t i = from + 1; i < p->count; i++)
		if (p->all[i].launches != p->all[from].launches ||
		    p->all[i].grids != p->all[from].grids)
			return false;
	return p->all[from].launches > 0;
}

/* 10 times the slope between two steps, in ppm of the median. */
static int64_t
slope(const struct process_steps *p, size_t i, size_t j)
{
	steps_wide longer = (steps_wide)p->all[j].length - p->all[i].length;
	steps_wide ppm =
	    longer * 10 * PER_MILLION / p->median / (int64_t)(j - i);

	return ppm > INT64_MAX    ? INT64_MAX
	       : ppm < -INT64_MAX ? -INT64_MAX
				  : (int64_t)ppm;
}

/*
 * The median of the slopes between any two steps (Theil and Sen), of
 * STEPS_SLOPES of them at equal distances.  0 if there are fewer than
 * STEPS_DRIFT, if they launch different work, or if so many slopes would point
 * up by chance (Mann and Kendall, two standard deviations).
 */
static void
find_drift(struct process_steps *p)
{
	size_t from = skip_first(p), n = p->count - from, every, count = 0;
	int64_t *slopes, up = 0;

	if (n < STEPS_DRIFT || p->median == 0 || p->level > 0 ||
	    !same_launches(p, from))
		return;
	every = (n + STEPS_SLOPES - 1) / STEPS_SLOPES;
	n = (n + every - 1) / every;
	slopes = mem_alloc(n * n * sizeof(*slopes));
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			int64_t v =
			    slope(p, from + i * every, from + j * every);

			slopes[count++] = v;
			up += (v > 0) - (v < 0);
		}
	if (up > 0 && 18 * up * up > 4 * (int64_t)(n * (n - 1) * (2 * n + 5)))
		p->drift = median_of(slopes, count);
	free(slopes);
}

/* steps of a device on one side of a change of level: ns of computing */
struct level {
	int64_t low, median, high; /* low, high: all but a tenth lie between */
};

static struct level
level_of(const struct device_step *steps, size_t n, int64_t *values)
{
	for (size_t i = 0; i < n; i++)
		values[i] = steps[i].computes;
	qsort(values, n, sizeof(*values), ascending);
	return (struct level){.low = values[n / 20],
	    .median = values[(n - 1) / 2],
	    .high = values[n - 1 - n / 20]};
}

/*
 * The first step of a new level: where the sum of what steps compute below the
 * mean of all is largest.
 */
static size_t
level_begins(const struct device_step *steps, size_t n)
{
	steps_wide sum = 0, below = 0, most = 0;
	size_t begins = 0;

	for (size_t i = 0; i < n; i++)
		sum += steps[i].computes;
	for (size_t i = 0; i + 1 < n; i++) {
		below += sum - (steps_wide)n * steps[i].computes;
		if (below > most) {
			most = below;
			begins = i + 1;
		}
	}
	return begins;
}

/*
 * From a step on kernels of a device are slower: by LEVEL_LEAST percent at
 * least, and by twice of what the steps differ on either side, so that steps
 * that become slower bit by bit are none.
 */
static void
find_level(struct process_steps *p, const struct device_steps *d)
{
	size_t from = skip_first(p), n = p->count - from, begins;
	const struct device_step *steps;
	struct level before, after;
	int64_t *values, more, level;

	if (d->cap < p->count || n < STEPS_LEVEL * 2 || !same_launches(p, from))
		return;
	steps = d->all + from;
	begins = level_begins(steps, n);
	if (begins < STEPS_LEVEL || n - begins < STEPS_LEVEL)
		return;
	values = mem_alloc(n * sizeof(*values));
	before = level_of(steps, begins, values);
	after = level_of(steps + begins, n - begins, values);
	free(values);
	more = after.median - before.median;
	if (more <= 0 || before.median <= 0 ||
	    more / 2 < before.high - before.low ||
	    more / 2 < after.high - after.low)
		return;
	level = steps_share_rounded(more, before.median);
	if (steps_share(more, before.median) < LEVEL_LEAST || level <= p->level)
		return;
	p->level = level;
	p->level_from = p->all[from + begins].number;
	for (size_t i = 0; i < n; i++)
		p->all[from + i].slower =
		    i < begins ? 0 : steps[i].computes - before.median;
}

static void
find_rises(struct process_steps *p)
{
	for (size_t i = 1; i < p->count && !p->memory_unsure; i++)
		p->all[i].rises = p->all[i].peak > p->all[i - 1].peak
				      ? p->all[i - 1].rises + 1
				      : 0;
}

/* ---- devices ---- */

/* the devices of a section, while their steps are compared */
struct balance {
	struct device_place {
		const struct device_steps *device;
		struct process_steps *process;
		size_t next; /* of its steps */
	} * all;
	size_t count, cap;
	int64_t *values;
};

/* The number of the next step of all; INT64_MAX: there is none. */
static int64_t
next_number(const struct balance *b)
{
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < b->count; i++) {
		const struct device_place *x = &b->all[i];

		if (x->next < x->process->count &&
		    least > x->process->all[x->next].number)
			least = x->process->all[x->next].number;
	}
	return least;
}

/* The devices compute in their steps of this number. */
static void
compare_step(struct balance *b, int64_t number)
{
	const struct device_place *slowest = NULL;
	int64_t most = -1, median;
	struct step *of;
	size_t n = 0;

	for (size_t i = 0; i < b->count; i++) {
		struct device_place *x = &b->all[i];
		struct step *step = &x->process->all[x->next];
		int64_t ns;

		if (x->next == x->process->count || step->number != number)
			continue;
		ns = x->next < x->device->cap ? x->device->all[x->next].computes
					      : 0;
		x->next++;
		b->values[n++] = ns;
		if (ns > most) {
			most = ns;
			slowest = x;
		}
	}
	if (n < 2 || slowest == NULL)
		return;
	median = median_of(b->values, n);
	if (most <= median)
		return;
	of = &slowest->process->all[slowest->next - 1];
	of->computes = most;
	of->imbalance = most - median;
	of->slowest = slowest->device->device;
}

/* The devices of a section, whose first one is that. */
static void
compare_devices(struct step_table *s, size_t first)
{
	const size_t section = s->devices.all[first].section;
	struct balance b = {0};
	int64_t number;

	for (size_t i = first;
	     i < s->devices.count && s->devices.all[i].section == section;
	     i++) {
		const struct device_steps *d = &s->devices.all[i];
		struct process_steps *p =
		    numbered_find(&s->processes, d->process);

		if (p != NULL)
			*array_add(&b.all, &b.count, &b.cap) =
			    (struct device_place){d, p, 0};
	}
	b.values = mem_alloc((b.count + 1) * sizeof(*b.values));
	while (b.count > 1 && (number = next_number(&b)) != INT64_MAX)
		compare_step(&b, number);
	free(b.all);
	free(b.values);
}

/* Devices come section by section. */
static void
find_imbalance(struct step_table *s)
{
	size_t section = 0;

	for (size_t i = 0; i < s->devices.count; i++)
		if (s->devices.all[i].section != section) {
			section = s->devices.all[i].section;
			compare_devices(s, i);
		}
}

/* A step takes as long as on the device where it takes longest. */
static void
find_lengths(struct step_table *s)
{
	for (size_t i = 0; i < s->devices.count; i++) {
		const struct device_steps *d = &s->devices.all[i];
		struct process_steps *p =
		    numbered_find(&s->processes, d->process);

		for (size_t n = 0; p != NULL && n < p->count && n < d->cap;
		     n++) {
			int64_t length =
			    time_between(d->all[n].from, d->all[n].to);

			if (p->all[n].length < length)
				p->all[n].length = length;
		}
	}
	for (size_t i = 0; i < s->processes.count; i++) {
		struct process_steps *p = &s->processes.all[i];

		for (size_t n = 0; n < p->count; n++)
			if (p->all[n].length == 0)
				p->all[n].length =
				    time_between(p->all[n].ts, p->all[n].end);
	}
}

void
steps_finish(struct step_table *s)
{
	find_lengths(s);
	for (size_t i = 0; i < s->devices.count; i++) {
		const struct device_steps *d = &s->devices.all[i];
		struct process_steps *p =
		    numbered_find(&s->processes, d->process);

		if (p != NULL)
			find_level(p, d);
	}
	for (size_t i = 0; i < s->processes.count; i++) {
		struct process_steps *p = &s->processes.all[i];

		find_median(p);
		find_drift(p);
		find_rises(p);
	}
	find_imbalance(s);
}

void
steps_free(struct step_table *s)
{
	for (size_t i = 0; i < s->processes.count; i++)
		free(s->processes.all[i].all);
	numbered_free(&s->processes);
	for (size_t i = 0; i < s->devices.count; i++)
		free(s->devices.all[i].all);
	numbered_free(&s->devices);
}
