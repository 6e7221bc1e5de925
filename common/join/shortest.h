/*
 * shortest.h - ranges by their end: the shortest that ends at a time or later,
 * in O(log n).
 */
#ifndef SHORTEST_H
#define SHORTEST_H

#include <stdbool.h>
#include <stdint.h>

struct shortest;

/* older: of equal ranges the older is found, not the younger. */
struct shortest *shortest_new(bool older);

void shortest_add(struct shortest *s, void *range, int64_t ts, int64_t end);

/* Remove a range that was added with that end. */
void shortest_remove(struct shortest *s, const void *range, int64_t end);

/*
 * The shortest range that ends at end or later; of equal ones that which starts
 * last, or was added last; first with older.  NULL if there is none.
 */
void *shortest_find(const struct shortest *s, int64_t end);

/* s may be NULL. */
void shortest_free(struct shortest *s);

#endif
