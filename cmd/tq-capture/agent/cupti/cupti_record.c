/* cupti_record - a record of CUPTI as one of ours */
#include <stdbool.h>
#include <string.h>

#include <cupti.h>

#include "cupti_record.h"

#define ALWAYS UINT32_MAX

/* is that member of what the struct is today in a record of these bytes? */
#define HAS(stride, type, member) \
	((stride) >= offsetof(type, member) + sizeof(((type *)0)->member))

/* what headers before 12.8 do not have, after the oldest struct */
struct synchronization {
	CUpti_ActivitySynchronization first;
	uint64_t event_sync;
	uint32_t ret;
};

struct cuda_event {
	CUpti_ActivityCudaEvent first;
	uint32_t device, pad;
	uint64_t reserved, time, event_sync;
};

struct kind {
	uint32_t bits;  /* of arena.on */
	uint16_t least; /* bytes of the oldest struct */
	uint8_t type;   /* enum record_type */
	uint16_t bytes; /* of the record that is made */
	bool (*make)(const void *raw, size_t stride, union record_any *r);
};

/*
 * An end of 0 says that it is not over, or, of work of the device, that
 * there was no room to write down when it was.
 */
static bool
times(union record_any *r, uint64_t *to, uint64_t start, uint64_t end)
{
	r->head.ticks = start;
	*to = end < start ? start : end;
	return end != 0;
}

static bool
make_kernel(const void *raw, size_t stride, union record_any *any)
{
	const CUpti_ActivityKernel8 *k = raw;
	struct record_kernel *r = &any->kernel;

	r->address = (uintptr_t)k->name;
	r->local = k->localMemoryPerThread;
	r->corr = k->correlationId;
	r->device = k->deviceId;
	r->context = k->contextId;
	r->stream = k->streamId;
	r->grid[0] = k->gridX;
	r->grid[1] = k->gridY;
	r->grid[2] = k->gridZ;
	r->block[0] = k->blockX;
	r->block[1] = k->blockY;
	r->block[2] = k->blockZ;
	r->regs = k->registersPerThread;
	r->smem_static = k->staticSharedMemory;
	r->smem_dynamic = k->dynamicSharedMemory;
	r->launch = k->launchType;
	if (HAS(stride, CUpti_ActivityKernel8, graphNodeId))
		r->graph_node = k->graphNodeId;
	if (HAS(stride, CUpti_ActivityKernel8, graphId))
		r->graph = k->graphId;
	if (HAS(stride, CUpti_ActivityKernel8, clusterZ)) {
		r->cluster[0] = (int32_t)k->clusterX;
		r->cluster[1] = (int32_t)k->clusterY;
		r->cluster[2] = (int32_t)k->clusterZ;
	}
	return times(any, &r->end, k->start, k->end);
}

