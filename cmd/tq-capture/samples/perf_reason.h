/* perf_reason.h - why the kernel allows no perf_event_open(2), in words */
#ifndef TQ_CAPTURE_PERF_REASON_H
#define TQ_CAPTURE_PERF_REASON_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/text.h"

/* kernel.perf_event_paranoid; false: it cannot be read */
bool perf_reason_paranoid(int64_t *value);

/* Append "perf_event_open: " and the meaning of an error of perf_rings_open. */
void perf_reason_add(struct text *t, int error);

#endif
