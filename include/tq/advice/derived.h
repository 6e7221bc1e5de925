/*
 * derived.h - keys that rules ask for and records lack, since they need other
 * records.  In a condition they begin with a point: ".steady == true".
 *
 *	.steady    of all: false before the second step of the process, without
 *	           steps in the first 20 % of the active span of its devices
 *	.queued    of operations: ns from the end of their call to their start
 *	.sm_share  of kernels: blocks per 100 multiprocessors
 *	.threads   of kernels: threads of a block
 *	.span_share  of gaps: percent of the active span of the device
 *	.rate      of copies: bytes per second
 *	.waits     of api: true if the name is of a call that waits for a device
 */
#ifndef DERIVED_H
#define DERIVED_H

#include "tq/advice/survey.h"

struct derived {
	const struct survey *survey;
	size_t section; /* as in the survey */
	struct text text;

	/* of the current kernel */
	int64_t blocks, sms; /* 0: unknown */

	/* of the last process */
	int64_t pid, steady_from;
	bool known;
};

/* A section begins. */
void derived_section(struct derived *d);

/* Add the keys to the record; good until the next one. */
void derived_add(struct derived *d, struct event *ev);

void derived_free(struct derived *d);

#endif
