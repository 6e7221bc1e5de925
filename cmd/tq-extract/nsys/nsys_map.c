/*
 * nsys_map.c - tables and columns of an nsys export, with their kinds and keys
 */

#include <string.h>

#include "nsys_map.h"

/* enumerations, as numbered by CUPTI and nsys; older exports lack labels */

static const char *const copy_kinds[] = {
#define COPY(cupti, nsys, word, name) [nsys] = word,
#define COPY_NSYS(nsys, word, name) [nsys] = word,
#include "tq/cuda.def"
    NULL};

static const char *const memory_kinds[] = {
#define MEMORY(cupti, nsys, word) [nsys] = word,
#include "tq/cuda.def"
    NULL};

static const char *const migration_causes[] = {"Unknown", "User prefetch",
    "Page fault", "Speculative prefetch", "Eviction", "Access counters", NULL};

static const char *const sync_types[] = {
#define SYNC(cupti, nsys, word) [nsys] = word,
#include "tq/cuda.def"
    NULL};

/* the usual launch goes without saying */
static const char *const launch_types[] = {
#define LAUNCH(cupti, nsys, word) [nsys] = word,
#define LAUNCH_NSYS(nsys, word) [nsys] = word,
#include "tq/cuda.def"
    NULL};

static const char *const cuda_classes[] = {"cuda-runtime", "cuda-driver", NULL};

static const char *const thread_states[] = {"", "Running", "Interruptible",
    "Uninterruptible", "Stopped", "Terminated", "Unscheduled", "Waiting",
    "OS runtime", "Initialized", "Transition", NULL};

static const char *const overhead_types[] = {
#define OVERHEAD(cupti, nsys, word) [nsys] = word,
#define OVERHEAD_NSYS(nsys, word) [nsys] = word,
#include "tq/cuda.def"
    NULL};

static const char *const alloc_ops[] = {
#define MEMORY_OP(cupti, nsys, word) [nsys] = word,
#include "tq/cuda.def"
    NULL};

static const char *const pool_ops[] = {
#define POOL_OP(cupti, nsys, word) [nsys] = word,
#include "tq/cuda.def"
    NULL};

static const char *const access_types[] = {
    "Unknown", "Read", "Write", "Atomic", "Prefetch", NULL};

static const char *const severities[] = {
    "unknown", "info", "warning", "error", "verbose", NULL};

static const char *const sources[] = {
    "unknown", "injection", "daemon", "analysis", NULL};

/* columns that many tables have */

/* clang-format off */
#define INTERVAL {"start", KEY_ts, AS_TIME}, {"end", KEY_dur, AS_END}
#define THREAD {"globalTid", KEY_tid, AS_TID}
#define ON_DEVICE_AS(how) \
	INTERVAL, \
	{"globalPid", KEY_pid, AS_PID}, \
	{"deviceId", KEY_device, how}, \
	{"contextId", KEY_context, AS_INT}, \
	{"streamId", KEY_stream, AS_ID}, \
	{"correlationId", KEY_corr, AS_INT}, \
	{"greenContextId", KEY_green_context, AS_NONZERO}
#define ON_DEVICE ON_DEVICE_AS(AS_ID)
#define IGNORE(column) {column, KEY_NONE, AS_NOTHING}
#define ARG(column, how) {column, KEY_args, how}
/* clang-format on */

static const struct column_map kernel[] = {
    ON_DEVICE,
    {"shortName", KEY_name, AS_STRING},
    {"demangledName", KEY_sym, AS_SYMBOL},
    {"gridX", KEY_grid, AS_DIMS},
    {"blockX", KEY_block, AS_DIMS},
    {"clusterX", KEY_cluster, AS_DIMS},
    {"registersPerThread", KEY_regs, AS_INT},
    {"staticSharedMemory", KEY_smem_static, AS_INT},
    {"dynamicSharedMemory", KEY_smem_dynamic, AS_INT},
    {"localMemoryPerThread", KEY_local, AS_NONZERO},
    {"graphId", KEY_graph, AS_NONZERO},
    {"graphNodeId", KEY_graph_node, AS_NONZERO},
    {"launchType", KEY_launch, AS_ENUM, "ENUM_CUDA_KERNEL_LAUNCH_TYPE",
	launch_types},
    /* decisions of the driver, and identities that nothing refers to */
    IGNORE("cacheConfig"),
    IGNORE("localMemoryTotal"),
    IGNORE("gridId"),
    IGNORE("sharedMemoryExecuted"),
    IGNORE("sharedMemoryLimitConfig"),
    IGNORE("sharedMemoryRequestedPercentage"),
    IGNORE("qmdBulkReleaseDone"),
    IGNORE("qmdPreexitDone"),
    IGNORE("qmdLastCtaDone"),
    IGNORE("clusterSchedulingPolicy"),
    IGNORE("maxPotentialClusterSize"),
    IGNORE("maxActiveClusters"),
    IGNORE("tensorSizeMinusOneElements"),
    {0},
};

