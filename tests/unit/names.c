/* names.c - what API calls and symbols are, by their names */

#include "check.h"
#include "tq/names/api_call.h"
#include "tq/names/symbol_class.h"

enum { ASYNC = 1 };

static const struct row {
	const char *name;
	enum api_family family;
	enum api_role role;
	enum api_about about;
	bool async;
} calls[] = {
    {"cudaLaunchKernel_v7000", API_CUDA_RUNTIME, API_LAUNCH},
    {"cudaLaunchKernelExC_v11060", API_CUDA_RUNTIME, API_LAUNCH},
    {"cudaLaunchCooperativeKernel_ptsz_v9000", API_CUDA_RUNTIME, API_LAUNCH},
    {"\"cudaLaunchKernel\"", API_CUDA_RUNTIME, API_LAUNCH},
    {"cudaLaunchHostFunc", API_CUDA_RUNTIME, API_OTHER, API_HOST_FUNCTION},
    {"cudaGraphLaunch_v10000", API_CUDA_RUNTIME, API_GRAPH_LAUNCH},
    {"cudaGraphInstantiate", API_CUDA_RUNTIME, API_GRAPH_BUILD},
    {"cudaGraphAddMemcpyNode", API_CUDA_RUNTIME, API_GRAPH_BUILD},
    {"cudaGraphicsMapResources", API_CUDA_RUNTIME, API_OBJECT},
    {"cudaStreamBeginCapture", API_CUDA_RUNTIME, API_GRAPH_BUILD,
	API_CAPTURE_BEGIN},
    {"cudaMemcpy", API_CUDA_RUNTIME, API_COPY},
    {"cudaMemcpy2DToArray_v3020", API_CUDA_RUNTIME, API_COPY},
    {"cudaMemcpyToSymbol", API_CUDA_RUNTIME, API_COPY},
    {"cudaMemcpyAsync_ptsz", API_CUDA_RUNTIME, API_COPY, .async = ASYNC},
    {"cudaMemcpy3DPeerAsync", API_CUDA_RUNTIME, API_COPY, .async = ASYNC},
    {"cudaMemPrefetchAsync", API_CUDA_RUNTIME, API_COPY, API_PREFETCH,
	.async = ASYNC},
    {"cudaMemset", API_CUDA_RUNTIME, API_FILL},
    {"cudaMemset2DAsync", API_CUDA_RUNTIME, API_FILL, .async = ASYNC},
    {"cudaMalloc", API_CUDA_RUNTIME, API_ALLOC},
    {"cudaMallocHost", API_CUDA_RUNTIME, API_ALLOC},
    {"cudaMallocAsync_v11020", API_CUDA_RUNTIME, API_ALLOC_ASYNC,
	.async = ASYNC},
    {"cudaMallocFromPoolAsync", API_CUDA_RUNTIME, API_ALLOC_ASYNC,
	.async = ASYNC},
    {"cudaFree", API_CUDA_RUNTIME, API_FREE},
    {"cudaFreeHost", API_CUDA_RUNTIME, API_FREE},
    {"cudaFreeAsync", API_CUDA_RUNTIME, API_FREE, .async = ASYNC},
    {"cudaHostAlloc", API_CUDA_RUNTIME, API_ALLOC},
    {"cudaHostRegister", API_CUDA_RUNTIME, API_REGISTER},
    {"cudaHostUnregister", API_CUDA_RUNTIME, API_REGISTER},
    {"cudaDeviceSynchronize", API_CUDA_RUNTIME, API_WAIT, API_CONTEXT},
    {"cudaThreadSynchronize", API_CUDA_RUNTIME, API_WAIT, API_CONTEXT},
    {"cudaStreamSynchronize_ptsz", API_CUDA_RUNTIME, API_WAIT, API_STREAM},
    {"cudaEventSynchronize", API_CUDA_RUNTIME, API_WAIT, API_EVENT},
    {"cudaStreamWaitEvent_ptsz", API_CUDA_RUNTIME, API_OBJECT,
	API_STREAM_WAITS},
    {"cudaEventQuery", API_CUDA_RUNTIME, API_QUERY, API_EVENT},
    {"cudaStreamQuery", API_CUDA_RUNTIME, API_QUERY, API_STREAM},
    {"cudaStreamIsCapturing", API_CUDA_RUNTIME, API_QUERY},
    {"cudaEventRecord", API_CUDA_RUNTIME, API_OBJECT},
    {"cudaStreamCreateWithFlags", API_CUDA_RUNTIME, API_OBJECT},
    {"cudaGetDevice", API_CUDA_RUNTIME, API_QUERY},
    {"cudaDeviceGetAttribute", API_CUDA_RUNTIME, API_QUERY},
    {"cudaSetDevice", API_CUDA_RUNTIME, API_OBJECT},
    {"cudaProfilerStart", API_CUDA_RUNTIME, API_PROFILER_START},
    {"cudaLibraryLoadData", API_CUDA_RUNTIME, API_LOAD},
    {"cudaNothingYet", API_CUDA_RUNTIME, API_OTHER},
    {"cudaFutureSynchronize", API_CUDA_RUNTIME, API_WAIT},
    {"cudaMem", API_CUDA_RUNTIME, API_OTHER},
    {"cuda", API_OTHER_FAMILY, API_OTHER},
    {"cuLaunchKernel", API_CUDA_DRIVER, API_LAUNCH},
    {"cuLaunchKernelEx_ptsz", API_CUDA_DRIVER, API_LAUNCH},
    {"cuGraphLaunch", API_CUDA_DRIVER, API_GRAPH_LAUNCH},
    {"cuMemcpyHtoD_v2", API_CUDA_DRIVER, API_COPY},
    {"cuMemcpyDtoHAsync_v2", API_CUDA_DRIVER, API_COPY, .async = ASYNC},
    {"cuMemsetD8_v2", API_CUDA_DRIVER, API_FILL},
    {"cuMemAlloc_v2", API_CUDA_DRIVER, API_ALLOC},
    {"cuMemAllocAsync", API_CUDA_DRIVER, API_ALLOC_ASYNC, .async = ASYNC},
    {"cuMemAllocFromPoolAsync", API_CUDA_DRIVER, API_ALLOC_ASYNC,
	.async = ASYNC},
    {"cuMemCreate", API_CUDA_DRIVER, API_ALLOC},
    {"cuMemFree_v2", API_CUDA_DRIVER, API_FREE},
    {"cuMemGetInfo_v2", API_CUDA_DRIVER, API_QUERY},
    {"cuMemHostRegister_v2", API_CUDA_DRIVER, API_REGISTER},
    {"cuMemHostGetDevicePointer", API_CUDA_DRIVER, API_QUERY},
    {"cuModuleLoadDataEx", API_CUDA_DRIVER, API_LOAD},
    {"cuModuleGetFunction", API_CUDA_DRIVER, API_QUERY},
    {"cuLibraryGetKernel", API_CUDA_DRIVER, API_QUERY},
    {"cuCtxSynchronize", API_CUDA_DRIVER, API_WAIT, API_CONTEXT},
    {"cuCtxSetCurrent", API_CUDA_DRIVER, API_OBJECT},
    {"cuCtxGetCurrent", API_CUDA_DRIVER, API_QUERY},
    {"cuStreamSynchronize", API_CUDA_DRIVER, API_WAIT, API_STREAM},
    {"cuProfilerStop", API_CUDA_DRIVER, API_PROFILER_STOP},
    {"cublasLtMatmul", API_OTHER_FAMILY, API_OTHER},
    {"cudnnConvolutionForward", API_OTHER_FAMILY, API_OTHER},
    {"hipLaunchKernel", API_HIP, API_LAUNCH},
    {"hipExtModuleLaunchKernel", API_HIP, API_LAUNCH},
    {"hipModuleLaunchKernel", API_HIP, API_LAUNCH},
    {"hipModuleLoadData", API_HIP, API_LOAD},
    {"hipGraphLaunch", API_HIP, API_GRAPH_LAUNCH},
    {"hipMemcpyWithStream", API_HIP, API_COPY},
    {"hipMemcpyDtoHAsync", API_HIP, API_COPY, .async = ASYNC},
    {"hipMemsetAsync", API_HIP, API_FILL, .async = ASYNC},
    {"hipMalloc", API_HIP, API_ALLOC},
    {"hipExtMallocWithFlags", API_HIP, API_ALLOC},
    {"hipHostMalloc", API_HIP, API_ALLOC},
    {"hipHostFree", API_HIP, API_FREE},
    {"hipFree", API_HIP, API_FREE},
    {"hipDeviceSynchronize", API_HIP, API_WAIT, API_CONTEXT},
    {"hipStreamSynchronize", API_HIP, API_WAIT, API_STREAM},
    {"hipEventSynchronize", API_HIP, API_WAIT, API_EVENT},
    {"hipEventRecord", API_HIP, API_OBJECT},
    {"hipGetDevicePropertiesR0600", API_HIP, API_QUERY},
    {"hsa_signal_wait_scacquire", API_HSA, API_WAIT, API_EVENT},
    {"hsa_signal_load_relaxed", API_HSA, API_QUERY},
    {"hsa_signal_create", API_HSA, API_OBJECT},
    {"hsa_amd_memory_async_copy_on_engine", API_HSA, API_COPY, .async = ASYNC},
    {"hsa_memory_copy", API_HSA, API_COPY},
    {"hsa_amd_memory_pool_allocate", API_HSA, API_ALLOC},
    {"hsa_executable_load_agent_code_object", API_HSA, API_LOAD},
    {"zeCommandListAppendLaunchKernel", API_LEVEL_ZERO, API_LAUNCH},
    {"zeCommandListAppendMemoryCopy", API_LEVEL_ZERO, API_COPY, .async = ASYNC},
    {"zeCommandQueueExecuteCommandLists", API_LEVEL_ZERO, API_GRAPH_LAUNCH},
    {"zeCommandQueueSynchronize", API_LEVEL_ZERO, API_WAIT, API_STREAM},
    {"zeEventHostSynchronize", API_LEVEL_ZERO, API_WAIT, API_EVENT},
    {"zeMemAllocDevice", API_LEVEL_ZERO, API_ALLOC},
    {"zeModuleCreate", API_LEVEL_ZERO, API_LOAD},
    {"zero", API_OTHER_FAMILY, API_OTHER},
    {"urEnqueueKernelLaunch", API_UNIFIED_RUNTIME, API_LAUNCH},
    {"urEnqueueUSMMemcpy", API_UNIFIED_RUNTIME, API_COPY, .async = ASYNC},
    {"urEnqueueUSMFill", API_UNIFIED_RUNTIME, API_FILL, .async = ASYNC},
    {"urUSMDeviceAlloc", API_UNIFIED_RUNTIME, API_ALLOC},
    {"urUSMFree", API_UNIFIED_RUNTIME, API_FREE},
    {"urQueueFinish", API_UNIFIED_RUNTIME, API_WAIT, API_STREAM},
    {"urEventWait", API_UNIFIED_RUNTIME, API_WAIT, API_EVENT},
    {"urProgramBuild", API_UNIFIED_RUNTIME, API_LOAD},
    {"urllib", API_OTHER_FAMILY, API_OTHER},
    {"aclrtSynchronizeStreamWithTimeout", API_ACL, API_WAIT, API_STREAM},
    {"aclrtSynchronizeDevice", API_ACL, API_WAIT, API_CONTEXT},
    {"aclrtMemcpy", API_ACL, API_COPY},
    {"aclrtMemcpyAsync", API_ACL, API_COPY, .async = ASYNC},
    {"aclrtMalloc", API_ACL, API_ALLOC},
    {"aclrtFree", API_ACL, API_FREE},
    {"aclnnAddmm", API_ACL, API_LAUNCH},
    {"aclnnAddmmGetWorkspaceSize", API_ACL, API_QUERY},
    {"aclopCompileAndExecute", API_ACL, API_LAUNCH},
    {"aclCreateTensorDesc", API_ACL, API_OTHER},
    {"ncclAllReduce", API_NCCL, API_OTHER},
    {"ncclGroupStart", API_NCCL, API_GROUP_START},
    {"ncclGroupEnd", API_NCCL, API_GROUP_END},
    {"ncclGroupSimulateEnd", API_NCCL, API_OTHER},
    {"musaLaunchKernel", API_OTHER_FAMILY, API_LAUNCH},
    {"musaStreamSynchronize", API_OTHER_FAMILY, API_WAIT},
    {"musaMemcpyAsync", API_OTHER_FAMILY, API_OTHER, .async = ASYNC},
    {"", API_OTHER_FAMILY, API_OTHER},
    {"\"\"", API_OTHER_FAMILY, API_OTHER},
    {"c", API_OTHER_FAMILY, API_OTHER},
};

