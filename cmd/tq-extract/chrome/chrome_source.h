/* chrome_source.h - Chrome Trace Event JSON, as PyTorch's profiler writes it */
#ifndef CHROME_SOURCE_H
#define CHROME_SOURCE_H

#include "source.h"

extern const struct source chrome_source;

#endif
