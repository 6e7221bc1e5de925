/* schema.h - tables of an nsys export of schema 3.25, and their small rows */

#ifndef SCHEMA_H
#define SCHEMA_H

#define CALLCHAIN \
	"(id INTEGER NOT NULL, symbol INTEGER NOT NULL, " \
	"module INTEGER NOT NULL, kernelMode INTEGER, thumbCode INTEGER, " \
	"unresolved INTEGER, specialEntry INTEGER, originalIP INTEGER, " \
	"unwindMethod INTEGER, stackDepth INTEGER NOT NULL, " \
	"PRIMARY KEY (id, stackDepth))"

#define ENUM(name, rows) \
	"CREATE TABLE ENUM_" name " (id INTEGER NOT NULL PRIMARY KEY, " \
	"name TEXT, label TEXT);" \
	"INSERT INTO ENUM_" name " VALUES " rows

static const char *const schema[] = {
    "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, "
    "value TEXT NOT NULL)",

    "CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, "
    "devStateName TEXT NOT NULL, name TEXT NOT NULL, "
    "nameEnum INTEGER NOT NULL, value TEXT NOT NULL);"
    "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES "
    "(281474976710656, 'Local (CLI)', 'CpuCores', 1, '32'), "
    "(281474976710656, 'Local (CLI)', 'CpuArchitecture', 3, 'x86_64'), "
    "(281474976710656, 'Local (CLI)', 'NvDriverVersion', 205, '580.95.05'), "
    "(281474976710656, 'Local (CLI)', 'OsDescription', 605, "
    "'Ubuntu 22.04.5 LTS'), "
    "(281474976710656, 'Local (CLI)', 'CudaDriverVersion', 611, '13000'), "
    "(281474976710656, 'Local (CLI)', 'Hostname', 619, 'synthetic')",

    "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, "
    "utcTime TEXT, localTime TEXT, systemClockNs INTEGER);"
    "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1779630014975716426, "
    "'2026-05-24T13:40:14', '2026-05-24T13:40:14', 35255823190)",

    "CREATE TABLE ANALYSIS_DETAILS (globalVid INTEGER NOT NULL, "
    "duration INTEGER NOT NULL, startTime INTEGER NOT NULL, "
    "stopTime INTEGER NOT NULL)",

    "CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, "
    "id INTEGER NOT NULL, name TEXT, busLocation TEXT, isDiscrete INTEGER, "
    "l2CacheSize INTEGER, totalMemory INTEGER, memoryBandwidth INTEGER, "
    "clockRate INTEGER, smCount INTEGER, pwGpuId INTEGER, uuid TEXT, "
    "luid INTEGER, chipName TEXT, cuDevice INTEGER, ctxswDevPath TEXT, "
    "ctrlDevPath TEXT, revision INTEGER, nodeMask INTEGER, "
    "constantMemory INTEGER, maxIPC INTEGER, maxRegistersPerBlock INTEGER, "
    "maxShmemPerBlock INTEGER, maxShmemPerBlockOptin INTEGER, "
    "maxShmemPerSm INTEGER, maxRegistersPerSm INTEGER, "
    "threadsPerWarp INTEGER, asyncEngines INTEGER, maxWarpsPerSm INTEGER, "
    "maxBlocksPerSm INTEGER, maxThreadsPerBlock INTEGER, "
    "maxBlockDimX INTEGER, maxBlockDimY INTEGER, maxBlockDimZ INTEGER, "
    "maxGridDimX INTEGER, maxGridDimY INTEGER, maxGridDimZ INTEGER, "
    "computeMajor INTEGER, computeMinor INTEGER, smMajor INTEGER, "
    "smMinor INTEGER);"
    "INSERT INTO TARGET_INFO_GPU VALUES "
    "(281474976710656, 0, 'NVIDIA H100 80GB HBM3', '0000:19:00.0', 1, "
    "52428800, 84942979072, 3352320000000, 1980000000, 132, 0, "
    "'8b3dc3f9-0f87-aab1-2135-d50c31743030', 0, 'GH100', 0, '', '', 161, 0, "
    "65536, 0, 65536, 49152, 232448, 233472, 65536, 32, 3, 64, 32, 1024, "
    "1024, 1024, 64, 2147483647, 65535, 65535, 9, 0, 9, 0), "
    "(281474976710656, 1, 'NVIDIA H100 80GB HBM3', '0000:3b:00.0', 1, "
    "52428800, 84942979072, 3352320000000, 1980000000, 132, 1, "
    "'8b3dc3f9-0f87-aab1-2135-d50c31743031', 0, 'GH100', 1, '', '', 161, 0, "
    "65536, 0, 65536, 49152, 232448, 233472, 65536, 32, 3, 64, 32, 1024, "
    "1024, 1024, 64, 2147483647, 65535, 65535, 9, 0, 9, 0)",

    "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, "
    "cudaId INTEGER NOT NULL, pid INTEGER NOT NULL, uuid TEXT, "
    "numMultiprocessors INTEGER)",

    "CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO ("
    "nullStreamId INTEGER NOT NULL, hwId INTEGER NOT NULL, "
    "vmId INTEGER NOT NULL, processId INTEGER NOT NULL, "
    "deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "parentContextId INTEGER, isGreenContext INTEGER, "
    "numMultiprocessors INTEGER)",

    "CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER NOT NULL, "
    "hwId INTEGER NOT NULL, vmId INTEGER NOT NULL, "
    "processId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "priority INTEGER NOT NULL, flag INTEGER NOT NULL)",

    "CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT)",

    "CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, "
    "globalTid INTEGER)",

    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, "
    "end INTEGER NOT NULL, deviceId INTEGER NOT NULL, "
    "contextId INTEGER NOT NULL, greenContextId INTEGER, "
    "streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, "
    "demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, "
    "mangledName INTEGER, launchType INTEGER, cacheConfig INTEGER, "
    "registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, "
    "gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, "
    "blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, "
    "blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL, "
    "dynamicSharedMemory INTEGER NOT NULL, "
    "localMemoryPerThread INTEGER NOT NULL, "
    "localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL, "
    "sharedMemoryExecuted INTEGER, graphNodeId INTEGER, "
    "sharedMemoryLimitConfig INTEGER, qmdBulkReleaseDone INTEGER, "
    "qmdPreexitDone INTEGER, qmdLastCtaDone INTEGER, graphId INTEGER, "
    "clusterX INTEGER, clusterY INTEGER, clusterZ INTEGER, "
    "clusterSchedulingPolicy INTEGER, maxPotentialClusterSize INTEGER, "
    "maxActiveClusters INTEGER, sharedMemoryRequestedPercentage INTEGER, "
    "tensorSizeMinusOneElements TEXT NOT NULL)",

    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, "
    "end INTEGER NOT NULL, deviceId INTEGER NOT NULL, "
    "contextId INTEGER NOT NULL, greenContextId INTEGER, "
    "streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, "
    "bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, "
    "deprecatedSrcId INTEGER, srcKind INTEGER, dstKind INTEGER, "
    "srcDeviceId INTEGER, srcContextId INTEGER, dstDeviceId INTEGER, "
    "dstContextId INTEGER, migrationCause INTEGER, graphNodeId INTEGER, "
    "virtualAddress INTEGER, copyCount INTEGER)",

    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, "
    "end INTEGER NOT NULL, deviceId INTEGER NOT NULL, "
    "contextId INTEGER NOT NULL, greenContextId INTEGER, "
    "streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, "
    "value INTEGER NOT NULL, bytes INTEGER NOT NULL, graphNodeId INTEGER, "
    "memKind INTEGER)",

    "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION ("
    "start INTEGER NOT NULL, end INTEGER NOT NULL, "
    "deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "greenContextId INTEGER, streamId INTEGER NOT NULL, "
    "correlationId INTEGER, globalPid INTEGER, deprecatedSyncType INTEGER, "
    "syncType INTEGER NOT NULL, eventId INTEGER NOT NULL, "
    "eventSyncId INTEGER)",

    "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (timestamp INTEGER, "
    "deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "greenContextId INTEGER, streamId INTEGER NOT NULL, "
    "correlationId INTEGER, globalPid INTEGER, eventId INTEGER NOT NULL, "
    "eventSyncId INTEGER)",

    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, "
    "end INTEGER NOT NULL, eventClass INTEGER NOT NULL, "
    "globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, "
    "returnValue INTEGER NOT NULL, callchainId INTEGER)",

    "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, "
    "eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER, "
    "color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, "
    "textId INTEGER, domainId INTEGER, uint64Value INTEGER, "
    "int64Value INTEGER, doubleValue REAL, uint32Value INTEGER, "
    "int32Value INTEGER, floatValue REAL, jsonTextId INTEGER, "
    "jsonText TEXT, binaryData TEXT)",

    "CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER NOT NULL, "
    "eventClass INTEGER NOT NULL, globalTid INTEGER, "
    "nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, "
    "nestingLevel INTEGER, callchainId INTEGER NOT NULL, "
    "argumentsId INTEGER NOT NULL)",

    "CREATE TABLE SCHED_EVENTS (start INTEGER NOT NULL, "
    "cpu INTEGER NOT NULL, isSchedIn INTEGER NOT NULL, globalTid INTEGER, "
    "threadState INTEGER, threadBlock INTEGER)",

    "CREATE TABLE COMPOSITE_EVENTS (id INTEGER NOT NULL PRIMARY KEY, "
    "start INTEGER NOT NULL, cpu INTEGER, threadState INTEGER, "
    "globalTid INTEGER, cpuCycles INTEGER NOT NULL)",

    "CREATE TABLE SAMPLING_CALLCHAINS " CALLCHAIN,

    ENUM("NSYS_EVENT_TYPE",
	"(33, 'NvtxCategory', 'NvtxCategory'), (34, 'NvtxMark', 'NvtxMark'), "
	"(39, 'NvtxThread', 'NvtxThread'), "
	"(59, 'NvtxPushPopRange', 'NvtxPushPopRange'), "
	"(60, 'NvtxStartEndRange', 'NvtxStartEndRange'), "
	"(75, 'NvtxDomainCreate', 'NvtxDomainCreate'), "
	"(76, 'NvtxDomainDestroy', 'NvtxDomainDestroy')"),
    ENUM("NSYS_EVENT_CLASS",
	"(0, 'TRACE_PROCESS_EVENT_CUDA_RUNTIME', 'CUDA runtime'), "
	"(1, 'TRACE_PROCESS_EVENT_CUDA_DRIVER', 'CUDA driver'), "
	"(27, 'TRACE_PROCESS_EVENT_OS_RUNTIME', 'OS runtime')"),
    ENUM("CUDA_MEMCPY_OPER",
	"(0, 'CUDA_MEMCPY_KIND_UNKNOWN', 'Unknown'), "
	"(1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device'), "
	"(2, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host'), "
	"(3, 'CUDA_MEMCPY_KIND_HTOA', 'Host-to-Array'), "
	"(4, 'CUDA_MEMCPY_KIND_ATOH', 'Array-to-Host'), "
	"(5, 'CUDA_MEMCPY_KIND_ATOA', 'Array-to-Array'), "
	"(6, 'CUDA_MEMCPY_KIND_ATOD', 'Array-to-Device'), "
	"(7, 'CUDA_MEMCPY_KIND_DTOA', 'Device-to-Array'), "
	"(8, 'CUDA_MEMCPY_KIND_DTOD', 'Device-to-Device'), "
	"(9, 'CUDA_MEMCPY_KIND_HTOH', 'Host-to-Host'), "
	"(10, 'CUDA_MEMCPY_KIND_PTOP', 'Peer-to-Peer'), "
	"(11, 'CUDA_MEMCPY_KIND_UVM_HTOD', 'Unified Host-to-Device'), "
	"(12, 'CUDA_MEMCPY_KIND_UVM_DTOH', 'Unified Device-to-Host'), "
	"(13, 'CUDA_MEMCPY_KIND_UVM_DTOD', 'Unified Device-to-Device')"),
    ENUM("CUDA_MEM_KIND",
	"(0, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE', 'Pageable'), "
	"(1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned'), "
	"(2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', 'Device'), "
	"(3, 'CUDA_MEMOPR_MEMORY_KIND_ARRAY', 'Array'), "
	"(4, 'CUDA_MEMOPR_MEMORY_KIND_MANAGED', 'Managed'), "
	"(5, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC', 'Device Static'), "
	"(6, 'CUDA_MEMOPR_MEMORY_KIND_MANAGED_STATIC', 'Managed Static'), "
	"(7, 'CUDA_MEMOPR_MEMORY_KIND_UNKNOWN', 'Unknown')"),
    ENUM("CUDA_KERNEL_LAUNCH_TYPE",
	"(0, 'CUDA_KERNEL_LAUNCH_TYPE_UNKNOWN', 'Unknown'), "
	"(1, 'CUDA_KERNEL_LAUNCH_TYPE_REGULAR', 'Regular'), "
	"(2, 'CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE', "
	"'Coop Single Device'), "
	"(3, 'CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE', "
	"'Coop Multi Device')"),
    ENUM("CUPTI_STREAM_TYPE",
	"(0, 'CUPTI_ACTIVITY_STREAM_CREATE_FLAG_UNKNOWN', "
	"'Unknown stream type'), "
	"(1, 'CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT', 'Default stream'), "
	"(2, 'CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING', "
	"'Non-blocking stream'), "
	"(3, 'CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL', 'Null stream')"),
    ENUM("CUPTI_SYNC_TYPE",
	"(0, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN', 'Unknown'), "
	"(1, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE', "
	"'Event sync'), "
	"(2, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT', "
	"'Stream wait sync'), "
	"(3, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE', "
	"'Stream sync'), "
	"(4, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE', "
	"'Context sync')"),
    ENUM("SAMPLING_THREAD_STATE",
	"(0, 'Unknown', 'Unknown'), (1, 'Running', 'Running'), "
	"(2, 'Interruptible', 'Interruptible'), "
	"(3, 'Uninterruptible', 'Uninterruptible')"),
    ENUM("STACK_UNWIND_METHOD",
	"(0, 'Unknown', 'Unknown'), (7, 'DWARF_DF', 'DWARF DF')"),

    "CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT);"
    "INSERT INTO META_DATA_CAPTURE VALUES "
    "('DEVICE_ID', 'Local (CLI)'), ('CAPTURE_EVENT_TYPE', 'NvtxEvents'), "
    "('CAPTURE_EVENT_TYPE', 'Cuda'), ('DEVICE_DISPLAY_NAME', 'synthetic'), "
    "('CUDA_GRAPH_TRACE_OPTIONS:MODE', 'Node'), "
    "('PROCESS_0:COMMAND', 'torchrun')",

    "CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);"
    "INSERT INTO META_DATA_EXPORT VALUES "
    "('EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'), "
    "('EXPORT_PRODUCT_VERSION', '2026.2.1.210'), "
    "('EXPORT_PRODUCT_DATE', '2026.2'), "
    "('EXPORT_SCHEMA_VERSION', '3.25.0'), "
    "('EXPORT_SCHEMA_VERSION_MAJOR', '3'), "
    "('EXPORT_SCHEMA_VERSION_MINOR', '25'), "
    "('EXPORT_SCHEMA_VERSION_MICRO', '0'), "
    "('EXPORT_PLATFORM', 'linux-desktop'), ('EXPORT_ARCH', 'x64'), "
    "('EXPORT_TIME_UTC', '2026-05-24T13:45:27'), "
    "('EXPORT_HOST', 'synthetic'), "
    "('EXPORT_PARAM_EXPORT_TYPE', 'SQLite'), "
    "('EXPORT_PARAM_LAZY', 'true'), "
    "('EXPORT_PARAM_TIME_NORMALIZE', 'false'), "
    "('EXPORT_PARAM_TIME_SHIFT', '0'), "
    "('DERIVED_BY', 'tests/bench/generate')"};

#endif
