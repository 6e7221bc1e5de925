/*
 * recent_ranges.h - the innermost range that was open on a thread at a time of
 * late.
 *
 * The last 4096 ranges of each thread are held, 32 bytes each; names are
 * folded, see naming/fold_name.h.
 */
#ifndef RECENT_RANGES_H
#define RECENT_RANGES_H

#include "tq/base/intern.h"
#include "tq/base/numbered.h"
#include "tq/line/event.h"

#define INSIDE_NONE UINT32_MAX

struct recent_range {
	int64_t ts, end;
	uint64_t around; /* the number + 1 of the last range before it that
			  * ends after its start, or 0 */
	uint32_t name;
};

struct recent_ranges_thread {
	struct recent_range *all; /* in order of ts */
	size_t count, cap;
	uint64_t first; /* the number of all[0] */
};

/* {0} is empty */
struct recent_ranges {
	NUMBERED(struct recent_ranges_thread) threads;
	struct intern names;
	struct text scratch;
};

/* The number of the name of a record, as it is or folded. */
uint32_t recent_ranges_intern(
    struct recent_ranges *s, const struct event *ev, bool fold);

/* A range record; the number of its name, INSIDE_NONE if it has none. */
uint32_t recent_ranges_add(struct recent_ranges *s, const struct event *ev);

/*
 * The number of the name of the range, or INSIDE_NONE: of a time up to the
 * start of the last record.
 */
uint32_t recent_ranges_find(
    const struct recent_ranges *s, const struct event *ev, int64_t at);

/* The name, which lives as long as *s. */
struct span recent_ranges_name(const struct recent_ranges *s, uint32_t name);

/* The number of names. */
static inline size_t
recent_ranges_count(const struct recent_ranges *s)
{
	return s->names.count;
}

/* A new section: forget all but the names. */
void recent_ranges_reset(struct recent_ranges *s);

void recent_ranges_free(struct recent_ranges *s);

#endif
