/* select.h - what a row is, found out for each of them twice */
#ifndef SELECT_H
#define SELECT_H

#include "event_table.h"

/* the cells that must be integers for this to be quick */
static inline uint64_t
event_select_integers(const struct time_columns *w)
{
	uint64_t bits = 0;
	const int cells[] = {w->start, w->end, w->filter};

	for (int i = 0; i < 3; i++)
		if (cells[i] >= 0) /* beyond 63: none will do */
			bits |= cells[i] < 64 ? (uint64_t)1 << cells[i]
					      : UINT64_MAX;
	return bits;
}

static inline bool
event_select_passes(const struct nsys_table *map, int64_t v)
{
	for (int i = 0; i < map->value_count; i++)
		if (v == map->values[i])
			return !map->none_of;
	return map->none_of;
}

/* ts and dur from two times; false where they do not fit */
static inline bool
event_select_times(
    const struct nsys *x, int64_t start, int64_t end, int64_t *ts, int64_t *dur)
{
	return !__builtin_sub_overflow(start, x->shift, ts) &&
	       !__builtin_sub_overflow(end, x->shift, &end) &&
	       !__builtin_sub_overflow(end, *ts, dur);
}

static inline bool
time_window_overlaps(const struct time_window *w, int64_t ts, int64_t dur)
{
	return ts < w->to &&
	       (ts >= w->from || (dur > 0 && (uint64_t)dur > (uint64_t)w->from -
								 (uint64_t)ts));
}

/* of row i of those ahead */
static inline enum row_is
event_select(const struct nsys *x, const struct time_columns *times,
    struct row_source *s, unsigned i, const struct time_window *w, int64_t *ts,
    int64_t *dur)
{
	const struct row_bytes *r = &s->ahead[i];
	const struct value_ref *at;
	int64_t start;

	if (r->format == NULL || !r->format->integers) {
		row_source_set(s, i);
		return event_index_select(
		    x, times, row_source_cells(s), w, ts, dur);
	}
	at = r->format->values;
	if (times->filter >= 0 && !event_select_passes(times->map,
				      row_early_int(r, at + times->filter)))
		return ROW_OTHER;
	start = row_early_int(r, at + times->start);
	if (!event_select_times(x, start,
		times->end >= 0 ? row_early_int(r, at + times->end) : start, ts,
		dur))
		return ROW_LOST;
	return time_window_overlaps(w, *ts, *dur) ? ROW_EVENT : ROW_OUTSIDE;
}

#endif
