/* axis.c - the time axis of a trace */

#include "axis.h"

/*
 * Viewers show times exactly below 2^53 ns.  A trace whose first record is
 * beyond half of that, or before 0, has its 0 there.
 */
#define FAR ((int64_t)1 << 52)
#define LAST ((int64_t)1 << 62)

void
axis_init(struct axis *a)
{
	*a = (struct axis){.utc = AXIS_UNKNOWN, .origin = AXIS_UNKNOWN};
}

int64_t
axis_add(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return b < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

int64_t
axis_subtract(int64_t a, int64_t b)
{
	int64_t difference;

	if (__builtin_sub_overflow(a, b, &difference))
		return b > 0 ? INT64_MIN : INT64_MAX;
	return difference;
}

void
axis_section(struct axis *a, int64_t origin)
{
	a->section_begun = false;
	a->origin = origin;
}

bool
axis_begin(struct axis *a, int64_t ts)
{
	int64_t base = ts < 0 || ts > FAR ? ts : 0;

	a->section_begun = true;
	if (!a->begun) {
		a->begun = true;
		a->first_origin = a->origin;
		a->base = a->zero = base;
		if (a->origin != AXIS_UNKNOWN)
			a->utc = axis_add(a->origin, base);
		return true;
	}
	if (a->origin == AXIS_UNKNOWN || a->first_origin == AXIS_UNKNOWN ||
	    a->origin < a->first_origin || a->origin - a->first_origin > FAR) {
		a->zero = base;
		a->unaligned++;
	} else
		a->zero = axis_subtract(a->base, a->origin - a->first_origin);
	return false;
}

/* a ts on the axis */
static int64_t
position(const struct axis *a, int64_t ts)
{
	int64_t t = axis_subtract(ts, a->zero);

	return t < 0 ? 0 : t > LAST ? LAST : t;
}

struct drawn_time
axis_any_time(const struct axis *a, int64_t ts, int64_t dur)
{
	struct drawn_time drawn = {position(a, ts), 0, ts, ts < a->zero};

	drawn.end = dur > 0 ? position(a, axis_add(ts, dur)) : drawn.start;
	return drawn;
}
