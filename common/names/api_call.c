/* api_call.c - the role of a call of a GPU's API, by its name */

#include <string.h>

#include "tq/base/lower_bound.h"
#include "tq/names/model.h"

/* ---- functions ---- */

/* families of a row, a bit each */
enum {
	RUNTIME = 1 << API_CUDA_RUNTIME,
	DRIVER = 1 << API_CUDA_DRIVER,
	HIP = 1 << API_HIP,
	HSA = 1 << API_HSA,
	ZE = 1 << API_LEVEL_ZERO,
	UR = 1 << API_UNIFIED_RUNTIME,
	ACL = 1 << API_ACL,
	NCCL = 1 << API_NCCL,
	CUDA = RUNTIME | DRIVER | HIP
};

/* of a row; ENQUEUES: asynchronous, without the word Async in its name */
enum { ENQUEUES = 1, ITEMS = 2, OLD = 4 };

/*
 * How names go on behind the prefix of their family, by first letter.  The
 * longest row that a name begins with counts; a row without a role hides a
 * shorter one.
 */
static const struct function {
	const char *begins;
	unsigned families;
	enum api_role role;
	enum api_about about;
	int how;
} functions[] = {
    {"Array3DCreate", DRIVER | HIP, API_ALLOC},
    {"ArrayCreate", DRIVER | HIP, API_ALLOC},
    {"ArrayDestroy", DRIVER | HIP, API_FREE},
    {"CommandBuffer", UR, API_GRAPH_BUILD},
    {"CommandBufferEnqueue", UR, API_GRAPH_LAUNCH},
    {"CommandList", ZE, API_OBJECT},
    {"CommandListAppendImageCopy", ZE, API_COPY, .how = ENQUEUES},
    {"CommandListAppendLaunch", ZE, API_LAUNCH},
    {"CommandListAppendMemoryCopy", ZE, API_COPY, .how = ENQUEUES},
    {"CommandListAppendMemoryFill", ZE, API_FILL, .how = ENQUEUES},
    {"CommandListAppendMemoryPrefetch", ZE, API_COPY, API_PREFETCH, ENQUEUES},
    {"CommandListHostSynchronize", ZE, API_WAIT, API_STREAM},
    {"CommandQueue", ZE, API_OBJECT},
    {"CommandQueueExecuteCommandLists", ZE, API_GRAPH_LAUNCH},
    {"CommandQueueSynchronize", ZE, API_WAIT, API_STREAM},
    {"Context", ZE | UR, API_OBJECT},
    {"Create", RUNTIME | HIP, API_OBJECT},
    {"Ctx", DRIVER | HIP, API_OBJECT},
    {"CtxGet", DRIVER | HIP, API_QUERY},
    {"CtxSynchronize", DRIVER | HIP, API_WAIT, API_CONTEXT},
    {"Destroy", RUNTIME | HIP, API_OBJECT},
    {"DeviceCan", CUDA, API_QUERY},
    {"DeviceCompute", HIP, API_QUERY},
    {"DeviceGet", CUDA | ZE | UR, API_QUERY},
    {"DevicePrimaryCtx", DRIVER | HIP, API_OBJECT},
    {"DeviceReset", RUNTIME | HIP, API_OBJECT},
    {"DeviceSet", CUDA, API_OBJECT},
    {"DeviceSynchronize", RUNTIME | HIP, API_WAIT, API_CONTEXT},
    {"DeviceTotalMem", DRIVER | HIP, API_QUERY},
    {"DriverGet", CUDA | ZE, API_QUERY},
    {"DrvGraph", HIP, API_GRAPH_BUILD},
    {"DrvMemcpy", HIP, API_COPY},
    {"EnqueueCommandBuffer", UR, API_GRAPH_LAUNCH},
    {"EnqueueCooperativeKernelLaunch", UR, API_LAUNCH},
    {"EnqueueEventsWait", UR, API_OBJECT},
    {"EnqueueKernelLaunch", UR, API_LAUNCH},
    {"EnqueueMemBufferCopy", UR, API_COPY, .how = ENQUEUES},
    {"EnqueueMemBufferFill", UR, API_FILL, .how = ENQUEUES},
    {"EnqueueMemBufferRead", UR, API_COPY, .how = ENQUEUES},
    {"EnqueueMemBufferWrite", UR, API_COPY, .how = ENQUEUES},
    {"EnqueueMemImage", UR, API_COPY, .how = ENQUEUES},
    {"EnqueueUSMFill", UR, API_FILL, .how = ENQUEUES},
    {"EnqueueUSMMemcpy", UR, API_COPY, .how = ENQUEUES},
    {"EnqueueUSMPrefetch", UR, API_COPY, API_PREFETCH, ENQUEUES},
    {"Event", CUDA | ZE | UR, API_OBJECT},
    {"EventElapsedTime", CUDA, API_QUERY},
    {"EventGet", UR, API_QUERY},
    {"EventHostSynchronize", ZE, API_WAIT, API_EVENT},
    {"EventQuery", CUDA | ZE, API_QUERY, API_EVENT},
    {"EventSynchronize", CUDA, API_WAIT, API_EVENT},
    {"EventWait", UR, API_WAIT, API_EVENT},
    {"ExtLaunch", HIP, API_LAUNCH},
    {"ExtMalloc", HIP, API_ALLOC},
    {"ExtModuleLaunch", HIP, API_LAUNCH, .how = ITEMS},
    {"ExtStream", HIP, API_OBJECT},
    {"Fence", ZE, API_OBJECT},
    {"FenceHostSynchronize", ZE, API_WAIT, API_EVENT},
    {"FenceQuery", ZE, API_QUERY, API_EVENT},
    {"Free", CUDA, API_FREE},
    {"FuncGet", CUDA, API_QUERY},
    {"FuncLoad", DRIVER, API_LOAD},
    {"Get", CUDA, API_QUERY},
    {"Graph", CUDA, API_GRAPH_BUILD},
    {"GraphLaunch", CUDA, API_GRAPH_LAUNCH},
    {"Graphics", CUDA, API_OBJECT},
    {"GroupEnd", NCCL, API_GROUP_END},
    {"GroupStart", NCCL, API_GROUP_START},
    {"HostAlloc", CUDA, API_ALLOC},
    {"HostFree", HIP, API_FREE},
    {"HostGet", CUDA, API_QUERY},
    {"HostMalloc", HIP, API_ALLOC},
    {"HostRegister", CUDA, API_REGISTER},
    {"HostUnregister", CUDA, API_REGISTER},
    {"KernelGet", CUDA, API_QUERY},
    {"Launch", CUDA, API_LAUNCH},
    {"LaunchHostFunc", CUDA, API_OTHER, API_HOST_FUNCTION},
    {"Library", CUDA, API_LOAD},
    {"LibraryGet", CUDA, API_QUERY},
    {"Link", DRIVER | HIP, API_LOAD},
    {"Malloc", RUNTIME | HIP, API_ALLOC},
    {"MemAddressFree", DRIVER | HIP, API_FREE},
    {"MemAddressReserve", DRIVER | HIP, API_ALLOC},
    {"MemAlloc", DRIVER | HIP | ZE, API_ALLOC},
    {"MemBufferCreate", UR, API_ALLOC},
    {"MemCreate", DRIVER | HIP, API_ALLOC},
    {"MemFree", DRIVER | HIP | ZE, API_FREE},
    {"MemGet", CUDA | ZE | UR, API_QUERY},
    {"MemHostAlloc", DRIVER, API_ALLOC},
    {"MemHostGet", DRIVER, API_QUERY},
    {"MemHostRegister", DRIVER, API_REGISTER},
    {"MemHostUnregister", DRIVER, API_REGISTER},
    {"MemMap", DRIVER | HIP, API_ALLOC},
    {"MemPool", CUDA, API_OBJECT},
    {"MemPrefetch", CUDA, API_COPY, API_PREFETCH, ENQUEUES},
    {"MemRangeGet", CUDA, API_QUERY},
    {"MemRelease", DRIVER | HIP | UR, API_FREE},
    {"MemUnmap", DRIVER | HIP, API_FREE},
    {"Memcpy", CUDA, API_COPY},
    {"Memset", CUDA, API_FILL},
    {"MipmappedArrayCreate", DRIVER | HIP, API_ALLOC},
    {"MipmappedArrayDestroy", DRIVER | HIP, API_FREE},
    {"Module", ZE, API_LOAD},
    {"ModuleGet", DRIVER | HIP, API_QUERY},
    {"ModuleLaunch", HIP, API_LAUNCH},
    {"ModuleLoad", DRIVER | HIP, API_LOAD},
    {"ModuleOccupancy", HIP, API_QUERY},
    {"ModuleUnload", DRIVER | HIP, API_LOAD},
    {"Occupancy", CUDA, API_QUERY},
    {"PeekAtLastError", RUNTIME | HIP, API_QUERY},
    {"PlatformGet", UR, API_QUERY},
    {"PointerGet", CUDA, API_QUERY},
    {"ProfilerStart", CUDA, API_PROFILER_START},
    {"ProfilerStop", CUDA, API_PROFILER_STOP},
    {"Program", UR, API_LOAD},
    {"ProgramGet", UR, API_QUERY},
    {"Queue", UR, API_OBJECT},
    {"QueueFinish", UR, API_WAIT, API_STREAM},
    {"QueueGet", UR, API_QUERY},
    {"RuntimeGetVersion", RUNTIME | HIP, API_QUERY},
    {"SetDevice", RUNTIME | HIP, API_OBJECT},
    {"Stream", CUDA, API_OBJECT},
    {"StreamBeginCapture", CUDA, API_GRAPH_BUILD, API_CAPTURE_BEGIN},
    {"StreamEndCapture", CUDA, API_GRAPH_BUILD, API_CAPTURE_END},
    {"StreamGet", CUDA, API_QUERY},
    {"StreamIsCapturing", CUDA, API_QUERY},
    {"StreamQuery", CUDA, API_QUERY, API_STREAM},
    {"StreamSynchronize", CUDA, API_WAIT, API_STREAM},
    {"StreamUpdateCapture", CUDA, API_GRAPH_BUILD},
    {"StreamWaitEvent", CUDA, API_OBJECT, API_STREAM_WAITS},
    {"ThreadExchangeStreamCapture", CUDA, API_GRAPH_BUILD},
    {"ThreadSynchronize", RUNTIME, API_WAIT, API_CONTEXT, OLD},
    {"USMDeviceAlloc", UR, API_ALLOC},
    {"USMFree", UR, API_FREE},
    {"USMGet", UR, API_QUERY},
    {"USMHostAlloc", UR, API_ALLOC},
    {"USMPool", UR, API_OBJECT},
    {"USMSharedAlloc", UR, API_ALLOC},
    {"VirtualMemFree", ZE, API_FREE},
    {"VirtualMemReserve", ZE, API_ALLOC},
    {"agent_get_info", HSA, API_QUERY},
    {"amd_memory_async_copy", HSA, API_COPY, .how = ENQUEUES},
    {"amd_memory_fill", HSA, API_FILL},
    {"amd_memory_lock", HSA, API_REGISTER},
    {"amd_memory_pool_allocate", HSA, API_ALLOC},
    {"amd_memory_pool_free", HSA, API_FREE},
    {"amd_memory_unlock", HSA, API_REGISTER},
    {"amd_signal_wait", HSA, API_WAIT, API_EVENT},
    {"code_object", HSA, API_LOAD},
    {"executable_", HSA, API_LOAD},
    {"mdlExecute", ACL, API_LAUNCH},
    {"mdlLoad", ACL, API_LOAD},
    {"mdlRICapture", ACL, API_GRAPH_BUILD},
    {"mdlRICaptureBegin", ACL, API_GRAPH_BUILD, API_CAPTURE_BEGIN},
    {"mdlRICaptureEnd", ACL, API_GRAPH_BUILD, API_CAPTURE_END},
    {"mdlRIExecute", ACL, API_GRAPH_LAUNCH},
    {"mdlUnload", ACL, API_LOAD},
    {"memory_allocate", HSA, API_ALLOC},
    {"memory_copy", HSA, API_COPY},
    {"memory_free", HSA, API_FREE},
    {"nn", ACL, API_LAUNCH},
    {"opCompileAndExecute", ACL, API_LAUNCH},
    {"opExecute", ACL, API_LAUNCH},
    {"queue_", HSA, API_OBJECT},
    {"rtBinaryLoad", ACL, API_LOAD},
    {"rtBinaryUnLoad", ACL, API_LOAD},
    {"rtCreate", ACL, API_OBJECT},
    {"rtDestroy", ACL, API_OBJECT},
    {"rtFree", ACL, API_FREE},
    {"rtGet", ACL, API_QUERY},
    {"rtHostRegister", ACL, API_REGISTER},
    {"rtHostUnregister", ACL, API_REGISTER},
    {"rtLaunchKernel", ACL, API_LAUNCH},
    {"rtMalloc", ACL, API_ALLOC},
    {"rtMemcpy", ACL, API_COPY},
    {"rtMemset", ACL, API_FILL},
    {"rtQuery", ACL, API_QUERY},
    {"rtRecordEvent", ACL, API_OBJECT},
    {"rtResetDevice", ACL, API_OBJECT},
    {"rtSetDevice", ACL, API_OBJECT},
    {"rtStreamWaitEvent", ACL, API_OBJECT, API_STREAM_WAITS},
    {"rtSynchronizeDevice", ACL, API_WAIT, API_CONTEXT},
    {"rtSynchronizeEvent", ACL, API_WAIT, API_EVENT},
    {"rtSynchronizeStream", ACL, API_WAIT, API_STREAM},
    {"signal_", HSA, API_OBJECT},
    {"signal_load", HSA, API_QUERY},
    {"signal_wait", HSA, API_WAIT, API_EVENT},
    {"system_get_info", HSA, API_QUERY},
};

