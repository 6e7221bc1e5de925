/*
 * axis.h - the time axis of a viewer: ns from the beginning of what is
 * drawn, never negative, for sections that each have their own origin.
 */
#ifndef AXIS_H
#define AXIS_H

#include <stdbool.h>
#include <stdint.h>

#define AXIS_UNKNOWN INT64_MIN /* a time in UTC */

struct axis {
	int64_t utc;       /* of the beginning, once begun; or AXIS_UNKNOWN */
	int64_t unaligned; /* sections without a common clock */

	bool begun, section_begun;
	int64_t origin;       /* of this section */
	int64_t first_origin; /* of the first that had a record */
	int64_t base;         /* the ts that is drawn at 0, of that one */
	int64_t zero;         /* the same, of this one */
};

void axis_init(struct axis *a);

/* A section begins, with an origin that is not negative, or AXIS_UNKNOWN. */
void axis_section(struct axis *a, int64_t origin);

/*
 * Before the first record of a section is drawn: its ts.  True when it is
 * the first of all.
 */
bool axis_begin(struct axis *a, int64_t ts);

/* From when to when something is drawn, in ns from the beginning. */
struct drawn_time {
	int64_t start, end; /* 0 <= start <= end */
	int64_t ts;         /* of the record */
	bool moved;         /* from before the beginning, to it */
};

/* dur counts as 0 where it is negative */
static inline struct drawn_time axis_time(
    const struct axis *a, int64_t ts, int64_t dur);

/* The same; not to be called directly. */
struct drawn_time axis_any_time(const struct axis *a, int64_t ts, int64_t dur);

/* Sums and differences that stay at the limits. */
int64_t axis_add(int64_t a, int64_t b);
int64_t axis_subtract(int64_t a, int64_t b);

/* mostly nothing is negative, or anywhere near a limit */
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
