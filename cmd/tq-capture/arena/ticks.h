/*
 * ticks.h - the clocks that agent and launcher read
 */
#ifndef TQ_CAPTURE_TICKS_H
#define TQ_CAPTURE_TICKS_H

#include <stdint.h>
#include <time.h>

static inline uint64_t
ticks_system(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

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
