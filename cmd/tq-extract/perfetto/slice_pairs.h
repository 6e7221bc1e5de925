/* slice_pairs.h - begins and ends of a track become slices */
#ifndef SLICE_PAIRS_H
#define SLICE_PAIRS_H

#include "event_line.h"

/*
 * Make the records of all events, which are known now.  An end closes the
 * innermost slice of its track; a slice without an end is open.
 */
void slice_pairs_make(struct pftrace *p);

#endif