static void
check_calls(void)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		const struct row *row = &calls[i];
		struct named_call call = api_call_of(span_of(row->name));

		CHECK(call.family == row->family && call.role == row->role &&
			  call.about == row->about && call.async == row->async,
		    "%s: family %d, role %d, about %d, async %d", row->name,
		    (int)call.family, (int)call.role, (int)call.about,
		    call.async);
	}
	CHECK(api_call_waits(api_call_of(SPAN("cudaMemcpy"))), "a copy");
	CHECK(!api_call_waits(api_call_of(SPAN("cudaMemcpyAsync"))), "async");
	CHECK(api_call_waits(api_call_of(SPAN("\"hsa_signal_wait_relaxed\""))),
	    "a JSON string");
	CHECK(!api_call_waits(api_call_of(SPAN("cudaStreamWaitEvent"))),
	    "a stream waits");
	CHECK(api_call_of(SPAN("hipExtModuleLaunchKernel")).items &&
		  !api_call_of(SPAN("hipModuleLaunchKernel")).items,
	    "a grid of work-items");
	CHECK(api_call_of(SPAN("cudaThreadSynchronize")).old &&
		  !api_call_of(SPAN("cudaDeviceSynchronize")).old,
	    "replaced by another");
}

/* Names are remembered: those of one slot, and those too long for one. */
static void
check_memo(void)
{
	char name[300];

	for (size_t len = 4; len < sizeof(name); len++) {
		memset(name, '_', len);
		for (int i = 0; i < 6; i++) {
			bool other = i % 2 != 0;
			struct span s = {name, len};

			memcpy(name, other ? "nccl" : "hipM", 4);
			CHECK(api_call_of(s).family ==
				      (len == 4 && other ? API_OTHER_FAMILY
					  : other        ? API_NCCL
							 : API_HIP) &&
				  symbol_class_communicates(s) == other,
			    "%zu bytes", len);
		}
	}
	for (int pass = 0; pass < 2; pass++)
		CHECK(api_call_of(SPAN("cudaMemcpyAsync")).async &&
			  api_call_of(SPAN("\"cudaMemcpyAsync\"")).async &&
			  !api_call_of(SPAN("cudaMemcpy_sync")).async,
		    "pass %d", pass);
}

