/* wprof_source.h - what wprof -J writes */
#ifndef WPROF_SOURCE_H
#define WPROF_SOURCE_H

#include "source.h"

extern const struct source wprof_source;

#endif
