/*
 * os_calls.h - which calls of the operating system wait for something, by name.
 */
#ifndef OS_CALLS_H
#define OS_CALLS_H

#include <stdbool.h>

#include "tq/base/text.h"

/* True if a call of that name does nothing but wait. */
bool os_calls_waits(struct span name);

#endif
