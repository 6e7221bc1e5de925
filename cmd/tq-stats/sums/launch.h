/*
 * launch.h - the values of the report launch that the page reads.
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "report.h"

struct launch_tally {
	int64_t kernels;       /* with a known call, but those of graphs */
	int64_t short_kernels; /* that ran shorter than their call */
};

struct launch_tally launch_tally(const struct report *r);

#endif
