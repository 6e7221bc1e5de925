/*
 * region.h - memory that is freed together: objects and texts that live as long
 * as their owner, a report, a section, an expression.
 */
#ifndef TQ_BASE_REGION_H
#define TQ_BASE_REGION_H

#include "tq/base/text.h"

/* {0} is an empty region, which owns no memory */
struct region {
	struct region_block *last;
};

/* a point in the life of a region; {0} is its beginning */
struct region_mark {
	struct region_block *block;
	size_t used;
};

/*
 * size zeroed bytes, aligned for any type.  They do not move, and live until
 * region_free or a region_reset to an earlier mark.
 */
void *region_get(struct region *r, size_t size);

/* A copy of s, with a NUL behind it; lives as long as memory of region_get. */
struct span region_copy(struct region *r, struct span s);

/* The current size: region_reset frees all memory taken after it. */
struct region_mark region_mark(const struct region *r);

/*
 * Free all that was made since mark, which stays good.  Later marks are void:
 * a reset to one of them uses freed memory.
 */
void region_reset(struct region *r, struct region_mark mark);

/* Free all; *r is empty then, and may be used again. */
void region_free(struct region *r);

#endif
