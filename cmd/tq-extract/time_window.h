/* time_window.h - the window of --time */
#ifndef TIME_WINDOW_H
#define TIME_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#define NEVER_ENDED INT64_MAX /* a duration, the longest there is */

/* events that overlap [from, to) */
struct time_window {
	int64_t from, to;
};

static inline bool
time_window_overlaps(const struct time_window *w, int64_t ts, int64_t dur)
{
	return ts < w->to &&
	       (ts >= w->from || (dur > 0 && (uint64_t)dur > (uint64_t)w->from -
								 (uint64_t)ts));
}

#endif
