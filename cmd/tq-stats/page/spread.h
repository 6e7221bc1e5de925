/*
 * spread.h - how durations are spread, in constant memory: counts of two bins
 * per octave.
 *
 * Bin i has the durations from 2^(i/2) ns to below 2^((i+1)/2) ns, so all bins
 * are equally wide on a log scale; bin 0 has those below, too.
 */
#ifndef SPREAD_H
#define SPREAD_H

#include "sums/dist.h"

enum { SPREAD_BINS = 128 };

struct spread {
	uint64_t counts[SPREAD_BINS];
};

/* The bin of a duration. */
static inline unsigned
spread_bin(int64_t ns)
{
	uwide square;
	uint64_t high;

	if (ns < 1)
		return 0;
	square = (uwide)ns * (uwide)ns;
	high = (uint64_t)(square >> 64);
	return high > 0 ? 127 - (unsigned)__builtin_clzll(high)
			: 63 - (unsigned)__builtin_clzll((uint64_t)square);
}

/* The least duration of bin i, in ns, to nine digits. */
int64_t spread_from(unsigned i);

/* Count the durations of a sorted distribution. */
void spread_fill(struct spread *s, const struct dist *d);

#endif
