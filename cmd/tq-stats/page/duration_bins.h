/*
 * duration_bins.h - how durations are spread, in constant memory: counts of two
 * bins per octave.
 *
 * Bin i has the durations from 2^(i/2) ns to below 2^((i+1)/2) ns, so all bins
 * are equally wide on a log scale; bin 0 has those below, too.
 */
#ifndef DURATION_BINS_H
#define DURATION_BINS_H

#include "sums/dist.h"

enum { SPREAD_BINS = 128 };

struct duration_bins {
	uint64_t counts[SPREAD_BINS];
};

/* The bin of a duration. */
static inline unsigned
duration_bins_bin(int64_t ns)
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
int64_t duration_bins_from(unsigned i);

/* Count the durations of a sorted distribution. */
void duration_bins_fill(struct duration_bins *s, const struct dist *d);

#endif