static void
check_symbols(void)
{
	static const struct {
		const char *name, *rest; /* rest: NULL if it is not of NCCL */
		bool communicates;
	} names[] = {
	    {"ncclDevKernel_AllReduce_Sum_f32_RING_LL",
		"AllReduce_Sum_f32_RING_LL", true},
	    {"rcclGenericKernel", "GenericKernel", true},
	    {"nccl:all_reduce", "all_reduce", true},
	    {"ncclKernel_SendRecv_RING_SIMPLE", "SendRecv_RING_SIMPLE", true},
	    {"\"nvshmemi_put\"", NULL, true},
	    {"mscclKernel", NULL, false},
	    {"void my_nccl_like", NULL, true},
	    {"ampere_sgemm_128x64_nn", NULL, false},
	    {"ncc", NULL, false},
	    {"", NULL, false},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct span name = span_of(names[i].name), rest = name;
		bool cut = symbol_class_cut_nccl(&rest);

		CHECK(
		    symbol_class_communicates(name) == names[i].communicates &&
			cut == (names[i].rest != NULL) &&
			(!cut || span_eq(rest, span_of(names[i].rest))),
		    "%s", names[i].name);
	}
}

int
main(void)
{
	check_calls();
	check_symbols();
	check_memo();
	return check_status();
}
