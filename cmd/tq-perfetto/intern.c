/* intern.c - strings and their numbers */

#include <stdlib.h>

#include "intern.h"
#include "tq/mem.h"

__extension__ typedef unsigned __int128 wide;

struct intern_slot {
	uint32_t hash; /* the list is in it */
	uint32_t at;   /* in the pool; 0: the slot is free */
};

/* in the pool, in front of the text */
struct entry {
	uint32_t number;
	uint32_t len, list;
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
	in->bytes = 0;
	in->pool.len = 0;
	memcpy(in->last, first, sizeof(in->last));
}

/* ---- the string at hand ---- */

static inline uint64_t
mix(uint64_t a, uint64_t b)
{
	wide product = (wide)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/*
 * All of the text is in it, for it may differ anywhere.  Most names have up
 * to 48 bytes: the first, middle and last 16, which may overlap.
 */
static inline uint32_t
hash_of(enum intern_list list, struct span s)
{
	const uint64_t odd = 0xd6e8feb86659fd93u;
	uint64_t h = s.len * INTERN_LISTS + list, middle;
	const char *p = s.p, *end = p + s.len;

	if (s.len < 8)
		return (uint32_t)mix(
		    intern_load_short(p, s.len) ^ INTERN_MULTIPLIER, h ^ odd);
	if (s.len <= 16)
		return (uint32_t)mix(intern_load(p) ^ INTERN_MULTIPLIER,
		    intern_load(end - 8) ^ h);
	for (; end - p > 48; p += 32)
		h ^= mix(intern_load(p) ^ odd, intern_load(p + 8) ^ h) +
		     mix(intern_load(p + 16) ^ h, intern_load(p + 24) ^ odd);
	middle = (size_t)(end - p) / 2;
	h ^=
	    mix(intern_load(p) ^ odd, intern_load(p + 8) ^ h) +
	    mix(intern_load(p + middle - 8) ^ h, intern_load(p + middle) ^ odd);
	return (uint32_t)mix(intern_load(end - 16) ^ INTERN_MULTIPLIER,
	    intern_load(end - 8) ^ h);
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

		if (old[i].at == 0)
			continue;
		while (in->slot[to].at != 0)
			to = (to + 1) & (in->size - 1);
		in->slot[to] = old[i];
	}
	free(old);
}

static inline struct entry
entry_at(const char *p)
{
	struct entry x;

	memcpy(&x, p, sizeof(x));
	return x;
}

static inline const struct intern_slot *
slot_at(const struct intern *in, size_t i)
{
	return &in->slot[i & (in->size - 1)];
}

void
intern_take(struct intern *in, enum intern_list list, struct span s)
{
	struct entry x = {0, (uint32_t)s.len, list};
	char *p;

	if (in->count >= in->size / 2)
		grow(in);
	in->hash = hash_of(list, s);
	__builtin_prefetch(slot_at(in, in->hash));
	if (in->pool.len == 0)
		text_add_char(&in->pool, '\0'); /* nothing is at 0 */
	p = text_reserve(&in->pool, sizeof(x) + s.len);
	memcpy(p, &x, sizeof(x));
	if (s.len > 0)
		memcpy(p + sizeof(x), s.p, s.len);
}

struct span
intern_string(const struct intern *in, enum intern_list *list)
{
	const char *p = in->pool.p + in->pool.len;
	struct entry x = entry_at(p);

	*list = (enum intern_list)x.list;
	return (struct span){p + sizeof(x), x.len};
}

/* ---- its number ---- */

uint32_t
intern_find(const struct intern *in)
{
	enum intern_list list;
	struct span s = intern_string(in, &list);
	const struct intern_slot *slot;
	struct entry x;

	for (size_t i = in->hash; (slot = slot_at(in, i))->at != 0; i++) {
		if (slot->hash != in->hash)
			continue;
		x = entry_at(in->pool.p + slot->at);
		if (x.len == s.len && x.list == (uint32_t)list &&
		    intern_equal(in->pool.p + slot->at + sizeof(x), s))
			return x.number;
	}
	return 0;
}

uint32_t
intern_add(struct intern *in)
{
	char *p = in->pool.p + in->pool.len;
	struct entry x = entry_at(p);
	size_t i = in->hash;

	x.number = ++in->last[x.list];
	memcpy(p, &x, sizeof(x));
	while (slot_at(in, i)->at != 0)
		i++;
	in->slot[i & (in->size - 1)] =
	    (struct intern_slot){in->hash, (uint32_t)in->pool.len};
	in->pool.len += sizeof(x) + x.len;
	in->bytes += x.len + 1;
	in->count++;
	return x.number;
}
