/*
 * project.h - what the devices did for a range: the gpu-range records.
 */
#ifndef PROJECT_H
#define PROJECT_H

#include "tq/io/output.h"

#include "ranges.h"

/*
 * Add an operation to the share of its device; operations come in order of
 * their start.  launch: it is the first one of its call there.
 */
void project_add(struct range *r, const struct op *op, bool launch);

/* The same, to the share itself. */
static inline void
share_add(struct share *s, int64_t ts, int64_t end, bool launch)
{
	int64_t from = ts > s->last ? ts : s->last;
	int64_t to = end > from ? end : from; /* end is not before ts */

	s->ops++;
	s->launches += launch;
	if (ts < s->first) {
		s->first = ts;
		s->ts_len = 0;
	}
	/* what is added up does not overlap, so that it fits */
	s->busy += (uint64_t)to - (uint64_t)from;
	s->last = to;
}

/* Write a gpu-range for each device that worked for the range. */
void project_write(struct output *o, const struct range *r);

/* Append the name of a range to a JSON array: "name" or "domain:name". */
void project_add_name(struct text *path, const struct range *r);

#endif
