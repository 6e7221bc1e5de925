/* driver.c - the functions of the driver that programs call */

#include <cudaProfiler.h>
#include <stdio.h>
#include <string.h>

#include "fakecuda.h"
#include "graph.h"

#define DRIVER(name) CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_##name

/* Before each allocation; device memory is the host's, and never touched. */
struct allocation {
	uint64_t bytes;
	uint64_t kind; /* CUpti_ActivityMemoryKind */
};

CUresult
cuInit(unsigned int flags)
{
	(void)flags;
	return fake_init();
}

CUresult
cuDriverGetVersion(int *version)
{
	*version = CUDA_VERSION;
	return CUDA_SUCCESS;
}

CUresult
cuDeviceGetCount(int *count)
{
	*count = (int)fake_number("FAKECUDA_DEVICES", 1);
	return CUDA_SUCCESS;
}

CUresult
cuDeviceGet(CUdevice *device, int ordinal)
{
	*device = ordinal;
	return CUDA_SUCCESS;
}

CUresult
cuDeviceGetName(char *name, int size, CUdevice device)
{
	snprintf(name, (size_t)size, "Fake GPU %d", device);
	return CUDA_SUCCESS;
}

CUresult
cuProfilerStart(void)
{
	struct fake_call call;

	fake_enter(&call, DRIVER(cuProfilerStart));
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuProfilerStop(void)
{
	struct fake_call call;

	fake_enter(&call, DRIVER(cuProfilerStop));
	return fake_leave(&call, CUDA_SUCCESS);
}

/* ---- kernels ---- */

CUresult
cuModuleLoadData(CUmodule *module, const void *image)
{
	(void)image;
	*module = NULL; /* all functions of all modules are one list */
	return CUDA_SUCCESS;
}

CUresult
cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	(void)module;
	*function = fake_function(NULL, name);
	return CUDA_SUCCESS;
}

CUresult
cuLaunchKernel(CUfunction function, unsigned int gx, unsigned int gy,
    unsigned int gz, unsigned int bx, unsigned int by, unsigned int bz,
    unsigned int shared, CUstream stream, void **params, void **extra)
{
	struct fake_call call;
	struct fake_op op = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
	    .node = {0, function, {gx, gy, gz}, {bx, by, bz}, shared}};

	(void)params;
	(void)extra;
	stream = fake_stream(stream);
	fake_enter(&call, DRIVER(cuLaunchKernel));
	if (stream->capture != NULL)
		graph_capture(stream, &op.node);
	else {
		fake_queue(stream);
		fake_work(stream, &op, fake_kernel_ns());
	}
	return fake_leave(&call, CUDA_SUCCESS);
}

/* ---- memory ---- */

static CUdeviceptr
allocate(CUstream stream, size_t bytes, bool async)
{
	struct allocation *made = malloc(sizeof(*made) + bytes);
	struct fake_op op = {
	    .kind = CUPTI_ACTIVITY_KIND_MEMORY2,
	    .type = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION,
	    .target = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
	    .bytes = bytes,
	    .async = async,
	};

	if (made == NULL)
		return 0;
	made->bytes = bytes;
	made->kind = op.target;
	op.address = (uintptr_t)(made + 1);
	fake_note(stream, &op);
	return op.address;
}

static void
release(CUstream stream, CUdeviceptr address, bool async)
{
	struct allocation *old;
	struct fake_op op = {
	    .kind = CUPTI_ACTIVITY_KIND_MEMORY2,
	    .type = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE,
	    .target = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
	    .address = address,
	    .async = async,
	};

	if (address == 0)
		return;
	old = (struct allocation *)(uintptr_t)address - 1;
	op.bytes = old->bytes;
	fake_note(stream, &op);
	free(old);
}

CUresult
cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
	CUstream stream = fake_stream(NULL);
	struct fake_call call;

	fake_enter(&call, DRIVER(cuMemAlloc_v2));
	*address = allocate(stream, bytes, false);
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuMemFree(CUdeviceptr address)
{
	CUstream stream = fake_stream(NULL);
	struct fake_call call;

	fake_enter(&call, DRIVER(cuMemFree_v2));
	release(stream, address, false);
	return fake_leave(&call, CUDA_SUCCESS);
}

