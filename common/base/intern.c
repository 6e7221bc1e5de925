/* intern.c - texts and their numbers: a hash table, linear probing */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/hash.h"
#include "tq/base/intern.h"

enum { FIRST = 64, SPARSE = 16 };

struct intern_slot {
	uint32_t hash;
	uint32_t number; /* + 1; 0: the slot is free */
};

/* the slot of s, or the free one where it would be; at most half are used */
static struct intern_slot *
probe(const struct intern *in, struct span s, uint32_t hash)
{
	size_t mask = in->size - 1;
	struct intern_slot *slot;

	for (size_t i = hash;; i++) {
		slot = &in->slots[i & mask];
		if (slot->number == 0)
			return slot;
		if (slot->hash == hash &&
		    in->texts[slot->number - 1].len == s.len &&
		    hash_equal(in->texts[slot->number - 1].p, s))
			return slot;
	}
}

static void
grow(struct intern *in)
{
	struct intern_slot *old = in->slots;
	size_t size = in->size;

	in->size = size > 0 ? size * 2 : FIRST;
	/* numbers have 32 bits: let mem_alloc refuse more slots */
	in->slots = mem_alloc(
	    size <= UINT32_MAX ? in->size * sizeof(*in->slots) : SIZE_MAX);
	for (size_t i = 0; i < size; i++) {
		size_t to = old[i].hash & (in->size - 1);

		if (old[i].number == 0)
			continue;
		while (in->slots[to].number != 0)
			to = (to + 1) & (in->size - 1);
		in->slots[to] = old[i];
	}
	free(old);
}

uint32_t
intern_get(struct intern *in, struct span s)
{
	uint32_t hash = (uint32_t)hash_text(s);
	struct intern_slot *slot;

	if (in->count >= in->size / 2)
		grow(in);
	slot = probe(in, s, hash);
	if (slot->number == 0) {
		*array_add(&in->texts, &in->count, &in->cap) =
		    region_copy(&in->region, s);
		*slot = (struct intern_slot){hash, (uint32_t)in->count};
	}
	return slot->number - 1;
}

uint32_t
intern_find(const struct intern *in, struct span s)
{
	/* INTERN_NONE is 0 - 1 */
	return in->count > 0 ? probe(in, s, (uint32_t)hash_text(s))->number - 1
			     : INTERN_NONE;
}

static int
by_text(const void *pa, const void *pb, void *texts)
{
	const struct intern *in = texts;
	const uint32_t *a = pa, *b = pb;

	return span_cmp(intern_text(in, *a), intern_text(in, *b));
}

uint32_t *
intern_order(const struct intern *in)
{
	uint32_t *order = mem_alloc((in->count + 1) * sizeof(*order));

	for (size_t i = 0; i < in->count; i++)
		order[i] = (uint32_t)i;
	qsort_r(
	    order, in->count, sizeof(*order), by_text, (void *)(uintptr_t)in);
	return order;
}

void
intern_clear(struct intern *in)
{
	/* many slots for few texts: clearing them costs more than growing */
	if (in->count <= in->size / SPARSE)
		intern_free(in);
	else
		memset(in->slots, 0, in->size * sizeof(*in->slots));
	in->count = 0;
	region_free(&in->region);
}

void
intern_free(struct intern *in)
{
	free(in->slots);
	free(in->texts);
	region_free(&in->region);
	*in = (struct intern){0};
}
