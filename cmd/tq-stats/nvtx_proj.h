/*
 * nvtx_proj.h - ranges projected on devices
 */
#ifndef NVTX_PROJ_H
#define NVTX_PROJ_H

#include "nvtx.h"

/* a range with operations */
struct nvtx_proj {
	int64_t ts, end;              /* of its operations */
	int64_t range_ts, range_end;  /* range_end: NO_ID while it is open */
	int64_t pid, tid, id, parent; /* parent: its id, or NO_ID */
	int64_t launches;
	int64_t depth;     /* < 0: nobody knows */
	uint32_t children; /* that have operations */
	uint32_t name;
	uint32_t range; /* in ranges, for nsys */
	unsigned char style;
	bool named;
};

/* of ranges of one name and style */
struct nvtx_proj_group {
	uint32_t name;
	unsigned char style;
	struct dist values;
	dist_wide range_time;
	int64_t launches, depth, depths, children;
};

/* the state of a report */
struct nvtx_projection {
	struct nvtx_ranges ranges; /* for nsys; else names, time, scratch */
	struct nvtx_ops ops;       /* for nsys */
	struct map starts;         /* ids of ranges that are StartEnd */
	struct map ids;            /* of range -> index in all + 1 */
	struct nvtx_proj *all;
	size_t count, cap;
	struct nvtx_stack stack;

	struct table rows; /* of the trace, of sections so far */
	struct map group;  /* (name, style) -> index + 1 */
	struct nvtx_proj_group *groups;
	size_t group_count, group_cap;
};

/* A new one, zeroed; good until the next. */
struct nvtx_proj *nvtx_proj_add(struct nvtx_projection *s);

/*
 * The section is over: what nsys makes of its ranges and operations.  The
 * depth of what it lost is negative.
 */
void nvtx_proj_compat(struct nvtx_projection *s, const struct ask *ask);

#endif
