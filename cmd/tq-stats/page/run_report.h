/*
 * run_report.h - the values of the report run that the page reads.
 */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include "report.h"

/* a recording; texts are empty where it does not say them */
struct run_report_section {
	struct span command, host, start;
	int64_t rank; /* or NO_ID */
	uint64_t kinds[KIND_COUNT + 1];
};

/* of all sections; texts are of the first that has them */
struct run_report_total {
	uint64_t kinds[KIND_COUNT + 1]; /* events */
	uint64_t work, joined;          /* operations; those with their call */
	uint64_t warnings;              /* of the profiler */
	int64_t lost, lost_at;          /* lost_at: NO_ID, or when at first */
	size_t sections, untimed; /* untimed: with counts in place of times */
	struct run_report_section *all; /* the sections */
	size_t all_cap;
	bool begun;      /* there was a trace record */
	bool cut;        /* one has no end */
	bool correlated; /* tq-correlate wrote it */
	struct span producer, command, host, start;
};

/* "known of 16 of 16 operations": those with their call, of all. */
void run_report_add_launches(
    struct text *t, uint64_t joined, uint64_t work, bool correlated);

/* The total of the report run. */
const struct run_report_total *run_report_total(const struct report *r);

/* True if no section has times, as folded stacks. */
static inline bool
run_report_untimed(const struct run_report_total *t)
{
	return t->sections > 0 && t->untimed == t->sections;
}

/* The rank that the trace record of the section at hand has; or NO_ID. */
int64_t run_report_rank(const struct report *r);

/*
 * True if the sections are not the ranks of one job: some have no rank, or two
 * the same one.  False of a single section.
 */
bool run_report_unrelated(const struct run_report_total *t);

/*
 * True if two sections are one recording: begun in the same nanosecond on one
 * host, with as many records of each kind.  They become *a and *b.
 */
bool run_report_repeats(const struct run_report_total *t, size_t *a, size_t *b);

#endif
