/*
 * waiting_reports.h - what the page says of ranks: who waits for whom, of
 * recordings that tq-align has brought onto one clock.
 */
#ifndef WAITING_REPORTS_H
#define WAITING_REPORTS_H

#include "report.h"

/* how well the clocks of the ranks are known */
struct waiting_clocks {
	size_t ranks, on_clock; /* all, and those on the clock of most */
	bool aligned;           /* tq-align has found them */
	int64_t error;          /* the most that one is wrong, ns; or NO_ID */
};

/* It reads sections that tq-align has aligned, or that have several devices. */
extern const struct report_kind waiting_reports_page;

/* False where no two ranks are on one clock. */
bool waiting_reports_clocks(const struct report *r, struct waiting_clocks *c);

/* The tables of stragglers, ranks:worst and collectives. */
void waiting_reports_stragglers(struct report *r, struct table *t);
void waiting_reports_worst(struct report *r, struct table *t);
void waiting_reports_collectives(struct report *r, struct table *t);

/* Append the rank of a row of stragglers: "rank 59 (dp 7, tp 3) on node-7". */
void waiting_reports_add_rank(
    const struct report *r, size_t row, struct text *t);

#endif
