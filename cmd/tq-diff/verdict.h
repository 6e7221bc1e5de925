/*
 * verdict.h - is B slower than A, and how certain is that?
 *
 * A value comes from one recording; units within one are no substitute.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "tq/base/text.h"

enum verdict_word {
	VERDICT_CANNOT_TELL,
	VERDICT_NO_CHANGE, /* the interval lies within the least effect */
	VERDICT_SLOWER,
	VERDICT_FASTER,
	VERDICT_LIKELY_SLOWER,
	VERDICT_LIKELY_FASTER,
	VERDICT_NOT_COMPARABLE
};

struct verdict {
	enum verdict_word word;
	double a, b;   /* medians, or the means of verdict_estimate() */
	double ratio;  /* b / a, by Hodges and Lehmann where there is one */
	bool interval; /* the ratio lies between low and high, with 95 % */
	double low, high;
	bool tested;      /* p and least are set */
	double p, least;  /* least: that could come out */
	bool few;         /* recordings: it is likely at most */
	const char *help; /* why there is no verdict, and what would help */
};

/* cannot tell, no change, slower ... */
const char *verdict_word(enum verdict_word w);

/*
 * Compare na > 0 values of A with nb > 0 of B, all > 0.  least_effect: 0.01 is
 * 1 %.  noise: the largest ratio - 1 of two equal recordings, for one a side;
 * 0 if it is unknown.
 */
void verdict_of(struct verdict *v, const double *a, size_t na, const double *b,
    size_t nb, double least_effect, double noise);

/*
 * Make the change from mean a to mean b, both > 0, the estimate, for the sums
 * that add up to it; an interval becomes as wide as it has to be.
 */
void verdict_estimate(
    struct verdict *v, double a, double b, double least_effect);

/* Set the word from p, e.g. after many tests, and the interval. */
void verdict_decide(struct verdict *v, double least_effect);

static inline bool
verdict_slower(const struct verdict *v)
{
	return v->word == VERDICT_SLOWER || v->word == VERDICT_LIKELY_SLOWER;
}

static inline bool
verdict_faster(const struct verdict *v)
{
	return v->word == VERDICT_FASTER || v->word == VERDICT_LIKELY_FASTER;
}

#endif
