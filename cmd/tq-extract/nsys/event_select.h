/*
 * event_select.h - whether a row is an event, and when; for each row twice, to
 * build the index and to write.
 */
#ifndef EVENT_SELECT_H
#define EVENT_SELECT_H

#include "event_table.h"
#include "sqlite/slot_row.h"
#include "time_window.h"

/* The values that must be integers for event_select to be quick, as bits. */
static inline uint64_t
event_select_integers(const struct time_columns *c)
{
	uint64_t bits = 0;
	const int values[] = {c->start, c->end, c->filter};

	for (int i = 0; i < 3; i++)
		if (values[i] >= 0) /* beyond 63: no format will do */
			bits |= values[i] < 64 ? (uint64_t)1 << values[i]
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
    int64_t shift, int64_t start, int64_t end, int64_t *ts, int64_t *dur)
{
	return !__builtin_sub_overflow(start, shift, ts) &&
	       !__builtin_sub_overflow(end, shift, &end) &&
	       !__builtin_sub_overflow(end, *ts, dur);
}

/*
 * The sort of an operation that does not end after its start: the profiler
 * writes 0 for both where it could not collect them.
 */
static inline enum row_is
event_select_impossible(
    const struct nsys_table *map, int64_t start, int64_t end)
{
	if (schema_role(map->kind) != ROLE_WORK)
		return ROW_EVENT;
	return end < start              ? ROW_BACKWARD
	       : start == 0 && end == 0 ? ROW_ZERO_TIME
					: ROW_EVENT;
}

/* a row: row i ahead; the same, whose values are integers; or one of slots */
struct select_from {
	enum { SELECT_AHEAD, SELECT_PLAIN, SELECT_SLOTS } how;
	struct row_source *s;
	unsigned i;
	const unsigned char *slots; /* see slot_row.h */
};

/* An integer of a row. */
__attribute__((always_inline)) static inline bool
event_select_int(const struct select_from *from, int value, int64_t *v)
{
	const struct row_bytes *r;

	if (from->how == SELECT_SLOTS)
		return slot_row_int(from->slots, value, v);
	if (from->how == SELECT_PLAIN) {
		r = &from->s->ahead[from->i];
		*v = row_early_int(r, r->format->values + value);
		return true;
	}
	row_source_set(from->s, from->i);
	return sql_value_int(&row_source_values(from->s)[value], v);
}

/* The sort of a row, and for an event its time and duration. */
__attribute__((always_inline)) static inline enum row_is
event_select_row(int64_t shift, const struct time_columns *c,
    struct select_from from, const struct time_window *w, int64_t *ts,
    int64_t *dur)
{
	int64_t v, start, end;
	enum row_is is;

	if (c->filter >= 0 && (!event_select_int(&from, c->filter, &v) ||
				  !event_select_passes(c->map, v)))
		return ROW_OTHER;
	if (!event_select_int(&from, c->start, &start))
		return ROW_NO_TIME;
	end = start;
	if (c->end >= 0 && !event_select_int(&from, c->end, &end)) {
		if (__builtin_sub_overflow(start, shift, ts))
			return ROW_TIME_RANGE;
		*dur = NEVER_ENDED;
	} else if (end <= start && (is = event_select_impossible(
					c->map, start, end)) != ROW_EVENT)
		return is;
	else if (!event_select_times(shift, start, end, ts, dur))
		return ROW_TIME_RANGE;
	return time_window_overlaps(w, *ts, *dur) ? ROW_EVENT : ROW_OUTSIDE;
}

/* The same of row i ahead. */
static inline enum row_is
event_select(int64_t shift, const struct time_columns *c, struct row_source *s,
    unsigned i, const struct time_window *w, int64_t *ts, int64_t *dur)
{
	const struct row_format *format = s->ahead[i].format;

	return format != NULL && format->integers
		   ? event_select_row(shift, c,
			 (struct select_from){SELECT_PLAIN, s, i, NULL}, w, ts,
			 dur)
		   : event_select_row(shift, c,
			 (struct select_from){SELECT_AHEAD, s, i, NULL}, w, ts,
			 dur);
}

#endif
