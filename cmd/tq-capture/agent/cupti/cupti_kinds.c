/* cupti_kinds - which kinds of records CUPTI is to make */
#include "arena/arena.h"
#include "cupti_kinds.h"
#include "cupti_record.h"

static const uint8_t kinds[] = {
    CUPTI_ACTIVITY_KIND_DEVICE,
    CUPTI_ACTIVITY_KIND_CONTEXT,
    CUPTI_ACTIVITY_KIND_STREAM,
    CUPTI_ACTIVITY_KIND_OVERHEAD,
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
    CUPTI_ACTIVITY_KIND_MEMCPY,
    CUPTI_ACTIVITY_KIND_MEMCPY2,
    CUPTI_ACTIVITY_KIND_MEMSET,
    CUPTI_ACTIVITY_KIND_GRAPH_TRACE,
    CUPTI_ACTIVITY_KIND_RUNTIME,
    CUPTI_ACTIVITY_KIND_DRIVER,
    CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
    CUPTI_ACTIVITY_KIND_CUDA_EVENT,
    CUPTI_ACTIVITY_KIND_MEMORY2,
    CUPTI_ACTIVITY_KIND_MEMORY_POOL,
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static const uint16_t silent_runtime[] = {
    CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaPeekAtLastError_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_v10000,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_ptsz_v10000,
};

static const uint16_t silent_driver[] = {
    CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent,
    CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxGetState,
    CUPTI_DRIVER_TRACE_CBID_cuKernelGetAttribute,
    CUPTI_DRIVER_TRACE_CBID_cuPointerGetAttribute,
    CUPTI_DRIVER_TRACE_CBID_cuPointerGetAttributes,
    CUPTI_DRIVER_TRACE_CBID_cuStreamIsCapturing,
    CUPTI_DRIVER_TRACE_CBID_cuStreamIsCapturing_ptsz,
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

bool
cupti_kinds_silent(enum api_source source, uint32_t callback)
{
	bool runtime = source == API_RUNTIME;
	const uint16_t *list = runtime ? silent_runtime : silent_driver;
	size_t i, n = runtime ? COUNT(silent_runtime) : COUNT(silent_driver);

	for (i = 0; i < n; i++)
		if (list[i] == callback)
			return true;
	return false;
}

/* To be called after each time that the kind was enabled. */
static void
silence(CUptiResult (*set)(CUpti_CallbackId, uint8_t), const uint16_t *list,
    size_t n)
{
	size_t i;

	for (i = 0; set != NULL && i < n; i++)
		set(list[i], 0);
}

/* Is it in every CUPTI and with every driver, and not a detail? */
static bool
is_basic(CUpti_ActivityKind kind)
{
	return kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
	       kind == CUPTI_ACTIVITY_KIND_MEMCPY ||
	       kind == CUPTI_ACTIVITY_KIND_MEMSET ||
	       kind == CUPTI_ACTIVITY_KIND_RUNTIME ||
	       kind == CUPTI_ACTIVITY_KIND_DRIVER ||
	       kind == CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
}

static bool
enable(const struct cupti_lib *lib, CUpti_ActivityKind kind)
{
	if (kind == CUPTI_ACTIVITY_KIND_CUDA_EVENT &&
	    (lib->event_times == NULL || lib->event_times(1) != CUPTI_SUCCESS))
		return false;
	if (lib->enable(kind) != CUPTI_SUCCESS)
		return false;
	if (kind == CUPTI_ACTIVITY_KIND_RUNTIME)
		silence(lib->enable_runtime_api, silent_runtime,
		    COUNT(silent_runtime));
	if (kind == CUPTI_ACTIVITY_KIND_DRIVER)
		silence(lib->enable_driver_api, silent_driver,
		    COUNT(silent_driver));
	return true;
}

enum kinds_result
cupti_kinds_follow(const struct cupti_lib *lib, uint32_t bits, bool context)
{
	static bool enabled[KINDS], refused[KINDS];
	enum kinds_result result = KINDS_DONE;
	size_t i;

	for (i = 0; i < KINDS; i++) {
		CUpti_ActivityKind kind = kinds[i];
		uint32_t own = cupti_record_bits(kind);
		bool wanted = (own & bits) != 0 || own == UINT32_MAX;

		if (kind == CUPTI_ACTIVITY_KIND_GRAPH_TRACE)
			wanted = wanted && (bits & ARENA_NODES) == 0;
		if (wanted == enabled[i] || refused[i])
			continue;
		if (own == ARENA_GPU && context) {
			if (wanted)
				result = KINDS_LATE;
			continue;
		}
		if (!wanted) {
			enabled[i] = lib->disable(kind) != CUPTI_SUCCESS;
			continue;
		}
		enabled[i] = enable(lib, kind);
		refused[i] = !enabled[i];
		if (refused[i] && is_basic(kind))
			result = KINDS_REFUSED;
	}
	return result;
}
