/* sketch.c - counts of integers by about their size */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "tq/base/sketch.h"

/* ---- buckets, negative ones mirror positive ones ---- */

int
sketch_bucket(int64_t v)
{
	uint64_t m = v < 0 ? -(uint64_t)v : (uint64_t)v;
	int e, bucket = (int)m;

	if (m >= SKETCH_SUB) {
		e = 63 - SKETCH_BITS - __builtin_clzll(m);
		bucket = (e + 1) * SKETCH_SUB + (int)(m >> e) - SKETCH_SUB;
	}
	return v < 0 ? -bucket : bucket;
}

int64_t
sketch_middle(int bucket)
{
	unsigned b = (unsigned)(bucket < 0 ? -bucket : bucket);
	unsigned e = b / SKETCH_SUB;
	uint64_t m = b;

	if (e > 1) {
		m = (uint64_t)(b % SKETCH_SUB + SKETCH_SUB) << (e - 1);
		m += (((uint64_t)1 << (e - 1)) - 1) / 2;
	}
	if (m > (uint64_t)INT64_MAX) /* the bucket of INT64_MIN alone */
		return INT64_MIN;
	return bucket < 0 ? -(int64_t)m : (int64_t)m;
}

uint64_t *
sketch_count(struct sketch *s, int bucket)
{
	unsigned b = (unsigned)(bucket < 0 ? -bucket : bucket);
	uint64_t **octave = &s->octaves[bucket < 0][b / SKETCH_SUB];

	if (*octave == NULL)
		*octave = mem_alloc(SKETCH_SUB * sizeof(**octave));
	return &(*octave)[b % SKETCH_SUB];
}

uint64_t
sketch_next(const struct sketch *s, int *bucket)
{
	while (*bucket <= SKETCH_LAST) {
		unsigned b = (unsigned)(*bucket < 0 ? -*bucket : *bucket);
		const uint64_t *octave =
		    s->octaves[*bucket < 0][b / SKETCH_SUB];

		if (octave != NULL && octave[b % SKETCH_SUB] > 0)
			return octave[b % SKETCH_SUB];
		if (octave == NULL && b >= SKETCH_SUB) /* skip the rest of it */
			*bucket += (int)(*bucket < 0
					     ? b % SKETCH_SUB
					     : SKETCH_SUB - 1 - b % SKETCH_SUB);
		(*bucket)++;
	}
	return 0;
}

/* ---- integers ---- */

static void
extend_range(struct sketch *s, int64_t v, bool empty)
{
	if (empty || v < s->min)
		s->min = v;
	if (empty || v > s->max)
		s->max = v;
}

void
sketch_add(struct sketch *s, int64_t v, bool empty)
{
	extend_range(s, v, empty);
	squares_add(&s->squares, v);
	++*sketch_count(s, sketch_bucket(v));
}

void
sketch_merge(struct sketch *s, const struct sketch *other, bool empty)
{
	uint64_t n;

	extend_range(s, other->min, empty);
	extend_range(s, other->max, false);
	squares_merge(&s->squares, &other->squares);
	for (int b = SKETCH_FIRST; (n = sketch_next(other, &b)) > 0; b++)
		*sketch_count(s, b) += n;
}

int64_t
sketch_at(const struct sketch *s, uint64_t rank)
{
	int b = SKETCH_FIRST;
	uint64_t n;
	int64_t v;

	for (; (n = sketch_next(s, &b)) > 0 && n <= rank; b++)
		rank -= n;
	if (n == 0)
		return s->max;
	v = sketch_middle(b);
	return v < s->min ? s->min : v > s->max ? s->max : v;
}

uint64_t
sketch_below(const struct sketch *s, int64_t v)
{
	int end = sketch_bucket(v);
	uint64_t n, all = 0;

	for (int b = SKETCH_FIRST; (n = sketch_next(s, &b)) > 0 && b < end; b++)
		all += n;
	return all;
}

void
sketch_free(struct sketch *s)
{
	for (size_t i = 0; i < SKETCH_OCTAVES; i++) {
		free(s->octaves[0][i]);
		free(s->octaves[1][i]);
	}
}
