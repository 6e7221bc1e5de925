/*
 * samples.h - the values of functions in samples that the page reads.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "groups.h"

/*
 * Of a group of functions, a function: of samples in which it is the innermost
 * one (SELF), and of those that have it in their stack (TOTAL).
 */
enum {
	SAMPLES_SELF,
	SAMPLES_TOTAL,
	SAMPLES_SELF_NS,
	SAMPLES_TOTAL_NS,
	SAMPLES_SELF_EVENTS,
	SAMPLES_TOTAL_EVENTS,
	SAMPLES_TIMED,   /* of SELF, that have a time */
	SAMPLES_METERED, /* of SELF, that have a period */
	SAMPLES_NUMBERS
};

/*
 * The numbers that shares are of, SELF and behind it TOTAL: ns where all
 * samples have a time, events where all have a period, else samples.
 */
size_t samples_basis(const struct groups *gs);

/* by numbers[basis], then TOTAL, the largest first; then by name */
void samples_sort(struct groups *gs, size_t basis);

#endif
