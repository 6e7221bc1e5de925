/*
 * period.c - which launch of which kernel begins a repeated part of a program
 */

#include <stdlib.h>

#include "tq/account/period.h"
#include "tq/base/array.h"
#include "tq/base/time.h"

enum {
	LEAST_STARTS = 4,
	LEAST_LAUNCHES = 8,
	LEAST_FIT = 950,
	LEAST_EQUAL = 800,
	MOST_DEVICES = 64 /* of which launches are looked at */
};

static const int64_t multiples[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};

enum { MULTIPLES = sizeof(multiples) / sizeof(*multiples) };

bool
period_add(struct period_launches *l, const struct event *ev)
{
	struct period_launch launch = {.dur = event_int(ev, KEY_dur, 0)};
	bool fresh;
	char *device =
	    keyed_get(&l->devices, (uint64_t)event_int(ev, KEY_pid, NO_ID),
		(uint64_t)event_int(ev, KEY_device, 0), &fresh);

	*device = 0;
	if (device - l->devices.all >= MOST_DEVICES) {
		map_remove(&l->devices.map,
		    (uint64_t)event_int(ev, KEY_pid, NO_ID),
		    (uint64_t)event_int(ev, KEY_device, 0));
		l->devices.count--;
		return true;
	}
	l->scratch.len = 0;
	launch.device = (uint32_t)(device - l->devices.all);
	launch.name =
	    intern_get(&l->names, event_str(ev, KEY_name, &l->scratch));
	*array_add(&l->all, &l->count, &l->cap) = launch;
	return l->count < PERIOD_LAUNCHES + PERIOD_LAUNCHES / 9;
}

/* ---- candidates ---- */

static int
by_launches(const void *pa, const void *pb)
{
	const struct period *a = pa, *b = pb;

	if (a->launches < b->launches || a->launches > b->launches)
		return a->launches < b->launches ? -1 : 1;
	if (a->every != b->every)
		return a->every < b->every ? -1 : 1;
	return span_cmp(a->name, b->name);
}

struct period *
period_candidates(const struct period_launches *l, size_t *count)
{
	size_t *starts = mem_alloc((l->names.count + 1) * sizeof(*starts));
	struct period *all = NULL;
	size_t cap = 0, first = l->count / 10;

	*count = 0;
	for (size_t i = first; i < l->count; i++)
		starts[l->all[i].name]++;
	for (uint32_t n = 0; n < l->names.count; n++)
		for (size_t k = 0; k < MULTIPLES; k++)
			if (starts[n] >= LEAST_STARTS * (size_t)multiples[k])
				*array_add(&all, count, &cap) = (struct period){
				    .name = intern_text(&l->names, n),
				    .every = multiples[k],
				    .launches = (double)(l->count - first) *
						(double)multiples[k] /
						(double)starts[n]};
	if (*count > 0)
		qsort(all, *count, sizeof(*all), by_launches);
	free(starts);
	return all;
}

/* ---- units ---- */

/* the launches of a name in a unit */
struct period_count {
	uint32_t device, name, unit;
	int64_t n;
};

struct period_search {
	const struct period_launches *l;
	KEYED(struct period_count) counts; /* device and unit, name */
	uint32_t *unit;  /* of each device: the unit at hand, from 1; or 0 */
	int64_t *starts; /* of each device */
	int64_t *time;   /* of each device and name */
	bool *odd;       /* of each unit of a device */
	size_t *offset;  /* of each device: its first in odd */
};

/* Count the launches of each unit; the last of a device has no end. */
static void
count_units(struct period_search *s, const struct period *p)
{
	const struct period_launches *l = s->l;
	uint32_t name = intern_find(&l->names, p->name);

	for (size_t i = l->count / 10; i < l->count; i++) {
		const struct period_launch *x = &l->all[i];
		struct period_count *c;
		bool fresh;

		s->time[x->device * l->names.count + x->name] += x->dur;
		if (x->name == name && s->starts[x->device]++ % p->every == 0)
			s->unit[x->device]++;
		if (s->unit[x->device] == 0)
			continue;
		c = keyed_get(&s->counts,
		    (uint64_t)x->device << 32 | s->unit[x->device], x->name,
		    &fresh);
		if (fresh)
			*c = (struct period_count){
			    x->device, x->name, s->unit[x->device], 0};
		c->n++;
	}
}

