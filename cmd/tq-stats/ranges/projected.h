/*
 * projected.h - ranges projected on devices: from the start of the first to the
 * end of the last operation that was launched in them.
 */
#ifndef PROJECTED_H
#define PROJECTED_H

#include "range.h"

/* a range with operations */
struct projected_range {
	int64_t ts, end;              /* of its operations */
	int64_t range_ts, range_end;  /* range_end: NO_ID while it is open */
	int64_t pid, tid, id, parent; /* parent: its id, or NO_ID */
	int64_t launches;
	int64_t depth;     /* < 0: unknown */
	size_t stack;      /* index of the parent + 1; for nsys, in stacks */
	uint32_t children; /* that have operations */
	uint32_t name;
	uint32_t range; /* for nsys: index in the tree */
	unsigned char style;
	bool named;
};

/* those of all sections; {0} is empty */
struct projected {
	struct projected_range *all;
	size_t count, cap;
	size_t section; /* the first of the section */
};

#endif
