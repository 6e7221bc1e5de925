/*
 * amount.h - amounts as the page prints them: three significant digits, a
 * blank, the unit.
 */
#ifndef AMOUNT_H
#define AMOUNT_H

#include <stdint.h>

#include "tq/base/text.h"

/* A duration: 768 ns, 26.7 us, 1.00 s; from 600 s on 12m 3s. */
void amount_time(struct text *t, int64_t ns);

/* A size in powers of 1000: 272 B, 8.05 GB. */
void amount_size(struct text *t, int64_t bytes);

/* What so many bytes in so many ns are a second: 1.42 TB/s. */
void amount_rate(struct text *t, int64_t bytes, int64_t ns);

/* With separators: 5,299. */
void amount_count(struct text *t, int64_t n);

/* "1 GPU", "2 GPUs". */
void amount_of(struct text *t, int64_t n, const char *one, const char *more);

/* A part in percent without the sign: 50.9; <.1 where it is above 0. */
void amount_share(struct text *t, int64_t part, int64_t whole);

#endif
