/* cupti_waits.c - the call of CUDA in which a thread waits, by callbacks */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "agent/agent.h"
#include "agent/osrt_call.h"
#include "cupti_kinds.h"
#include "cupti_names.h"
#include "cupti_waits.h"

/* A call on the default stream of its thread has a number of its own, _ptsz. */
static const uint16_t waits_of_runtime[] = {
    CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_ptsz_v7000,
    CUPTI_RUNTIME_TRACE_CBID_cudaEventSynchronize_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_ptds_v7000,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_ptsz_v7000,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2D_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2DAsync_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemset_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemset_ptds_v7000,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_ptsz_v7000,
    CUPTI_RUNTIME_TRACE_CBID_cudaFree_v3020,
};
static const uint16_t waits_of_driver[] = {
    CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize,
    800, /* cuCtxSynchronize_v2, which headers before 13.0 do not have */
    CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize,
    CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuEventSynchronize,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync,
    CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async,
    CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async,
    CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2,
};

static const struct {
	CUpti_CallbackDomain domain;
	enum api_source source;
	const uint16_t *ids;
	size_t count;
} waits[] = {
    {CUPTI_CB_DOMAIN_RUNTIME_API, API_RUNTIME, waits_of_runtime,
	sizeof(waits_of_runtime) / sizeof(waits_of_runtime[0])},
    {CUPTI_CB_DOMAIN_DRIVER_API, API_DRIVER, waits_of_driver,
	sizeof(waits_of_driver) / sizeof(waits_of_driver[0])},
};

enum { IDS = 1024 }; /* of callbacks of the driver, and more */

static uint32_t generation; /* of the arena; a child has another */
static pthread_key_t key;
static bool have_key;

static __thread struct {
	struct arena_thread *slot; /* NULL: none yet */
	uint32_t inside;           /* such calls, one within the other */
} own __attribute__((tls_model("initial-exec")));

static void
thread_ends(void *slot)
{
	if (agent_generation() == generation)
		tq_capture_osrt_thread_ends(slot);
	own.slot = NULL;
}

void
cupti_waits_start(
    const struct cupti_lib *lib, CUpti_SubscriberHandle subscriber)
{
	have_key = pthread_key_create(&key, thread_ends) == 0;
	generation = agent_generation();
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		for (size_t k = 0; k < waits[i].count; k++) {
			cupti_names_function(
			    lib, waits[i].source, waits[i].ids[k]);
			lib->enable_callback(
			    1, subscriber, waits[i].domain, waits[i].ids[k]);
		}
	for (uint32_t id = 0; id < IDS; id++)
		if (cupti_kinds_launches(API_DRIVER, id))
			cupti_names_function(lib, API_DRIVER, id);
}

static bool
is_wait(size_t of, CUpti_CallbackId id)
{
	if (cupti_kinds_launches(waits[of].source, id))
		return true;
	for (size_t k = 0; k < waits[of].count; k++)
		if (waits[of].ids[k] == id)
			return true;
	return false;
}

static void
publish(bool runtime, CUpti_CallbackId id)
{
	if (own.slot == NULL && have_key &&
	    (own.slot = tq_capture_osrt_thread()) != NULL)
		pthread_setspecific(key, own.slot);
	if (own.slot == NULL)
		return;
	atomic_store_explicit(
	    &own.slot->from, agent_clock(), memory_order_relaxed);
	atomic_store_explicit(&own.slot->call,
	    arena_call(0, SUBJECT_IS_NONE, arena_cuda_call(runtime, id)),
	    memory_order_release);
}

void
cupti_waits_called(CUpti_CallbackDomain domain, CUpti_CallbackId id,
    const CUpti_CallbackData *d)
{
	size_t of = domain == CUPTI_CB_DOMAIN_DRIVER_API;

	if (!is_wait(of, id) || agent_generation() != generation)
		return;
	if (d->callbackSite == CUPTI_API_ENTER) {
		if (own.inside++ == 0)
			publish(waits[of].source == API_RUNTIME, id);
	} else if (own.inside > 0 && --own.inside == 0 && own.slot != NULL) {
		atomic_store_explicit(&own.slot->call, 0, memory_order_release);
	}
}
