/* intern.c - strings and their numbers */

#include <stdlib.h>

#include "intern.h"
#include "tq/mem.h"

struct intern_slot {
	uint32_t hash; /* the list is in it */
	uint32_t number;
	uint32_t at, len; /* in the pool */
};

void
intern_free(struct intern *in)
{
	free(in->slot);
	text_free(&in->pool);
	*in = (struct intern){0};
}

void
intern_clear(struct intern *in, const uint32_t first[INTERN_LISTS])
{
	if (in->size > 0)
		memset(in->slot, 0, in->size * sizeof(*in->slot));
	in->count = 0;
	in->pool.len = 0;
	memcpy(in->last, first, sizeof(in->last));
}

#define MULTIPLIER 0x9e3779b97f4a7c15u

static inline uint64_t
mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * MULTIPLIER;
	return h ^ h >> 32;
}

static inline uint32_t
hash_of(enum intern_list list, struct span s)
{
	uint64_t h = s.len * INTERN_LISTS + list, g = 0;

	if (s.len <= 8)
		h = mix(h, intern_load_short(s.p, s.len));
	else {
		h = mix(h, intern_load(s.p));
		g = mix(g, intern_load(s.p + s.len - 8));
	}
	if (s.len > 16) {
		h = mix(h, intern_load(s.p + 8));
		g = mix(g, intern_load(s.p + s.len - 16));
	}
	for (size_t i = 16; i + 16 < s.len; i += 8)
		h = mix(h, intern_load(s.p + i));
	h = mix(h, g);
	return (uint32_t)(h ^ h >> 16);
}

uint32_t
intern_hash(const struct intern *in, enum intern_list list, struct span s)
{
	uint32_t hash = hash_of(list, s);

	if (in->size > 0)
		__builtin_prefetch(&in->slot[hash & (in->size - 1)]);
	return hash;
}

static void
grow(struct intern *in)
{
	struct intern_slot *old = in->slot;
	size_t size = in->size;

	in->size = size > 0 ? size * 2 : 256;
	in->slot = mem_alloc(in->size * sizeof(*in->slot));
	for (size_t i = 0; i < size; i++) {
		size_t to = old[i].hash & (in->size - 1);

		if (old[i].number == 0)
			continue;
		while (in->slot[to].number != 0)
			to = (to + 1) & (in->size - 1);
		in->slot[to] = old[i];
	}
	free(old);
}

/* the slot of a string, or the free one where it would be */
static inline struct intern_slot *
probe(const struct intern *in, enum intern_list list, struct span s,
    uint32_t hash)
{
	for (size_t i = hash;; i++) {
		struct intern_slot *slot = &in->slot[i & (in->size - 1)];

		/* the list stands in front of the text */
		if (slot->number == 0 ||
		    (slot->hash == hash && slot->len == s.len &&
			in->pool.p[slot->at] == (char)list &&
			intern_equal(in->pool.p + slot->at + 1, s)))
			return slot;
	}
}

uint32_t
intern_find(const struct intern *in, enum intern_list list, struct span s,
    uint32_t hash)
{
	return in->size == 0 ? 0 : probe(in, list, s, hash)->number;
}

uint32_t
intern_number(struct intern *in, enum intern_list list, struct span s,
    uint32_t hash, bool *fresh)
{
	struct intern_slot *slot;

	if (in->count >= in->size / 2)
		grow(in);
	slot = probe(in, list, s, hash);
	*fresh = slot->number == 0;
	if (!*fresh)
		return slot->number;
	*slot = (struct intern_slot){
	    hash, ++in->last[list], (uint32_t)in->pool.len, (uint32_t)s.len};
	text_add_char(&in->pool, (char)list);
	text_add_span(&in->pool, s);
	in->count++;
	return slot->number;
}
