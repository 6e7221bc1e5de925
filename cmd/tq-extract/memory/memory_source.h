/* memory_source.h - the raw timeline of PyTorch's memory profiler */
#ifndef MEMORY_SOURCE_H
#define MEMORY_SOURCE_H

#include "source.h"

extern const struct source memory_source;

#endif