static const struct column_map memcpy_[] = {
    ON_DEVICE,
    {"bytes", KEY_bytes, AS_INT},
    {"copyKind", KEY_copy, AS_ENUM, "ENUM_CUDA_MEMCPY_OPER", copy_kinds},
    {"srcKind", KEY_src, AS_ENUM, "ENUM_CUDA_MEM_KIND", memory_kinds},
    {"dstKind", KEY_dst, AS_ENUM, "ENUM_CUDA_MEM_KIND", memory_kinds},
    {"srcDeviceId", KEY_src_device, AS_INT},
    {"dstDeviceId", KEY_dst_device, AS_INT},
    {"graphNodeId", KEY_graph_node, AS_NONZERO},
    ARG("copyCount", AS_NONZERO),
    ARG("dstContextId", AS_NONZERO),
    {"migrationCause", KEY_args, AS_ENUM, "ENUM_CUDA_UNIF_MEM_MIGRATION",
	migration_causes},
    ARG("srcContextId", AS_NONZERO),
    ARG("virtualAddress", AS_HEX),
    IGNORE("deprecatedSrcId"),
    {0},
};

static const struct column_map memset_[] = {
    ON_DEVICE,
    {"bytes", KEY_bytes, AS_INT},
    {"value", KEY_fill, AS_INT},
    {"memKind", KEY_mem, AS_ENUM, "ENUM_CUDA_MEM_KIND", memory_kinds},
    {"graphNodeId", KEY_graph_node, AS_NONZERO},
    {0},
};

/* nsys writes device 0 for all of them; their context is right */
static const struct column_map synchronization[] = {
    ON_DEVICE_AS(AS_DEVICE),
    {"syncType", KEY_sync, AS_SYNC, "ENUM_CUPTI_SYNC_TYPE", sync_types},
    {"eventId", KEY_event, AS_NONZERO},
    {"correlationId", KEY_wait_stream, AS_WAIT_STREAM},
    {"correlationId", KEY_wait_context, AS_WAIT_CONTEXT},
    {"correlationId", KEY_wait_corr, AS_WAIT_CORR},
    ARG("eventSyncId", AS_NONZERO),
    {0},
};

static const struct column_map graph_trace[] = {
    ON_DEVICE,
    {"graphId", KEY_graph, AS_INT},
    ARG("graphExecId", AS_NONZERO),
    {0},
};

/* the device reached the point where an event was recorded */
static const struct column_map cuda_event[] = {
    {"timestamp", KEY_ts, AS_TIME},
    {"globalPid", KEY_pid, AS_PID},
    {"deviceId", KEY_device, AS_ID},
    {"contextId", KEY_context, AS_INT},
    {"streamId", KEY_stream, AS_ID},
    {"correlationId", KEY_corr, AS_INT},
    {"greenContextId", KEY_green_context, AS_NONZERO},
    {"timestamp", KEY_sync, AS_CONST, "event record"},
    {"eventId", KEY_event, AS_INT},
    ARG("eventSyncId", AS_NONZERO),
    {0},
};

static const struct column_map runtime[] = {
    INTERVAL,
    THREAD,
    {"correlationId", KEY_corr, AS_INT},
    {"nameId", KEY_name, AS_API},
    {"eventClass", KEY_api, AS_ENUM, "ENUM_NSYS_EVENT_CLASS", cuda_classes},
    {"returnValue", KEY_ret, AS_INT},
    {"correlationId", KEY_gpu, AS_GPU},
    {"callchainId", KEY_stack, AS_STACK, "CUDA_CALLCHAINS"},
    {0},
};

/* libraries whose calls have no keys but these */
#define LIBRARY(var, library) \
	static const struct column_map var[] = { \
	    INTERVAL, \
	    THREAD, \
	    {"nameId", KEY_name, AS_API}, \
	    {"start", KEY_api, AS_CONST, library}, \
	    IGNORE("eventClass"), \
	    {0}, \
	}

