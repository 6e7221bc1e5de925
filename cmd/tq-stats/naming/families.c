/* families.c - groups of names that differ in their numbers */

#include <stdlib.h>

#include "tq/base/array.h"

#include "families.h"
#include "tq/names/fold_name.h"

#define NONE UINT32_MAX

enum { PARTS = 32 }; /* of a key that f->parts may have; a partial has any */

struct family_member {
	uint32_t all;  /* the group that stands for the family */
	uint32_t next; /* of the family, or NONE */
	uint32_t names;
};

static bool
stands_for_family(struct span key)
{
	return key.len >= 2 && key.p[key.len - 2] == '*' &&
	       (key.len == 2 || key.p[key.len - 3] == '\0');
}

/* The key of the family of a name, in f->key. */
static struct span
family_key(struct families *f, struct span key)
{
	const char *end = key.p + key.len - 1; /* of the last part, empty */
	unsigned part = 0;

	f->key.len = 0;
	for (const char *p = key.p; p < end; p += strlen(p) + 1, part++) {
		size_t start = f->key.len;

		groups_part(&f->key, span_of(p));
		if (part >= PARTS || (f->parts >> part & 1) == 0)
			continue;
		f->key.len = start + fold_name_numbers(f->key.p + start,
					 f->key.len - 1 - start);
		text_add_char(&f->key, '\0');
	}
	groups_part(&f->key, SPAN("*"));
	return text_span(&f->key);
}

static void
move_dist(struct dist *to, struct dist *from)
{
	dist_merge(to, from);
	dist_free(from);
	from->approx = to->approx;
}

/* Of a group that stands for a family: not 0 if it has all values. */
static int64_t *
is_whole(const struct groups *gs, const struct group *all)
{
	return &all->numbers[gs->numbers - 1];
}

bool
families_is_one(const struct groups *gs, const struct group *all)
{
	return *is_whole(gs, all) > 0;
}

static void
move_values(const struct families *f, const struct groups *gs, struct group *to,
    struct group *from)
{
	for (size_t i = 0; i + 1 < gs->numbers; i++)
		if (f->moved >> i & 1) {
			groups_number(to, i, from->numbers[i]);
			from->numbers[i] = 0;
		}
	move_dist(&to->values, &from->values);
	for (size_t i = 0; i < gs->more; i++)
		move_dist(&to->more[i], &from->more[i]);
}

/* ---- the stream ---- */

/* The number of a new group. */
static uint32_t
add_member(struct families *f, struct groups *gs, struct span key)
{
	uint32_t n = (uint32_t)gs->count;

	groups_get(gs, key);
	*array_add(&f->members, &f->count, &f->cap) =
	    (struct family_member){.all = n, .next = NONE};
	return n;
}

/* The family has all values of its names from now on. */
static void
fold_family(struct families *f, struct groups *gs, uint32_t all)
{
	*is_whole(gs, gs->all[all]) = 1;
	for (uint32_t n = f->members[all].next; n != NONE;
	     n = f->members[n].next)
		move_values(f, gs, gs->all[all], gs->all[n]);
}

/* The group of a name that has none. */
static uint32_t
add_name(struct families *f, struct groups *gs, struct span key)
{
	struct span family = family_key(f, key);
	uint32_t all = intern_find(&gs->keys, family), n;

	if (all == INTERN_NONE)
		all = add_member(f, gs, family);
	if (!families_is_one(gs, gs->all[all]) &&
	    f->members[all].names == FAMILIES_NAMES)
		fold_family(f, gs, all);
	if (families_is_one(gs, gs->all[all]))
		return all;
	n = add_member(f, gs, key);
	f->members[n] =
	    (struct family_member){.all = all, .next = f->members[all].next};
	f->members[all].next = n;
	f->members[all].names++;
	return n;
}

struct group *
families_get(struct families *f, struct groups *gs, struct text *key)
{
	uint32_t n;

	groups_part(key, SPAN(""));
	n = intern_find(&gs->keys, text_span(key));
	if (n == INTERN_NONE)
		n = add_name(f, gs, text_span(key));
	f->all = gs->all[f->members[n].all];
	return families_is_one(gs, f->all) ? f->all : gs->all[n];
}

void
families_interval(struct families *f, struct group *g, int64_t ts, int64_t dur)
{
	groups_interval(g, ts, dur);
	if (g != f->all)
		groups_busy(f->all, ts, dur);
}

/* ---- the table ---- */

/* a family when all values are there */
struct family_tally {
	struct group *all;
	size_t names;
	uint64_t values; /* of the names */
};

static bool
becomes_one(const struct groups *gs, const struct family_tally *t)
{
	return families_is_one(gs, t->all) || t->names > FAMILIES_NAMES ||
	       (t->names > 1 && t->names * 2 >= t->values) ||
	       (t->names > 8 && t->names * 8 >= t->values);
}

static uint64_t
values_of(const struct families *f, const struct group *g)
{
	return f->counted > 0 ? (uint64_t)g->numbers[f->counted - 1]
			      : g->values.count;
}

/* The families, and their keys, which have the same numbers. */
static struct family_tally *
tally_families(struct families *f, const struct groups *gs, struct intern *keys)
{
	struct family_tally *all = NULL;
	size_t count = 0, cap = 0;

	for (size_t i = 0; i < gs->count; i++) {
		if (!stands_for_family(gs->all[i]->key))
			continue;
		intern_get(keys, gs->all[i]->key);
		*array_add(&all, &count, &cap) =
		    (struct family_tally){.all = gs->all[i]};
	}
	for (size_t i = 0; i < gs->count; i++) {
		const struct group *g = gs->all[i];
		uint32_t n;

		if (stands_for_family(g->key) || values_of(f, g) == 0)
			continue;
		n = intern_find(keys, family_key(f, g->key));
		if (n == INTERN_NONE || all == NULL)
			continue; /* settled before */
		all[n].names++;
		all[n].values += values_of(f, g);
	}
	for (size_t i = 0; i < count; i++)
		*is_whole(gs, all[i].all) = becomes_one(gs, &all[i]);
	return all;
}

/* False if the group has no row: its values have moved, or never came. */
static bool
has_row(struct families *f, const struct groups *gs, struct group *g,
    const struct intern *keys, const struct family_tally *families)
{
	uint32_t n;

	if (stands_for_family(g->key))
		return families_is_one(gs, g);
	n = intern_find(keys, family_key(f, g->key));
	if (n == INTERN_NONE || !families_is_one(gs, families[n].all))
		return true;
	move_values(f, gs, families[n].all, g);
	return false;
}

void
families_settle(struct families *f, struct groups *gs)
{
	struct intern keys = {0};
	struct family_tally *families;
	size_t n = 0;

	if (f->parts == 0)
		return;
	families = tally_families(f, gs, &keys);
	for (size_t i = 0; i < gs->count; i++)
		if (has_row(f, gs, gs->all[i], &keys, families))
			gs->all[n++] = gs->all[i];
	gs->count = n;
	free(families);
	intern_free(&keys);
}

void
families_free(struct families *f)
{
	free(f->members);
	text_free(&f->key);
	*f = (struct families){0};
}
