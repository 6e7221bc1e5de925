/*
 * innermost.h - cuda_gpu_kern_sum:nvtx-name as nsys has it: kernels by the
 * innermost range that encloses the whole call, of any domain, and of equal
 * ones the first.
 */
#ifndef INNERMOST_H
#define INNERMOST_H

#include "report.h"

extern const struct report_kind innermost_report;

#endif
