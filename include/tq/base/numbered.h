/*
 * numbered.h - structs of one type that are found by a dense number from 1, see
 * names/model.h: an array in order of insertion, and the index of each number.
 *
 *	NUMBERED(struct device) devices;
 *	bool fresh;
 *	struct device *d =
 *	    numbered_get(&s->devices, model_device(ev), &fresh);
 *
 *	if (fresh)
 *		*d = (struct device){.pid = pid, .id = id};
 *
 * It is keyed.h with an array in place of the hash table.
 */
#ifndef TQ_BASE_NUMBERED_H
#define TQ_BASE_NUMBERED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tq/base/array.h"

struct numbered_slots {
	uint32_t *index; /* of a number: index + 1, or 0 */
	size_t cap;
	uint32_t low, high; /* of elements in use; 0: none is */
};

/* The type of a variable or member; {0} is empty.  As of KEYED(). */
#define NUMBERED(type) \
	struct { \
		type *all; \
		size_t count, cap; \
		struct numbered_slots slots; \
	}

/* As keyed_get(): the element of a number, with *fresh true if it is new. */
#define numbered_get(k, number, fresh) \
	((k)->count < (k)->cap \
		? (void)0 \
		: (void)((k)->all = mem_more((k)->all, (k)->count, &(k)->cap, \
			     sizeof(*(k)->all))), \
	    (k)->all + \
		numbered_index(&(k)->slots, &(k)->count, number, fresh))

/* The element of a number as a void pointer; NULL if there is none. */
#define numbered_find(k, number) \
	numbered_element(&(k)->slots, (k)->all, sizeof(*(k)->all), number)

/* Forget all elements, or only their numbers: the array stays. */
#define numbered_clear(k) (numbered_forget(&(k)->slots), (void)((k)->count = 0))
#define numbered_close(k) numbered_forget(&(k)->slots)

/* The same, and free the array; *k is empty then, and may be used again. */
#define numbered_free(k) \
	(free((k)->slots.index), free((k)->all), (k)->all = NULL, \
	    (k)->slots = (struct numbered_slots){0}, \
	    (void)((k)->count = (k)->cap = 0))

/* ---- parts of the macros ---- */

/* Room for the slot of a number. */
static inline void
numbered_room(struct numbered_slots *s, uint32_t number)
{
	size_t old = s->cap;

	while (s->cap <= number)
		s->cap = s->cap * 2 + 16;
	s->index = mem_resize(s->index, s->cap, sizeof(*s->index));
	memset(s->index + old, 0, (s->cap - old) * sizeof(*s->index));
}

static inline size_t
numbered_index(
    struct numbered_slots *s, size_t *count, uint32_t number, bool *fresh)
{
	if (number >= s->cap)
		numbered_room(s, number);
	*fresh = s->index[number] == 0;
	if (*fresh) {
		if (s->low == 0 || number < s->low)
			s->low = number;
		if (number > s->high)
			s->high = number;
		s->index[number] = (uint32_t)++ * count;
	}
	return s->index[number] - 1;
}

static inline void *
numbered_element(
    const struct numbered_slots *s, void *all, size_t size, uint32_t number)
{
	uint32_t i = number < s->cap ? s->index[number] : 0;

	return i > 0 ? (char *)all + (i - 1) * size : NULL;
}

/* Numbers grow from section to section: those in use are near each other. */
static inline void
numbered_forget(struct numbered_slots *s)
{
	if (s->low > 0)
		memset(s->index + s->low, 0,
		    (s->high - s->low + 1) * sizeof(*s->index));
	s->low = s->high = 0;
}

#endif
