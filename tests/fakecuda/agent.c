/*
 * agent.c - a profiler that is no longer than it must be
 *
 * CUDA_INJECTION64_PATH brings it into a process.  To the file AGENT_OUT it
 * writes a line for each record when it is handed over,
 *
 *	KIND CORRELATION START END THREAD-OR-STREAM NAME
 *
 * and some for the protocol: version, stride KIND BYTES, subscribe, lacks
 * FUNCTION, callback, buffer BYTES, dropped N.  What it does otherwise:
 *
 *	AGENT_RANGE	record between cudaProfilerStart and Stop only
 *	AGENT_NODES	kernels of graphs, not graphs
 *	AGENT_BUFFER	bytes of a buffer
 *	AGENT_PERIOD	flush each so many ms, and let libcupti do that, too
 *	AGENT_NOFLUSH	do not flush at exit
 *	AGENT_LATE	set the clock late: not before cudaProfilerStart
 *	AGENT_BAD	break the protocol: flush or ask for drops in a
 *			callback, give null, odd or dirty buffers, or lock
 */

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cupti.h>

static FILE *out;
static void *cupti;
static CUpti_SubscriberHandle subscriber;
static size_t buffer_size;
static const char *bad;

#define CALL(function, ...) \
	((__typeof__(&function))find(#function))(__VA_ARGS__)

static const struct {
	CUpti_ActivityKind kind;
	const char *name;
} kinds[] = {
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernel"},
    {CUPTI_ACTIVITY_KIND_MEMCPY, "memcpy"},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, "memcpy2"},
    {CUPTI_ACTIVITY_KIND_MEMSET, "memset"},
    {CUPTI_ACTIVITY_KIND_RUNTIME, "runtime"},
    {CUPTI_ACTIVITY_KIND_DRIVER, "driver"},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "sync"},
    {CUPTI_ACTIVITY_KIND_MEMORY2, "memory"},
    {CUPTI_ACTIVITY_KIND_MEMORY_POOL, "pool"},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, "overhead"},
    {CUPTI_ACTIVITY_KIND_CONTEXT, "context"},
    {CUPTI_ACTIVITY_KIND_STREAM, "stream"},
    {CUPTI_ACTIVITY_KIND_DEVICE, "device"},
    {CUPTI_ACTIVITY_KIND_CUDA_EVENT, "event"},
    {CUPTI_ACTIVITY_KIND_GRAPH_TRACE, "graph"},
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static void (*find(const char *name))(void)
{
	void (*function)(void);

	*(void **)&function = dlsym(cupti, name);
	if (function == NULL) {
		fprintf(stderr, "agent: no %s\n", name);
		abort();
	}
	return function;
}

static const char *
setting(const char *name, const char *fallback)
{
	const char *s = getenv(name);

	return s == NULL ? fallback : s;
}

static bool
set(const char *name)
{
	return getenv(name) != NULL;
}

/* ---- records ---- */

static const char *
kind_name(const CUpti_Activity *record)
{
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].kind == record->kind)
			return kinds[i].name;
	return "?";
}

static void
line(const CUpti_Activity *record, uint32_t correlation, uint64_t start,
    uint64_t end, uint32_t where, const char *name)
{
	fprintf(out, "%s %u %llu %llu %u %.40s\n", kind_name(record),
	    correlation, (unsigned long long)start, (unsigned long long)end,
	    where, name);
}

static void
call_line(const CUpti_Activity *record)
{
	const CUpti_ActivityAPI *r = (const CUpti_ActivityAPI *)record;
	const char *name = "?";

	CALL(cuptiGetCallbackName,
	    record->kind == CUPTI_ACTIVITY_KIND_RUNTIME
		? CUPTI_CB_DOMAIN_RUNTIME_API
		: CUPTI_CB_DOMAIN_DRIVER_API,
	    r->cbid, &name);
	line(record, r->correlationId, r->start, r->end, r->threadId, name);
}

static void
kernel_line(const CUpti_Activity *record)
{
	const CUpti_ActivityKernel10 *r =
	    (const CUpti_ActivityKernel10 *)record;

	line(record, r->correlationId, r->start, r->end, r->streamId, r->name);
	if (r->graphNodeId != 0)
		fprintf(out, "node %u %llu\n", r->graphId,
		    (unsigned long long)r->graphNodeId);
}

