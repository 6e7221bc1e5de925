/*
 * wall.h - the wall: the time for which the program was recorded.
 *
 * A trace record with a dur states a window, [0, dur] on the clock of the
 * recording: of a section that tq-align has put on another clock, what that
 * became.  The wall of a section is
 *
 *	- this window, if the records of the section, those of the profiler
 *	  included, reach from its beginning to its end;
 *	- else the time from the first to the last record of the program within
 *	  the window: the file was cropped, or filtered;
 *	- without a window, or if an operation starts outside of it, the time
 *	  from the first to the last record of the program.
 *
 * Records of the profiler, not of the program, are those of kind overhead,
 * lost and diagnostic.  An operation that ends behind the window extends it.
 * A sample with a weight_ns lasts that long.
 */
#ifndef TQ_ACCOUNT_WALL_H
#define TQ_ACCOUNT_WALL_H

#include "tq/line/event.h"

struct wall_span {
	bool any;
	int64_t from, to;
};

/* Make it cover [from, to], too. */
void wall_span_add(struct wall_span *s, int64_t from, int64_t to);

/* Set after and before; all else is 0 at first. */
struct wall {
	int64_t ns;       /* of all sections that are over */
	int64_t from, to; /* of the last section that is over */
	bool any;         /* it has a record of the program */
	bool recorded;    /* true if that is the window of its trace record */
	int64_t windows, spans; /* sections whose wall is a window, or not */

	int64_t after, before; /* all walls, and all times of reports of time,
				* are cut to [after, before]: --time */

	/* of the section */
	bool stated; /* its trace record states the window [opens, closes] */
	int64_t opens, closes;
	bool misplaced; /* an operation starts outside of the window */
	struct wall_span profiler, inside, outside, work;
};

/* The section begins with this trace record. */
void wall_begin(struct wall *w, const struct event *ev);

/* A record of the section, which has a ts; of a sample with its args. */
void wall_add(struct wall *w, const struct event *ev);

void wall_section_end(struct wall *w);

/* Cut [*ts, *end] to the wall's [after, before], with which it overlaps. */
static inline void
wall_cut(const struct wall *w, int64_t *ts, int64_t *end)
{
	if (*ts < w->after)
		*ts = w->after;
	if (*end > w->before && *end != INT64_MAX) /* it never ended */
		*end = w->before;
	if (*end < *ts)
		*end = *ts;
}

/*
 * The definition of the wall: of the last section; and of all of them, "is the
 * ...", or NULL.
 */
const char *wall_meaning(const struct wall *w);
const char *wall_meanings(const struct wall *w);

#endif
