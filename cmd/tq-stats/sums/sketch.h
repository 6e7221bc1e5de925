/*
 * sketch.h - how many integers there are of about each size: what medians and
 * percentiles are told from in constant memory.
 *
 * Up to 255, of either sign, a bucket holds one integer; beyond, there are 128
 * equal ones for each power of two.  What stands for a bucket is in its middle,
 * so that it differs from each integer in it by less than 1/256 of that.
 *
 * A sketch depends on what is in it, and not on the order in which it came.
 */
#ifndef SKETCH_H
#define SKETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "squares.h"

enum {
	SKETCH_BITS = 7, /* of a number below its first */
	SKETCH_SUB = 1 << SKETCH_BITS,
	SKETCH_OCTAVES = 64 - SKETCH_BITS + 1,
	SKETCH_ERROR = SKETCH_SUB * 2, /* the error is less than 1 / this */
	/* buckets: of 0 to INT64_MAX, and of INT64_MIN to -1 */
	SKETCH_LAST = (SKETCH_OCTAVES - 1) * SKETCH_SUB - 1,
	SKETCH_FIRST = -(SKETCH_OCTAVES - 1) * SKETCH_SUB
};

/* {0} is an empty one */
struct sketch {
	int64_t min, max; /* of those in it */
	struct squares squares;
	uint64_t *octaves[2][SKETCH_OCTAVES]; /* positive, negative */
};

/* empty: it is the first. */
void sketch_add(struct sketch *s, int64_t v, bool empty);

/* Add all of other, which stays. */
void sketch_merge(struct sketch *s, const struct sketch *other, bool empty);

/* The bucket of an integer, and the integer that stands for it. */
int sketch_bucket(int64_t v);
int64_t sketch_middle(int bucket);

/* How many are in a bucket from SKETCH_FIRST to SKETCH_LAST, to be changed. */
uint64_t *sketch_count(struct sketch *s, int bucket);

/*
 * The first bucket from *bucket on with something in it, and how much that is;
 * 0 if there is none.
 */
uint64_t sketch_next(const struct sketch *s, int *bucket);

/* About the integer with so many before it in ascending order. */
int64_t sketch_at(const struct sketch *s, uint64_t rank);

/* How many are less than v, which is 0 or a power of two. */
uint64_t sketch_below(const struct sketch *s, int64_t v);

void sketch_free(struct sketch *s);

#endif
