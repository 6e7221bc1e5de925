/* rocpd_source.h - the databases of rocprofv3 and rocprof-systems (AMD) */
#ifndef ROCPD_SOURCE_H
#define ROCPD_SOURCE_H

#include "source.h"

extern const struct source rocpd_source;

#endif
