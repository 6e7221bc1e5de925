/* definitions.h - processes, threads, devices, and what else has an id */
#ifndef DEFINITIONS_H
#define DEFINITIONS_H

#include "nsys.h"

/* Write the trace record and the definitions that come before all events. */
void definitions_write(struct nsys *x);

#endif
