/*
 * gpu_numbers.h - which devices of processes are one GPU: those whose
 * definitions have one UUID, or without it the same host and gpu.
 */
#ifndef TQ_ACCOUNT_GPU_NUMBERS_H
#define TQ_ACCOUNT_GPU_NUMBERS_H

#include "tq/base/intern.h"
#include "tq/names.h"

/* {0} at the begin of a section */
struct gpu_numbers {
	struct intern keys;
	struct gpu_user {
		int64_t pid;
		uint32_t gpu;
	} * users;
	size_t count, cap;
	struct text key;
};

/*
 * The number of the GPU, from 0 in each section, of a device that is asked for
 * once; INTERN_NONE where no definition says which it is: it is one of its own.
 * No process has a GPU twice: its second device with a key is the second GPU
 * that has it.  *number: of the definitions, or NO_ID.
 */
uint32_t gpu_numbers_find(struct gpu_numbers *g, const struct names *n,
    int64_t pid, int64_t device, int64_t *number);

/* A new section. */
void gpu_numbers_reset(struct gpu_numbers *g);

void gpu_numbers_free(struct gpu_numbers *g);

#endif
