/* cupti_kinds.c - which kinds of records CUPTI is to make */
#include <stdatomic.h>

#include "arena/arena.h"
#include "cupti_kinds.h"

#define ALWAYS UINT32_MAX

/*
 * DETAIL: not in every CUPTI, or not with every driver.  BASIC: the lack of it
 * is reported.  SERIAL kernels are recorded as concurrent ones.
 */
enum level { DETAIL, BASIC, SERIAL };

/* in the order in which they are enabled */
static const struct {
	CUpti_ActivityKind kind;
	uint32_t bits; /* of arena.on */
	enum level level;
} kinds[] = {
#define ACTIVITY(KIND, TYPE, bits, level) \
	{CUPTI_ACTIVITY_KIND_##KIND, bits, level},
#include "arena/records.def"
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static _Atomic bool driver; /* true while calls of the driver are recorded */

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

/*
 * Functions that make work for a device or, while a stream is captured, a node
 * of a graph.  The runtime launches by them too.
 */
static const uint16_t launches[] = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz,
    652, /* cuLaunchKernelEx, which headers before 11.8 do not have */
    653, /* cuLaunchKernelEx_ptsz */
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

bool
cupti_kinds_launches(uint32_t source, uint32_t callback)
{
	size_t i;

	for (i = 0; i < COUNT(launches) && source == API_DRIVER; i++)
		if (launches[i] == callback)
			return true;
	return false;
}

bool
cupti_kinds_driver(void)
{
	return atomic_load_explicit(&driver, memory_order_relaxed);
}

/* CUPTI forgets this when the kind is enabled: call it afterwards. */
static void
silence(CUptiResult (*set)(CUpti_CallbackId, uint8_t), const uint16_t *list,
    size_t n)
{
	size_t i;

	for (i = 0; set != NULL && i < n; i++)
		set(list[i], 0);
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
	if (kind == CUPTI_ACTIVITY_KIND_DRIVER) {
		silence(lib->enable_driver_api, silent_driver,
		    COUNT(silent_driver));
		atomic_store(&driver, true);
	}
	return true;
}

enum kinds_result
cupti_kinds_follow(const struct cupti_lib *lib, uint32_t bits, bool context)
{
	static bool enabled[KINDS], refused[KINDS];
	enum kinds_result result = KINDS_DONE;
	size_t i;

	for (i = 0; i < KINDS; i++) {
		CUpti_ActivityKind kind = kinds[i].kind;
		uint32_t own = kinds[i].bits;
		bool wanted = (own & bits) != 0 || own == ALWAYS;

		if (kind == CUPTI_ACTIVITY_KIND_GRAPH_TRACE)
			wanted = wanted && (bits & ARENA_NODES) == 0;
		if (wanted == enabled[i] || refused[i] ||
		    kinds[i].level == SERIAL)
			continue;
		if (own == ARENA_GPU && context) {
			if (wanted)
				result = KINDS_LATE;
			continue;
		}
		if (kind == CUPTI_ACTIVITY_KIND_DRIVER)
			atomic_store(&driver, false);
		if (!wanted) {
			enabled[i] = lib->disable(kind) != CUPTI_SUCCESS;
			continue;
		}
		enabled[i] = enable(lib, kind);
		refused[i] = !enabled[i];
		if (refused[i] && kinds[i].level == BASIC)
			result = KINDS_REFUSED;
	}
	return result;
}
