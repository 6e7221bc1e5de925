/* perf_source.h - what perf script prints */
#ifndef PERF_SOURCE_H
#define PERF_SOURCE_H

#include "source.h"

extern const struct source perf_source;

#endif