static void
print(const CUpti_Activity *record)
{
	const CUpti_ActivityMemcpy6 *copy =
	    (const CUpti_ActivityMemcpy6 *)record;
	const CUpti_ActivityMemset4 *fill =
	    (const CUpti_ActivityMemset4 *)record;
	const CUpti_ActivityGraphTrace2 *graph =
	    (const CUpti_ActivityGraphTrace2 *)record;
	const CUpti_ActivitySynchronization2 *sync =
	    (const CUpti_ActivitySynchronization2 *)record;

	switch (record->kind) {
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
		kernel_line(record);
		break;
	case CUPTI_ACTIVITY_KIND_RUNTIME:
	case CUPTI_ACTIVITY_KIND_DRIVER:
		call_line(record);
		break;
	case CUPTI_ACTIVITY_KIND_MEMCPY:
		line(record, copy->correlationId, copy->start, copy->end,
		    copy->streamId, "");
		break;
	case CUPTI_ACTIVITY_KIND_MEMSET:
		line(record, fill->correlationId, fill->start, fill->end,
		    fill->streamId, "");
		break;
	case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
		line(record, graph->correlationId, graph->start, graph->end,
		    graph->streamId, "");
		break;
	case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
		line(record, sync->correlationId, sync->start, sync->end,
		    sync->streamId, "");
		break;
	default:
		fprintf(out, "%s\n", kind_name(record));
	}
}

/* ---- callbacks ---- */

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void
requested(uint8_t **buffer, size_t *size, size_t *most)
{
	size_t dropped;

	*most = 0;
	*size = buffer_size;
	*buffer = aligned_alloc(8, buffer_size + 8);
	memset(*buffer, strcmp(bad, "dirty") == 0, buffer_size + 8);
	if (strcmp(bad, "null") == 0)
		*buffer = NULL;
	if (strcmp(bad, "odd") == 0)
		*buffer += 4;
	if (strcmp(bad, "lock") == 0)
		CALL(cuptiActivityGetNumDroppedRecords, NULL, 0, &dropped);
}

static void
completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
    size_t used)
{
	CUpti_Activity *record = NULL;
	CUptiResult result;
	size_t dropped;

	(void)context;
	(void)stream;
	(void)size;
	if (strcmp(bad, "drops") == 0)
		CALL(cuptiActivityGetNumDroppedRecords, NULL, 0, &dropped);
	flockfile(out);
	fprintf(out, "buffer %zu\n", used);
	while ((result = CALL(cuptiActivityGetNextRecord, buffer, used,
		    &record)) == CUPTI_SUCCESS)
		print(record);
	if (result != CUPTI_ERROR_MAX_LIMIT_REACHED)
		fprintf(out, "torn %d\n", (int)result);
	fflush(out);
	funlockfile(out);
	free(buffer);
}

/* A kind that is enabled also gets records of objects that exist. */
static void
set_kinds(bool on)
{
	for (size_t i = 0; i < KINDS; i++)
		if (!on)
			CALL(cuptiActivityDisable, kinds[i].kind);
		else if (kinds[i].kind != CUPTI_ACTIVITY_KIND_GRAPH_TRACE ||
			 !set("AGENT_NODES"))
			CALL(cuptiActivityEnableAndDump, kinds[i].kind);
}

/* The driver's calls of the same name lie within the runtime's. */
static void
called(CUpti_CallbackId cbid, const CUpti_CallbackData *data)
{
	if (strcmp(bad, "flush") == 0)
		CALL(cuptiActivityFlushAll, 0);
	fprintf(out, "callback %s %s\n", data->functionName,
	    data->callbackSite == CUPTI_API_ENTER ? "enter" : "exit");
	if (set("AGENT_LATE") && data->callbackSite == CUPTI_API_ENTER)
		CALL(cuptiActivityRegisterTimestampCallback, now);
	if (!set("AGENT_RANGE"))
		return;
	if (cbid == CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000 &&
	    data->callbackSite == CUPTI_API_EXIT)
		set_kinds(true);
	if (cbid == CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000 &&
	    data->callbackSite == CUPTI_API_ENTER)
		set_kinds(false);
}

static void
tell(void *userdata, CUpti_CallbackDomain domain, CUpti_CallbackId cbid,
    const void *data)
{
	(void)userdata;
	if (domain == CUPTI_CB_DOMAIN_RUNTIME_API)
		called(cbid, data);
	else
		fprintf(out, "resource %u\n", cbid);
}

/* ---- begin and end ---- */

