/*
 * symbol_class.h - the class of a kernel or a function, by its name:
 * computation or communication between GPUs.
 *
 * The category of a record, which tq-filter --tag writes, counts before its
 * name: see account/device_time.h.
 */
#ifndef TQ_NAMES_SYMBOL_CLASS_H
#define TQ_NAMES_SYMBOL_CLASS_H

#include "tq/base/span.h"

/*
 * True for a kernel of a library for communication between GPUs: NCCL, RCCL,
 * NVSHMEM.  A JSON string or a text.
 */
bool symbol_class_communicates(struct span name);

/* The same as HTA has it: ^nccl, ^hip, ^hccl and ncclKernel, of a full name. */
bool symbol_class_hta_communicates(struct span name);

/*
 * True if a kernel, function or range is one of NCCL or RCCL by the beginning
 * of its name, which loses it: all_reduce of nccl:all_reduce, AllReduce of
 * ncclAllReduce, AllReduce_Sum_f32 of ncclDevKernel_AllReduce_Sum_f32.
 */
bool symbol_class_cut_nccl(struct span *name);

#endif
