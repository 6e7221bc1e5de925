/*
 * map.h - a hash table from two 64 bit words to one.
 */
#ifndef TQ_BASE_MAP_H
#define TQ_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_slot {
	uint64_t a, b;
	uint64_t value;
};

/* {0} is an empty map */
struct map {
	struct map_slot *slots;
	unsigned char *used;
	size_t count, size; /* size is 0 or a power of two */
};

void map_free(struct map *m);

/* Forget all entries. */
void map_clear(struct map *m);

/* The value of (a, b), good until the map changes; NULL if it has none. */
uint64_t *map_find(const struct map *m, uint64_t a, uint64_t b);

/* The same, but a new entry of value 0 where there is none. */
uint64_t *map_get(struct map *m, uint64_t a, uint64_t b);

/*
 * A number for (a, b), from 1 in the order in which they came, of a map of
 * which nothing is removed.  So a path of ids becomes one number.
 */
uint64_t map_number(struct map *m, uint64_t a, uint64_t b);

/* Remove the entry, if there is one. */
void map_remove(struct map *m, uint64_t a, uint64_t b);

#endif