static void
finish(void)
{
	size_t dropped = 0;

	if (set("AGENT_NOFLUSH"))
		return;
	CALL(cuptiActivityFlushAll, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
	CALL(cuptiActivityGetNumDroppedRecords, NULL, 0, &dropped);
	fprintf(out, "dropped %zu\n", dropped);
	fflush(out);
}

static void *
flush(void *period)
{
	for (;;) {
		usleep(*(const unsigned int *)period * 1000);
		CALL(cuptiActivityFlushAll, 0);
	}
	return NULL;
}

static void
flush_each(const char *ms)
{
	static unsigned int period;
	pthread_t thread;

	period = (unsigned int)strtoul(ms, NULL, 10);
	CALL(cuptiActivityFlushPeriod, period);
	if (pthread_create(&thread, NULL, flush, &period) == 0)
		pthread_detach(thread);
}

/* The sizes of records, as seen by stepping over two of them. */
static void
strides(void)
{
	uint32_t words[1024];
	CUpti_Activity *record;

	for (uint32_t kind = 1; kind < CUPTI_ACTIVITY_KIND_COUNT; kind++) {
		for (size_t i = 0; i < 1024; i++)
			words[i] = i % 2 == 0 ? CUPTI_ACTIVITY_KIND_RUNTIME : 0;
		words[0] = kind;
		record = NULL;
		if (CALL(cuptiActivityGetNextRecord, (uint8_t *)words,
			sizeof(words), &record) == CUPTI_SUCCESS &&
		    CALL(cuptiActivityGetNextRecord, (uint8_t *)words,
			sizeof(words), &record) == CUPTI_SUCCESS)
			fprintf(out, "stride %u %td\n", kind,
			    (uint8_t *)record - (uint8_t *)words);
	}
}

static void
lacks(void)
{
	static const char *const newer[] = {"cuptiSubscribe_v2",
	    "cuptiGetGraphExecId", "cuptiActivityEnableDeviceGraph",
	    "cuptiActivityEnableRuntimeApi", "cuptiActivityEnableHWTrace"};

	for (size_t i = 0; i < sizeof(newer) / sizeof(*newer); i++)
		if (dlsym(cupti, newer[i]) == NULL)
			fprintf(out, "lacks %s\n", newer[i]);
}

static CUptiResult
subscribe(void)
{
	char other[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN] = "";
	CUpti_SubscriberParams params = {
	    .structSize = CUpti_SubscriberParams_STRUCT_SIZE,
	    .subscriberName = "agent",
	    .oldSubscriberName = other,
	    .oldSubscriberSize = sizeof(other),
	};
	CUptiResult result;

	if (dlsym(cupti, "cuptiSubscribe_v2") != NULL)
		result =
		    CALL(cuptiSubscribe_v2, &subscriber, tell, NULL, &params);
	else
		result = CALL(cuptiSubscribe, &subscriber, tell, NULL);
	fprintf(out, "subscribe %d %s\n", (int)result, other);
	return result;
}

static void
watch(void)
{
	CALL(cuptiEnableCallback, 1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API,
	    CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000);
	CALL(cuptiEnableCallback, 1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API,
	    CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000);
	CALL(cuptiEnableDomain, 1, subscriber, CUPTI_CB_DOMAIN_RESOURCE);
}

int InitializeInjection(void);

int
InitializeInjection(void)
{
	uint32_t version;
	uint8_t yes = 1;
	size_t size = 1;

	if ((out = fopen(setting("AGENT_OUT", "/dev/stderr"), "a")) == NULL ||
	    (cupti = dlopen("libcupti.so.13", RTLD_NOW)) == NULL)
		return 0;
	bad = setting("AGENT_BAD", "");
	buffer_size = strtoul(setting("AGENT_BUFFER", "16384"), NULL, 10);
	CALL(cuptiGetVersion, &version);
	fprintf(out, "version %u\n", version);
	lacks();
	strides();
	if (subscribe() != CUPTI_SUCCESS) {
		fflush(out);
		return 1;
	}
	if (!set("AGENT_LATE"))
		CALL(cuptiActivityRegisterTimestampCallback, now);
	CALL(cuptiSetThreadIdType, CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
	CALL(cuptiActivitySetAttribute,
	    CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &yes);
	CALL(cuptiActivityRegisterCallbacks, requested, completed);
	watch();
	if (!set("AGENT_RANGE"))
		set_kinds(true);
	if (set("AGENT_PERIOD"))
		flush_each(setting("AGENT_PERIOD", ""));
	atexit(finish);
	return 1;
}
