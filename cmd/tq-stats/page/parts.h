/*
 * parts.h - the reports that the page is made of, and two of its own.
 */
#ifndef PARTS_H
#define PARTS_H

#include "report.h"

/* A part without a name ends them. */
extern const struct report_part parts_of_page[];

/* numbers of a group of page_copies; its values are durations */
enum { PARTS_BYTES, PARTS_NUMBERS };

#endif
