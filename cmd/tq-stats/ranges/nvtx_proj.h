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
	size_t stack;      /* index of the parent + 1; for nsys, in stacks */
	uint32_t children; /* that have operations */
	uint32_t name;
	uint32_t range; /* in ranges, for nsys */
	unsigned char style;
	bool named;
};

/* what is known of an id of a range */
enum {
	PROJ_START = 1, /* it is StartEnd */
	PROJ_SEEN = 2,  /* above is where it is, if it is not NO_ID */
	PROJ_BITS = 2
};

/* what gpu-range records say; for nsys, what ranges and operations do */
struct nvtx_projection {
	struct nvtx_ranges ranges; /* for nsys; else names, time, scratch */
	struct nvtx_ops ops;       /* for nsys */
	struct nvtx_ids ids;       /* PROJ_SEEN: index in all */
	struct nvtx_proj *all;
	size_t count, cap, section; /* section: the first of it */
	struct nvtx_stack stack;
	struct text stacks;
};

/* the state of nvtx_gpu_proj_sum, a row of report_nvtx_gpu */
struct nvtx_proj_sum {
	struct nvtx_projection compat; /* of the section, for nsys */
	struct nvtx_ranges ranges;     /* time and scratch */
	struct nvtx_names names;       /* of groups; their tag is the style */
	struct nvtx_ids ids;           /* PROJ_SEEN: index of the range */
	struct proj_group *groups;     /* by name */
	size_t group_count, group_cap;

	int64_t *durations; /* of ranges; in their section their ends */
	uint32_t *links;    /* to another of the group; there, the group */
	int64_t *starts;    /* of the section */
	size_t count, cap, section, starts_cap;

	struct proj_open *open;
	size_t open_count, open_cap;
	struct proj_row *rows;
};

void nvtx_proj_sum_open(struct report *r);
void nvtx_proj_sum_event(struct report *r, const struct event *ev);
void nvtx_proj_sum_section_end(struct report *r);
void nvtx_proj_sum_table(struct report *r, struct table *t);
void nvtx_proj_sum_close(struct report *r);

/* A new one, zeroed; good until the next. */
struct nvtx_proj *nvtx_proj_add(struct nvtx_projection *s);

/* Keep a range or operation, for nsys. */
void nvtx_proj_compat_event(
    struct nvtx_projection *s, const struct ask *ask, const struct event *ev);

/*
 * The section is over: what nsys makes of its ranges and operations.  The
 * depth of what it lost is negative.
 */
void nvtx_proj_compat(struct nvtx_projection *s, const struct ask *ask);

/* A new section: forget all but what is in all. */
void nvtx_proj_section_end(struct nvtx_projection *s);

void nvtx_proj_free(struct nvtx_projection *s);

#endif
