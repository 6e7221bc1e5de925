/* matched_work.c - how much of the work that both sides have each of them did
 */

#include <stdlib.h>

#include "matched_work.h"
#include "tq/base/mem.h"

enum { WORK_LAUNCHES = 8 }; /* of a row */

struct weighted {
	double value, weight;
};

static int
by_value(const void *x, const void *y)
{
	double a = ((const struct weighted *)x)->value;
	double b = ((const struct weighted *)y)->value;

	return (a > b) - (a < b);
}

/* The least value with so much weight up to it. */
static double
weighted_quantile(
    const struct weighted *all, size_t n, double all_weight, double q)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += all[i].weight;
		if (sum >= q * all_weight)
			return all[i].value;
	}
	return all[n - 1].value;
}

struct matched_work
matched_work_of(const struct match *m, const int64_t units[SIDES])
{
	struct weighted *all = mem_resize(NULL, m->row_count + 1, sizeof(*all));
	double a_to_b = (double)units[SIDE_A] / (double)units[SIDE_B];
	struct matched_work w = {0};
	double weight = 0;
	size_t n = 0;

	for (size_t i = 0; i < m->row_count; i++) {
		const struct match_row *r = &m->rows[i];
		const struct account_sum *a = &r->on[SIDE_A];
		const struct account_sum *b = &r->on[SIDE_B];

		if (r->kind == KIND_memcpy || r->kind == KIND_memset ||
		    r->kind == KIND_graph || a->n < WORK_LAUNCHES ||
		    b->n < WORK_LAUNCHES || !match_is_pair(r))
			continue;
		all[n].value = (double)b->n / (double)a->n * a_to_b;
		all[n].weight = (double)a->dur + (double)b->dur;
		weight += all[n++].weight;
	}
	if (n > 0) {
		qsort(all, n, sizeof(*all), by_value);
		w.known = true;
		w.median = weighted_quantile(all, n, weight, 0.5);
		w.low = weighted_quantile(all, n, weight, 0.25);
		w.high = weighted_quantile(all, n, weight, 0.75);
	}
	free(all);
	return w;
}
