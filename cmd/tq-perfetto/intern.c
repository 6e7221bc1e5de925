/* intern.c - strings and their numbers */

#include <stdlib.h>

#include "intern.h"
#include "tq/mem.h"

struct intern_slot {
	uint32_t hash; /* the list is in it */
	uint32_t number;
	size_t at, len; /* in the pool */
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

/* eight bytes at a time, the last of which overlap */
static inline uint32_t
hash_of(enum intern_list list, struct span s)
{
	uint64_t h = s.len * INTERN_LISTS + list, v = 0;

	if (s.len >= 8) {
		for (size_t i = 0; i + 8 < s.len; i += 8) {
			memcpy(&v, s.p + i, 8);
			h = mix(h, v);
		}
		memcpy(&v, s.p + s.len - 8, 8);
	} else
		for (size_t i = 0; i < s.len; i++)
			v = v << 8 | (unsigned char)s.p[i];
	h = mix(mix(h, v), h);
	return (uint32_t)h;
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

uint32_t
intern_number(
    struct intern *in, enum intern_list list, struct span s, bool *fresh)
{
	uint32_t hash = hash_of(list, s);
	struct intern_slot *slot;

	if (in->count >= in->size / 2)
		grow(in);
	for (size_t i = hash & (in->size - 1);; i = (i + 1) & (in->size - 1)) {
		slot = &in->slot[i];
		if (slot->number == 0)
			break;
		/* the list stands in front of the text */
		if (slot->hash == hash && slot->len == s.len &&
		    in->pool.p[slot->at] == (char)list &&
		    (s.len == 0 ||
			memcmp(in->pool.p + slot->at + 1, s.p, s.len) == 0)) {
			*fresh = false;
			return slot->number;
		}
	}
	*slot =
	    (struct intern_slot){hash, ++in->last[list], in->pool.len, s.len};
	text_add_char(&in->pool, (char)list);
	text_add_span(&in->pool, s);
	in->count++;
	*fresh = true;
	return slot->number;
}
