/*
 * symbol_class.h - the class of a kernel or a function, by its name:
 * computation or communication between GPUs, products of matrices.
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

/*
 * True for a product of matrices or a convolution in FP32, neither TF32 nor
 * less, of cuBLAS, cuDNN, CUTLASS, MAGMA or rocBLAS, by its full name:
 * ampere_sgemm_128x64_tn, cutlass_80_simt_sgemm_..., Cijk_Ailk_Bljk_SB_...
 */
bool symbol_class_is_fp32_matrix(struct span name);

#endif
