/*
 * nvtx_kern.h - nvtx_kern_sum: kernels by the ranges they were launched in
 */
#ifndef NVTX_KERN_H
#define NVTX_KERN_H

#include "nvtx.h"

/* where kernels were launched: ranges of a name and style on a thread */
struct kern_place {
	int64_t pid, tid; /* NO_ID: of a kernel without a call */
	uint32_t name;    /* of ranges */
	uint32_t last;    /* of its pieces: index + 1 */
	unsigned char style;
};

/* kernels of a range: [from, to) of all */
struct kern_piece {
	uint32_t from, to;
	uint32_t range; /* counts them; 0: kernels in no range */
	uint32_t next;  /* of the place: index + 1 */
};

struct kern_op {
	uint32_t kernel, low, high; /* words of the duration */
};

/* what is said of durations */
struct kern_numbers {
	uint64_t count;
	dist_wide sum, median2;
	int64_t min, max;
	int64_t quantiles[4]; /* where they are asked for */
	long double stddev;
};

struct kern_row {
	uint32_t place, kernel;
	uint32_t ranges, last; /* range that was counted */
	struct dist values;
	struct kern_numbers *deep; /* instead of values, or NULL */
};

/* in ns */
static inline int64_t
kern_duration(const struct kern_op *op)
{
	return (int64_t)((uint64_t)op->high << 32 | op->low);
}

/* the state of nvtx_kern_sum, a row of report_nvtx_gpu */
struct nvtx_kern {
	struct nvtx_ranges ranges;
	struct nvtx_ops ops; /* of the section, as the next two */
	struct kern_op *loose;
	size_t loose_count, loose_cap;
	struct nvtx_names kernels;
	struct map symbols;  /* of the section -> name + 1 */
	struct map threads;  /* (pid, tid) -> number */
	struct map by_place; /* (range name, style; thread) -> place + 1 */
	struct kern_place *places;
	size_t place_count, place_cap;
	struct kern_piece *pieces;
	size_t piece_count, piece_cap;
	struct kern_op *all; /* by section, thread and start of the call */
	size_t count, cap;
	struct text scratch;
	uint32_t range; /* the last, of all sections, from 1 */
	bool correlated;

	/* for the table */
	uint32_t *order;       /* of places */
	size_t at;             /* in order: the next */
	struct kern_row *rows; /* of some places; first_row is the first */
	size_t row_count, row_cap, first_row;
	size_t *row_of;         /* a kernel */
	struct kern_deep *deep; /* or NULL */
	bool pct;
};

void nvtx_kern_event(struct report *r, const struct event *ev);
void nvtx_kern_section_end(struct report *r);
void nvtx_kern_table(struct report *r, struct table *t);
void nvtx_kern_close(struct report *r);

/* The row of a kernel at a place; those of the place begin at first. */
struct kern_row *nvtx_kern_row(
    struct nvtx_kern *s, uint32_t place, size_t first, uint32_t kernel);

/* Those that were made last. */
void nvtx_kern_drop_rows(struct nvtx_kern *s);

/* All kernels are there: where there are very many ranges around them ... */
void nvtx_kern_deep_open(struct nvtx_kern *s);
void nvtx_kern_deep_free(struct kern_deep *d);

/* ... the rows of a place may be made otherwise. */
bool nvtx_kern_is_deep(const struct nvtx_kern *s, uint32_t place);
void nvtx_kern_deep_rows(struct nvtx_kern *s, uint32_t place, bool values);

/* What groups_cells, and with pct groups_more_cells, add. */
void nvtx_kern_deep_cells(
    struct table *t, const struct kern_numbers *n, bool pct);

#endif
