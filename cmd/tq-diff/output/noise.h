/*
 * noise.h - how much recordings of one thing differ.
 */
#ifndef NOISE_H
#define NOISE_H

#include "tq/account/account.h"

/*
 * For wall, parts and launches: the largest and the median change between two
 * of the recordings, and the threshold that none of them passes.
 */
void noise_add(struct text *t, const struct accounts *all);

#endif
