/*
 * project.h - what the devices did for a range: the gpu-range records.
 */
#ifndef PROJECT_H
#define PROJECT_H

#include "tq/output.h"

#include "ranges.h"

/*
 * Add an operation [ts, end] to the share of device; operations come in order
 * of ts.  launch: it is the first one of its call there.
 */
void project_add(
    struct range *r, int64_t device, int64_t ts, int64_t end, bool launch);

/* The same, to the share itself. */
static inline void
share_add(struct share *s, int64_t ts, int64_t end, bool launch)
{
	int64_t from = ts > s->last ? ts : s->last, busy;

	s->ops++;
	s->launches += launch;
	if (ts < s->first)
		s->first = ts;
	if (end > from && (__builtin_sub_overflow(end, from, &busy) ||
			      __builtin_add_overflow(s->busy, busy, &s->busy)))
		s->busy = INT64_MAX;
	if (end > s->last)
		s->last = end;
}

/* Write a gpu-range for each device that worked for the range. */
void project_write(struct output *o, const struct range *r);

/* Append the name of a range to a JSON array: "name" or "domain:name". */
void project_add_name(struct text *path, const struct range *r);

#endif
