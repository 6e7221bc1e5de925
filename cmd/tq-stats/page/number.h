/*
 * number.h - numbers of the page: three significant digits, a blank, the unit.
 */
#ifndef NUMBER_H
#define NUMBER_H

#include "tq/base/text.h"

/* 4.49 ms; from 600 s 12m 3s, from an hour 2h 14m */
void number_time(struct text *t, int64_t ns);

/* 60.402 s: a moment of the recording, to the millisecond */
void number_moment(struct text *t, int64_t ns);

/* 13.6 GB: units of 1000 */
void number_size(struct text *t, int64_t bytes);

/* 3.06 GB/s */
void number_rate(struct text *t, int64_t bytes_per_second);

/* 5,299 */
void number_count(struct text *t, int64_t n);

/* part of all as a percentage without its sign: 36.7, <.1, 0.0 */
void number_share(struct text *t, int64_t part, int64_t all);

#endif
