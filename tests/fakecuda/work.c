/* work.c - what a thread of a storm does, and counts */

#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <err.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "work.h"

#if __has_include(<nvtx3/nvToolsExtCudaRt.h>)
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#define HAVE_NVTX 1
#else
#define HAVE_NVTX 0
#define nvtxRangePushA(name) (void)0
#define nvtxRangePop() (void)0
#define nvtxMarkA(name) (void)0
#define nvtxNameCudaStreamA(stream, name) (void)0
#endif

enum { KERNELS = 3, BYTES = 4096 };

struct work {
	const struct amount *amount;
	cudaStream_t *streams;
	cudaEvent_t event;
	CUfunction function; /* of the driver */
	int device;
	void *memory;
	char host[BYTES];
};

/* Stands in for the kernels: the runtime looks at addresses only. */
static const char hosts[KERNELS];

void fake_kernel(const void *host, const char *name); /* of our libcudart */

void
work_name_kernels(void)
{
	static char longest[1200];

	memset(longest, 'x', sizeof(longest) - 1);
	memcpy(longest, "long_", 5);
	fake_kernel(&hosts[0], "storm");
	fake_kernel(&hosts[1], "_Z3addIfEvPT_PKS0_i");
	fake_kernel(&hosts[2], longest);
}

/* ---- calls, each with its counts ---- */

/* A call of the runtime, which has called the driver. */
static void
called(cudaError_t error)
{
	if (error != cudaSuccess)
		errx(1, "cuda error %d", (int)error);
	counts_add(RUNTIME, 1);
	counts_add(DRIVER, 1);
}

/* a call that only queries state */
static void
asked(cudaError_t error)
{
	if (error != cudaSuccess)
		errx(1, "cuda error %d", (int)error);
	counts_add(RUNTIME, 1);
	counts_add(SILENT, 1);
}

static void
launch(cudaStream_t stream, unsigned int which)
{
	dim3 grid = {which + 1, 2, 1}, block = {128, 1, 1};

	called(cudaLaunchKernel(
	    &hosts[which % KERNELS], grid, block, NULL, 64, stream));
}

/* A kernel that is seen for the first time is instrumented. */
static void
launched(unsigned int which)
{
	static atomic_flag seen[KERNELS];

	if (!atomic_flag_test_and_set(&seen[which % KERNELS]))
		counts_add(OVERHEAD, 1);
}

void
work_synchronize(void)
{
	called(cudaDeviceSynchronize());
	counts_add(SYNC, 1);
}

void
work_reset(void)
{
	if (cudaDeviceReset() != cudaSuccess)
		errx(1, "cudaDeviceReset");
	counts_add(RUNTIME, 1);
}

/* The two calls themselves lie outside of the range. */
void
work_range(bool begin)
{
	if (begin) {
		called(cudaProfilerStart());
		counts_range(true);
	} else {
		counts_range(false);
		called(cudaProfilerStop());
	}
}

/* ---- once ---- */

static void
name_stream(cudaStream_t stream, unsigned int i)
{
	char name[32];

	snprintf(name, sizeof(name), "stream %u", i);
	nvtxNameCudaStreamA(stream, name);
}

struct work *
work_new(const struct amount *amount, int device)
{
	struct work *w = calloc(1, sizeof(*w));

	w->amount = amount;
	w->device = device;
	if (device != 0) {
		if (cudaSetDevice(device) != cudaSuccess)
			errx(1, "no GPU %d", device);
		counts_add(RUNTIME, 1);
	}
	cuModuleGetFunction(&w->function, NULL, "direct");
	w->streams = calloc(amount->streams, sizeof(cudaStream_t));
	for (unsigned int i = 0; i < amount->streams; i++) {
		called(cudaStreamCreate(&w->streams[i]));
		counts_add(STREAM, 1);
		if (amount->nvtx && HAVE_NVTX)
			name_stream(w->streams[i], i);
	}
	called(cudaEventCreate(&w->event));
	called(cudaMalloc(&w->memory, BYTES));
	counts_add(MEMORY, 1);
	return w;
}

/* ---- again and again ---- */

static void
kernels(struct work *w)
{
	bool nvtx = w->amount->nvtx && HAVE_NVTX;

	for (unsigned int i = 0; i < w->amount->launches; i++) {
		if (nvtx)
			nvtxRangePushA("launch");
		launch(w->streams[i % w->amount->streams], i);
		launched(i);
		counts_add(KERNEL, 1);
		if (nvtx) {
			nvtxRangePop();
			counts_add(RANGE, 1);
		}
	}
}

