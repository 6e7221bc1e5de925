/*
 * inside.h - the innermost range that was open on a thread at a time of late.
 *
 * The last 4096 ranges of each thread are held, 32 bytes each; names are
 * folded, see naming/fold_name.h.
 */
#ifndef INSIDE_H
#define INSIDE_H

#include "tq/base/intern.h"
#include "tq/base/numbered.h"
#include "tq/line/event.h"

#define INSIDE_NONE UINT32_MAX

struct inside_range {
	int64_t ts, end;
	uint64_t around; /* the number + 1 of the last range before it that
			  * ends after its start, or 0 */
	uint32_t name;
};

struct inside_thread {
	struct inside_range *all; /* in order of ts */
	size_t count, cap;
	uint64_t first; /* the number of all[0] */
};

/* {0} is empty */
struct inside {
	NUMBERED(struct inside_thread) threads;
	struct intern names;
	struct text scratch;
};

/* The number of the name of a record, as it is or folded. */
uint32_t inside_intern(struct inside *s, const struct event *ev, bool fold);

/* A range record; the number of its name, INSIDE_NONE if it has none. */
uint32_t inside_add(struct inside *s, const struct event *ev);

/*
 * The number of the name of the range, or INSIDE_NONE: of a time up to the
 * start of the last record.
 */
uint32_t inside_find(
    const struct inside *s, const struct event *ev, int64_t at);

/* The name, which lives as long as *s. */
struct span inside_name(const struct inside *s, uint32_t name);

/* The number of names. */
static inline size_t
inside_count(const struct inside *s)
{
	return s->names.count;
}

/* A new section: forget all but the names. */
void inside_reset(struct inside *s);

void inside_free(struct inside *s);

#endif