enum { FUNCTIONS = sizeof(functions) / sizeof(*functions) };

/* ---- names ---- */

static bool
cut(struct span *s, const char *prefix)
{
	size_t n = strlen(prefix);

	if (s->len <= n || memcmp(s->p, prefix, n) != 0)
		return false;
	*s = (struct span){s->p + n, s->len - n};
	return true;
}

/* cuLaunchKernel, but not cublasCreate */
static bool
cut_word(struct span *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s->len > n && s->p[n] >= 'A' && s->p[n] <= 'Z' && cut(s, prefix);
}

/* The family of a name, which loses its prefix. */
static enum api_family
family_of(struct span *name)
{
	switch (name->len > 0 ? *name->p : '\0') {
	case 'c':
		return cut_word(name, "cuda") ? API_CUDA_RUNTIME
		       : cut_word(name, "cu") ? API_CUDA_DRIVER
					      : API_OTHER_FAMILY;
	case 'h':
		return cut(name, "hip")    ? API_HIP
		       : cut(name, "hsa_") ? API_HSA
					   : API_OTHER_FAMILY;
	case 'n':
		return cut(name, "nccl") ? API_NCCL : API_OTHER_FAMILY;
	case 'u':
		return cut_word(name, "ur") ? API_UNIFIED_RUNTIME
					    : API_OTHER_FAMILY;
	case 'z':
		return cut_word(name, "ze") ? API_LEVEL_ZERO : API_OTHER_FAMILY;
	case 'a':
		return cut(name, "acl") ? API_ACL : API_OTHER_FAMILY;
	default:
		return API_OTHER_FAMILY;
	}
}

