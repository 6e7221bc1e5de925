/* perfetto_source.h - traces in Perfetto's own format */
#ifndef PERFETTO_SOURCE_H
#define PERFETTO_SOURCE_H

#include "source.h"

extern const struct source perfetto_source;

#endif
