/*
 * noise.h - how much recordings of one thing differ.
 */
#ifndef NOISE_H
#define NOISE_H

#include "tq/account/account.h"
#include "tq/show/format.h"

/*
 * For wall, busy and idle time and the parts: the largest and the median change
 * between two of the recordings, and the threshold that none of them passes.
 */
void noise_write(struct output *o, const struct json_head *head,
    const struct accounts *all, enum format format);

#endif
