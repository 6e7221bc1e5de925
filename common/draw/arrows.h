/*
 * arrows.h - arrows of a recording: a record of kind flow has one end of an
 * arrow, at a time of a thread, and so in the slice that is innermost there.
 *
 * An arrow begins with a record of phase s, and may pass others of phase t;
 * each f ends it.  Records of one arrow have its id, name and category.
 */
#ifndef ARROWS_H
#define ARROWS_H

#include "draw.h"
#include "tracks.h"

enum { ARROWS_WAITING = 1 << 18 }; /* ends; the oldest goes */

struct arrow_end;

/* {0} has none */
struct arrows {
	struct map map;         /* an arrow -> the number of its latest end */
	struct arrow_end *ends; /* end n is at n % ARROWS_WAITING */
	size_t count, cap;
	uint64_t last;   /* ends of the section so far */
	uint64_t arrows; /* of all sections */
	int64_t undrawn; /* ends without a slice, or another end */
	struct text id;
};

/*
 * Draw the arrow to an end, if it is known where that comes from.  All slices
 * that start before it have been placed.
 */
void arrows_add(struct arrows *a, struct draw *d, const struct tracks *t,
    const struct event *ev, const struct drawn_time *drawn);

/* Forget all ends: the section is over, or its tracks go. */
void arrows_reset(struct arrows *a);

void arrows_free(struct arrows *a);

#endif
