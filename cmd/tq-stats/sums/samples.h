/*
 * samples.h - the values of functions in samples that the page reads.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "groups.h"

/* of a group of sample_sum, a function: numbers of samples */
enum {
	SAMPLES_SELF,  /* it is the innermost one */
	SAMPLES_TOTAL, /* it is in the stack */
	SAMPLES_NUMBERS
};

/* by SAMPLES_SELF, then SAMPLES_TOTAL, the largest first; then by name */
groups_order samples_by_self;

#endif
