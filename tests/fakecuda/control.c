/* control.c - which kinds are recorded, and the other switches */

#include <stdatomic.h>
#include <string.h>

#include "fakecupti.h"

enum { STACK = 16 };

static atomic_bool on[CUPTI_ACTIVITY_KIND_COUNT];
static atomic_bool calls[CUPTI_CB_DOMAIN_SIZE][CBIDS]; /* of the API */

static atomic_bool event_times;

/* ---- records of objects ---- */

static void
put_device(CUcontext context, bool visible)
{
	_Alignas(8) uint8_t bytes[RECORD_MAX] = {0};
	CUpti_ActivityDevice5 *to = (CUpti_ActivityDevice5 *)bytes;

	to->kind = CUPTI_ACTIVITY_KIND_DEVICE;
	to->globalMemoryBandwidth = 3000000000;
	to->globalMemorySize = UINT64_C(80) << 30;
	to->coreClockRate = 1700000;
	to->numMultiprocessors = 132;
	to->numThreadsPerWarp = 32;
	to->computeCapabilityMajor = 9;
	to->id = (uint32_t)context->device;
	to->name = visible ? "Fake GPU" : "Hidden GPU";
	to->isCudaVisible = visible;
	memset(to->uuid.bytes, 0xfa, sizeof(to->uuid.bytes));
	to->uuid.bytes[15] = (char)context->device;
	buffers_put(bytes);
}

static void
device_record(CUcontext context)
{
	if (fake_number("FAKECUDA_HIDDEN", 0) != 0)
		put_device(context, false);
	put_device(context, true);
}

static void
context_record(CUcontext context)
{
	_Alignas(8) uint8_t bytes[RECORD_MAX] = {0};
	CUpti_ActivityContext3 *to = (CUpti_ActivityContext3 *)bytes;

	to->kind = CUPTI_ACTIVITY_KIND_CONTEXT;
	to->contextId = context->id;
	to->deviceId = (uint32_t)context->device;
	to->computeApiKind = CUPTI_ACTIVITY_COMPUTE_API_CUDA;
	to->nullStreamId = (uint16_t)context->null.id;
	to->numMultiprocessors = 132;
	buffers_put(bytes);
}

static void
stream_record(CUstream stream)
{
	_Alignas(8) uint8_t bytes[RECORD_MAX] = {0};
	CUpti_ActivityStream *to = (CUpti_ActivityStream *)bytes;

	to->kind = CUPTI_ACTIVITY_KIND_STREAM;
	to->contextId = stream->context->id;
	to->streamId = stream->id;
	to->flag = stream == &stream->context->null
		       ? CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL
		       : CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT;
	buffers_put(bytes);
}

static void
stream_records(CUcontext context)
{
	for (CUstream s = &context->null; s != NULL; s = s->next)
		if (!s->dead)
			stream_record(s);
}

void
control_context(CUcontext context)
{
	if (control_records(CUPTI_ACTIVITY_KIND_DEVICE))
		device_record(context);
	if (control_records(CUPTI_ACTIVITY_KIND_CONTEXT))
		context_record(context);
	if (control_records(CUPTI_ACTIVITY_KIND_STREAM))
		stream_record(&context->null);
}

void
control_stream(CUstream stream)
{
	if (control_records(CUPTI_ACTIVITY_KIND_STREAM))
		stream_record(stream);
}

/* ---- kinds ---- */

bool
control_records(CUpti_ActivityKind kind)
{
	return atomic_load_explicit(&on[kind], memory_order_relaxed);
}

bool
control_records_call(const struct fake_call *call)
{
	return call->cbid < CBIDS &&
	       atomic_load_explicit(
		   &calls[call->domain][call->cbid], memory_order_relaxed);
}

static void
set_calls(CUpti_ActivityKind kind, bool to)
{
	CUpti_CallbackDomain domain = kind == CUPTI_ACTIVITY_KIND_RUNTIME
					  ? CUPTI_CB_DOMAIN_RUNTIME_API
					  : CUPTI_CB_DOMAIN_DRIVER_API;

	if (kind == CUPTI_ACTIVITY_KIND_RUNTIME ||
	    kind == CUPTI_ACTIVITY_KIND_DRIVER)
		for (uint32_t cbid = 0; cbid < CBIDS; cbid++)
			atomic_store(&calls[domain][cbid], to);
}

