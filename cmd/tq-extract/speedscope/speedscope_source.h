/* speedscope_source.h - files for the viewer speedscope, as py-spy writes */
#ifndef SPEEDSCOPE_SOURCE_H
#define SPEEDSCOPE_SOURCE_H

#include "source.h"

extern const struct source speedscope_source;

#endif
