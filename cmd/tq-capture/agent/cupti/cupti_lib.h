/*
 * cupti_lib.h - the libcupti of this process, loaded at run time
 *
 * A program may bring a libcupti of any CUDA from 11.0 on, so nothing is
 * linked: all functions are looked up by name, and old libraries lack some.
 */
#ifndef TQ_AGENT_CUPTI_LIB_H
#define TQ_AGENT_CUPTI_LIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cupti.h>

#include "arena/arena.h"

/* CUpti_SubscriberParams, which headers before 13.0 do not have */
struct cupti_subscriber {
	size_t size;
	const char *name;
	char *other; /* name of the other subscriber, if there is one */
	size_t other_size;
};

/* NULL if this libcupti lacks it; it has all functions above the line */
struct cupti_lib {
	CUptiResult (*get_version)(uint32_t *version);
	CUptiResult (*next_record)(uint8_t *, size_t, CUpti_Activity **);
	CUptiResult (*subscribe)(
	    CUpti_SubscriberHandle *, CUpti_CallbackFunc, void *);
	CUptiResult (*enable_callback)(uint32_t enable, CUpti_SubscriberHandle,
	    CUpti_CallbackDomain, CUpti_CallbackId);
	CUptiResult (*callback_name)(
	    CUpti_CallbackDomain, uint32_t, const char **);
	CUptiResult (*register_buffers)(CUpti_BuffersCallbackRequestFunc,
	    CUpti_BuffersCallbackCompleteFunc);
	CUptiResult (*enable)(CUpti_ActivityKind);
	CUptiResult (*disable)(CUpti_ActivityKind);
	CUptiResult (*flush)(uint32_t flags);
	CUptiResult (*dropped)(CUcontext, uint32_t stream, size_t *);

	/* ---- */

	CUptiResult (*unsubscribe)(CUpti_SubscriberHandle);
	CUptiResult (*subscribe_v2)(CUpti_SubscriberHandle *,
	    CUpti_CallbackFunc, void *, struct cupti_subscriber *);
	CUptiResult (*register_clock)(uint64_t (*clock)(void));
	CUptiResult (*thread_id_type)(CUpti_ActivityThreadIdType);
	CUptiResult (*set_attribute)(
	    CUpti_ActivityAttribute, size_t *size, void *value);
	CUptiResult (*enable_and_dump)(CUpti_ActivityKind);
	CUptiResult (*enable_runtime_api)(CUpti_CallbackId, uint8_t enable);
	CUptiResult (*enable_driver_api)(CUpti_CallbackId, uint8_t enable);
	CUptiResult (*event_times)(uint8_t enable);
	CUptiResult (*stream_id)(
	    CUcontext, CUstream, uint8_t per_thread, uint32_t *id);
	CUptiResult (*node_id)(CUgraphNode, uint64_t *id);

	uint32_t version; /* of get_version */
};

/*
 * Load one libcupti after the other, the likeliest first, until use(lib) is
 * true: the one that the program has loaded itself, $TQ_CUPTI, the libraries
 * near its libcudart, or near another library in a folder nvidia, as pip has
 * them, the libraries that dlopen finds by name, the toolkit's.  False if none
 * is there.  A library that was loaded stays loaded.
 */
bool cupti_lib_find(struct cupti_lib *lib, bool (*use)(struct cupti_lib *lib));

/*
 * The bytes of a record of each kind of this libcupti, 0 for kinds that it
 * lacks. They grow from CUDA to CUDA, always at the end.  Needs no driver.
 */
void cupti_lib_strides(
    const struct cupti_lib *lib, uint16_t stride[ARENA_STRIDES]);

#endif
