/* verdict.c - is B slower than A, and how certain is that? */

#include <math.h>
#include <stdlib.h>

#include "statistics/mann_whitney.h"
#include "statistics/quantiles.h"
#include "statistics/student.h"
#include "tq/base/mem.h"
#include "verdict.h"

enum { PREDICT_FROM = 5 }; /* recordings that predict one more */

static const double LEVEL = 0.05;

const char *
verdict_word(enum verdict_word w)
{
	static const char *const words[] = {"cannot tell", "no change",
	    "slower", "faster", "likely slower", "likely faster",
	    "not comparable"};

	return words[w];
}

static double *
sorted_copy(const double *all, size_t n)
{
	double *copy = mem_resize(NULL, n, sizeof(*copy));

	memcpy(copy, all, n * sizeof(*copy));
	quantiles_sort(copy, n);
	return copy;
}

void
verdict_decide(struct verdict *v, double least_effect)
{
	bool off = v->interval && (v->low > 1 || v->high < 1);

	if (v->tested && v->p <= LEVEL && off &&
	    fabs(v->ratio - 1) >= least_effect)
		v->word = v->ratio > 1 ? VERDICT_SLOWER : VERDICT_FASTER;
	else if (v->interval && v->low >= 1 - least_effect &&
		 v->high <= 1 + least_effect)
		v->word = VERDICT_NO_CHANGE;
	else
		v->word = VERDICT_CANNOT_TELL;
	v->help = NULL;
	if (v->word == VERDICT_CANNOT_TELL)
		v->help = fabs(v->ratio - 1) >= least_effect
			      ? "the recordings of a side differ too much: "
				"more of them"
			      : "the interval is wider than the least effect: "
				"more recordings";
}

void
verdict_estimate(struct verdict *v, double a, double b, double least_effect)
{
	v->a = a;
	v->b = b;
	v->ratio = b / a;
	if (v->interval && v->low > v->ratio)
		v->low = v->ratio;
	if (v->interval && v->high < v->ratio)
		v->high = v->ratio;
	if (v->tested && !v->few)
		verdict_decide(v, least_effect);
	else if (verdict_slower(v) ? b <= a : verdict_faster(v) && b >= a)
		v->word = VERDICT_CANNOT_TELL;
}

/* ---- one a side ---- */

static void
decide_one(struct verdict *v, double noise)
{
	if (noise <= 0) {
		v->help = "one recording a side, three more of each would tell";
		return;
	}
	v->interval = true;
	v->low = v->ratio / (1 + noise);
	v->high = v->ratio * (1 + noise);
	v->tested = true;
	v->p = fabs(log(v->ratio)) > log(1 + noise) ? 0 : 1;
}

/* ---- some, and one ---- */

/* The interval of what k predict becomes one of the ratio. */
static void
decide_predicted(
    struct verdict *v, const double *many, size_t k, double one, bool one_is_b)
{
	struct student_interval i = student_predict(many, k, one);
	double middle = sqrt(i.low * i.high);

	v->tested = true;
	v->p = i.p;
	v->interval = true;
	v->ratio = one_is_b ? one / middle : middle / one;
	v->low = one_is_b ? one / i.high : i.low / one;
	v->high = one_is_b ? one / i.low : i.high / one;
}

/* ---- too few for a test ---- */

/*
 * All of one side above all of the other, and the medians further apart than
 * twice the larger range.
 */
static void
decide_likely(struct verdict *v, const double *a, size_t na, const double *b,
    size_t nb, double least_effect)
{
	double range_a = a[na - 1] - a[0], range_b = b[nb - 1] - b[0];
	double range = range_a > range_b ? range_a : range_b;
	bool apart = b[0] > a[na - 1] || a[0] > b[nb - 1];

	v->few = true;
	v->word = VERDICT_CANNOT_TELL;
	v->help = "too few recordings for a test: four a side";
	if (apart && fabs(v->b - v->a) > 2 * range &&
	    fabs(v->ratio - 1) >= least_effect)
		v->word = v->ratio > 1 ? VERDICT_LIKELY_SLOWER
				       : VERDICT_LIKELY_FASTER;
}

void
verdict_of(struct verdict *v, const double *a, size_t na, const double *b,
    size_t nb, double least_effect, double noise)
{
	double *x = sorted_copy(a, na), *y = sorted_copy(b, nb);
	struct mann_whitney_shift shift;

	*v = (struct verdict){
	    .a = quantiles_median(x, na),
	    .b = quantiles_median(y, nb),
	    .least = mann_whitney_least(na, nb),
	};
	v->ratio = v->b / v->a;
	if (na == 1 && nb == 1) {
		decide_one(v, noise);
		if (noise > 0)
			verdict_decide(v, least_effect);
	} else if (na == 1 || nb == 1) {
		if (na + nb > PREDICT_FROM) {
			decide_predicted(v, nb == 1 ? x : y, nb == 1 ? na : nb,
			    nb == 1 ? *y : *x, nb == 1);
			verdict_decide(v, least_effect);
		} else
			v->help = "one recording of a side: five of the "
				  "other, or four of both";
	} else {
		shift =
		    mann_whitney_ratio(x, na, y, nb, (double)na, (double)nb);
		v->ratio = shift.ratio;
		v->interval = shift.interval;
		v->low = shift.low;
		v->high = shift.high;
		v->tested = true;
		v->p = mann_whitney_p(x, na, y, nb);
		if (v->least > LEVEL)
			decide_likely(v, x, na, y, nb, least_effect);
		else
			verdict_decide(v, least_effect);
	}
	free(x);
	free(y);
}
