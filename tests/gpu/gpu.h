/*
 * gpu.h - what the programs of check.sh share
 *
 * Each prints one line of JSON: how often it did what, by kind of record.
 * With -DFAKE it is linked to the CUDA of tests/fakecuda, which runs no kernel
 * and has no events with times.
 */
#ifndef TQ_TEST_GPU_H
#define TQ_TEST_GPU_H

#include <cstdio>
#include <cstdlib>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <time.h>
#include <unistd.h>

#define CHECK(call) check(call, #call)

static inline void
check(cudaError_t error, const char *call)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "%s: CUDA error %d\n", call, (int)error);
	exit(1);
}

static inline double
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

/* keeps its stream busy for ns */
static __global__ void
spin(long long ns)
{
	long long start, t;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
	do
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
	while (t - start < ns);
}

#endif
