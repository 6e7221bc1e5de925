/*
 * rank_name.h - what the name of a recording says of its rank.
 *
 * Only names that a program writes count; a word like tp8 elsewhere is how many
 * ranks there are:
 *
 *	dp0_pp0_tp1_dcp0_ep1_rank1.TIME.pt.trace.json	vLLM, from 0.17 on
 *	ID-TP-3-DP-0-PP-1-EP-2-DECODE.trace.json.gz	SGLang, the last three
 *							and the stage may lack
 *	rank-7.json.gz, rank0_trace.json, x-rank[3]	Megatron-LM, torchtitan
 *... HOST_PID.async_llm.TIME.pt.trace.json		vLLM's frontend: no rank
 */
#ifndef TQ_RANKS_RANK_NAME_H
#define TQ_RANKS_RANK_NAME_H

#include "tq/ranks/mesh.h"

struct rank_name {
	int64_t rank; /* NO_ID: it does not say one */
	struct mesh mesh;
	bool coordinator; /* of a process that hands work to ranks */
};

/* The last part of a path. */
struct rank_name rank_name_read(const char *path);

/*
 * The same with a guess, where the name says neither rank nor coordinates: its
 * last number, if that has at most MESH_DIGITS digits.
 */
struct rank_name rank_name_guess(const char *path);

#endif
