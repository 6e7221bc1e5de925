/* decimal_time.h - times as decimal text, exactly */
#ifndef DECIMAL_TIME_H
#define DECIMAL_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/span.h"

/* the unit of a time, by the number of its decimals that make ns */
enum decimal_unit {
	DECIMAL_NS = 0,
	DECIMAL_US = 3,
	DECIMAL_MS = 6,
	DECIMAL_S = 9
};

/*
 * The ns of a time, as text: digits, a fraction, an exponent.  Parts of a
 * nanosecond are rounded, a half to the even one; *rounded counts such times.
 * False where it is no number, or does not fit.
 */
bool decimal_time(
    struct span text, enum decimal_unit unit, int64_t *ns, int64_t *rounded);

#endif
