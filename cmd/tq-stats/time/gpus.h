/*
 * gpus.h - which devices of the processes of a section are one GPU.
 *
 * Each process numbers its devices.  Devices whose own definitions have one
 * UUID, or without one the same host and gpu, are one GPU.  Where two processes
 * use it, the GPU has an account of its own, which starts as a copy of the
 * account of its first device.
 */
#ifndef GPUS_H
#define GPUS_H

#include "tq/base/intern.h"
#include "tq/names.h"

struct shared_gpu {
	int64_t number; /* of the definitions, or from 0 */
	int64_t pid;    /* of its first device */
	size_t first;   /* index of the account of that */
	size_t shared;  /* index + 1 of its own account, or 0 */
};

/* {0} is empty */
struct gpus {
	struct intern keys;
	struct shared_gpu *all; /* by number of the key */
	size_t count, cap;
	struct text key;
};

/*
 * The GPU of a device, whose account has that index; NULL if it is unknown.
 * Good until the next.
 */
struct shared_gpu *gpus_find(struct gpus *g, const struct names *n, int64_t pid,
    int64_t device, size_t account);

/* A new section. */
void gpus_reset(struct gpus *g);

void gpus_free(struct gpus *g);

#endif
