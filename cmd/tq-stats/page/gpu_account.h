/*
 * gpu_account.h - the time of each GPU, for the page: what device_time and
 * gaps_sum add up, and when.
 *
 * A report of its own, page_account, which reads the report gaps beside it.
 */
#ifndef GPU_ACCOUNT_H
#define GPU_ACCOUNT_H

#include "tq/account/device_time.h"
#include "tq/base/numbered.h"

#include "time/gaps.h"
#include "range_names.h"
#include "page.h"
#include "thread_lanes.h"

/* the idle time of a cause */
struct account_cause {
	int64_t time, longest;
	int64_t count;
};

/* when a GPU had computed for so long, and the bytes it had copied by then */
struct account_progress {
	int64_t computed, copied, at;
};

struct account_gpu {
	int64_t number, pid, rank; /* pid: of the first process on it */
	size_t trace;
	struct span model;
	int64_t first, until;
	struct device_time time;
	struct account_cause causes[GAP_CAUSES]; /* but before and after */
	struct account_progress *progress; /* each time that one of the two
					    * grows by a 256th */
	size_t progress_count, progress_cap;
	struct page_gpu gpu;
};

/* a section of the stream */
struct account_trace {
	int64_t from, to; /* the wall */
	bool any;         /* an operation */
	int64_t first, until;
};

struct gpu_account {
	const struct report *run;
	const struct device_lanes *of; /* the lanes of the report gaps */
	struct account_gpu **gpus;
	size_t gpu_count, gpu_cap;
	size_t first;               /* GPU of the section */
	NUMBERED(size_t) of_device; /* the GPU of each, by number */
	struct account_trace *traces;
	size_t trace_count, trace_cap;
	struct account_trace trace; /* of the section */

	struct range_names ranges;
	struct thread_lanes threads;              /* of the section */
	struct account_cause causes[IDLE_CAUSES]; /* of all GPUs; those of
						   * ranges are of host */
	const struct idle_shares *shares; /* of the report gaps, or NULL */
	int64_t *things; /* ns of these, by index of shares->all */
	size_t thing_cap;
};

/* The state of the report page_account. */
const struct gpu_account *gpu_account_of(const struct report *r);

/* The GPU of a device with that number, see names/model.h; SIZE_MAX: none. */
size_t gpu_account_find(const struct gpu_account *s, uint32_t device);

extern const struct report_kind gpu_account_kind;

#endif
