/* intern.c - strings and their numbers */

#include <stdlib.h>

#include "intern.h"
#include "strings.h"
#include "tq/base/mem.h"

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

uint32_t
intern_find(struct intern *in, enum intern_list list, struct span s)
{
	const struct intern_slot *slot;
	struct entry x;

	if (in->count >= in->size / 2)
		grow(in);
	in->hash = (uint32_t)(strings_hash(s) + list);
	for (size_t i = in->hash; (slot = slot_at(in, i))->at != 0; i++) {
		if (slot->hash != in->hash)
			continue;
		x = entry_at(in->pool.p + slot->at);
		if (x.len == s.len && x.list == (uint32_t)list &&
		    strings_equal(in->pool.p + slot->at + sizeof(x), s))
			return x.number;
	}
	return 0;
}

uint32_t
intern_add(struct intern *in, enum intern_list list, struct span s)
{
	struct entry x = {intern_number(in, list), (uint32_t)s.len, list};
	size_t i = in->hash;

	while (slot_at(in, i)->at != 0)
		i++;
	if (in->pool.len == 0)
		text_add_char(&in->pool, '\0'); /* nothing is at 0 */
	in->slot[i & (in->size - 1)] =
	    (struct intern_slot){in->hash, (uint32_t)in->pool.len};
	text_add(&in->pool, (const char *)&x, sizeof(x));
	text_add_span(&in->pool, s);
	in->bytes += s.len + 1;
	in->count++;
	return x.number;
}
