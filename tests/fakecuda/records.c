/* records.c - records as a generation of CUPTI writes them */

#include <string.h>
#include <unistd.h>

#include "fakecupti.h"

enum { LONGER = 16 }; /* bytes of members of the future */

/* Of 11.8, 12.4 and 13.0, measured with the real libraries. */
static const struct {
	uint16_t kind, size[3];
} sizes[] = {
    {CUPTI_ACTIVITY_KIND_MEMCPY, {88, 88, 96}},
    {CUPTI_ACTIVITY_KIND_MEMSET, {88, 88, 88}},
    {CUPTI_ACTIVITY_KIND_KERNEL, {200, 208, 216}},
    {CUPTI_ACTIVITY_KIND_DRIVER, {40, 40, 40}},
    {CUPTI_ACTIVITY_KIND_RUNTIME, {40, 40, 40}},
    {CUPTI_ACTIVITY_KIND_DEVICE, {176, 184, 184}},
    {CUPTI_ACTIVITY_KIND_CONTEXT, {16, 24, 32}},
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, {200, 208, 216}},
    {CUPTI_ACTIVITY_KIND_MARKER, {56, 56, 56}},
    {CUPTI_ACTIVITY_KIND_MARKER_DATA, {32, 32, 40}},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, {40, 56, 56}},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, {96, 96, 96}},
    {CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, {64, 64, 104}},
    {CUPTI_ACTIVITY_KIND_CUDA_EVENT, {24, 24, 56}},
    {CUPTI_ACTIVITY_KIND_STREAM, {24, 24, 24}},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, {40, 40, 56}},
    {CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, {24, 24, 24}},
    {CUPTI_ACTIVITY_KIND_MEMORY2, {120, 120, 128}},
    {CUPTI_ACTIVITY_KIND_MEMORY_POOL, {72, 72, 80}},
    {CUPTI_ACTIVITY_KIND_GRAPH_TRACE, {48, 56, 56}},
    {CUPTI_ACTIVITY_KIND_JIT, {64, 72, 72}},
};

size_t
record_size(uint32_t kind)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		if (sizes[i].kind == kind)
			switch (FAKE_GENERATION) {
			case 118:
				return sizes[i].size[0];
			case 124:
				return sizes[i].size[1];
			case 130:
				return sizes[i].size[2];
			default:
				return sizes[i].size[2] + LONGER;
			}
	return 0;
}

/* What the header of this build does not know is not zero. */
static void
start(void *to, uint32_t kind, size_t known)
{
	memset(to, 0xee, RECORD_MAX);
	memset(to, 0, known);
	memcpy(to, &kind, sizeof(kind));
}

void
record_of_call(void *to, const struct fake_call *call, uint64_t end)
{
	CUpti_ActivityAPI *api = to;

	start(to,
	    call->domain == CUPTI_CB_DOMAIN_RUNTIME_API
		? CUPTI_ACTIVITY_KIND_RUNTIME
		: CUPTI_ACTIVITY_KIND_DRIVER,
	    sizeof(*api));
	api->cbid = call->cbid;
	api->start = call->start;
	api->end = end;
	api->processId = (uint32_t)getpid();
	api->threadId = clock_thread();
	api->correlationId = call->correlation;
	api->returnValue = (uint32_t)call->result;
}

