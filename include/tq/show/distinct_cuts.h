/*
 * distinct_cuts.h - texts that are cut to a width, and stay different.
 *
 *	/encoder/layer.11/attention/output/dense/MatMul
 *	/encoder/layer.12/attention/output/dense/MatMul
 * become, in 30 columns,
 *	/encoder/....11/attention/o...
 *	/encoder/....12/attention/o...
 */
#ifndef TQ_SHOW_DISTINCT_CUTS_H
#define TQ_SHOW_DISTINCT_CUTS_H

#include "tq/base/region.h"

/*
 * Set cuts[i] to texts[i], which a terminal can show, cut to width columns
 * where it is wider: as display_add_cut() does, unless that makes different
 * texts equal.  Of these the place where they differ is shown; what is equal
 * after all ends with a number, ~1, ~2.  Equal texts stay equal.  Below ten
 * columns there may be no room for a difference.  The cuts live as long as the
 * texts and the region.
 */
void distinct_cuts(const struct span *texts, size_t count, size_t width,
    unsigned percent, const char *ellipsis, struct span *cuts,
    struct region *life);

#endif