/* The first row that begins with a letter, or with one behind it. */
static size_t
first_of(char letter)
{
	size_t i;

	LOWER_BOUND(i, 0, FUNCTIONS, *functions[i].begins < letter);
	return i;
}

/* NULL if no row fits */
static const struct function *
function_of(enum api_family family, struct span name)
{
	const struct function *best = NULL;

	/* of rows that a name begins with, a later one is longer */
	for (size_t i = first_of(*name.p);
	     i < FUNCTIONS && *functions[i].begins == *name.p; i++)
		if ((functions[i].families >> family & 1) != 0 &&
		    span_begins(name, span_of(functions[i].begins)))
			best = &functions[i];
	return best;
}

static bool
has(struct span name, const char *word)
{
	return memmem(name.p, name.len, word, strlen(word)) != NULL;
}

/*
 * The role by the words of a name that is in no row: of an API of another
 * vendor, whose names are like CUDA's, or of a function to come.
 */
static enum api_role
role_by_words(struct span name)
{
	if (memchr(name.p, 'y', name.len) != NULL && has(name, "Synchronize"))
		return API_WAIT;
	if (memchr(name.p, 'L', name.len) == NULL || !has(name, "Launch"))
		return API_OTHER;
	return has(name, "GraphLaunch") ? API_GRAPH_LAUNCH : API_LAUNCH;
}