LIBRARY(cudnn, "cudnn");
LIBRARY(cublas, "cublas");

static const struct column_map graph_events[] = {
    INTERVAL,
    THREAD,
    {"nameId", KEY_name, AS_STRING},
    {"start", KEY_api, AS_CONST, "cuda-graph"},
    ARG("graphExecId", AS_NONZERO),
    ARG("graphId", AS_NONZERO),
    ARG("graphNodeId", AS_NONZERO),
    ARG("originalGraphId", AS_NONZERO),
    ARG("originalGraphNodeId", AS_NONZERO),
    IGNORE("eventClass"),
    {0},
};

/* the class is the table, which has some of the columns */
#define MPI(var, mpi_class) \
	static const struct column_map var[] = { \
	    INTERVAL, \
	    THREAD, \
	    {"textId", KEY_name, AS_STRING}, \
	    {"start", KEY_api, AS_CONST, "mpi"}, \
	    {"start", KEY_args, AS_CONST, mpi_class, NULL, "class"}, \
	    ARG("commHandle", AS_INT), \
	    ARG("commUid", AS_INT), \
	    ARG("recvSize", AS_INT), \
	    ARG("recvTag", AS_INT), \
	    ARG("remoteRank", AS_INT), \
	    ARG("requestHandle", AS_INT), \
	    ARG("rootRank", AS_INT), \
	    ARG("size", AS_INT), \
	    ARG("tag", AS_INT), \
	    {0}, \
	}

MPI(mpi_p2p, "p2p");
MPI(mpi_collectives, "collectives");
MPI(mpi_start_wait, "start-wait");
MPI(mpi_other, "other");

static const struct column_map ucx[] = {
    INTERVAL,
    THREAD,
    {"textId", KEY_name, AS_STRING},
    {"start", KEY_api, AS_CONST, "ucx"},
    ARG("bufferAddr", AS_HEX),
    ARG("packedSize", AS_INT),
    ARG("peerWorkerUID", AS_INT),
    ARG("tag", AS_INT),
    ARG("workerUID", AS_INT),
    {0},
};

static const struct column_map openacc[] = {
    INTERVAL,
    THREAD,
    {"nameId", KEY_name, AS_STRING},
    {"start", KEY_api, AS_CONST, "openacc"},
    ARG("DeviceType", AS_INT),
    ARG("bytes", AS_INT),
    ARG("cuContextId", AS_INT),
    ARG("cuDeviceId", AS_INT),
    ARG("cuStreamId", AS_INT),
    {"eventKind", KEY_args, AS_ENUM, "ENUM_OPENACC_EVENT_KIND"},
    ARG("funcName", AS_STRING),
    ARG("kernelName", AS_STRING),
    ARG("lineNo", AS_INT),
    ARG("numGangs", AS_INT),
    ARG("numWorkers", AS_INT),
    ARG("srcFile", AS_STRING),
    ARG("varName", AS_STRING),
    ARG("vectorLength", AS_INT),
    {0},
};

static const struct column_map openmp[] = {
    INTERVAL,
    THREAD,
    {"nameId", KEY_name, AS_STRING},
    {"start", KEY_api, AS_CONST, "openmp"},
    ARG("count", AS_INT),
    {"eventKind", KEY_args, AS_ENUM, "ENUM_OPENMP_EVENT_KIND"},
    ARG("kind", AS_INT),
    ARG("newTaskId", AS_INT),
    ARG("nextTaskId", AS_INT),
    ARG("parallelId", AS_INT),
    ARG("parentTaskId", AS_INT),
    ARG("priorTaskId", AS_INT),
    ARG("priorTaskStatus", AS_INT),
    ARG("taskId", AS_INT),
    ARG("threadId", AS_INT),
    ARG("threadType", AS_INT),
    ARG("waitId", AS_INT),
    IGNORE("correlationId"), /* unused, by the documentation */
    IGNORE("eventClass"),
    {0},
};

