/* place_match.c - level 4: names launched in the same place are the same */

#include <stdlib.h>

#include "place_match.h"
#include "tq/base/keyed.h"

/* the anchor before the first and after the last launch of a thread */
#define OUTSIDE UINT32_MAX

struct slot {
	uint32_t *unmatched[SIDES];
	size_t count[SIDES], cap[SIDES];
};

struct slots {
	KEYED(struct slot) all;
	struct map keys; /* (anchor before, after) -> number */
	struct intern paths;
	struct text path;
};

/* where a thread of a unit is */
struct slot_thread {
	uint32_t anchor;
	uint32_t *waiting; /* unmatched since then: name, path */
	size_t count, cap;
};

static bool
has(const uint32_t *all, size_t count, uint32_t name)
{
	for (size_t i = 0; i < count; i++)
		if (all[i] == name)
			return true;
	return false;
}

/* An anchor comes: what waits on the thread is between it and the last one. */
static void
close_slot(struct slots *s, int side, struct slot_thread *t, uint32_t anchor)
{
	for (size_t i = 0; i < t->count; i += 2) {
		uint64_t between = map_number(&s->keys, t->anchor, anchor);
		bool fresh;
		struct slot *slot =
		    keyed_get(&s->all, between, t->waiting[i + 1], &fresh);

		if (fresh)
			*slot = (struct slot){0};
		if (!has(slot->unmatched[side], slot->count[side],
			t->waiting[i]))
			*array_add(&slot->unmatched[side], &slot->count[side],
			    &slot->cap[side]) = t->waiting[i];
	}
	t->count = 0;
	t->anchor = anchor;
}

static uint32_t
path_number(struct slots *s, const struct account *a, uint32_t path)
{
	if (path == 0 || path > a->path_count)
		return 0;
	s->path.len = 0;
	account_path_add(&s->path, a, path - 1);
	return 1 + intern_get(&s->paths, text_span(&s->path));
}

static void
read_sequence(struct slots *s, const struct match *m, int side,
    const struct account *a, const uint32_t *names,
    const struct account_sequence *q)
{
	KEYED(struct slot_thread) threads = {0};

	for (size_t i = 0; i < q->count; i++) {
		const struct account_launch *l = &q->all[i];
		uint32_t name = names[l->row];
		bool fresh;
		struct slot_thread *t =
		    keyed_get(&threads, l->thread, 0, &fresh);

		if (fresh)
			*t = (struct slot_thread){.anchor = OUTSIDE};
		if (m->names[name].level != MATCH_ONE_SIDE) {
			close_slot(s, side, t, name);
			continue;
		}
		*array_add(&t->waiting, &t->count, &t->cap) = name;
		*array_add(&t->waiting, &t->count, &t->cap) =
		    path_number(s, a, l->path);
	}
	for (size_t i = 0; i < threads.count; i++) {
		close_slot(s, side, &threads.all[i], OUTSIDE);
		free(threads.all[i].waiting);
	}
	keyed_free(&threads);
}

static uint32_t
first_of(uint32_t *set, uint32_t name)
{
	while (set[name] != name)
		name = set[name] = set[set[name]];
	return name;
}

static void
join(uint32_t *set, uint32_t x, uint32_t y)
{
	x = first_of(set, x);
	y = first_of(set, y);
	set[x > y ? x : y] = x < y ? x : y;
}

static void
join_slot(uint32_t *set, const struct slot *slot)
{
	if (slot->count[SIDE_A] == 0 || slot->count[SIDE_B] == 0)
		return;
	for (int side = 0; side < SIDES; side++)
		for (size_t i = 0; i < slot->count[side]; i++)
			join(set, slot->unmatched[SIDE_A][0],
			    slot->unmatched[side][i]);
}

void
place_match_sets(struct match *m, uint32_t *set)
{
	struct slots s = {0};

	for (uint32_t i = 0; i < m->name_count; i++)
		set[i] = i;
	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < m->sides[side]->count; r++) {
			const struct account *a = m->sides[side]->all[r];

			for (size_t i = 0; i < a->sequence_count; i++)
				read_sequence(&s, m, side, a, m->index[side][r],
				    &a->sequences[i]);
			m->unaligned[side] += a->unsequenced;
		}
	for (size_t i = 0; i < s.all.count; i++)
		join_slot(set, &s.all.all[i]);
	for (uint32_t i = 0; i < m->name_count; i++)
		set[i] = first_of(set, i);
	for (size_t i = 0; i < s.all.count; i++)
		for (int side = 0; side < SIDES; side++)
			free(s.all.all[i].unmatched[side]);
	keyed_free(&s.all);
	map_free(&s.keys);
	intern_free(&s.paths);
	text_free(&s.path);
}
