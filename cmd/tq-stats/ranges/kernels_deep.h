/*
 * kernels_deep.h - kernels by name, to count many pieces of them at once.
 *
 * Where ranges are never closed, very many of them enclose a kernel, and each
 * counts it.  The time of counting grows with the pieces and the names, not
 * with the kernels that are counted.
 */
#ifndef KERNELS_DEEP_H
#define KERNELS_DEEP_H

#include "sums/dist.h"
#include "tq/show/table.h"

/* an execution of a kernel */
struct kernels_op {
	uint32_t kernel, low, high; /* the name; words of the duration */
};

/* in ns */
static inline int64_t
kernels_duration(const struct kernels_op *op)
{
	return (int64_t)((uint64_t)op->high << 32 | op->low);
}

/* the kernels of a range: [from, to) of all */
struct kernels_piece {
	uint32_t from, to;
	uint32_t range; /* the number of the range; 0: in no range */
	uint32_t next;  /* of the list: index + 1, or 0 */
};

/* the distribution of a row's durations */
struct kernels_numbers {
	uint64_t count;
	dist_wide sum, median2;
	int64_t min, max;
	int64_t quantiles[4]; /* with percentiles */
	long double stddev;
	uint32_t ranges;
};

struct kernels_deep;

/*
 * For count kernels with so many names, to which ranges refer so many times in
 * all; NULL if counting them one by one is faster.
 */
struct kernels_deep *kernels_deep_new(const struct kernels_op *all,
    size_t count, size_t names, uint64_t references);

/* True if this is faster than to count the pieces of list one by one. */
bool kernels_deep_pays(const struct kernels_deep *d,
    const struct kernels_piece *pieces, uint32_t list);

/* True if the pieces of list have executions of a kernel. */
bool kernels_deep_find(struct kernels_deep *d,
    const struct kernels_piece *pieces, uint32_t list, uint32_t kernel);

/* The numbers of the executions that kernels_deep_find has found. */
struct kernels_numbers kernels_deep_count(
    struct kernels_deep *d, uint32_t kernel, bool percentiles);

/* The cells of groups_stats, and with percentiles of groups_more. */
void kernels_deep_cells(
    struct table *t, const struct kernels_numbers *n, bool percentiles);

void kernels_deep_free(struct kernels_deep *d);

#endif
