/* now.h - the time, for programs that measure what calls cost */
#ifndef TQ_TESTS_NOW_H
#define TQ_TESTS_NOW_H

#include <stdint.h>
#include <time.h>

/* ns of CLOCK_MONOTONIC */
static inline int64_t
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

#endif