#define ANNOTATION \
	{"start", KEY_ts, AS_TIME}, THREAD, \
	    {"text", KEY_name, AS_NAME, "textId"}, \
	    {"domainId", KEY_domain, AS_DOMAIN}, \
	    {"category", KEY_category, AS_CATEGORY}, \
	    {"color", KEY_color, AS_COLOR}, ARG("binaryData", AS_BINARY), \
	    {"jsonText", KEY_args, AS_NAME, "jsonTextId", NULL, "json"}, \
	    ARG("doubleValue", AS_NUMBER), ARG("floatValue", AS_NUMBER), \
	    ARG("int32Value", AS_INT), ARG("int64Value", AS_INT), \
	    ARG("uint32Value", AS_INT), ARG("uint64Value", AS_UINT), \
	    IGNORE("eventId")

static const struct column_map nvtx_range[] = {
    ANNOTATION,
    {"end", KEY_dur, AS_END},
    {"rowid", KEY_id, AS_RANGE_ID},
    {"eventType", KEY_mode, AS_MODE},
    {"endGlobalTid", KEY_end_tid, AS_END_TID},
    ARG("rangeId", AS_NONZERO),
    {0},
};

static const struct column_map nvtx_mark[] = {
    ANNOTATION,
    IGNORE("end"),
    IGNORE("endGlobalTid"),
    IGNORE("eventType"),
    IGNORE("rangeId"),
    {0},
};

static const struct column_map osrt[] = {
    INTERVAL,
    THREAD,
    {"nameId", KEY_name, AS_STRING},
    {"returnValue", KEY_ret, AS_INT},
    {"nestingLevel", KEY_nesting, AS_INT},
    {"globalTid", KEY_file, AS_FILE, "argumentsId"},
    {"globalTid", KEY_bytes, AS_FILE_BYTES, "argumentsId"},
    {"callchainId", KEY_stack, AS_STACK, "OSRT_CALLCHAINS"},
    IGNORE("argumentsId"),
    IGNORE("correlationId"),
    IGNORE("eventClass"),
    {0},
};

/* the tracing of OS calls began or ended in a process */
static const struct column_map osrt_state[] = {
    {"start", KEY_ts, AS_TIME},
    THREAD,
    {"start", KEY_source, AS_CONST, "osrt"},
    {"start", KEY_severity, AS_CONST, "info"},
    {"eventClass", KEY_text, AS_ENUM, "ENUM_NSYS_EVENT_CLASS"},
    IGNORE("argumentsId"),
    IGNORE("callchainId"),
    IGNORE("correlationId"),
    IGNORE("end"),
    IGNORE("nameId"),
    IGNORE("nestingLevel"),
    IGNORE("returnValue"),
    {0},
};

static const struct column_map syscall[] = {
    INTERVAL,
    THREAD,
    {"nameId", KEY_name, AS_STRING},
    {"start", KEY_args, AS_CONST, "syscall", NULL, "class"},
    {"callchainId", KEY_stack, AS_STACK, "SYSCALL_CALLCHAINS"},
    IGNORE("eventClass"),
    {0},
};

static const struct column_map sched[] = {
    {"start", KEY_ts, AS_TIME},
    THREAD,
    {"cpu", KEY_cpu, AS_INT},
    {"isSchedIn", KEY_on, AS_BOOL},
    {"threadState", KEY_state, AS_ENUM, "ENUM_SAMPLING_THREAD_STATE",
	thread_states},
    {"threadBlock", KEY_reason, AS_ENUM, "ENUM_SCHEDULING_THREAD_BLOCK"},
    {0},
};

static const struct column_map composite[] = {
    {"start", KEY_ts, AS_TIME},
    THREAD,
    {"cpu", KEY_cpu, AS_INT},
    {"threadState", KEY_state, AS_ENUM, "ENUM_SAMPLING_THREAD_STATE",
	thread_states},
    {"id", KEY_stack, AS_STACK, "SAMPLING_CALLCHAINS"},
    IGNORE("cpuCycles"),
    {0},
};

static const struct column_map gpu_metrics[] = {
    {"timestamp", KEY_ts, AS_TIME},
    {"typeId", KEY_device, AS_DEVICE8},
    {"metricId", KEY_counter, AS_INT},
    {"value", KEY_value, AS_NUMBER},
    IGNORE("rawTimestamp"),
    {0},
};

