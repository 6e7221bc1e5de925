/*
 * value_cache.h - the groups of some values, by their bytes.
 */
#ifndef VALUE_CACHE_H
#define VALUE_CACHE_H

#include "tq/base/region.h"
#include "tq/base/words.h"

enum { VALUE_CACHE_BITS = 8 };

struct group;

struct cached_value {
	struct span value;
	struct group *group;
};

struct value_cache {
	struct cached_value slots[1 << VALUE_CACHE_BITS];
};

/*
 * The place of the group of a value, with NULL in it at first; NULL where
 * another value has the slot.  The value is of a line, so that there are 8
 * bytes in front of its end, and behind its beginning.  memory keeps a copy.
 */
static inline struct group **
value_cache_get(struct value_cache *c, struct span value, struct region *memory)
{
	uint64_t first, last, hash;
	struct cached_value *slot;

	memcpy(&first, value.p, sizeof(first));
	memcpy(&last, value.p + value.len - sizeof(last), sizeof(last));
	hash = (first * 0x9e3779b97f4a7c15u ^ last) * 0x9e3779b97f4a7c15u;
	slot = &c->slots[(hash ^ value.len << 56) >> (64 - VALUE_CACHE_BITS)];
	if (slot->value.p == NULL)
		slot->value = region_copy(memory, value);
	return span_eq(slot->value, value) ? &slot->group : NULL;
}

#endif
