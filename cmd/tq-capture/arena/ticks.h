/*
 * ticks.h - the clocks that agent and launcher read
 *
 * The kernel's are read by its vDSO or a system call, never by
 * clock_gettime(3): a library in LD_PRELOAD, as libfaketime, may replace that
 * in the program, and then its times are none of the recording.
 */
#ifndef TQ_CAPTURE_TICKS_H
#define TQ_CAPTURE_TICKS_H

#include <stdint.h>

/* ns of CLOCK_MONOTONIC; errno stays */
uint64_t ticks_system(void);

/* ns since 1970, of CLOCK_REALTIME; errno stays */
uint64_t ticks_utc(void);

/* the counter of the processor; clock.c decides whether to trust it */
static inline uint64_t
ticks_counter(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t v;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(v));
	return v;
#else
	return ticks_system();
#endif
}

#endif
