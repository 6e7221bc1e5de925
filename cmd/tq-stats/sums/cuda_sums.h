/*
 * cuda_sums.h - the state of the summaries of cuda.c.
 */
#ifndef CUDA_SUMS_H
#define CUDA_SUMS_H

#include "cuda.h"
#include "groups.h"

struct cuda_sums {
	struct groups gs;
	struct map known; /* symbol and more -> group, of this section */
	struct text key, t;

	/* for nvtx-name: all ranges of the section, for a kernel may come
	 * long after the range that it was launched in */
	struct map ranges; /* id -> place in names */
	struct cuda_texts names;
	struct cuda_inside inside;
	struct cuda_waiting *waiting;
	size_t count, cap;
};

/* the interval of an event */
static inline void
cuda_sums_add(struct group *g, const struct event *ev)
{
	groups_interval(g, event_int(ev, KEY_ts, 0), event_int(ev, KEY_dur, 0));
}

/* cuda_gpu_kern_sum:nvtx-name */
void cuda_nvtx_event(struct report *r, const struct event *ev);
void cuda_nvtx_section_end(struct cuda_sums *s);
void cuda_nvtx_free(struct cuda_sums *s);

#endif
