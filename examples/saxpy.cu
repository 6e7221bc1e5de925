/*
 * saxpy.cu - y = a x + y on a GPU, with copies, in two streams
 *
 *	nvcc -o saxpy saxpy.cu
 *	tq-capture ./saxpy | tq-correlate | tq-chrome -o saxpy.json
 *
 * The vectors are cut into pieces that take turns on the streams: a piece is
 * copied to the device, computed, and copied back, while another one is on
 * its way.  A range around each piece tells which work belongs to it:
 *
 *	tq-capture ./saxpy | tq-correlate | tq-stats -r nvtx_gpu_proj_sum
 *
 * and only the loop, without what comes before, is captured by
 *
 *	tq-capture -c cudaProfilerApi ./saxpy
 *
 *	saxpy [pieces [elements of a piece]]
 */

#include <cstdio>
#include <cstdlib>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

enum { STREAMS = 2, THREADS = 256 };

__global__ void
saxpy(int n, float a, const float *x, float *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = a * x[i] + y[i];
}

static void
check(cudaError_t error)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "saxpy: CUDA error %d\n", (int)error);
	exit(1);
}

struct piece {
	float *x, *y; /* on the device */
	cudaStream_t stream;
};

static void
compute(const struct piece *p, int n, const float *x, float *y)
{
	size_t bytes = (size_t)n * sizeof(float);

	nvtxRangePushA("piece");
	check(
	    cudaMemcpyAsync(p->x, x, bytes, cudaMemcpyHostToDevice, p->stream));
	check(
	    cudaMemcpyAsync(p->y, y, bytes, cudaMemcpyHostToDevice, p->stream));
	saxpy<<<(n + THREADS - 1) / THREADS, THREADS, 0, p->stream>>>(
	    n, 2.0f, p->x, p->y);
	check(cudaGetLastError());
	check(
	    cudaMemcpyAsync(y, p->y, bytes, cudaMemcpyDeviceToHost, p->stream));
	nvtxRangePop();
}

int
main(int argc, char *argv[])
{
	int pieces = argc > 1 ? atoi(argv[1]) : 8;
	int n = argc > 2 ? atoi(argv[2]) : 1 << 20;
	float *x = (float *)calloc((size_t)pieces * n, sizeof(float));
	float *y = (float *)calloc((size_t)pieces * n, sizeof(float));
	struct piece p[STREAMS];

	for (int i = 0; i < STREAMS; i++) {
		check(cudaStreamCreate(&p[i].stream));
		check(cudaMalloc((void **)&p[i].x, n * sizeof(float)));
		check(cudaMalloc((void **)&p[i].y, n * sizeof(float)));
	}
	check(cudaProfilerStart());
	for (int i = 0; i < pieces; i++)
		compute(
		    &p[i % STREAMS], n, x + (size_t)i * n, y + (size_t)i * n);
	check(cudaDeviceSynchronize());
	check(cudaProfilerStop());
	free(x);
	free(y);
	return 0;
}
