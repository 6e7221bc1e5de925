/*
 * sketch.h - counts of integers by about their size: medians and percentiles in
 * constant memory.
 *
 * Up to 255, of either sign, a bucket holds one integer; beyond, a power of two
 * has 128 equal buckets.  The middle stands for a bucket, and differs from each
 * integer in the bucket by less than 1/256 of that integer.
 *
 * A sketch does not depend on the order in which its integers came.
 */
#ifndef TQ_BASE_SKETCH_H
#define TQ_BASE_SKETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/squares.h"

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
	int64_t min, max;
	struct squares squares;
	uint64_t *octaves[2][SKETCH_OCTAVES]; /* positive, negative */
};

/* empty: v is the first. */
void sketch_add(struct sketch *s, int64_t v, bool empty);

/* Add all of other, which stays. */
void sketch_merge(struct sketch *s, const struct sketch *other, bool empty);

/* The bucket of an integer, and the integer that stands for it. */
int sketch_bucket(int64_t v);
int64_t sketch_middle(int bucket);

/* The count of a bucket from SKETCH_FIRST to SKETCH_LAST, to be changed. */
uint64_t *sketch_count(struct sketch *s, int bucket);

/*
 * Move *bucket on to the first bucket with a count, and return the count; 0 if
 * there is none.
 */
uint64_t sketch_next(const struct sketch *s, int *bucket);

/* About the integer at a rank, from 0, in ascending order. */
int64_t sketch_at(const struct sketch *s, uint64_t rank);

/* The number of integers < v, which is 0 or a power of two. */
uint64_t sketch_below(const struct sketch *s, int64_t v);

void sketch_free(struct sketch *s);

#endif
