/*
 * gaps.h - when devices, or their streams, had nothing to do: what the reports
 * on it are made of.
 */
#ifndef GAPS_H
#define GAPS_H

#include "gaps_host.h"
#include "sums/groups.h"

enum gap_cause {
	GAP_BEFORE,
	GAP_BUSY,
	GAP_HOST,
	GAP_SYNC,
	GAP_LAUNCH,
	GAP_NEXT,
	GAP_COPY,
	GAP_KERNEL,
	GAP_QUEUE,
	GAP_UNKNOWN,
	GAP_AFTER,
	GAP_CAUSES
};

enum gap_hta { HTA_HOST_WAIT, HTA_KERNEL_WAIT, HTA_OTHER, HTA_CATEGORIES };

/* a device, or one of its streams */
struct lane {
	int64_t pid, device, context, stream;
	int64_t first, from, until; /* it works from from to until */
	int64_t copies, kernels;    /* where the last of them ends */
	int64_t wall;
	struct dist time[GAP_CAUSES];
	dist_wide hta[GAP_CAUSES][HTA_CATEGORIES];
};

struct gap {
	size_t lane;
	int64_t start, dur, late; /* late: a0 - g0; NO_ID: not known */
	enum gap_cause cause;
	enum gap_hta hta;
	struct text
	    names;   /* of the operation, its call, and its range: parts */
	int64_t tid; /* of the thread that launched, or NO_ID */
	struct host_share most; /* of what that thread did */
	int64_t range;          /* id, while its name is not there, or NO_ID */
};

struct gaps {
	bool sums, by_stream;
	struct map devices, contexts; /* steps to a lane */
	struct map map;               /* of the section: number + 1 */
	struct lane *lanes;
	size_t count, cap, first; /* first: of the section at hand */
	struct host host;
	struct gap *longest; /* longest first */
	size_t gap_count;
	bool any;
	int64_t from, to; /* what the section covers */
	struct text scratch;
};

void gaps_table(struct report *r, struct table *t);
void gaps_sum_table(struct report *r, struct table *t);

#endif
