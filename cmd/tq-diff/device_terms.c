/* device_terms.c - the terms of each device */

#include <stdlib.h>

#include "device_terms.h"
#include "tq/base/array.h"
#include "tq/base/keyed.h"
#include "tq/base/time.h"

/* a device of some recordings */
struct paired_device {
	int64_t rank, device;
	struct span name;
	bool on[SIDES];
};

struct pairing {
	const struct match *m;
	bool by_rank;
	KEYED(struct paired_device) all; /* rank and device, or order */
};

/* True if each device of a recording has a rank and number of its own. */
static bool
has_ranks(const struct account *a)
{
	for (size_t d = 0; d < a->device_count; d++) {
		if (a->devices[d].rank == NO_ID)
			return false;
		for (size_t e = 0; e < d; e++)
			if (a->devices[e].rank == a->devices[d].rank &&
			    a->devices[e].device == a->devices[d].device)
				return false;
	}
	return true;
}

/* True if there are few enough devices; *ranks: and all have one. */
static bool
look_at_devices(const struct match *m, bool *ranks)
{
	*ranks = true;
	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < m->sides[side]->count; r++) {
			const struct account *a = m->sides[side]->all[r];

			if (a->device_count > DEVICE_TERMS_MOST)
				return false;
			*ranks = *ranks && has_ranks(a);
		}
	return true;
}

/* The number of a device of a recording; order: of devices with units. */
static size_t
find_device(struct pairing *p, const struct account_device *d, size_t order)
{
	bool fresh;
	struct paired_device *to =
	    keyed_get(&p->all, (uint64_t)(p->by_rank ? d->rank : 0),
		(uint64_t)(p->by_rank ? d->device : (int64_t)order), &fresh);

	if (fresh)
		*to = (struct paired_device){
		    .rank = d->rank, .device = d->device, .name = d->name};
	return (size_t)(to - p->all.all);
}

/* the part of the rows on a device, on each side */
struct device_rows {
	struct wall_terms terms;
	struct account_sum (*on)[SIDES]; /* of each row */
};

static void
add_rows(struct device_rows *to, const struct match *m, int side, size_t r,
    size_t device)
{
	const struct account *a = m->sides[side]->all[r];

	for (size_t i = 0; i < a->row_count; i++) {
		uint32_t row = m->names[m->index[side][r][i]].row;

		account_sum_add(&to->on[row][side], a->rows[i].on[device]);
	}
}

/* The sums of a device over all recordings; to NULL: number all devices. */
static void
add_recordings(struct pairing *p, size_t number, struct device_rows *to)
{
	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < p->m->sides[side]->count; r++) {
			const struct account *a = p->m->sides[side]->all[r];
			size_t order = 0;

			for (size_t d = 0; d < a->device_count; d++) {
				size_t n;

				if (a->devices[d].units == 0)
					continue;
				n = find_device(p, &a->devices[d], order++);
				p->all.all[n].on[side] = true;
				if (to == NULL || n != number)
					continue;
				wall_terms_add_device(
				    &to->terms, side, &a->devices[d]);
				add_rows(to, p->m, side, r, d);
			}
		}
}

static void
add_device(struct device_terms *all, struct pairing *p, size_t number)
{
	const struct paired_device d = p->all.all[number];
	struct device_rows rows = {
	    .on = mem_alloc((p->m->row_count + 1) * sizeof(*rows.on))};
	struct wall_terms_row row;

	add_recordings(p, number, &rows);
	for (size_t i = 0; i < p->m->row_count; i++)
		wall_terms_add_row(&rows.terms, p->m, i,
		    (const struct account_sum *)rows.on[i], &row);
	wall_terms_end(&rows.terms);
	*array_add(&all->all, &all->count, &all->cap) =
	    (struct device_term){d.rank, d.device, d.name, rows.terms};
	free(rows.on);
}

static int
by_rank_and_number(const void *x, const void *y)
{
	const struct device_term *a = x, *b = y;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->device > b->device) - (a->device < b->device);
}

void
device_terms_make(struct device_terms *d, const struct match *m)
{
	struct pairing p = {.m = m};

	*d = (struct device_terms){0};
	if (m->by == MATCH_BY_PATH || m->by == MATCH_BY_GRID ||
	    !look_at_devices(m, &p.by_rank))
		return;
	add_recordings(&p, 0, NULL);
	for (size_t i = 0; i < p.all.count && p.all.count > 1; i++)
		if (p.all.all[i].on[SIDE_A] && p.all.all[i].on[SIDE_B])
			add_device(d, &p, i);
	if (p.by_rank && d->count > 0)
		qsort(d->all, d->count, sizeof(*d->all), by_rank_and_number);
	keyed_free(&p.all);
}

void
device_terms_free(struct device_terms *d)
{
	free(d->all);
}
