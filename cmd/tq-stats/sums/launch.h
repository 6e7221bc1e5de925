/*
 * launch.h - what the page reads of the report launch.
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "report.h"

struct launch_tally {
	int64_t kernels;         /* with a known call, but those of graphs */
	int64_t short_kernels;   /* that ran shorter than their call */
	int64_t calls, run;      /* ns in all calls, and of all launches */
	int64_t launches, brief; /* with those of graphs */
	/* the graph that ran longest; no name: none did */
	struct span graph;
	int64_t graph_run, graph_launches;
};

/* The sums; the graph's name lives as long as the report. */
struct launch_tally launch_tally(const struct report *r);

#endif
