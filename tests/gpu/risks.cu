/*
 * risks.cu - what may go wrong between CUPTI and tq-capture, one thing a run
 *
 *	risks sync N EVERY	N launches, waited for after each EVERY of them:
 *				so that the queue does not hide their cost
 *	risks threads N LAUNCHES	threads that all launch
 *	risks queued N		exit while kernels are queued
 *	risks long MS		a kernel of that time, and short ones meanwhile
 *	risks forked N		fork once CUDA is in use
 *	risks drift SECONDS	a kernel each 100 ms
 *	risks managed		migrations of managed memory
 *	risks steps N MS	a launch, and a wait of MS, N times
 *
 * Prints what it did, as the others do; "skipped" where this CUDA can't.
 */

#include <cstring>
#include <pthread.h>
#include <sys/wait.h>

#include "gpu.h"

static void
launch(long n, long ns, cudaStream_t stream)
{
	for (long i = 0; i < n; i++)
		spin<<<1, 1, 0, stream>>>(ns);
	CHECK(cudaGetLastError());
}

static void
report(long kernels, double ns)
{
	printf("{\"kernel\":%ld,\"launch_ns\":%.0f}\n", kernels,
	    kernels > 0 ? ns / (double)kernels : 0);
	fflush(stdout);
}

static void
sync_each(long n, long every)
{
	double start;

	launch(1, 0, NULL);
	CHECK(cudaDeviceSynchronize());
	start = now_ns();
	for (long i = 0; i < n; i++) {
		launch(1, 0, NULL);
		if ((i + 1) % every == 0)
			CHECK(cudaDeviceSynchronize());
	}
	CHECK(cudaDeviceSynchronize());
	report(n, now_ns() - start);
}

static void *
one_thread(void *n)
{
	cudaStream_t stream;

	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	launch(*(long *)n, 0, stream);
	CHECK(cudaStreamSynchronize(stream));
	return NULL;
}

static void
threads(long count, long n)
{
	pthread_t *t = (pthread_t *)calloc((size_t)count, sizeof(*t));

	for (long i = 0; i < count; i++)
		if (pthread_create(&t[i], NULL, one_thread, &n) != 0)
			exit(1);
	for (long i = 0; i < count; i++)
		pthread_join(t[i], NULL);
	free(t);
	report(count * n, 0);
}

static void
one_long(long ms)
{
	cudaStream_t first, second;

	CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
	launch(1, ms * 1000000, first);
	launch(100, 1000, second);
	CHECK(cudaStreamSynchronize(second));
	CHECK(cudaStreamSynchronize(first));
	report(101, 0);
}

static void
forked(long n)
{
	pid_t child;

	launch(n, 0, NULL);
	CHECK(cudaDeviceSynchronize());
	child = fork();
	if (child == 0) {
		spin<<<1, 1>>>(0); /* CUDA does not work here */
		_exit(0);
	}
	waitpid(child, NULL, 0);
	launch(n, 0, NULL);
	CHECK(cudaDeviceSynchronize());
	report(2 * n, 0);
}

static void
steps(long n, long ms)
{
	for (long i = 0; i < n; i++) {
		launch(1, 1000, NULL);
		CHECK(cudaDeviceSynchronize());
		usleep((useconds_t)ms * 1000);
	}
	report(n, 0);
}

static void
managed(void)
{
#ifdef FAKE
	puts("{\"skipped\":1}");
#else
	char *p;

	CHECK(cudaMallocManaged((void **)&p, 1 << 24));
	memset(p, 1, 1 << 24);
	CHECK(cudaMemset(p, 0, 1 << 24));
	CHECK(cudaDeviceSynchronize());
	printf("{\"memset\":1,\"sum\":%d}\n", p[0] + p[(1 << 24) - 1]);
#endif
}

int
main(int argc, char *argv[])
{
	const char *what = argc > 1 ? argv[1] : "";
	long a = argc > 2 ? strtol(argv[2], NULL, 10) : 1;
	long b = argc > 3 ? strtol(argv[3], NULL, 10) : 1;

	if (strcmp(what, "sync") == 0) {
		sync_each(a, b);
	} else if (strcmp(what, "threads") == 0) {
		threads(a, b);
	} else if (strcmp(what, "queued") == 0) {
		launch(a, 1000000, NULL);
		report(a, 0);
	} else if (strcmp(what, "long") == 0) {
		one_long(a);
	} else if (strcmp(what, "forked") == 0) {
		forked(a);
	} else if (strcmp(what, "drift") == 0) {
		steps(a * 10, 100);
	} else if (strcmp(what, "steps") == 0) {
		steps(a, b);
	} else if (strcmp(what, "managed") == 0) {
		managed();
	} else {
		return 2;
	}
	return 0;
}