static void
kernel(CUpti_ActivityKernel10 *to, const struct fake_op *op)
{
	start(to, op->kind, sizeof(*to));
	to->cacheConfig.both = 0;
	to->registersPerThread = 32;
	to->start = op->start;
	to->end = op->end;
	to->completed = op->end;
	to->deviceId = op->device;
	to->contextId = op->context;
	to->streamId = op->stream;
	to->gridX = (int32_t)op->node.grid[0];
	to->gridY = (int32_t)op->node.grid[1];
	to->gridZ = (int32_t)op->node.grid[2];
	to->blockX = (int32_t)op->node.block[0];
	to->blockY = (int32_t)op->node.block[1];
	to->blockZ = (int32_t)op->node.block[2];
	to->staticSharedMemory = 0;
	to->dynamicSharedMemory = (int32_t)op->node.shared;
	to->correlationId = op->correlation;
	to->gridId = op->correlation;
	to->name = op->node.function->name;
	to->queued = CUPTI_TIMESTAMP_UNKNOWN;
	to->submitted = CUPTI_TIMESTAMP_UNKNOWN;
	to->graphNodeId = op->node.id;
	to->graphId = op->graph;
	to->channelID = 1;
	to->channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
	to->clusterX = to->clusterY = to->clusterZ = 1;
}

static void
copied(CUpti_ActivityMemcpy6 *to, const struct fake_op *op)
{
	start(to, op->kind, sizeof(*to));
	to->copyKind = op->copy;
	to->srcKind = op->source;
	to->dstKind = op->target;
	to->flags = op->async ? CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC : 0;
	to->bytes = op->bytes;
	to->start = op->start;
	to->end = op->end;
	to->deviceId = op->device;
	to->contextId = op->context;
	to->streamId = op->stream;
	to->correlationId = op->correlation;
	to->channelID = 2;
	to->channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY;
	to->copyCount = 1;
}

static void
copied_to_peer(CUpti_ActivityMemcpyPtoP4 *to, const struct fake_op *op)
{
	start(to, op->kind, sizeof(*to));
	to->copyKind = op->copy;
	to->srcKind = op->source;
	to->dstKind = op->target;
	to->flags = op->async ? CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC : 0;
	to->bytes = op->bytes;
	to->start = op->start;
	to->end = op->end;
	to->deviceId = to->srcDeviceId = op->device;
	to->contextId = to->srcContextId = op->context;
	to->streamId = op->stream;
	to->dstDeviceId = op->peer;
	to->dstContextId = op->value;
	to->correlationId = op->correlation;
	to->channelID = 2;
	to->channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY;
}

static void
filled(CUpti_ActivityMemset4 *to, const struct fake_op *op)
{
	start(to, op->kind, sizeof(*to));
	to->value = op->value;
	to->bytes = op->bytes;
	to->start = op->start;
	to->end = op->end;
	to->deviceId = op->device;
	to->contextId = op->context;
	to->streamId = op->stream;
	to->correlationId = op->correlation;
	to->flags = op->async ? CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC : 0;
	to->memoryKind = op->target;
	to->channelID = 2;
	to->channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY;
}

static void
synchronised(CUpti_ActivitySynchronization2 *to, const struct fake_op *op)
{
	bool event =
	    op->type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE ||
	    op->type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
	bool stream =
	    op->type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT ||
	    op->type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;

	start(to, op->kind, sizeof(*to));
	to->type = (CUpti_ActivitySynchronizationType)op->type;
	to->start = op->start;
	to->end = op->end;
	to->correlationId = op->correlation;
	to->contextId = op->context;
	to->streamId =
	    stream ? op->stream : CUPTI_SYNCHRONIZATION_INVALID_VALUE;
	to->cudaEventId =
	    event ? op->event : CUPTI_SYNCHRONIZATION_INVALID_VALUE;
	to->cudaEventSyncId = to->cudaEventId;
}

static void
memory(CUpti_ActivityMemory4 *to, const struct fake_op *op)
{
	start(to, op->kind, sizeof(*to));
	to->memoryOperationType = (CUpti_ActivityMemoryOperationType)op->type;
	to->memoryKind = (CUpti_ActivityMemoryKind)op->target;
	to->correlationId = op->correlation;
	to->address = op->address;
	to->bytes = op->bytes;
	to->timestamp = op->end;
	to->processId = (uint32_t)getpid();
	to->deviceId = op->device;
	to->contextId = op->context;
	to->streamId = op->async ? op->stream : CUPTI_INVALID_STREAM_ID;
	to->isAsync = op->async;
	if (op->async) {
		to->memoryPoolConfig.memoryPoolType =
		    CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL;
		to->memoryPoolConfig.address = 0x1000;
	}
}