static const struct column_map memory_usage[] = {
    {"start", KEY_ts, AS_TIME},
    {"globalPid", KEY_pid, AS_PID},
    {"deviceId", KEY_device, AS_INT},
    {"contextId", KEY_context, AS_INT},
    {"streamId", KEY_stream, AS_ID},
    {"correlationId", KEY_corr, AS_NONZERO},
    {"name", KEY_name, AS_TEXT},
    {"bytes", KEY_bytes, AS_INT},
    {"memKind", KEY_mem, AS_ENUM, "ENUM_CUDA_MEM_KIND", memory_kinds},
    {"address", KEY_address, AS_HEX},
    {"memoryOperationType", KEY_op, AS_ENUM, "ENUM_CUDA_DEV_MEM_EVENT_OPER",
	alloc_ops},
    {"importedMemoryPoolAddress", KEY_args, AS_HEX},
    ARG("importedMemoryPoolProcessId", AS_NONZERO),
    ARG("localMemoryPoolAddress", AS_HEX),
    ARG("localMemoryPoolReleaseThreshold", AS_INT),
    ARG("localMemoryPoolSize", AS_INT),
    ARG("localMemoryPoolUtilizedSize", AS_INT),
    ARG("pc", AS_HEX),
    {0},
};

static const struct column_map memory_pool[] = {
    {"start", KEY_ts, AS_TIME},
    {"globalPid", KEY_pid, AS_PID},
    {"deviceId", KEY_device, AS_INT},
    {"correlationId", KEY_corr, AS_NONZERO},
    {"address", KEY_address, AS_HEX},
    {"operationType", KEY_op, AS_ENUM, "ENUM_CUDA_MEMPOOL_OPER", pool_ops},
    {"poolType", KEY_pool, AS_ENUM, "ENUM_CUDA_MEMPOOL_TYPE"},
    ARG("localMemoryPoolReleaseThreshold", AS_INT),
    ARG("localMemoryPoolSize", AS_INT),
    ARG("localMemoryPoolUtilizedSize", AS_INT),
    ARG("minBytesToKeep", AS_INT),
    {0},
};

/* the export has the process of a fault, not its thread */
static const struct column_map cpu_fault[] = {
    {"start", KEY_ts, AS_TIME},
    {"globalPid", KEY_pid, AS_PID},
    {"start", KEY_name, AS_CONST, "CPU page fault"},
    {"address", KEY_address, AS_HEX},
    ARG("CpuInstruction", AS_STRING),
    ARG("module", AS_STRING),
    ARG("originalFaultPc", AS_HEX),
    ARG("sourceFile", AS_STRING),
    ARG("sourceLine", AS_INT),
    ARG("unresolvedFaultPc", AS_BOOL),
    {0},
};

/* a row is one or more faults on one page */
static const struct column_map gpu_fault[] = {
    INTERVAL,
    {"globalPid", KEY_pid, AS_PID},
    {"start", KEY_name, AS_CONST, "GPU page fault"},
    {"deviceId", KEY_device, AS_ID},
    {"address", KEY_address, AS_HEX},
    {"numberOfPageFaults", KEY_count, AS_INT},
    {"faultAccessType", KEY_args, AS_ENUM, "ENUM_CUDA_UNIF_MEM_ACCESS_TYPE",
	access_types},
    {0},
};

static const struct column_map overhead[] = {
    INTERVAL,
    THREAD,
    {"nameId", KEY_name, AS_STRING},
    {"overheadType", KEY_what, AS_ENUM, "ENUM_CUPTI_OVERHEAD_TYPE",
	overhead_types},
    {"correlationId", KEY_corr, AS_NONZERO},
    IGNORE("eventClass"),
    IGNORE("returnValue"),
    {0},
};

static const struct column_map diagnostic[] = {
    {"timestamp", KEY_ts, AS_TIME},
    {"globalPid", KEY_pid, AS_PID},
    {"source", KEY_source, AS_ENUM, "ENUM_DIAGNOSTIC_SOURCE_TYPE", sources},
    {"severity", KEY_severity, AS_ENUM, "ENUM_DIAGNOSTIC_SEVERITY_LEVEL",
	severities},
    {"text", KEY_text, AS_TEXT},
    IGNORE("timestampType"),
    {0},
};

