/* cupti_launches.c - launches counted by callbacks, and by their records */
#include <stdatomic.h>

#include "cupti_kinds.h"
#include "cupti_launches.h"
#include "agent/agent.h"

enum { IDS = 1024 }; /* of callbacks of the driver, and more */

static struct arena *arena; /* NULL: nothing is counted */
static uint32_t generation; /* of the arena; a child has another */

void
cupti_launches_start(
    const struct cupti_lib *lib, CUpti_SubscriberHandle subscriber)
{
	CUpti_CallbackId id;

	generation = agent_generation();
	arena = agent_arena();
	for (id = 0; id < IDS; id++)
		if (cupti_kinds_launches(API_DRIVER, id))
			lib->enable_callback(
			    1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id);
}

void
cupti_launches_called(CUpti_CallbackId id, const CUpti_CallbackData *d)
{
	if (d->callbackSite != CUPTI_API_EXIT ||
	    !cupti_kinds_launches(API_DRIVER, id) || !cupti_kinds_driver() ||
	    agent_generation() != generation)
		return;
	atomic_fetch_add_explicit(&arena->launched, 1, memory_order_relaxed);
	atomic_store_explicit(
	    &arena->launch_corr, d->correlationId, memory_order_relaxed);
}

/* CUPTI completes buffers in a thread of its own, and in threads that flush. */
void
cupti_launches_recorded(const void *raw, size_t stride)
{
	const CUpti_ActivityAPI *api = raw;
	uint32_t seen;

	if (arena == NULL || stride < sizeof(*api) ||
	    (api->kind != CUPTI_ACTIVITY_KIND_DRIVER &&
		api->kind != CUPTI_ACTIVITY_KIND_RUNTIME))
		return;
	if (cupti_kinds_launches(api->kind, api->cbid))
		atomic_fetch_add_explicit(
		    &arena->launch_records, 1, memory_order_relaxed);
	seen = atomic_load_explicit(&arena->record_corr, memory_order_relaxed);
	if (seen == 0 || (int32_t)(api->correlationId - seen) > 0)
		atomic_store_explicit(&arena->record_corr, api->correlationId,
		    memory_order_relaxed);
}