static bool
peer(const void *raw, size_t stride, union record_any *any)
{
	const CUpti_ActivityMemcpyPtoP4 *m = raw;
	struct record_memcpy *r = &any->memcpy;

	r->bytes = m->bytes;
	r->corr = m->correlationId;
	r->device = m->deviceId;
	r->context = m->contextId;
	r->stream = m->streamId;
	r->copy = m->copyKind;
	r->src = m->srcKind;
	r->dst = m->dstKind;
	r->src_device = m->srcDeviceId;
	r->dst_device = m->dstDeviceId;
	r->async = (m->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0;
	if (HAS(stride, CUpti_ActivityMemcpyPtoP4, graphNodeId))
		r->graph_node = m->graphNodeId;
	if (HAS(stride, CUpti_ActivityMemcpyPtoP4, graphId))
		r->graph = m->graphId;
	return times(any, &r->end, m->start, m->end);
}

static bool
make_memcpy(const void *raw, size_t stride, union record_any *any)
{
	const CUpti_ActivityMemcpy5 *m = raw;
	struct record_memcpy *r = &any->memcpy;

	if (m->kind == CUPTI_ACTIVITY_KIND_MEMCPY2)
		return peer(raw, stride, any);
	r->bytes = m->bytes;
	r->corr = m->correlationId;
	r->device = m->deviceId;
	r->context = m->contextId;
	r->stream = m->streamId;
	r->copy = m->copyKind;
	r->src = m->srcKind;
	r->dst = m->dstKind;
	r->src_device = r->dst_device = UINT32_MAX;
	r->async = (m->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0;
	if (HAS(stride, CUpti_ActivityMemcpy5, graphNodeId))
		r->graph_node = m->graphNodeId;
	if (HAS(stride, CUpti_ActivityMemcpy5, graphId))
		r->graph = m->graphId;
	return times(any, &r->end, m->start, m->end);
}

static bool
make_memset(const void *raw, size_t stride, union record_any *any)
{
	const CUpti_ActivityMemset4 *m = raw;
	struct record_memset *r = &any->memset;

	r->bytes = m->bytes;
	r->corr = m->correlationId;
	r->device = m->deviceId;
	r->context = m->contextId;
	r->stream = m->streamId;
	r->value = m->value;
	r->mem = m->memoryKind;
	r->async = (m->flags & CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC) != 0;
	if (HAS(stride, CUpti_ActivityMemset4, graphNodeId))
		r->graph_node = m->graphNodeId;
	if (HAS(stride, CUpti_ActivityMemset4, graphId))
		r->graph = m->graphId;
	return times(any, &r->end, m->start, m->end);
}

static bool
make_graph(const void *raw, size_t stride, union record_any *any)
{
	const CUpti_ActivityGraphTrace *g = raw;
	struct record_graph *r = &any->graph;

	(void)stride;
	r->graph = g->graphId;
	r->corr = g->correlationId;
	r->device = g->deviceId;
	r->context = g->contextId;
	r->stream = g->streamId;
	return times(any, &r->end, g->start, g->end);
}

static bool
make_api(const void *raw, size_t stride, union record_any *any)
{
	const CUpti_ActivityAPI *a = raw;
	struct record_api *r = &any->api;

	(void)stride;
	r->corr = a->correlationId;
	r->tid = a->threadId;
	r->callback = a->cbid;
	r->source =
	    a->kind == CUPTI_ACTIVITY_KIND_DRIVER ? API_DRIVER : API_RUNTIME;
	r->ret = a->returnValue;
	return times(any, &r->end, a->start, a->end);
}

static bool
make_sync(const void *raw, size_t stride, union record_any *any)
{
	const struct synchronization *s = raw;
	struct record_sync *r = &any->sync;

	r->corr = s->first.correlationId;
	r->context = s->first.contextId;
	r->stream = s->first.streamId;
	r->event = s->first.cudaEventId;
	r->sync = s->first.type;
	if (HAS(stride, struct synchronization, ret))
		r->ret = s->ret;
	return times(any, &r->end, s->first.start, s->first.end);
}

static bool
pool(const void *raw, union record_any *any)
{
	const CUpti_ActivityMemoryPool *m = raw;
	struct record_alloc *r = &any->alloc;

	r->head.ticks = m->timestamp;
	r->address = r->pool = m->address;
	r->bytes = m->size;
	r->corr = m->correlationId;
	r->device = m->deviceId;
	r->context = r->stream = UINT32_MAX;
	r->op = ALLOC_POOL + m->memoryPoolOperationType;
	r->pool_type = m->memoryPoolType;
	return m->timestamp != 0;
}

static bool
make_alloc(const void *raw, size_t stride, union record_any *any)
{
	const CUpti_ActivityMemory2 *m = raw;
	struct record_alloc *r = &any->alloc;

	if (m->kind == CUPTI_ACTIVITY_KIND_MEMORY_POOL)
		return pool(raw, any);
	(void)stride;
	r->head.ticks = m->timestamp;
	r->address = m->address;
	r->bytes = m->bytes;
	r->corr = m->correlationId;
	r->device = m->deviceId;
	r->context = m->contextId;
	r->stream = m->streamId;
	r->op = m->memoryOperationType;
	r->mem = m->memoryKind;
	r->pool = m->memoryPoolConfig.address;
	r->pool_type = m->memoryPoolConfig.memoryPoolType;
	return m->timestamp != 0;
}

static bool
make_overhead(const void *raw, size_t stride, union record_any *any)
{
	const CUpti_ActivityOverhead *o = raw;
	struct record_overhead *r = &any->overhead;

	(void)stride;
	r->what = o->overheadKind;
	if (o->objectKind == CUPTI_ACTIVITY_OBJECT_THREAD)
		r->tid = o->objectId.pt.threadId;
	return times(any, &r->end, o->start, o->end);
}

static bool
make_device(const void *raw, size_t stride, union record_any *any)
{
	const CUpti_ActivityDevice3 *d = raw;
	struct record_device *r = &any->device;

	/* CUDA_VISIBLE_DEVICES hides it, and the number may be another's */
	if (HAS(stride, CUpti_ActivityDevice3, isCudaVisible) &&
	    !d->isCudaVisible)
		r->head.words = 0;
	r->memory = d->globalMemorySize;
	r->device = d->id;
	r->sms = d->numMultiprocessors;
	r->cc_major = d->computeCapabilityMajor;
	r->cc_minor = d->computeCapabilityMinor;
	memcpy(r->uuid, &d->uuid, sizeof(r->uuid));
	return true;
}

static bool
make_context(const void *raw, size_t stride, union record_any *any)
{
	const CUpti_ActivityContext *c = raw;

	(void)stride;
	any->context.context = c->contextId;
	any->context.device = c->deviceId;
	return true;
}

static bool
make_stream(const void *raw, size_t stride, union record_any *any)
{
	const CUpti_ActivityStream *s = raw;
	struct record_stream *r = &any->stream;

	(void)stride;
	r->context = s->contextId;
	r->stream = s->streamId;
	r->priority = (int32_t)s->priority;
	r->flags = s->flag;
	return true;
}

static bool
make_event(const void *raw, size_t stride, union record_any *any)
{
	const struct cuda_event *e = raw;
	struct record_event *r = &any->event;

	r->corr = e->first.correlationId;
	r->context = e->first.contextId;
	r->stream = e->first.streamId;
	r->event = e->first.eventId;
	if (HAS(stride, struct cuda_event, time))
		r->head.ticks = e->time;
	return r->head.ticks != 0;
}

/* what: of the record that is made; oldest: what CUPTI's begins with */
#define KIND(name, bits, oldest, type, what) \
	[CUPTI_ACTIVITY_KIND_##name] = {bits, sizeof(CUpti_Activity##oldest), \
	    RECORD_##type, sizeof(struct record_##what), make_##what}

static const struct kind kinds[] = {
    KIND(CONCURRENT_KERNEL, ARENA_GPU, Kernel4, KERNEL, kernel),
    KIND(KERNEL, ARENA_GPU, Kernel4, KERNEL, kernel),
    KIND(MEMCPY, ARENA_GPU, Memcpy, MEMCPY, memcpy),
    KIND(MEMCPY2, ARENA_GPU, MemcpyPtoP, MEMCPY, memcpy),
    KIND(MEMSET, ARENA_GPU, Memset, MEMSET, memset),
    KIND(GRAPH_TRACE, ARENA_GPU, GraphTrace, GRAPH, graph),
    KIND(RUNTIME, ARENA_RUNTIME, API, API, api),
    KIND(DRIVER, ARENA_DRIVER, API, API, api),
    KIND(SYNCHRONIZATION, ARENA_SYNC, Synchronization, SYNC, sync),
    KIND(CUDA_EVENT, ARENA_EVENTS, CudaEvent, EVENT, event),
    KIND(MEMORY2, ARENA_MEMORY, Memory2, ALLOC, alloc),
    KIND(MEMORY_POOL, ARENA_MEMORY, MemoryPool, ALLOC, alloc),
    KIND(OVERHEAD, ALWAYS, Overhead, OVERHEAD, overhead),
    KIND(DEVICE, ALWAYS, Device2, DEVICE, device),
    KIND(CONTEXT, ALWAYS, Context, CONTEXT, context),
    KIND(STREAM, ALWAYS, Stream, STREAM, stream),
};

static const struct kind *
find(uint32_t kind)
{
	static const struct kind none;

	return kind < sizeof(kinds) / sizeof(kinds[0]) ? &kinds[kind] : &none;
}

uint32_t
cupti_record_bits(uint32_t kind)
{
	return find(kind)->bits;
}

enum arena_loss_kind
cupti_record_loss(uint32_t kind)
{
	switch (find(kind)->bits) {
	case ARENA_GPU:
		return LOSS_GPU;
	case ARENA_RUNTIME:
	case ARENA_DRIVER:
		return LOSS_API;
	default:
		return LOSS_CUDA;
	}
}

size_t
cupti_record_least(uint32_t kind)
{
	return find(kind)->least;
}

const char *
cupti_record_text(const void *raw)
{
	switch (((const CUpti_Activity *)raw)->kind) {
	case CUPTI_ACTIVITY_KIND_KERNEL:
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
		return ((const CUpti_ActivityKernel4 *)raw)->name;
	case CUPTI_ACTIVITY_KIND_DEVICE:
		return ((const CUpti_ActivityDevice2 *)raw)->name;
	default:
		return NULL;
	}
}

bool
cupti_record_make(const void *raw, size_t stride, union record_any *r)
{
	const struct kind *k = find(((const CUpti_Activity *)raw)->kind);

	memset(r, 0, k->bytes);
	r->head.words = (uint16_t)(k->bytes / 8);
	r->head.type = k->type;
	return k->make(raw, stride, r);
}
