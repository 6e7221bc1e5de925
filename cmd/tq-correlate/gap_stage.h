/*
 * gap_stage.h - correlated records go on to the output, and each operation
 * that ends idle time of its device is followed by records of kind gap.
 */
#ifndef GAP_STAGE_H
#define GAP_STAGE_H

#include "tq/account/gap_record.h"
#include "tq/io/output.h"
#include "tq/names/model.h"

/* {0}, then gap_stage_open */
struct gap_stage {
	struct output in; /* correlated records, written to memory */
	struct output *out;
	uint64_t kinds; /* that are written, a bit each */
	struct device_pieces pieces;
	struct model model;
	struct event event;
	struct gap_record gap;
	struct text gaps; /* lines of the present record */
	int64_t gap_count;
};

void gap_stage_open(struct gap_stage *s, struct output *out, uint64_t kinds);

/*
 * Pass on the records written to s->in, without its gaps, which are made again.
 */
void gap_stage_pass(struct gap_stage *s);

/* The section is over. */
void gap_stage_reset(struct gap_stage *s);

void gap_stage_free(struct gap_stage *s);

#endif
