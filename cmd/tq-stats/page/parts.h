/*
 * parts.h - the reports that the page is made of, and two of its own.
 */
#ifndef PARTS_H
#define PARTS_H

#include "report.h"

/* A part without a name ends them. */
extern const struct report_part parts_of_page[];

/* memcpy and memset by direction */
extern const struct report_kind parts_copies;

/* numbers of a group of it; its values are durations */
enum { PARTS_BYTES, PARTS_NUMBERS };

#endif
