/* noise.c - how much recordings of one thing differ */

#include <math.h>
#include <stdlib.h>

#include "comparison.h"
#include "noise.h"
#include "statistics/middle.h"
#include "tq/base/mem.h"

/* metrics: the parts, then */
enum { NOISE_WALL = ACCOUNT_PARTS, NOISE_BUSY, NOISE_IDLE, NOISE_METRICS };

static const char *
metric_title(int metric)
{
	static const char *const names[] = {"wall", "busy", "idle"};

	return metric < ACCOUNT_PARTS
		   ? account_part_name((enum account_part)metric)
		   : names[metric - ACCOUNT_PARTS];
}

static double
metric_value(const struct account *a, int metric)
{
	double sum = 0;

	if (metric == NOISE_WALL)
		return comparison_wall(a);
	for (size_t d = 0; d < a->device_count; d++)
		for (int p = 0; p < ACCOUNT_PARTS; p++)
			if (p == metric ||
			    (metric == NOISE_BUSY && p < PART_SYNC) ||
			    (metric == NOISE_IDLE && p >= PART_SYNC))
				sum += (double)a->devices[d].parts[p];
	return a->unit_count > 0 ? sum / (double)a->unit_count : 0;
}

/* |log(x / y)| of all pairs; how many there are */
static size_t
pair_ratios(const struct accounts *all, int metric, double *ratios)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		for (size_t k = i + 1; k < all->count; k++) {
			double x = metric_value(all->all[i], metric);
			double y = metric_value(all->all[k], metric);

			if (x > 0 && y > 0)
				ratios[n++] = fabs(log(x / y));
		}
	return n;
}

void
noise_add(struct text *t, const struct accounts *all)
{
	double *ratios =
	    mem_resize(NULL, all->count * all->count + 1, sizeof(*ratios));

	text_printf(t, "%zu recordings, %zu pairs\n\n%-14s%10s%10s%12s\n",
	    all->count, all->count * (all->count - (all->count > 0)) / 2,
	    "Metric", "Median", "Largest", "Threshold");
	for (int metric = NOISE_METRICS - 1; metric >= 0; metric--) {
		size_t n = pair_ratios(all, metric, ratios);
		double largest;

		if (n == 0)
			continue;
		middle_sort(ratios, n);
		largest = (exp(ratios[n - 1]) - 1) * 100;
		text_printf(t, "%-14s%8.2f %%%8.2f %%%10.1f %%\n",
		    metric_title(metric),
		    (exp(middle_median(ratios, n)) - 1) * 100, largest,
		    ceil(largest * 10) / 10);
	}
	free(ratios);
}
