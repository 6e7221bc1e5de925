/* nccl_source.h - what NCCL Inspector writes */
#ifndef NCCL_SOURCE_H
#define NCCL_SOURCE_H

#include "source.h"

extern const struct source nccl_source;

#endif
