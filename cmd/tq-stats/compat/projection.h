/*
 * projection.h - ranges projected on devices as nsys does it: parents are of
 * any domain, a range that was never closed ends with the last one, and 2023.4
 * has a row for the operations in no range.
 */
#ifndef PROJECTION_H
#define PROJECTION_H

#include "ranges/launched.h"
#include "ranges/projected.h"

struct projection {
	struct tree ranges;
	struct launched ops; /* of the section */
};

void projection_init(
    struct projection *p, const struct report_settings *settings);

/* Add a range or an operation; other records are only seen. */
void projection_event(struct projection *p, const struct event *ev);

/*
 * The section is over: add its ranges with operations to *to.  Their names are
 * numbers of p->ranges.names, and p->ranges has their parents; the depth of a
 * range that nsys loses is negative.
 */
void projection_finish(struct projection *p, struct projected *to);

/* A new section: forget all but the names. */
void projection_reset(struct projection *p);

void projection_free(struct projection *p);

#endif
