/*
 * environment.h - kinds of records that this machine allows, and why not others
 */
#ifndef TQ_CAPTURE_ENVIRONMENT_H
#define TQ_CAPTURE_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/text.h"

/* True if these COUNTERS_* can be read; else *why, a string, is the reason. */
bool environment_counters(uint32_t sets, struct text *why);

/*
 * Print a line for each kind of record.  Returns 0, or the status to exit with.
 */
int environment_print(void);

#endif
