/*
 * time.h - ends of intervals of ns, absent ids, and the clock of this machine.
 */
#ifndef TQ_BASE_TIME_H
#define TQ_BASE_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "tq/base/wide.h"

#define NO_ID INT64_MIN /* the value of a key that a record lacks */

/* ns of a clock as CLOCK_MONOTONIC */
static inline int64_t
time_of_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ts + dur, INT64_MAX at most; a negative dur counts as 0 */
static inline int64_t
time_end(int64_t ts, int64_t dur)
{
	int64_t end;

	if (dur < 0 || !__builtin_add_overflow(ts, dur, &end))
		return dur < 0 ? ts : end;
	return INT64_MAX;
}

/* to - from, INT64_MAX at most; 0 if to is before from */
static inline int64_t
time_between(int64_t from, int64_t to)
{
	int64_t dur;

	if (to < from)
		return 0;
	return __builtin_sub_overflow(to, from, &dur) ? INT64_MAX : dur;
}

/*
 * A time on another clock, which is ahead by offset at 0, and by drift more for
 * each second behind it; the nearest ns.
 */
static inline int64_t
time_on_clock(int64_t ts, int64_t offset, int64_t drift)
{
	return wide_saturate(
	    (wide)ts + offset + wide_divide((wide)ts * drift, 1000000000));
}

/*
 * True if [from, to] is open when [ts, end] starts.  An interval that ends at
 * ts is open there only for an [ts, end] without duration.
 */
static inline bool
time_encloses_start(int64_t from, int64_t to, int64_t ts, int64_t end)
{
	return from <= ts && (ts < to || (ts == to && ts == end));
}

#endif
