/* nsysrep_source.h - reports of Nsight Systems, read without nsys */
#ifndef NSYSREP_SOURCE_H
#define NSYSREP_SOURCE_H

#include "source.h"

extern const struct source nsysrep_source;

#endif
