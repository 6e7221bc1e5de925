/*
 * wall.h - the time that the sections of the input cover together.
 */
#ifndef WALL_H
#define WALL_H

#include "tq/line/event.h"

/* {0} is no time */
struct wall {
	int64_t ns;       /* of the sections before */
	int64_t from, to; /* of the section, if any is set */
	bool any;
};

/* The section covers this record, which has a ts. */
void wall_add(struct wall *w, const struct event *ev);

void wall_section_end(struct wall *w);

#endif