static int
by_name(const void *pa, const void *pb)
{
	const struct period_count *a = pa, *b = pb;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return (a->n > b->n) - (a->n < b->n);
}

struct period_sums {
	double good, all; /* ns by units */
	size_t names;
};

/*
 * The counts of a name on a device, in ascending order; units without it count
 * as 0.
 */
static void
judge_name(struct period_search *s, const struct period_count *c, size_t count,
    size_t units, struct period_sums *sums, struct period_fit *fit)
{
	size_t absent = units - count, middle = units / 2, good = 0;
	int64_t median = middle < absent ? 0 : c[middle - absent].n;
	double time = (double)s->time[c->device * s->l->names.count + c->name];
	bool *odd = s->odd + s->offset[c->device];

	for (size_t i = 0; i < count; i++)
		if (c[i].n == median)
			good++;
		else
			odd[c[i].unit - 1] = true;
	if (median == 0)
		good += absent;
	else if (absent > 0) /* which units lack it is not looked for */
		fit->equal -= (int64_t)absent;
	sums->good += time * (double)good;
	sums->all += time * (double)units;
	sums->names += median > 0;
	if (c->device > 0)
		return;
	fit->launches += median;
	fit->signature +=
	    span_hash(intern_text(&s->l->names, c->name)) * (uint64_t)median;
}

static void
judge(struct period_search *s, struct period_fit *fit, struct period_sums *sums)
{
	struct period_count *all = s->counts.all;
	size_t n = 0, units = 0, odd = 0;

	for (size_t i = 0; i < s->counts.count; i++)
		if (all[i].unit < s->unit[all[i].device]) /* it has an end */
			all[n++] = all[i];
	if (n > 0)
		qsort(all, n, sizeof(*all), by_name);
	for (size_t d = 0; d < s->l->devices.count; d++) {
		s->offset[d] = units;
		units += s->unit[d] > 0 ? s->unit[d] - 1 : 0;
	}
	s->odd = mem_alloc(units + 1);
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1;
		     next < n && all[next].device == all[i].device &&
		     all[next].name == all[i].name;
		     next++)
			;
		judge_name(s, &all[i], next - i, s->unit[all[i].device] - 1,
		    sums, fit);
	}
	for (size_t i = 0; i < units; i++)
		odd += s->odd[i];
	fit->units = (int64_t)units;
	fit->equal += (int64_t)(units - odd);
	fit->equal = fit->equal < 0 || units == 0
			 ? 0
			 : fit->equal * 1000 / (int64_t)units;
	fit->fit = sums->all > 0 ? (int64_t)(1000 * sums->good / sums->all) : 0;
}

bool
period_fits(const struct period_launches *l, const struct period *p,
    struct period_fit *fit)
{
	size_t devices = l->devices.count;
	struct period_search s = {.l = l};
	struct period_sums sums = {0};

	*fit = (struct period_fit){0};
	s.unit = mem_alloc((devices + 1) * sizeof(*s.unit));
	s.starts = mem_alloc((devices + 1) * sizeof(*s.starts));
	s.offset = mem_alloc((devices + 1) * sizeof(*s.offset));
	s.time = mem_alloc((devices * l->names.count + 1) * sizeof(*s.time));
	if (intern_find(&l->names, p->name) != INTERN_NONE) {
		count_units(&s, p);
		judge(&s, fit, &sums);
	}
	keyed_free(&s.counts);
	free(s.unit);
	free(s.starts);
	free(s.offset);
	free(s.time);
	free(s.odd);
	return fit->units >= LEAST_STARTS - 1 &&
	       fit->launches >= LEAST_LAUNCHES && sums.names >= 2 &&
	       fit->fit >= LEAST_FIT && fit->equal >= LEAST_EQUAL;
}

void
period_free(struct period_launches *l)
{
	intern_free(&l->names);
	keyed_free(&l->devices);
	free(l->all);
	text_free(&l->scratch);
	*l = (struct period_launches){0};
}