static void
copies(struct work *w)
{
	cudaStream_t stream = w->streams[0];

	for (unsigned int i = 0; i < w->amount->copies; i++) {
		if (i % 3 == 0)
			called(cudaMemcpyAsync(w->memory, w->host, BYTES,
			    cudaMemcpyHostToDevice, stream));
		else if (i % 3 == 1)
			called(cudaMemcpy(
			    w->host, w->memory, BYTES, cudaMemcpyDeviceToHost));
		else
			called(cudaMemcpyAsync(w->memory, w->memory, BYTES,
			    cudaMemcpyDeviceToDevice, stream));
		counts_add(MEMCPY, 1);
		if (w->amount->nvtx && HAVE_NVTX) {
			nvtxMarkA("copy");
			counts_add(MARK, 1);
		}
	}
}

static void
peers(struct work *w)
{
	for (unsigned int i = 0; i < w->amount->peers; i++) {
		called(cudaMemcpyPeerAsync(
		    w->memory, 0, w->memory, w->device, BYTES, w->streams[0]));
		counts_add(MEMCPY2, 1);
	}
}

static void
direct(struct work *w)
{
	static atomic_flag seen;

	for (unsigned int i = 0; i < w->amount->direct; i++) {
		if (cuLaunchKernel(w->function, 1, 1, 1, 32, 1, 1, 0,
			w->streams[0], NULL, NULL) != CUDA_SUCCESS)
			errx(1, "cuLaunchKernel");
		if (!atomic_flag_test_and_set(&seen))
			counts_add(OVERHEAD, 1);
		counts_add(DRIVER, 1);
		counts_add(KERNEL, 1);
	}
}

static void
fills(struct work *w)
{
	for (unsigned int i = 0; i < w->amount->fills; i++) {
		called(cudaMemsetAsync(
		    w->memory, (int)i % 256, BYTES, w->streams[0]));
		counts_add(MEMSET, 1);
	}
}

static void
allocations(struct work *w)
{
	static atomic_flag pool;
	void *p;

	for (unsigned int i = 0; i < w->amount->allocations; i++) {
		if (i % 2 == 0) {
			called(cudaMalloc(&p, BYTES));
			called(cudaFree(p));
		} else {
			if (!atomic_flag_test_and_set(&pool))
				counts_add(POOL, 1);
			called(cudaMallocAsync(&p, BYTES, w->streams[0]));
			called(cudaFreeAsync(p, w->streams[0]));
		}
		counts_add(MEMORY, 2);
	}
}

static cudaGraphExec_t
new_graph(cudaStream_t stream, unsigned int nodes)
{
	cudaGraphExec_t exec;
	cudaGraph_t graph;

	called(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	for (unsigned int i = 0; i < nodes; i++)
		launch(stream, i);
	called(cudaStreamEndCapture(stream, &graph));
	called(cudaGraphInstantiate(&exec, graph, 0));
	called(cudaGraphDestroy(graph));
	return exec;
}

/* A new one each time: ids may come again. */
static void
graphs(struct work *w)
{
	cudaGraphExec_t graph;

	if (w->amount->graphs == 0)
		return;
	graph = new_graph(w->streams[0], w->amount->nodes);
	for (unsigned int i = 0; i < w->amount->graphs; i++) {
		called(cudaGraphLaunch(graph, w->streams[0]));
		counts_add(GRAPH, 1);
		counts_add(GRAPH_KERNEL, w->amount->nodes);
		for (unsigned int node = 0; node < w->amount->nodes; node++)
			launched(node);
	}
	called(cudaGraphExecDestroy(graph));
}

static void
queries(struct work *w)
{
	int device;

	for (unsigned int i = 0; i < w->amount->queries; i++)
		asked(i % 2 == 0 ? cudaGetDevice(&device) : cudaGetLastError());
}

static void
order(struct work *w)
{
	called(cudaEventRecord(w->event, w->streams[0]));
	counts_add(EVENT, 1);
	called(cudaStreamWaitEvent(w->streams[0], w->event, 0));
	called(cudaEventSynchronize(w->event));
	for (unsigned int i = 0; i < w->amount->streams; i++)
		called(cudaStreamSynchronize(w->streams[i]));
	counts_add(SYNC, 2 + w->amount->streams);
}

void
work_round(struct work *w, bool wait)
{
	queries(w);
	copies(w);
	peers(w);
	fills(w);
	allocations(w);
	graphs(w);
	direct(w);
	kernels(w);
	if (wait)
		order(w);
}
