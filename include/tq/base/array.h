/*
 * array.h - growing arrays: a pointer, a count and a capacity, as members of
 * a struct or as variables under any names.  NULL, 0, 0 is an empty array;
 * free(3) the pointer.
 *
 *	struct lane *lanes;
 *	size_t count, cap;
 *
 *	*array_add(&s->lanes, &s->count, &s->cap) = (struct lane){.pid = pid};
 */
#ifndef TQ_BASE_ARRAY_H
#define TQ_BASE_ARRAY_H

#include "tq/base/mem.h"

/*
 * A pointer to one more element at the end of *all, and count it.  The element
 * has no value yet: assign all of it.  Elements may move: pointers to earlier
 * ones, this call's result included, are good until the next array_add.
 *
 * cap points to a size_t, count to any unsigned integer.  This is a macro so
 * that *all keeps its type; it evaluates its arguments more than once.  The
 * value that is assigned to the result must not itself add to the array.
 */
#define array_add(all, count, cap) \
	(*(count) < *(cap) ? (void)0 \
			   : (void)(*(all) = mem_more(*(all), *(count), (cap), \
					sizeof(**(all)))), \
	    *(all) + (*(count))++)

#endif
