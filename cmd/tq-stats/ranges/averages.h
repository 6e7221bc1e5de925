/*
 * averages.h - the operators of PyTorch that the page reads.
 */
#ifndef AVERAGES_H
#define AVERAGES_H

#include "report.h"

/* of a group, a name: times in ns, and numbers */
enum {
	AVERAGES_CPU,
	AVERAGES_SELF_CPU,
	AVERAGES_DEVICE,
	AVERAGES_SELF_DEVICE,
	AVERAGES_CALLS,
	AVERAGES_VALUES, /* calls, and operations of graphs by their operator */
	AVERAGES_NUMBERS
};

/*
 * torch_ops of a stream without device operations; it is empty, and holds
 * nothing, from the first of them on.  Without operators it is empty, too.
 */
extern const struct report_kind averages_page;

/* by self time, of devices first */
groups_order averages_by_self;

#endif
