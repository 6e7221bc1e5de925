/*
 * device_terms.h - the terms of each device.
 *
 * Devices of two recordings are the same by rank and number, if all have a rank
 * and no two are equal; else in order of rank, pid and number.  Their pids are
 * ignored.
 */
#ifndef DEVICE_TERMS_H
#define DEVICE_TERMS_H

#include "wall_terms.h"

enum { DEVICE_TERMS_MOST = 1024 }; /* devices of a recording */

struct device_term {
	int64_t rank, device; /* of the first recording; rank: or NO_ID */
	struct span name;
	struct wall_terms terms; /* without rows */
};

/* in order; {0} has none */
struct device_terms {
	struct device_term *all;
	size_t count, cap;
};

/*
 * The devices that both sides have units on; none if there is one, or too many,
 * or rows are paths or grids, which accounts have of all devices together.
 */
void device_terms_make(struct device_terms *d, const struct match *m);

void device_terms_free(struct device_terms *d);

#endif
