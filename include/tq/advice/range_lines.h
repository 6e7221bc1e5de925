/*
 * range_lines.h - in which range a thread was at each time: the one that was
 * open and began last.
 *
 * Of a thread the times are held at which that range changes, since the oldest
 * gap that is open; of one gap RANGE_CHANGES at most, the latest.
 */
#ifndef TQ_ADVICE_RANGE_LINES_H
#define TQ_ADVICE_RANGE_LINES_H

#include "tq/base/numbered.h"
#include "tq/base/text.h"

enum { RANGE_CHANGES = 1 << 16 };

/* a name in the names of its thread; len 0: none */
struct range_name {
	size_t at, len;
};

/* from a time on the innermost range has a name */
struct range_change {
	int64_t at;
	struct range_name name;
};

struct range_open {
	int64_t end;
	struct range_name name;
};

struct range_line {
	struct range_change *changes; /* in order of time */
	size_t count, cap;
	struct range_open *open; /* the innermost last */
	size_t open_count, open_cap;
	struct text names;
};

/* {0} is empty */
struct range_lines {
	NUMBERED(struct range_line) threads; /* see names/model.h */
};

/* A range of the thread, in order of ts.  What is before oldest is not looked
   up again. */
void range_lines_add(struct range_lines *l, uint32_t thread, int64_t ts,
    int64_t end, struct span name, int64_t oldest);

/* True if range_lines_add looks at oldest. */
bool range_lines_are_full(const struct range_lines *l, uint32_t thread);

/*
 * The name of the range of the thread from a time on, and until when, *to at
 * most: up to the beginning of the last range.  It is empty if there is no
 * range, and good until the next is added.
 */
struct span range_lines_find(
    struct range_lines *l, uint32_t thread, int64_t from, int64_t *to);

/* A new section. */
void range_lines_reset(struct range_lines *l);

void range_lines_free(struct range_lines *l);

#endif
