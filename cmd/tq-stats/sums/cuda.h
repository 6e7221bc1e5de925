/*
 * cuda.h - the names of API calls and operations, for reports of CUDA.
 */
#ifndef CUDA_H
#define CUDA_H

#include "tq/base/intern.h"

#include "report.h"

/* ---- names, which may be added to *t ---- */

/* A name that the export does not have is empty for nsys. */
struct span cuda_shown(const struct report *r, struct span name);

/* Of an api record. */
struct span cuda_api_name(
    const struct report *r, const struct event *ev, struct text *t);

/* Of a kernel, in the form that the argument of the report names. */
struct span cuda_kernel_name(
    const struct report *r, const struct event *ev, struct text *t);

/* Of a memcpy, a memset, or a graph that was traced as a whole. */
struct span cuda_operation_name(const struct event *ev, struct text *t);
struct span cuda_graph_name(int64_t id, struct text *t);

/*
 * The three numbers of a grid or block, and how nsys spells them; a short
 * array is filled up with zeros.  Without the key: false, and an empty text.
 */
bool cuda_dims(const struct event *ev, enum key k, int64_t d[3]);
struct span cuda_dims_text(const struct event *ev, enum key k, struct text *t);

/* ---- cuda_gpu_kern_sum:nvtx-name, see cuda_nvtx.c ---- */

/* Make the report this one if its argument is nvtx-name. */
void cuda_nvtx_open(struct report *r);

/* The group of a kernel in a range, or in none if range.p is NULL. */
struct group *cuda_nvtx_group(
    struct report *r, struct span range, struct span kernel);

/* Its table: no row without calls, since no kernel can be in a range then. */
void cuda_nvtx_table(struct report *r, struct table *t);

#endif
