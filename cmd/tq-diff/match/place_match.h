/*
 * place_match.h - level 4: names launched in the same place are the same.
 *
 * On each launching thread of a unit, names that are matched so far are
 * anchors.  The launches between two anchors that follow one another, in one
 * range path, are a slot.  Where both sides have unmatched names in a slot,
 * these are one row: a fusion, a split, a rename.
 */
#ifndef PLACE_MATCH_H
#define PLACE_MATCH_H

#include "match.h"

/*
 * set[i] becomes the smallest name of the set of name i: itself, or one that
 * shares a slot with it, directly or by others.
 */
void place_match_sets(struct match *m, uint32_t *set);

#endif
