/* controls.c - unchanged work measures the noise */

#include <math.h>
#include <stdlib.h>

#include "controls.h"
#include "tq/base/mem.h"

struct control_ratio {
	double value, weight;
};

static int
by_value(const void *x, const void *y)
{
	double a = ((const struct control_ratio *)x)->value;
	double b = ((const struct control_ratio *)y)->value;

	return (a > b) - (a < b);
}

/* Where half of the weight is reached; between two where it is met. */
static double
weighted_median(struct control_ratio *all, size_t n)
{
	double half = 0, sum = 0;

	qsort(all, n, sizeof(*all), by_value);
	for (size_t i = 0; i < n; i++)
		half += all[i].weight / 2;
	for (size_t i = 0; i < n; i++) {
		sum += all[i].weight;
		if (fabs(sum - half) < 1e-9 && i + 1 < n)
			return (all[i].value + all[i + 1].value) / 2;
		if (sum > half)
			return all[i].value;
	}
	return all[n - 1].value;
}

static bool
is_long(const struct control *c)
{
	return (c->a + c->b) / 2 >= CONTROLS_LONG;
}

/* The ratios of the other rows, of one class or of both. */
static size_t
choose(const struct control *all, size_t n, const struct control *one,
    bool both, struct control_ratio *ratios)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (all[i].row != one->row &&
		    (both || is_long(&all[i]) == is_long(one)))
			ratios[count++] = (struct control_ratio){
			    log(all[i].b / all[i].a), all[i].weight};
	return count;
}

struct controls_result
controls_judge(const struct control *all, size_t n, const struct control *one)
{
	struct control_ratio *ratios = mem_resize(NULL, n + 1, sizeof(*ratios));
	double tick = 2.0 * CONTROLS_TICK / (one->a < one->b ? one->a : one->b);
	struct controls_result r = {0};
	size_t count = choose(all, n, one, false, ratios);

	if (count < CONTROLS_LEAST && is_long(one))
		count = choose(all, n, one, true, ratios);
	if (count >= CONTROLS_LEAST) {
		r.count = count;
		r.centre = weighted_median(ratios, count);
		for (size_t i = 0; i < count; i++)
			ratios[i].value = fabs(ratios[i].value - r.centre);
		r.width = 1.4826 * weighted_median(ratios, count);
		r.width = r.width > tick ? r.width : tick;
		r.widths = fabs(log(one->b / one->a) - r.centre) / r.width;
		r.far = r.widths > CONTROLS_FAR;
	}
	free(ratios);
	return r;
}

double
controls_scale(const struct control *rows, size_t n)
{
	struct control_ratio *ratios = mem_resize(NULL, n + 1, sizeof(*ratios));
	double centre = 0;
	size_t near = 0;

	for (size_t i = 0; i < n; i++)
		ratios[i] =
		    (struct control_ratio){log(rows[i].b / rows[i].a), 1};
	if (n >= CONTROLS_LEAST)
		centre = weighted_median(ratios, n);
	for (size_t i = 0; i < n; i++)
		near += fabs(ratios[i].value - centre) <= fabs(centre) / 2;
	free(ratios);
	return 2 * near > n ? centre : 0;
}
