/* durations.c - a distribution of durations in buckets */

#include <stdlib.h>

#include "tq/account/durations.h"
#include "tq/base/array.h"
#include "tq/base/lower_bound.h"

void
durations_add_bucket(struct durations *d, int32_t bucket, int64_t n)
{
	size_t at = d->count;

	if (at > 0 && d->all[at - 1].bucket >= bucket)
		LOWER_BOUND(at, 0, d->count, d->all[at].bucket < bucket);
	if (at == d->count || d->all[at].bucket != bucket) {
		array_add(&d->all, &d->count, &d->cap);
		memmove(&d->all[at + 1], &d->all[at],
		    (d->count - 1 - at) * sizeof(*d->all));
		d->all[at] = (struct duration_bucket){bucket, 0};
	}
	d->all[at].n += n;
	d->n += n;
}

void
durations_add(struct durations *d, int64_t dur, int64_t n)
{
	durations_add_bucket(d, sketch_bucket(dur > 0 ? dur : 0), n);
}

void
durations_merge(struct durations *d, const struct durations *other)
{
	for (size_t i = 0; i < other->count; i++)
		durations_add_bucket(d, other->all[i].bucket, other->all[i].n);
}

int64_t
durations_quantile(const struct durations *d, unsigned permille)
{
	int64_t rank =
	    d->n / 1000 * permille + (d->n % 1000 * permille + 999) / 1000;

	for (size_t i = 0; i < d->count; i++) {
		rank -= d->all[i].n;
		if (rank <= 0)
			return sketch_middle(d->all[i].bucket);
	}
	return 0;
}

void
durations_clear(struct durations *d)
{
	d->count = 0;
	d->n = 0;
}

void
durations_free(struct durations *d)
{
	free(d->all);
	*d = (struct durations){0};
}
