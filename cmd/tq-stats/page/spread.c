/* spread.c - how durations are spread */

#include "spread.h"

void
spread_fill(struct spread *s, const struct dist *d)
{
	*s = (struct spread){{0}};
	if (d->sketch == NULL) {
		for (size_t i = 0; i < d->count; i++)
			s->counts[spread_bin(dist_at(d, i))]++;
		return;
	}
	for (int bucket = SKETCH_FIRST;; bucket++) {
		uint64_t count = sketch_next(d->sketch, &bucket);

		if (count == 0)
			break;
		s->counts[spread_bin(sketch_middle(bucket))] += count;
	}
}
