/*
 * live_texts.h - sums of a stream that goes on, for programs.
 */
#ifndef LIVE_TEXTS_H
#define LIVE_TEXTS_H

#include "live_sums.h"

/* an interval of the reader's clock */
struct live_interval {
	int64_t number;  /* from 0 */
	int64_t now_utc; /* at its end */
	int64_t elapsed; /* ns since the start */
	int64_t length;  /* ns */
	bool final;      /* the stream has ended */
};

/* Append a line of JSON. */
void live_json_add(
    struct text *t, const struct live_sums *s, const struct live_interval *at);

/* Append all of an exposition in OpenMetrics. */
void live_metrics_add(
    struct text *t, const struct live_sums *s, const struct live_interval *at);

#endif
