/*
 * gpu_calls.h - calls of CUDA and HIP, and how many of them failed.
 */
#ifndef GPU_CALLS_H
#define GPU_CALLS_H

#include "tq/evidence/evidence.h"
#include "tq/names/twice.h"

/* {0} has none */
struct gpu_calls {
	struct twice twice; /* of the section */
	int64_t count;      /* each once, as in cuda_api_sum */
	bool coded;         /* they have the code that they returned */
};

/* The keys of an api record that gpu_calls_add reads. */
void gpu_calls_keys(struct keyset *want);

/* True if an api record is one of them. */
bool gpu_calls_add(struct gpu_calls *c, const struct event *ev);

void gpu_calls_section_end(struct gpu_calls *c);

/*
 * "none of 45 calls failed", "3 of 45 calls failed": those that the evidence
 * counts.
 */
void gpu_calls_add_failed(struct text *t, const struct gpu_calls *c,
    const struct recording_evidence *e);

void gpu_calls_free(struct gpu_calls *c);

#endif
