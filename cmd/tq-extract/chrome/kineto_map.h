/* kineto_map.h - what Kineto's categories mean */
#ifndef KINETO_MAP_H
#define KINETO_MAP_H

#include "chrome_records.h"

/* The meaning of a category, as it is spelt in the file. */
struct chrome_category kineto_map_category(struct span name);

/*
 * A complete event (phase X) of the current category becomes a record; false
 * where the category has no meaning of its own.  dur is NEVER_ENDED of one
 * that is open.
 */
bool kineto_map_complete(struct chrome *c, int64_t ts, int64_t dur);

/* The same for an instant. */
bool kineto_map_instant(struct chrome *c, int64_t ts);

#endif
