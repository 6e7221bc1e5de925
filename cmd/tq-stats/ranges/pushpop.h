/*
 * pushpop.h - the values of ranges that the page reads.
 */
#ifndef PUSHPOP_H
#define PUSHPOP_H

#include "report.h"

/* page_ranges: ranges by folded name */
extern const struct report_kind pushpop_page;

/*
 * The time, ns, for which GPUs were busy for each range of a group of it, and
 * once for those within others of the group on their thread.  The groups are
 * settled.
 */
dist_wide pushpop_busy(const struct group *g);

#endif
