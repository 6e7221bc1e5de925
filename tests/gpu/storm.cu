/*
 * storm.cu - many short kernels, in streams that take turns
 *
 *	storm [-k] [-n launches] [-r] [-s streams] [-w ns]
 *
 * -k: be killed at once, when all is launched and done; -r: the second half
 * between cudaProfilerStart and cudaProfilerStop; -w: how long a kernel takes.
 * "launch_ns" is the mean time of a launch on the host, and "event_ns" the
 * time from the first to the last launch on stream 0 by the clock of the GPU.
 */

#include <csignal>

#include "gpu.h"

enum { STREAMS_MAX = 64 };

static long launches = 1000, streams = 1, kernel_ns = 0;
static bool killed, ranged;
static cudaStream_t stream[STREAMS_MAX];

static long
number(const char *s)
{
	long n = strtol(s, NULL, 10);

	if (n < 0)
		exit(2);
	return n;
}

static void
launch(long n)
{
	for (long i = 0; i < n; i++)
		spin<<<1, 1, 0, stream[i % streams]>>>(kernel_ns);
	CHECK(cudaGetLastError());
}

/* ns that n launches took on the host; *device: on stream 0 */
static double
timed(long n, double *device)
{
	double start, end;
#ifdef FAKE
	start = now_ns();
	launch(n);
	end = now_ns();
	*device = 0;
#else
	cudaEvent_t first, last;
	float ms;

	CHECK(cudaEventCreate(&first));
	CHECK(cudaEventCreate(&last));
	CHECK(cudaEventRecord(first, stream[0]));
	start = now_ns();
	launch(n);
	end = now_ns();
	CHECK(cudaEventRecord(last, stream[0]));
	CHECK(cudaEventSynchronize(last));
	CHECK(cudaEventElapsedTime(&ms, first, last));
	*device = ms * 1e6;
#endif
	return end - start;
}

int
main(int argc, char *argv[])
{
	double device = 0, host = 0, unused;
	long half;
	int c;

	while ((c = getopt(argc, argv, "kn:rs:w:")) != -1)
		switch (c) {
		case 'k':
			killed = true;
			break;
		case 'n':
			launches = number(optarg);
			break;
		case 'r':
			ranged = true;
			break;
		case 's':
			streams = number(optarg);
			break;
		case 'w':
			kernel_ns = number(optarg);
			break;
		default:
			return 2;
		}
	if (streams < 1 || streams > STREAMS_MAX)
		return 2;
	for (long i = 0; i < streams; i++)
		CHECK(cudaStreamCreateWithFlags(
		    &stream[i], cudaStreamNonBlocking));
	half = ranged ? launches / 2 : 0;
	launch(1); /* the first one loads its module */
	CHECK(cudaDeviceSynchronize());
	timed(half, &unused);
	if (ranged)
		CHECK(cudaProfilerStart());
	host = timed(launches - half, &device);
	CHECK(cudaDeviceSynchronize());
	if (ranged)
		CHECK(cudaProfilerStop());
	printf("{\"pid\":%d,\"kernel\":%ld,\"range_kernel\":%ld,"
	       "\"launch_ns\":%.0f,\"event_ns\":%.0f}\n",
	    (int)getpid(), launches + 1, launches - half,
	    host / (double)(launches - half > 0 ? launches - half : 1), device);
	fflush(stdout);
	if (killed)
		raise(SIGKILL);
	return 0;
}