/* The default pool is made by its first allocation. */
static void
need_pool(CUstream stream)
{
	static bool made;
	struct fake_op op = {
	    .kind = CUPTI_ACTIVITY_KIND_MEMORY_POOL,
	    .type = CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED,
	    .address = 0x1000,
	    .bytes = 1 << 25,
	};

	if (!__atomic_test_and_set(&made, __ATOMIC_RELAXED))
		fake_note(stream, &op);
}

CUresult
cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
	struct fake_call call;

	stream = fake_stream(stream);
	fake_enter(&call, DRIVER(cuMemAllocAsync));
	need_pool(stream);
	*address = allocate(stream, bytes, true);
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
	struct fake_call call;

	stream = fake_stream(stream);
	fake_enter(&call, DRIVER(cuMemFreeAsync));
	release(stream, address, true);
	return fake_leave(&call, CUDA_SUCCESS);
}

/* ---- copies and fills ---- */

static CUresult
copy(uint32_t cbid, uint8_t kind, size_t bytes, CUstream stream, bool async)
{
	struct fake_call call;
	struct fake_op op = {
	    .kind = CUPTI_ACTIVITY_KIND_MEMCPY,
	    .bytes = bytes,
	    .copy = kind,
	    .source = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
	    .target = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
	    .async = async,
	};

	if (kind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD)
		op.source = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
	if (kind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH)
		op.target = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
	stream = fake_stream(stream);
	fake_enter(&call, CUPTI_CB_DOMAIN_DRIVER_API, cbid);
	fake_work(stream, &op, fake_copy_ns());
	if (!async)
		fake_wait(op.end);
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
	(void)to;
	(void)from;
	return copy(CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2,
	    CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, bytes, NULL, false);
}

CUresult
cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
	(void)to;
	(void)from;
	return copy(CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2,
	    CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, bytes, NULL, false);
}

CUresult
cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
	(void)to;
	(void)from;
	return copy(CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2,
	    CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, bytes, NULL, false);
}

CUresult
cuMemcpyHtoDAsync(
    CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
	(void)to;
	(void)from;
	return copy(CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2,
	    CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, bytes, stream, true);
}

CUresult
cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	(void)to;
	(void)from;
	return copy(CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2,
	    CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, bytes, stream, true);
}

CUresult
cuMemcpyDtoDAsync(
    CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	(void)to;
	(void)from;
	return copy(CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2,
	    CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, bytes, stream, true);
}

CUresult
cuMemcpyPeerAsync(CUdeviceptr to, CUcontext target, CUdeviceptr from,
    CUcontext source, size_t bytes, CUstream stream)
{
	struct fake_call call;
	struct fake_op op = {
	    .kind = CUPTI_ACTIVITY_KIND_MEMCPY2,
	    .bytes = bytes,
	    .copy = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP,
	    .source = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
	    .target = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
	    .async = true,
	    .peer = (uint32_t)target->device,
	    .value = target->id,
	};

	(void)to;
	(void)from;
	(void)source;
	stream = fake_stream(stream);
	fake_enter(&call, DRIVER(cuMemcpyPeerAsync));
	fake_work(stream, &op, fake_copy_ns());
	return fake_leave(&call, CUDA_SUCCESS);
}

static CUresult
fill(uint32_t cbid, unsigned char value, size_t bytes, CUstream stream,
    bool async)
{
	struct fake_call call;
	struct fake_op op = {
	    .kind = CUPTI_ACTIVITY_KIND_MEMSET,
	    .bytes = bytes,
	    .value = value,
	    .target = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
	    .async = async,
	};

	stream = fake_stream(stream);
	fake_enter(&call, CUPTI_CB_DOMAIN_DRIVER_API, cbid);
	fake_work(stream, &op, fake_copy_ns());
	return fake_leave(&call, CUDA_SUCCESS);
}

CUresult
cuMemsetD8(CUdeviceptr to, unsigned char value, size_t bytes)
{
	(void)to;
	return fill(
	    CUPTI_DRIVER_TRACE_CBID_cuMemsetD8_v2, value, bytes, NULL, false);
}

CUresult
cuMemsetD8Async(
    CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
	(void)to;
	return fill(CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async, value, bytes,
	    stream, true);
}
