/* duration_bins.c - how durations are spread */

#include "duration_bins.h"

int64_t
duration_bins_from(unsigned i)
{
	unsigned octave = i / 2;
	int64_t least;

	if (octave >= 62)
		return INT64_MAX;
	least = (int64_t)1 << octave;
	/* 0.41421356 of an octave, in units of 2^-32 */
	return i % 2 == 0 ? least
			  : least + (int64_t)((uwide)least * 1779033704 >> 32);
}

void
duration_bins_fill(struct duration_bins *s, const struct dist *d)
{
	*s = (struct duration_bins){{0}};
	if (d->sketch == NULL) {
		for (size_t i = 0; i < d->count; i++)
			s->counts[duration_bins_bin(dist_at(d, i))]++;
		return;
	}
	for (int bucket = SKETCH_FIRST;; bucket++) {
		uint64_t count = sketch_next(d->sketch, &bucket);

		if (count == 0)
			break;
		s->counts[duration_bins_bin(sketch_middle(bucket))] += count;
	}
}
