/*
 * sample_method.h - how processors are sampled here: by the kernel, or where it
 * denies perf_event_open(2), by timers in the program
 */
#ifndef TQ_CAPTURE_SAMPLE_METHOD_H
#define TQ_CAPTURE_SAMPLE_METHOD_H

#include "capture_options.h"
#include "samples/perf_rings.h"

/* The settings of perf_event_open(2) for the options. */
struct perf_wish sample_method_wish(const struct capture_options *o);

/*
 * Try the options on this process, and change them to what works here; what
 * they lose is printed, and appended to said as texts with NULs.  False:
 * --strict allows no loss, and there is one.
 */
bool sample_method_choose(struct capture_options *o, struct text *said);

/* Try the settings on this process: 0, or errno of perf_event_open(2). */
int sample_method_try(const struct perf_wish *wish);

/* How often a timer of a thread's time can fire here, Hz. */
int64_t sample_method_timer_hz(void);

/* Bytes of stack in a sample of that frequency. */
uint32_t sample_method_stack(int64_t hz);

#endif