static void
pool(CUpti_ActivityMemoryPool3 *to, const struct fake_op *op)
{
	start(to, op->kind, sizeof(*to));
	to->memoryPoolOperationType =
	    (CUpti_ActivityMemoryPoolOperationType)op->type;
	to->memoryPoolType = CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL;
	to->correlationId = op->correlation;
	to->processId = (uint32_t)getpid();
	to->deviceId = op->device;
	to->address = op->address;
	to->size = op->bytes;
	to->timestamp = op->end;
}

static void
event(CUpti_ActivityCudaEvent2 *to, const struct fake_op *op)
{
	start(to, op->kind, sizeof(*to));
	to->correlationId = op->correlation;
	to->contextId = op->context;
	to->streamId = op->stream;
	to->eventId = op->event;
	to->deviceId = op->device;
	if (control_event_times())
		to->deviceTimestamp = op->end;
}

static void
graph(CUpti_ActivityGraphTrace2 *to, const struct fake_op *op)
{
	start(to, op->kind, sizeof(*to));
	to->correlationId = op->correlation;
	to->start = op->start;
	to->end = op->end;
	to->deviceId = to->endDeviceId = op->device;
	to->contextId = to->endContextId = op->context;
	to->streamId = op->stream;
	to->graphId = op->graph;
}

static void
overhead(CUpti_ActivityOverhead3 *to, const struct fake_op *op)
{
	start(to, op->kind, sizeof(*to));
	to->overheadKind = (CUpti_ActivityOverheadKind)op->type;
	to->objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
	to->objectId.pt.processId = (uint32_t)getpid();
	to->objectId.pt.threadId = clock_thread();
	to->start = op->start;
	to->end = op->end;
	to->correlationId = op->correlation;
}

void
record_of_op(void *to, const struct fake_op *op)
{
	switch (op->kind) {
	case CUPTI_ACTIVITY_KIND_KERNEL:
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
		kernel(to, op);
		break;
	case CUPTI_ACTIVITY_KIND_MEMCPY:
		copied(to, op);
		break;
	case CUPTI_ACTIVITY_KIND_MEMCPY2:
		copied_to_peer(to, op);
		break;
	case CUPTI_ACTIVITY_KIND_MEMSET:
		filled(to, op);
		break;
	case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
		synchronised(to, op);
		break;
	case CUPTI_ACTIVITY_KIND_MEMORY2:
		memory(to, op);
		break;
	case CUPTI_ACTIVITY_KIND_MEMORY_POOL:
		pool(to, op);
		break;
	case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
		event(to, op);
		break;
	case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
		graph(to, op);
		break;
	case CUPTI_ACTIVITY_KIND_OVERHEAD:
		overhead(to, op);
		break;
	default:
		abort();
	}
}

CUptiResult
cuptiActivityGetNextRecord(
    uint8_t *buffer, size_t bytes, CUpti_Activity **record)
{
	uint8_t *at = buffer;
	uint32_t kind;
	size_t size;

	if (buffer == NULL || record == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (*record != NULL) {
		at = (uint8_t *)*record;
		memcpy(&kind, at, sizeof(kind));
		at += record_size(kind);
	}
	if ((size_t)(at - buffer) + sizeof(kind) > bytes)
		return CUPTI_ERROR_MAX_LIMIT_REACHED;
	memcpy(&kind, at, sizeof(kind));
	if ((size = record_size(kind)) == 0)
		return CUPTI_ERROR_INVALID_KIND;
	if ((size_t)(at - buffer) + size > bytes)
		return CUPTI_ERROR_MAX_LIMIT_REACHED;
	*record = (CUpti_Activity *)at;
	return CUPTI_SUCCESS;
}