struct named_call
api_call_of(struct span name)
{
	struct named_call call = {API_OTHER_FAMILY};
	const struct function *f = NULL;

	if (name.len > 1 && *name.p == '"')
		name = (struct span){name.p + 1, name.len - 2};
	call.family = family_of(&name);
	if (name.len == 0)
		return call;
	if (call.family != API_OTHER_FAMILY)
		f = function_of(call.family, name);
	call.async =
	    memchr(name.p, 'A', name.len) != NULL && has(name, "Async");
	if (f == NULL) {
		call.role = role_by_words(name);
		return call;
	}
	call.role = f->role;
	call.about = f->about;
	call.async |= (f->how & ENQUEUES) != 0;
	call.items = (f->how & ITEMS) != 0;
	call.old = (f->how & OLD) != 0;
	if (f->families == ACL && has(name, "GetWorkspaceSize"))
		call.role = API_QUERY;
	if (call.role == API_ALLOC &&
	    (call.async || span_begins(name, SPAN("MallocFromPool"))))
		call.role = API_ALLOC_ASYNC;
	return call;
}

struct named_call
api_call_of_event(const struct event *ev)
{
	if (ev->kind != KIND_api || !event_has(ev, KEY_name))
		return (struct named_call){API_OTHER_FAMILY};
	return ev->model != NULL
		   ? model_symbol_at(ev->model, model_symbol(ev))->call
		   : api_call_of(ev->value[KEY_name]);
}

/* #N is a class that the export has no name for; nsys counts it as well */
bool
api_call_is_of_gpu(const struct event *ev)
{
	static const char *const apis[] = {
	    "cuda-runtime", "cuda-driver", "hip", "hsa"};

	if (!event_has(ev, KEY_api))
		return true; /* the export has no classes */
	for (size_t i = 0; i < sizeof(apis) / sizeof(*apis); i++)
		if (event_is(ev, KEY_api, span_of(apis[i])))
			return true;
	return ev->value[KEY_api].len > 2 && ev->value[KEY_api].p[1] == '#';
}

struct span
api_call_role(enum api_role role)
{
	static const char *const names[API_ROLES] = {"\"other\"", "\"launch\"",
	    "\"graph-launch\"", "\"copy\"", "\"fill\"", "\"alloc\"",
	    "\"alloc-async\"", "\"free\"", "\"register\"", "\"load\"",
	    "\"graph-build\"", "\"object\"", "\"wait\"", "\"query\"",
	    "\"profiler-start\"", "\"profiler-stop\"", "\"group-start\"",
	    "\"group-end\""};

	return span_of(names[role]);
}
