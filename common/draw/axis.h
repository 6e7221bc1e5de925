/*
 * axis.h - the time axis of a trace: ns from its beginning, never negative,
 * for sections with origins of their own.
 */
#ifndef AXIS_H
#define AXIS_H

#include <stdbool.h>
#include <stdint.h>

#define AXIS_UNKNOWN INT64_MIN /* a time in UTC; as SINK_NO_UTC */

struct axis {
	int64_t utc;       /* of the beginning, once begun; or AXIS_UNKNOWN */
	int64_t unaligned; /* sections without a common clock */

	bool begun, section_begun;
	int64_t origin;       /* of this section */
	int64_t first_origin; /* of the first section with a record */
	int64_t base;         /* the ts of that section that is drawn at 0 */
	int64_t zero;         /* the ts of this section that is drawn at 0 */
};

void axis_init(struct axis *a);

/* A section begins, with an origin that is not negative, or AXIS_UNKNOWN. */
void axis_section(struct axis *a, int64_t origin);

/*
 * Begin to draw a section; ts is the time of its first record.  Returns true if
 * the trace begins there.
 */
bool axis_begin(struct axis *a, int64_t ts);

/* A record on the axis. */
struct drawn_time {
	int64_t start, end; /* 0 <= start <= end */
	int64_t ts;         /* of the record */
	bool moved;         /* to the beginning, from before it */
};

/* A negative dur counts as 0. */
static inline struct drawn_time axis_time(
    const struct axis *a, int64_t ts, int64_t dur);

/* The same; for axis_time only. */
struct drawn_time axis_any_time(const struct axis *a, int64_t ts, int64_t dur);

/* Sums and differences that stay at the limits. */
int64_t axis_add(int64_t a, int64_t b);
int64_t axis_subtract(int64_t a, int64_t b);

/* few records have a negative time, or one near a limit */
static inline struct drawn_time
axis_time(const struct axis *a, int64_t ts, int64_t dur)
{
	uint64_t start = (uint64_t)ts - (uint64_t)a->zero;
	struct drawn_time drawn = {
	    (int64_t)start, (int64_t)(start + (uint64_t)dur), ts};

	if ((start | (uint64_t)ts | (uint64_t)dur) >> 60 != 0)
		drawn = axis_any_time(a, ts, dur);
	return drawn;
}

#endif
