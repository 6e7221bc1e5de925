/*
 * compiled.c - what nvcc lets a program call: to say which kernels it has, and
 * to launch one
 */

#include <cuda_runtime_api.h>

#include "fakecuda.h"

/* Of the declarations in crt/host_runtime.h, without their C++. */
void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFatBinaryEnd(void **);
void __cudaUnregisterFatBinary(void **);
void __cudaRegisterFunction(void **, const char *host, char *device,
    const char *name, int threads, void *tid, void *bid, void *block,
    void *grid, int *warp);
char __cudaInitModule(void **);
unsigned int __cudaPushCallConfiguration(
    dim3 grid, dim3 block, size_t shared, struct CUstream_st *);
cudaError_t __cudaPopCallConfiguration(
    dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *, const void *host);
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3 grid, dim3 block,
    void **arguments, size_t shared, cudaStream_t);

/* what stands in <<<>>>, on its way to the launch */
static _Thread_local struct {
	dim3 grid, block;
	size_t shared;
	cudaStream_t stream;
} configuration;

void **
__cudaRegisterFatBinary(void *binary)
{
	static void *handle;

	handle = binary;
	return &handle;
}

void
__cudaRegisterFatBinaryEnd(void **handle)
{
	(void)handle;
}

void
__cudaUnregisterFatBinary(void **handle)
{
	(void)handle;
}

void
__cudaRegisterFunction(void **handle, const char *host, char *device,
    const char *name, int threads, void *tid, void *bid, void *block,
    void *grid, int *warp)
{
	(void)handle, (void)device, (void)threads, (void)tid, (void)bid;
	(void)block, (void)grid, (void)warp;
	fake_function(host, name);
}

char
__cudaInitModule(void **handle)
{
	(void)handle;
	return 0;
}

unsigned int
__cudaPushCallConfiguration(
    dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
	configuration.grid = grid;
	configuration.block = block;
	configuration.shared = shared;
	configuration.stream = stream;
	return 0;
}

cudaError_t
__cudaPopCallConfiguration(
    dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
	*grid = configuration.grid;
	*block = configuration.block;
	*shared = configuration.shared;
	*(cudaStream_t *)stream = configuration.stream;
	return cudaSuccess;
}

/* a kernel's handle is its host function */
cudaError_t
__cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
	*kernel = (cudaKernel_t)(uintptr_t)host;
	return cudaSuccess;
}

cudaError_t
__cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
    size_t shared, cudaStream_t stream)
{
	return cudaLaunchKernel((const void *)(uintptr_t)kernel, grid, block,
	    arguments, shared, stream);
}
