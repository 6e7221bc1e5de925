/*
 * value_cache.h - the groups of values that came lately, by their bytes.
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
 * The place of the group of a value, NULL in it where that did not come lately.
 * The value is of a line, so that there are 8 bytes in front of its end, and
 * behind its beginning.  Copies of values are in memory.
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
	if (slot->value.len != value.len ||
	    memcmp(slot->value.p, value.p, value.len) != 0)
		*slot = (struct cached_value){region_copy(memory, value), NULL};
	return &slot->group;
}

#endif