const struct nsys_table nsys_map_tables[] = {
    {"NVTX_EVENTS", KIND_range, nvtx_range, "eventType", {59, 60, 70, 71}, 4,
	false, "marks, definitions, other types"},
    {"NVTX_EVENTS", KIND_mark, nvtx_mark, "eventType", {34}, 1},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", KIND_api, runtime},
    {"CUDNN_EVENTS", KIND_api, cudnn},
    {"CUBLAS_EVENTS", KIND_api, cublas},
    {"MPI_P2P_EVENTS", KIND_api, mpi_p2p},
    {"MPI_COLLECTIVES_EVENTS", KIND_api, mpi_collectives},
    {"MPI_START_WAIT_EVENTS", KIND_api, mpi_start_wait},
    {"MPI_OTHER_EVENTS", KIND_api, mpi_other},
    {"UCP_SUBMIT_EVENTS", KIND_api, ucx},
    {"UCP_PROGRESS_EVENTS", KIND_api, ucx},
    {"UCP_EVENTS", KIND_api, ucx},
    {"OPENMP_EVENT_KIND_*", KIND_api, openmp},
    {"CUPTI_ACTIVITY_KIND_OPENACC_DATA", KIND_api, openacc},
    {"CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH", KIND_api, openacc},
    {"CUPTI_ACTIVITY_KIND_OPENACC_OTHER", KIND_api, openacc},
    {"CUDA_GRAPH_EVENTS", KIND_api, graph_events},
    {"CUDA_GRAPH_NODE_EVENTS", KIND_api, graph_events, .whole = true},
    {"CUPTI_ACTIVITY_KIND_KERNEL", KIND_kernel, kernel},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", KIND_memcpy, memcpy_},
    {"CUPTI_ACTIVITY_KIND_MEMSET", KIND_memset, memset_},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", KIND_graph, graph_trace},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", KIND_sync, synchronization},
    {"CUPTI_ACTIVITY_KIND_CUDA_EVENT", KIND_sync, cuda_event, "timestamp", {0},
	1, true, "events without a time"},
    {"OSRT_API", KIND_osrt, osrt, "eventClass", {27}, 1, false,
	"starts and ends of the tracing"},
    {"OSRT_API", KIND_diagnostic, osrt_state, "eventClass", {27}, 1, true},
    {"SYSCALL", KIND_osrt, syscall},
    {"SCHED_EVENTS", KIND_sched, sched},
    {"COMPOSITE_EVENTS", KIND_sample, composite, "cpuCycles", {0}, 1, true,
	"scheduling states, not samples"},
    {"GPU_METRICS", KIND_counter, gpu_metrics},
    {"CUDA_GPU_MEMORY_USAGE_EVENTS", KIND_alloc, memory_usage},
    {"CUDA_GPU_MEMORY_POOL_EVENTS", KIND_alloc, memory_pool},
    {"CUDA_UM_CPU_PAGE_FAULT_EVENTS", KIND_fault, cpu_fault},
    {"CUDA_UM_GPU_PAGE_FAULT_EVENTS", KIND_fault, gpu_fault},
    {"PROFILER_OVERHEAD", KIND_overhead, overhead},
    {"CUPTI_ACTIVITY_KIND_OVERHEAD", KIND_overhead, overhead},
    {"DIAGNOSTIC_EVENT", KIND_diagnostic, diagnostic},
};

const size_t nsys_map_count =
    sizeof(nsys_map_tables) / sizeof(nsys_map_tables[0]);

const char *
nsys_map_column(const struct nsys_table *map, enum how how)
{
	for (const struct column_map *c = map->columns; c->column; c++)
		if (c->how == how)
			return c->column;
	return NULL;
}

bool
nsys_map_is_support_table(const char *name)
{
	static const char *const prefixes[] = {"ENUM_", "TARGET_INFO_",
	    "META_DATA_", "EXPORT_META_DATA", "ANALYSIS_", "StringIds",
	    "ThreadNames", "ProcessStreams", "PROCESSES", "UnwindMethodType",
	    "NVTX_PAYLOAD_", "NVTX_SCOPES", "MPI_RANKS", "MPI_COMMUNICATORS",
	    "UCP_WORKERS", "OSRT_ARGUMENTS", "OSRT_FILE_ACCESS_",
	    "CUDA_CALLCHAINS", "OSRT_CALLCHAINS", "SAMPLING_CALLCHAINS",
	    "SYSCALL_CALLCHAINS", "MPI_CALLCHAINS", "sqlite_", NULL};

	for (size_t i = 0; prefixes[i] != NULL; i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

bool
nsys_map_is_event_table(const char *name)
{
	for (size_t i = 0; i < nsys_map_count; i++) {
		size_t n = strcspn(nsys_map_tables[i].table, "*");

		if (strncmp(name, nsys_map_tables[i].table, n) == 0)
			return true;
	}
	return false;
}
