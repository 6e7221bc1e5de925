/* select.h - what a row is, found out for each of them twice */
#ifndef SELECT_H
#define SELECT_H

#include "table.h"

/* the cells that must be integers for this to be quick */
static inline uint64_t
select_integers(const struct when *w)
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
select_passes(const struct nsys_table *map, int64_t v)
{
	for (int i = 0; i < map->value_count; i++)
		if (v == map->values[i])
			return !map->none_of;
	return map->none_of;
}

/* ts and dur from two times; false where they do not fit */
static inline bool
select_place(
    const struct nsys *x, int64_t start, int64_t end, int64_t *ts, int64_t *dur)
{
	return !__builtin_sub_overflow(start, x->shift, ts) &&
	       !__builtin_sub_overflow(end, x->shift, &end) &&
	       !__builtin_sub_overflow(end, *ts, dur);
}

static inline bool
select_in_window(const struct window *w, int64_t ts, int64_t dur)
{
	return ts < w->to &&
	       (ts >= w->from || (dur > 0 && (uint64_t)dur > (uint64_t)w->from -
								 (uint64_t)ts));
}

/* of row i of those ahead */
static inline enum row_is
table_select(const struct nsys *x, const struct when *when, struct source *s,
    unsigned i, const struct window *w, int64_t *ts, int64_t *dur)
{
	const struct row_bytes *r = &s->ahead[i];
	const struct place *at;
	int64_t start;

	if (r->shape == NULL || !r->shape->integers) {
		source_set(s, i);
		return table_select_cells(x, when, source_cells(s), w, ts, dur);
	}
	at = r->shape->places;
	if (when->filter >= 0 &&
	    !select_passes(when->map, row_early_int(r, at + when->filter)))
		return ROW_OTHER;
	start = row_early_int(r, at + when->start);
	if (!select_place(x, start,
		when->end >= 0 ? row_early_int(r, at + when->end) : start, ts,
		dur))
		return ROW_LOST;
	return select_in_window(w, *ts, *dur) ? ROW_EVENT : ROW_OUTSIDE;
}

#endif
