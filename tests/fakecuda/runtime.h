/* What the two halves of the runtime share. */
#ifndef FAKECUDA_RUNTIME_H
#define FAKECUDA_RUNTIME_H

#include <cuda_runtime_api.h>

#include "fakecuda.h"

#define RUNTIME(name) CUPTI_RUNTIME_TRACE_CBID_##name

/*
 * Around each call.  enter initialises first, unseen, and returns an error if
 * that failed; leave returns the error, and remembers it.
 */
int runtime_enter(struct fake_call *, uint32_t cbid);
cudaError_t runtime_leave(struct fake_call *, int error);

#endif
