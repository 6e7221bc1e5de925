/*
 * measure.h - times and sizes as people read them: three digits.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include "tq/base/text.h"

void measure_time(struct text *t, int64_t ns);    /* "5.24 s" */
void measure_size(struct text *t, int64_t bytes); /* "102 MB" */

#endif
