/*
 * gpu_time.h - a bar of each GPU's time by class, and its busy time over time.
 */
#ifndef GPU_TIME_H
#define GPU_TIME_H

#include "ink.h"

/* Append the lines of the GPUs that the page shows, and the legend. */
void gpu_time_add(
    struct text *t, const struct terminal *on, const struct page *p);

#endif
