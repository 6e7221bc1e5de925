/* runtime.c - the runtime: kernels, memory, waiting; it calls the driver */

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <cudaProfiler.h>
#include <dlfcn.h>

#include "fakecuda.h"
#include "runtime.h"

static _Thread_local cudaError_t last_error;

static CUdeviceptr
pointer(const void *p)
{
	return (CUdeviceptr)(uintptr_t)p;
}

int
runtime_enter(struct fake_call *call, uint32_t cbid)
{
	int error = (int)fake_init();

	if (error == 0)
		fake_context();
	fake_enter(call, CUPTI_CB_DOMAIN_RUNTIME_API, cbid);
	return error;
}

cudaError_t
runtime_leave(struct fake_call *call, int error)
{
	if (error != 0)
		last_error = (cudaError_t)error;
	return (cudaError_t)fake_leave(call, error);
}

/* ---- kernels ---- */

void
fake_kernel(const void *host, const char *name)
{
	fake_function(host, name);
}

/* A function that was never named has the name of its symbol. */
static CUfunction
function(const void *host)
{
	Dl_info info = {0};

	dladdr(host, &info);
	return fake_function(host, info.dli_sname);
}

cudaError_t
cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **args,
    size_t shared, cudaStream_t stream)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaLaunchKernel_v7000));

	if (error == 0)
		error = (int)cuLaunchKernel(function(host), grid.x, grid.y,
		    grid.z, block.x, block.y, block.z, (unsigned int)shared,
		    stream, args, NULL);
	return runtime_leave(&call, error);
}

/* ---- memory ---- */

cudaError_t
cudaMalloc(void **address, size_t bytes)
{
	struct fake_call call;
	CUdeviceptr made = 0;
	int error = runtime_enter(&call, RUNTIME(cudaMalloc_v3020));

	if (error == 0)
		error = (int)cuMemAlloc(&made, bytes);
	*address = (void *)(uintptr_t)made;
	return runtime_leave(&call, error);
}

cudaError_t
cudaFree(void *address)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaFree_v3020));

	if (error == 0 && address != NULL)
		error = (int)cuMemFree(pointer(address));
	return runtime_leave(&call, error);
}

cudaError_t
cudaMallocAsync(void **address, size_t bytes, cudaStream_t stream)
{
	struct fake_call call;
	CUdeviceptr made = 0;
	int error = runtime_enter(&call, RUNTIME(cudaMallocAsync_v11020));

	if (error == 0)
		error = (int)cuMemAllocAsync(&made, bytes, stream);
	*address = (void *)(uintptr_t)made;
	return runtime_leave(&call, error);
}

cudaError_t
cudaFreeAsync(void *address, cudaStream_t stream)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaFreeAsync_v11020));

	if (error == 0)
		error = (int)cuMemFreeAsync(pointer(address), stream);
	return runtime_leave(&call, error);
}

cudaError_t
cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaMemcpy_v3020));

	if (error != 0)
		;
	else if (kind == cudaMemcpyHostToDevice)
		error = (int)cuMemcpyHtoD(pointer(to), from, bytes);
	else if (kind == cudaMemcpyDeviceToHost)
		error = (int)cuMemcpyDtoH(to, pointer(from), bytes);
	else
		error = (int)cuMemcpyDtoD(pointer(to), pointer(from), bytes);
	return runtime_leave(&call, error);
}

cudaError_t
cudaMemcpyAsync(void *to, const void *from, size_t bytes,
    enum cudaMemcpyKind kind, cudaStream_t stream)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaMemcpyAsync_v3020));

	if (error != 0)
		;
	else if (kind == cudaMemcpyHostToDevice)
		error =
		    (int)cuMemcpyHtoDAsync(pointer(to), from, bytes, stream);
	else if (kind == cudaMemcpyDeviceToHost)
		error =
		    (int)cuMemcpyDtoHAsync(to, pointer(from), bytes, stream);
	else
		error = (int)cuMemcpyDtoDAsync(
		    pointer(to), pointer(from), bytes, stream);
	return runtime_leave(&call, error);
}

cudaError_t
cudaMemcpyPeerAsync(void *to, int target, const void *from, int source,
    size_t bytes, cudaStream_t stream)
{
	struct fake_call call;
	CUcontext there = NULL, here = NULL;
	int error = runtime_enter(&call, RUNTIME(cudaMemcpyPeerAsync_v4000));

	if (error == 0 &&
	    (error = (int)cuDevicePrimaryCtxRetain(&there, target)) == 0 &&
	    (error = (int)cuDevicePrimaryCtxRetain(&here, source)) == 0)
		error = (int)cuMemcpyPeerAsync(
		    pointer(to), there, pointer(from), here, bytes, stream);
	return runtime_leave(&call, error);
}

cudaError_t
cudaMemset(void *to, int value, size_t bytes)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaMemset_v3020));

	if (error == 0)
		error =
		    (int)cuMemsetD8(pointer(to), (unsigned char)value, bytes);
	return runtime_leave(&call, error);
}

cudaError_t
cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaMemsetAsync_v3020));

	if (error == 0)
		error = (int)cuMemsetD8Async(
		    pointer(to), (unsigned char)value, bytes, stream);
	return runtime_leave(&call, error);
}

/* ---- the device, errors, the profiler ---- */

cudaError_t
cudaDeviceSynchronize(void)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaDeviceSynchronize_v3020));

	if (error == 0)
		error = (int)cuCtxSynchronize();
	return runtime_leave(&call, error);
}

cudaError_t
cudaDeviceReset(void)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaDeviceReset_v3020));

	if (error == 0)
		error = (int)cuDevicePrimaryCtxReset(fake_device());
	return runtime_leave(&call, error);
}

cudaError_t
cudaGetDeviceCount(int *count)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaGetDeviceCount_v3020));

	cuDeviceGetCount(count);
	return runtime_leave(&call, error);
}

cudaError_t
cudaSetDevice(int device)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaSetDevice_v3020));

	if (error == 0)
		error = (int)fake_set_device(device);
	return runtime_leave(&call, error);
}

cudaError_t
cudaGetDevice(int *device)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaGetDevice_v3020));

	*device = fake_device();
	return runtime_leave(&call, error);
}

cudaError_t
cudaGetLastError(void)
{
	struct fake_call call;
	cudaError_t error;

	runtime_enter(&call, RUNTIME(cudaGetLastError_v3020));
	error = last_error;
	last_error = cudaSuccess;
	return runtime_leave(&call, 0) == cudaSuccess ? error : cudaSuccess;
}

cudaError_t
cudaPeekAtLastError(void)
{
	struct fake_call call;

	runtime_enter(&call, RUNTIME(cudaPeekAtLastError_v3020));
	runtime_leave(&call, 0);
	return last_error;
}

cudaError_t
cudaProfilerStart(void)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaProfilerStart_v4000));

	if (error == 0)
		error = (int)cuProfilerStart();
	return runtime_leave(&call, error);
}

cudaError_t
cudaProfilerStop(void)
{
	struct fake_call call;
	int error = runtime_enter(&call, RUNTIME(cudaProfilerStop_v4000));

	if (error == 0)
		error = (int)cuProfilerStop();
	return runtime_leave(&call, error);
}
