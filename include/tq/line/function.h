/*
 * function.h - the names of functions of CUDA, as profilers spell them
 */
#ifndef TQ_LINE_FUNCTION_H
#define TQ_LINE_FUNCTION_H

#include "tq/base/text.h"

/*
 * The name without the version that may end it: cudaLaunchKernel of
 * cudaLaunchKernel_v7000, cuMemAlloc of cuMemAlloc_v2.  A part of raw.
 */
struct span function_name(struct span raw);

#endif
