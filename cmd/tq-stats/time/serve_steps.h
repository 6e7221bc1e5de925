/*
 * serve_steps.h - the values of the report serve that the page reads.
 */
#ifndef SERVE_STEPS_H
#define SERVE_STEPS_H

#include "tq/ask/serve_rules.h"

#include "report.h"

/* the steps of a class, of all processes */
struct serve_total {
	struct span engine; /* lives as long as the report */
	enum serve_class class;
	int64_t steps;
	int64_t span, busy, median; /* ns; as the columns of the report */
	int64_t gap;                /* before all of them; NO_ID: unknown */
	int64_t tokens;             /* NO_ID: not known of all */
	int64_t work[SERVE_WORKS];  /* ns of its operations */
};

/* "Attention", as the columns of the report. */
extern const char *const serve_steps_works[SERVE_WORKS];

/* The classes of steps, the one with most time first; free(3) them. */
struct serve_total *serve_steps_totals(const struct report *r, size_t *count);

/* The report as a part of the page. */
extern const struct report_kind serve_steps_page;

#endif
