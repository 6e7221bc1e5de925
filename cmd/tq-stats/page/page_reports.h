/*
 * page_reports.h - the reports that the page is made of, and two of its own.
 */
#ifndef PAGE_REPORTS_H
#define PAGE_REPORTS_H

#include "report.h"

/* A part without a name ends them. */
extern const struct report_part page_reports_of_page[];

/* memcpy and memset by direction */
extern const struct report_kind page_reports_copies;

/* numbers of a group of it; its values are durations */
enum { PARTS_BYTES, PARTS_NUMBERS };

/* The reports of overview, ended by one without a name. */
extern const struct report_part overview_parts[];

#endif
