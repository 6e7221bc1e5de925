/*
 * bar.h - bars and lines of bars, made of signs.
 */
#ifndef BAR_H
#define BAR_H

#include "ink.h"

/* Append a bar of v of a whole, and blanks, in so many cells. */
void bar_add(struct text *t, const struct terminal *on, enum ink ink, int64_t v,
    int64_t whole, size_t cells);

/*
 * Append times one behind the other, by class, in so many cells.  Edges are
 * rounded; a time of a quarter of a cell and more gets a cell.
 */
void bar_add_stack(struct text *t, const struct terminal *on,
    const int64_t times[PAGE_CLASSES], int64_t whole, size_t cells);

/*
 * Append a line of heights, v[i] of a whole each.  All heights, from a blank,
 * stand for equal parts of it.
 */
void bar_add_levels(struct text *t, const struct terminal *on, enum ink ink,
    const int64_t *v, size_t count, int64_t whole);

/* The same of counts: the most is highest, and each above 0 is seen. */
void bar_add_counts(struct text *t, const struct terminal *on, enum ink ink,
    const int64_t *v, size_t count);

#endif
