/* map.c - a hash table: linear probing, removal by shifting back */

#include <stdlib.h>
#include <string.h>

#include "tq/base/map.h"
#include "tq/base/mem.h"

void
map_free(struct map *m)
{
	free(m->slots);
	free(m->used);
	*m = (struct map){0};
}

void
map_clear(struct map *m)
{
	if (m->size > 4096) {
		map_free(m); /* do not keep the memory of one large section */
		return;
	}
	if (m->size > 0)
		memset(m->used, 0, m->size);
	m->count = 0;
}

static size_t
home(const struct map *m, uint64_t a, uint64_t b)
{
	uint64_t h = a * 0x9e3779b97f4a7c15u ^ (b + (a >> 32));

	h *= 0xd6e8feb86659fd93u;
	h ^= h >> 32;
	return (size_t)(h * 0x9e3779b97f4a7c15u >> 24) & (m->size - 1);
}

/* the slot of (a, b), or the free one where it would be */
static size_t
probe(const struct map *m, uint64_t a, uint64_t b)
{
	size_t i = home(m, a, b);

	while (m->used[i] && (m->slots[i].a != a || m->slots[i].b != b))
		i = (i + 1) & (m->size - 1);
	return i;
}

static void
grow(struct map *m)
{
	struct map old = *m;

	m->size = old.size > 0 ? old.size * 2 : 64;
	m->slots = mem_resize(NULL, m->size, sizeof(*m->slots));
	m->used = mem_alloc(m->size);
	for (size_t i = 0; i < old.size; i++)
		if (old.used[i]) {
			size_t to = probe(m, old.slots[i].a, old.slots[i].b);

			m->slots[to] = old.slots[i];
			m->used[to] = 1;
		}
	free(old.slots);
	free(old.used);
}

uint64_t *
map_find(const struct map *m, uint64_t a, uint64_t b)
{
	size_t i;

	if (m->count == 0)
		return NULL;
	i = probe(m, a, b);
	return m->used[i] ? &m->slots[i].value : NULL;
}

uint64_t *
map_get(struct map *m, uint64_t a, uint64_t b)
{
	size_t i;

	if (m->count >= m->size / 4 * 3)
		grow(m);
	i = probe(m, a, b);
	if (!m->used[i]) {
		m->used[i] = 1;
		m->slots[i] = (struct map_slot){a, b, 0};
		m->count++;
	}
	return &m->slots[i].value;
}

uint64_t
map_number(struct map *m, uint64_t a, uint64_t b)
{
	uint64_t *value = map_get(m, a, b);

	if (*value == 0)
		*value = m->count;
	return *value;
}

void
map_remove(struct map *m, uint64_t a, uint64_t b)
{
	size_t mask = m->size - 1, hole, i;

	if (m->count == 0 || !m->used[hole = probe(m, a, b)])
		return;
	m->count--;
	/* move back slots that were pushed past the hole */
	for (i = (hole + 1) & mask; m->used[i]; i = (i + 1) & mask) {
		size_t h = home(m, m->slots[i].a, m->slots[i].b);

		if (((i - h) & mask) >= ((i - hole) & mask)) {
			m->slots[hole] = m->slots[i];
			hole = i;
		}
	}
	m->used[hole] = 0;
}
