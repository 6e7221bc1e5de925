/*
 * rank_flows.h - what slices of communication have to do with slices of other
 * ranks: who waited, and for whom.
 *
 * It is found by a first reading of the stream, and drawn in the second, kernel
 * by kernel.  80 bytes are held for each operation of communication, and
 * what tq/ranks/job.h holds.
 */
#ifndef TQ_DRAW_RANK_FLOWS_H
#define TQ_DRAW_RANK_FLOWS_H

#include "tq/draw/sink.h"
#include "tq/io/reader.h"
#include "tq/ranks/job.h"

/* of an operation that is part of an instance */
struct rank_slice {
	uint64_t kernel; /* number of its record, from 0 */
	int64_t wait;    /* ns from its start; 0: it did not wait */
	int64_t rank;    /* the one that it waited for */
	struct rank_ends ends;
};

struct rank_candidate;

/* {0} is empty */
struct rank_flows {
	struct rank_slice *all; /* in order of kernels */
	size_t count;
	size_t next;
	uint64_t kernels; /* seen so far */
	uint64_t flows;   /* as many there are */
	int64_t unmatched;
	bool apart; /* there are no two ranks on one clock */

	/* while it reads */
	struct job job;
	struct rank_candidate *candidates;
	size_t candidate_count, candidate_cap;
};

/* Read all of a stream for the first time, after input_keep; then rewind. */
void rank_flows_survey(struct rank_flows *f, struct reader *in);

/*
 * Each kernel of the second reading that has a ts, in order: what is drawn of
 * it, or NULL.
 */
const struct rank_slice *rank_flows_kernel(struct rank_flows *f);

/* Print what could not be drawn. */
void rank_flows_warn(const struct rank_flows *f);

void rank_flows_free(struct rank_flows *f);

#endif
