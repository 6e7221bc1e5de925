/*
 * cuda.h - the names of API calls and operations, for reports of CUDA.
 */
#ifndef CUDA_H
#define CUDA_H

#include "tq/base/intern.h"

#include "report.h"

/* ---- names, which may be added to *t ---- */

/*
 * True for a call of the CUDA runtime or driver; libraries have api records as
 * well.
 */
bool cuda_is_call(const struct event *ev);

/* Of an api record. */
struct span cuda_api_name(
    const struct report *r, const struct event *ev, struct text *t);

/* Of a kernel, in the form that the argument of the report names. */
struct span cuda_kernel_name(
    const struct report *r, const struct event *ev, struct text *t);

/* Of a memcpy, a memset, or a graph that was traced as a whole. */
struct span cuda_operation_name(const struct event *ev, struct text *t);

/*
 * The three numbers of a grid or block, and how nsys spells them; a short
 * array is filled up with zeros.  Without the key: false, and an empty text.
 */
bool cuda_dims(const struct event *ev, enum key k, int64_t d[3]);
struct span cuda_dims_text(const struct event *ev, enum key k, struct text *t);

/* ---- what is inside which range, for nsys ---- */

/*
 * The innermost range is for nsys one that the whole call is in, of whatever
 * domain, and of equal ones the first.  Where one ends that was never closed
 * is known at the end of a section only.
 */
struct cuda_inside {
	struct map threads; /* (pid, tid) -> index + 1 */
	struct inside_thread *all;
	size_t count, cap;
	int64_t last; /* time of an annotation */
};

void cuda_inside_add(struct cuda_inside *in, const struct event *range);

/* All ranges are there. */
void cuda_inside_close(struct cuda_inside *in);

/* The id of the range around [ts, end] of a thread, or NO_ID. */
int64_t cuda_inside_find(const struct cuda_inside *in, int64_t pid, int64_t tid,
    int64_t ts, int64_t end);

/* A new section. */
void cuda_inside_reset(struct cuda_inside *in);

/* ---- cuda_gpu_kern_sum:nvtx-name, see cuda_nvtx.c ---- */

/* Make the report this one if its argument is nvtx-name. */
void cuda_nvtx_open(struct report *r);

#endif
