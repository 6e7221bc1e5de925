/*
 * measure.h - times, sizes and shares as people read them: three digits.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include "tq/base/text.h"

void measure_time(struct text *t, int64_t ns);    /* "5.24 s" */
void measure_size(struct text *t, int64_t bytes); /* "102 MB" */

/* ppm as percent with one decimal, without its sign: "48.2" */
void measure_share(struct text *t, int64_t ppm);

#endif
