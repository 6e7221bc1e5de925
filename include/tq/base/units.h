/*
 * units.h - numbers with units, as options and expressions take them.
 */
#ifndef TQ_BASE_UNITS_H
#define TQ_BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/text.h"

/*
 * A duration or time in ns: numbers with ns us ms s m h, which may follow
 * one another ("1.5ms", "1s20ms", "-3us"); a bare number counts ns, and has
 * no fraction.
 * Fractions finer than a nanosecond are rounded down.  False if text is
 * none, or does not fit 64 bits.
 */
bool units_time(const char *text, int64_t *ns);

/*
 * The same for an option, where a number has a unit unless it is 0.  NULL, or a
 * constant text with the error.
 */
const char *units_option_time(const char *text, int64_t *ns);

/* The same where a bare number counts units of that name, as "s". */
const char *units_option_time_in(
    const char *text, const char *unit, int64_t *ns);

/*
 * A size in bytes: B, kB MB GB TB (1000), KiB MiB GiB TiB (1024; also
 * k K M G T); a bare number counts bytes, and has no fraction.
 */
bool units_size(const char *text, int64_t *bytes);

enum { UNITS_PERCENT = 1000000 };

/* A percentage, with % or without it: UNITS_PERCENT is one percent. */
bool units_percent(const char *text, int64_t *parts);

/* Append a value as it would be given, in the largest unit that divides it. */
void units_add_time(struct text *t, int64_t ns);
void units_add_size(struct text *t, int64_t bytes);

#endif
