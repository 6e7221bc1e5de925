/*
 * pushpop.h - the values of ranges that the page reads.
 */
#ifndef PUSHPOP_H
#define PUSHPOP_H

#include "report.h"

/*
 * page_ranges: ranges by folded name; more[0] of a group has the time for which
 * GPUs were busy for each of them.
 */
extern const struct report_kind pushpop_page;

#endif
