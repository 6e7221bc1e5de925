/*
 * missing.h - names that the export has only the number of: # and the number
 * in a stream, nothing in nsys.
 */
#ifndef MISSING_H
#define MISSING_H

#include "tq/base/text.h"

/* True for # and digits, or # and a negative number. */
bool missing_is(struct span name);

/* The name, or an empty one for one that is missing. */
struct span missing_shown(struct span name);

#endif
