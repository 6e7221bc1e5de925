/*
 * amount.h - amounts as people read them: three significant digits, a blank,
 * the unit.  A number is rounded once, half away from zero.
 */
#ifndef TQ_SHOW_AMOUNT_H
#define TQ_SHOW_AMOUNT_H

#include <stdint.h>

#include "tq/base/text.h"
#include "tq/base/wide.h"

/* 768 ns, 26.7 us, 1.00 s; from 600 s on 12m 3s, from an hour on 2h 14m */
void amount_time(struct text *t, int64_t ns);

/* The time of half of ns2: 12.5 ns, 26.7 us. */
void amount_half_time(struct text *t, wide ns2);

/* 60.402000000, all digits and no unit */
void amount_seconds(struct text *t, int64_t ns);

/* 60.402 s: a moment of the recording, to the millisecond */
void amount_moment(struct text *t, int64_t ns);

/* 272 B, 8.05 GB: units of 1000 */
void amount_size(struct text *t, int64_t bytes);

/* 1.42 TB/s */
void amount_rate(struct text *t, int64_t bytes_per_second);

/* 5,299 */
void amount_count(struct text *t, int64_t n);

/* 1 GPU, 2 GPUs */
void amount_of(struct text *t, int64_t n, const char *one, const char *more);

/* A part as a percentage without its sign: 36.7, 0.0; <.1 if above that. */
void amount_share(struct text *t, int64_t part, int64_t whole);

/* The change that is a ratio: +3.22 %, 0.00 %; from 1000 % on +1088 % */
void amount_change(struct text *t, double ratio);

/* A change between two ratios: +1.05 to +2.40 % */
void amount_change_range(struct text *t, double low, double high);

#endif
