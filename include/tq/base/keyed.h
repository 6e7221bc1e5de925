/*
 * keyed.h - structs of one type that are found by two 64 bit words: an array
 * in order of insertion, and a map from the words to the index.
 *
 *	KEYED(struct device) devices;
 *	bool fresh;
 *	struct device *d = keyed_get(&s->devices, pid, id, &fresh);
 *
 *	if (fresh)
 *		*d = (struct device){.pid = pid, .id = id};
 *	for (size_t i = 0; i < s->devices.count; i++)
 *		write_device(&s->devices.all[i]);
 *
 * A key of three words or more becomes two by map_number().  Single elements
 * are not removed.
 */
#ifndef TQ_BASE_KEYED_H
#define TQ_BASE_KEYED_H

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/map.h"

/*
 * The type of a variable or member; {0} is empty.  The tool reads all and
 * count; it may change elements, but not their order, which the map depends on.
 */
#define KEYED(type) \
	struct { \
		type *all; \
		size_t count, cap; \
		struct map map; /* key -> index + 1 */ \
	}

/*
 * The element of (a, b), added at all[count] if there is none.  *fresh becomes
 * true if it is new; it has no value then: assign all of it.  Elements may
 * move: a pointer is good until the next keyed_get; an index stays.
 *
 * This and the others are macros so that elements keep their type; they
 * evaluate k more than once.
 */
#define keyed_get(k, a, b, fresh) \
	((k)->count < (k)->cap \
		? (void)0 \
		: (void)((k)->all = mem_more((k)->all, (k)->count, &(k)->cap, \
			     sizeof(*(k)->all))), \
	    (k)->all + keyed_index(&(k)->map, &(k)->count, a, b, fresh))

/* The element of (a, b) as a void pointer; NULL if there is none. */
#define keyed_find(k, a, b) \
	keyed_element(&(k)->map, (k)->all, sizeof(*(k)->all), a, b)

/* Forget all elements; the caller frees their memory before. */
#define keyed_clear(k) (map_clear(&(k)->map), (void)((k)->count = 0))

/* The same, and free the array; *k is empty then, and may be used again. */
#define keyed_free(k) \
	(map_free(&(k)->map), free((k)->all), (k)->all = NULL, \
	    (void)((k)->count = (k)->cap = 0))

/* ---- parts of the macros ---- */

static inline size_t
keyed_index(struct map *m, size_t *count, uint64_t a, uint64_t b, bool *fresh)
{
	uint64_t *slot = map_get(m, a, b);

	*fresh = *slot == 0;
	if (*fresh)
		*slot = ++*count;
	return *slot - 1;
}

static inline void *
keyed_element(
    const struct map *m, void *all, size_t size, uint64_t a, uint64_t b)
{
	const uint64_t *slot = map_find(m, a, b);

	return slot != NULL ? (char *)all + (*slot - 1) * size : NULL;
}

#endif
