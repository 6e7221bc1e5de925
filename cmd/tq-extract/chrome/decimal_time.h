/* decimal_time.h - decimal microseconds, exactly */
#ifndef DECIMAL_TIME_H
#define DECIMAL_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/span.h"

/*
 * The ns of a time in us, as text: digits, a fraction, an exponent.  What is
 * finer than a nanosecond is rounded, a half to the even one; *rounded counts
 * such times.  False where it is no number, or does not fit.
 */
bool decimal_time(struct span text, int64_t *ns, int64_t *rounded);

#endif
