/*
 * run_report.h - the values of the report run that the page reads.
 */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include "report.h"

/* of all sections; texts are of the first that has them */
struct run_report_total {
	uint64_t kinds[KIND_COUNT + 1]; /* events */
	uint64_t work, joined;          /* operations; those with their call */
	uint64_t warnings;              /* of the profiler */
	int64_t lost, lost_at;          /* lost_at: NO_ID, or when at first */
	size_t sections;
	bool begun;      /* there was a trace record */
	bool cut;        /* one has no end */
	bool correlated; /* tq-correlate wrote it */
	struct span producer, command, host, start;
};

/* The total of the report run. */
const struct run_report_total *run_report_total(const struct report *r);

#endif