static CUptiResult
set(CUpti_ActivityKind kind, bool to)
{
	if (kind >= CUPTI_ACTIVITY_KIND_COUNT || record_size(kind) == 0)
		return CUPTI_ERROR_INVALID_KIND;
	if (!subscribe_attach())
		return (CUptiResult)NO_DRIVER;
	if (to && fake_number("FAKECUDA_REFUSE", 0) != 0)
		return CUPTI_ERROR_NOT_COMPATIBLE;
	atomic_store(&on[kind], to);
	set_calls(kind, to);
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityEnable(CUpti_ActivityKind kind)
{
	return set(kind, true);
}

CUptiResult
cuptiActivityDisable(CUpti_ActivityKind kind)
{
	return set(kind, false);
}

CUptiResult
cuptiActivityEnableContext(CUcontext context, CUpti_ActivityKind kind)
{
	(void)context;
	return set(kind, true);
}

CUptiResult
cuptiActivityDisableContext(CUcontext context, CUpti_ActivityKind kind)
{
	(void)context;
	return set(kind, false);
}

CUptiResult
cuptiActivityEnableAndDump(CUpti_ActivityKind kind)
{
	CUptiResult result = set(kind, true);

	if (result != CUPTI_SUCCESS)
		return result;
	switch (kind) {
	case CUPTI_ACTIVITY_KIND_DEVICE:
		subscribe_contexts(device_record);
		break;
	case CUPTI_ACTIVITY_KIND_CONTEXT:
		subscribe_contexts(context_record);
		break;
	case CUPTI_ACTIVITY_KIND_STREAM:
		subscribe_contexts(stream_records);
		break;
	default:
		break;
	}
	return CUPTI_SUCCESS;
}

#if FAKE_GENERATION >= 130
static CUptiResult
set_call(CUpti_CallbackDomain domain, CUpti_CallbackId cbid, bool to)
{
	if (cbid >= CBIDS)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (!subscribe_attach())
		return (CUptiResult)NO_DRIVER;
	atomic_store(&calls[domain][cbid], to);
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityEnableRuntimeApi(CUpti_CallbackId cbid, uint8_t enable)
{
	return set_call(CUPTI_CB_DOMAIN_RUNTIME_API, cbid, enable != 0);
}

CUptiResult
cuptiActivityEnableDriverApi(CUpti_CallbackId cbid, uint8_t enable)
{
	return set_call(CUPTI_CB_DOMAIN_DRIVER_API, cbid, enable != 0);
}
#endif

#if FAKE_GENERATION >= 130
CUptiResult
cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t enable)
{
	if (!subscribe_attach())
		return (CUptiResult)NO_DRIVER;
	event_times = enable != 0;
	return CUPTI_SUCCESS;
}
#endif

bool
control_event_times(void)
{
	return event_times;
}

/* ---- external correlation ---- */

static _Thread_local uint64_t externals[STACK];
static _Thread_local CUpti_ExternalCorrelationKind external_kinds[STACK];
static _Thread_local size_t depth;

CUptiResult
cuptiActivityPushExternalCorrelationId(
    CUpti_ExternalCorrelationKind kind, uint64_t id)
{
	if (depth == STACK)
		return CUPTI_ERROR_OUT_OF_MEMORY;
	external_kinds[depth] = kind;
	externals[depth++] = id;
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityPopExternalCorrelationId(
    CUpti_ExternalCorrelationKind kind, uint64_t *id)
{
	if (depth == 0 || external_kinds[depth - 1] != kind)
		return CUPTI_ERROR_QUEUE_EMPTY;
	depth--;
	if (id != NULL)
		*id = externals[depth];
	return CUPTI_SUCCESS;
}

void
control_external(uint32_t correlation)
{
	_Alignas(8) uint8_t bytes[RECORD_MAX] = {0};
	CUpti_ActivityExternalCorrelation *to =
	    (CUpti_ActivityExternalCorrelation *)bytes;

	if (depth == 0 ||
	    !control_records(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION))
		return;
	to->kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
	to->externalKind = external_kinds[depth - 1];
	to->externalId = externals[depth - 1];
	to->correlationId = correlation;
	buffers_put(bytes);
}

void
control_reset(void)
{
	memset(on, 0, sizeof(on));
	memset(calls, 0, sizeof(calls));
	event_times = false;
}
