-- A run as versions of nsys write it, so that what they have in common has to
-- come out the same:
--
--   process 4096 (0x1000), thread 4096 "sim", device 0, context 1, stream 7
--   call                    corr   ns          work          ns
--   cudaMemcpyAsync            1   1000-1200   HtoD 1024 B   2000-3000
--   cudaMemsetAsync            2   1300-1400   256 B to 0    3100-3200
--   cudaLaunchKernel           3   1500-1700   stencil       3300-5300
--   cudaStreamSynchronize      4   1800-6000   stream sync   1900-5900
--   range "step" 900-6100, range "solve" of domain "Lib" (registered string)
--   1450-1750, mark "go" 950, read() 500-700, on CPU 3 from 100 to 6500, a
--   sample at 1600 (solve < main), profiler overhead "init" 200-300
--
-- Rows: PROCESSES 1 (from 2022 on), ThreadNames 1, RUNTIME 4, MEMCPY 1,
-- MEMSET 1, KERNEL 1, SYNCHRONIZATION 1, NVTX_EVENTS 4, OSRT_API 1,
-- PROFILER_OVERHEAD 1, SCHED_EVENTS 2, COMPOSITE_EVENTS 1,
-- SAMPLING_CALLCHAINS 2.

BEGIN;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
	(1, 'sim'), (2, 'Lib'), (3, 'solve'), (4, 'main'), (5, '/usr/bin/sim'),
	(6, 'read'), (7, 'init'), (10, 'cudaMemcpyAsync_v3020'),
	(11, 'cudaMemsetAsync_v3020'), (12, 'cudaLaunchKernel_v7000'),
	(13, 'cudaStreamSynchronize_v3020'), (20, 'stencil'),
	(21, 'stencil(float *, int)'), (22, '_Z7stencilPfi');
# 2022
CREATE TABLE EXPORT_META_DATA (name TEXT NOT NULL, value TEXT);
INSERT INTO EXPORT_META_DATA VALUES
	('EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'),
	('EXPORT_PRODUCT_VERSION', '2022.4.2.18'), ('EXPORT_SCHEMA_VERSION', '3.0.0'),
	('EXPORT_ARCH', 'x64'),
	('EXPORT_LAZY', 'false');
# 2023 2026
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES
	('EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'),
# 2023
	('EXPORT_PRODUCT_VERSION', '2023.3.3.42'), ('EXPORT_SCHEMA_VERSION', '3.4.0'),
# 2026
	('EXPORT_PRODUCT_VERSION', '2026.2.1.210'), ('EXPORT_SCHEMA_VERSION', '3.25.0'),
# 2023 2026
	('EXPORT_ARCH', 'x64');
CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:COMMAND', 'sim');
# 2022 2023
CREATE TABLE TARGET_INFO_SESSION_START_TIME (
	utcEpochNs, utcTime TEXT, localTime TEXT);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES
	(1670000000000000000, '2022-12-02T16:53:20', '2022-12-02T17:53:20');
# 2026
CREATE TABLE TARGET_INFO_SESSION_START_TIME (
	utcEpochNs, utcTime TEXT, localTime TEXT, systemClockNs);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES
	(1670000000000000000, '2022-12-02T16:53:20', '2022-12-02T17:53:20',
	500000);
# 2022 2023 2026
CREATE TABLE TARGET_INFO_SYSTEM_ENV (
	globalVid, devStateName TEXT, name TEXT, nameEnum, value TEXT);
INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES
	(0x1000000000000, 'Local (CLI)', 'Hostname', 619, 'host1');
CREATE TABLE ANALYSIS_DETAILS (globalVid, duration, startTime, stopTime);
INSERT INTO ANALYSIS_DETAILS VALUES (0x1000000000000, 7000, 500000, 507000);
CREATE TABLE PROCESSES (globalPid, pid, name TEXT);
INSERT INTO PROCESSES VALUES (0x1001000000000, 4096, 'sim');
# 2022
CREATE TABLE ENUM_CUDA_KRENEL_LAUNCH_TYPE (id INTEGER PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUDA_KRENEL_LAUNCH_TYPE VALUES
# 2023 2026
CREATE TABLE ENUM_CUDA_KERNEL_LAUNCH_TYPE (id INTEGER PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUDA_KERNEL_LAUNCH_TYPE VALUES
# 2022 2023 2026
	(0, 'CUDA_KERNEL_LAUNCH_TYPE_UNKNOWN', 'Unknown'),
	(1, 'CUDA_KERNEL_LAUNCH_TYPE_REGULAR', 'Regular');
CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES
	(1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device');
CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUDA_MEM_KIND VALUES
	(0, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE', 'Pageable'),
	(2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', 'Device');
CREATE TABLE ENUM_CUPTI_SYNC_TYPE (id INTEGER PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUPTI_SYNC_TYPE VALUES
	(3, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE', 'Stream sync');
#
CREATE TABLE ThreadNames (nameId, priority, globalTid);
INSERT INTO ThreadNames VALUES (1, 20, 0x1001000001000);
# 2020
CREATE TABLE TARGET_INFO_CUDA_GPU (
	deviceId, name TEXT, uuid TEXT, globalMemorySize, numMultiprocessors,
	computeCapabilityMajor, computeCapabilityMinor, coreClockRate,
	maxWarpsPerMultiprocessor, numThreadsPerWarp, maxIPC);
INSERT INTO TARGET_INFO_CUDA_GPU VALUES
	(0, 'Tesla V100-SXM2-16GB', '01234567-89ab-cdef-0123-456789abcdef',
	16945512448, 80, 7, 0, 1530000, 64, 32, 4);
# 2021 2022 2023 2026
CREATE TABLE TARGET_INFO_GPU (
	vmId, id, name TEXT, busLocation TEXT, isDiscrete, l2CacheSize,
	totalMemory, memoryBandwidth, clockRate, smCount, pwGpuId, uuid TEXT,
	luid, chipName TEXT, cuDevice, ctxswDevPath TEXT, ctrlDevPath TEXT,
	revision, nodeMask, constantMemory, maxIPC, maxRegistersPerBlock,
	maxShmemPerBlock, maxShmemPerBlockOptin, maxShmemPerSm,
	maxRegistersPerSm, threadsPerWarp, asyncEngines, maxWarpsPerSm,
	maxBlocksPerSm, maxThreadsPerBlock, maxBlockDimX, maxBlockDimY,
	maxBlockDimZ, maxGridDimX, maxGridDimY, maxGridDimZ, computeMajor,
	computeMinor, smMajor, smMinor);
INSERT INTO TARGET_INFO_GPU (vmId, id, name, busLocation, isDiscrete,
	totalMemory, smCount, uuid, chipName, cuDevice, computeMajor,
	computeMinor, smMajor, smMinor) VALUES
	(0x1000000000000, 0, 'Tesla V100-SXM2-16GB', '0000:00:1e.0', 1,
	16945512448, 80, '01234567-89ab-cdef-0123-456789abcdef', 'GV100', 0,
	7, 0, 7, 0);
# 2026
CREATE TABLE TARGET_INFO_CUDA_DEVICE (
	gpuId, cudaId, pid, uuid TEXT, numMultiprocessors);
INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES
	(0, 0, 4096, '01234567-89ab-cdef-0123-456789abcdef', 80);
CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (
	nullStreamId, hwId, vmId, processId, deviceId, contextId,
	parentContextId, isGreenContext, numMultiprocessors);
INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO VALUES
	(7, 0, 1, 4096, 0, 1, 0, 0, 0);
# 2020 2021 2022 2023
CREATE TABLE TARGET_INFO_CUDA_NULL_STREAM (
	streamId, hwId, vmId, processId, deviceId, contextId);
INSERT INTO TARGET_INFO_CUDA_NULL_STREAM VALUES (7, 0, 1, 4096, 0, 1);
#
CREATE TABLE TARGET_INFO_CUDA_STREAM (
	streamId, hwId, vmId, processId, contextId, priority, flag);
INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (7, 0, 1, 4096, 1, 0, 1);
# 2020 2021 2022
CREATE TABLE UnwindMethodType (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO UnwindMethodType VALUES (0, 'Unknown'), (1, 'FramePointer');
# 2023 2026
CREATE TABLE ENUM_STACK_UNWIND_METHOD (
	id INTEGER PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_STACK_UNWIND_METHOD VALUES
	(0, 'Unknown', 'Unknown'), (1, 'FramePointer', 'Frame pointer');
#

CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
# 2020
	start, end, eventClass, globalTid, correlationId, nameId, returnValue);
# 2021 2022 2023 2026
	start, end, eventClass, globalTid, correlationId, nameId, returnValue,
	callchainId);
#
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid,
	correlationId, nameId, returnValue) VALUES
	(1000, 1200, 0, 0x1001000001000, 1, 10, 0),
	(1300, 1400, 0, 0x1001000001000, 2, 11, 0),
	(1500, 1700, 0, 0x1001000001000, 3, 12, 0),
	(1800, 6000, 0, 0x1001000001000, 4, 13, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (
# 2020 2021 2022 2023
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	bytes, copyKind, deprecatedSrcId, srcKind, dstKind, srcDeviceId,
# 2020
	srcContextId, dstDeviceId, dstContextId, graphNodeId);
# 2021
	srcContextId, dstDeviceId, dstContextId, migrationCause, graphNodeId);
# 2022 2023
	srcContextId, dstDeviceId, dstContextId, migrationCause, graphNodeId,
	virtualAddress);
# 2026
	start, end, deviceId, contextId, greenContextId, streamId, correlationId,
	globalPid, bytes, copyKind, deprecatedSrcId, srcKind, dstKind, srcDeviceId,
	srcContextId, dstDeviceId, dstContextId, migrationCause, graphNodeId,
	virtualAddress, copyCount);
#
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId,
	streamId, correlationId, globalPid, bytes, copyKind, srcKind, dstKind)
	VALUES
	(2000, 3000, 0, 1, 7, 1, 0x1001000000000, 1024, 1, 0, 2);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (
# 2020 2021 2022 2023
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
# 2026
	start, end, deviceId, contextId, greenContextId, streamId, correlationId, globalPid,
#
	value, bytes, graphNodeId, memKind);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, contextId,
	streamId, correlationId, globalPid, value, bytes, memKind) VALUES
	(3100, 3200, 0, 1, 7, 2, 0x1001000000000, 0, 256, 2);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
# 2020 2021 2022 2023
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
# 2026
	start, end, deviceId, contextId, greenContextId, streamId, correlationId, globalPid,
# 2020 2021
	demangledName, shortName, launchType, cacheConfig, registersPerThread,
# 2022 2023 2026
	demangledName, shortName, mangledName, launchType, cacheConfig, registersPerThread,
#
	gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory,
	dynamicSharedMemory, localMemoryPerThread, localMemoryTotal, gridId,
# 2020
	sharedMemoryExecuted, graphNodeId);
# 2021 2022 2023
	sharedMemoryExecuted, graphNodeId, sharedMemoryLimitConfig);
# 2026
	sharedMemoryExecuted, graphNodeId, sharedMemoryLimitConfig,
	qmdBulkReleaseDone, qmdPreexitDone, qmdLastCtaDone, graphId, clusterX,
	clusterY, clusterZ, clusterSchedulingPolicy, maxPotentialClusterSize,
	maxActiveClusters, sharedMemoryRequestedPercentage,
	tensorSizeMinusOneElements TEXT NOT NULL);
# 2020
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
	(3300, 5300, 0, 1, 7, 3, 0x1001000000000, 21, 20, 1, 0, 32, 10, 1, 1,
	256, 1, 1, 0, 512, 0, 0, 1, 8192, NULL);
# 2021
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
	(3300, 5300, 0, 1, 7, 3, 0x1001000000000, 21, 20, 1, 0, 32, 10, 1, 1,
	256, 1, 1, 0, 512, 0, 0, 1, 8192, NULL, 0);
# 2022 2023
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
	(3300, 5300, 0, 1, 7, 3, 0x1001000000000, 21, 20, 22, 1, 0, 32, 10, 1, 1,
	256, 1, 1, 0, 512, 0, 0, 1, 8192, NULL, 0);
# 2026
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
	(3300, 5300, 0, 1, 0, 7, 3, 0x1001000000000, 21, 20, 22, 1, 0, 32, 10, 1, 1,
	256, 1, 1, 0, 512, 0, 0, 1, 8192, NULL, 0,
	NULL, NULL, NULL, NULL, 2, 1, 1, 1, 8, 66, 0, '[1023,511]');
#
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (
# 2020 2021 2022 2023
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	syncType, eventId);
# 2026
	start, end, deviceId, contextId, greenContextId, streamId, correlationId, globalPid,
	deprecatedSyncType, syncType, eventId, eventSyncId);
#
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start, end, deviceId,
	contextId, streamId, correlationId, globalPid, syncType, eventId) VALUES
	(1900, 5900, 0, 1, 7, 4, 0x1001000000000, 3, 4294967295);
# 2026
UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET greenContextId = 0, copyCount = 1;
UPDATE CUPTI_ACTIVITY_KIND_MEMSET SET greenContextId = 0;
UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET greenContextId = 0;
#
CREATE TABLE NVTX_EVENTS (
	start, end, eventType, rangeId, category, color, text TEXT, globalTid,
# 2020
	endGlobalTid, textId, domainId);
# 2021 2022 2023 2026
	endGlobalTid, textId, domainId, uint64Value, int64Value,
	doubleValue REAL, uint32Value, int32Value, floatValue REAL, jsonTextId,
# 2021 2022 2023
	jsonText TEXT);
# 2026
	jsonText TEXT, binaryData TEXT);
#
INSERT INTO NVTX_EVENTS (start, end, eventType, rangeId, category, color, text,
	globalTid, endGlobalTid, textId, domainId) VALUES
	( 10, NULL, 75, NULL, NULL, NULL, 'Lib', 0x1001000001000, NULL, NULL, 1),
	(900, 6100, 59, NULL, NULL, NULL, 'step', 0x1001000001000, NULL, NULL, 0),
	(950, NULL, 34, NULL, NULL, NULL, 'go', 0x1001000001000, NULL, NULL, 0),
	(1450, 1750, 59, NULL, NULL, NULL, NULL, 0x1001000001000, NULL, 3, 1);
CREATE TABLE OSRT_API (
# 2020 2021
	start, end, eventClass, globalTid, correlationId, nameId, returnValue,
	nestingLevel, callchainId);
INSERT INTO OSRT_API VALUES
	(500, 700, 27, 0x1001000001000, 77, 6, 64, 0, 0);
# 2022 2023
	start, end, eventClass, globalTid, nameId, returnValue, nestingLevel,
	callchainId);
INSERT INTO OSRT_API VALUES
	(500, 700, 27, 0x1001000001000, 6, 64, 0, 0);
# 2026
	start, end, eventClass, globalTid, nameId, returnValue, nestingLevel,
	callchainId, argumentsId);
INSERT INTO OSRT_API VALUES
	(500, 700, 27, 0x1001000001000, 6, 64, 0, 0, 0);
#
CREATE TABLE PROFILER_OVERHEAD (
# 2020 2021
	start, end, globalTid, correlationId, nameId, returnValue);
INSERT INTO PROFILER_OVERHEAD VALUES (200, 300, 0x1001000001000, 78, 7, 0);
# 2022 2023
	start, end, globalTid, nameId, returnValue);
INSERT INTO PROFILER_OVERHEAD VALUES (200, 300, 0x1001000001000, 7, 0);
# 2026
	start, end, globalTid, nameId, overheadType);
INSERT INTO PROFILER_OVERHEAD VALUES (200, 300, 0x1001000001000, 7, 0);
CREATE TABLE SCHED_EVENTS (
	start, cpu, isSchedIn, globalTid, threadState, threadBlock);
INSERT INTO SCHED_EVENTS VALUES
	(100, 3, 1, 0x1001000001000, 0, NULL),
	(6500, 3, 0, 0x1001000001000, 2, 7);
# 2020 2021 2022 2023
CREATE TABLE SCHED_EVENTS (start, cpu, isSchedIn, globalTid);
INSERT INTO SCHED_EVENTS VALUES
	(100, 3, 1, 0x1001000001000), (6500, 3, 0, 0x1001000001000);
#
CREATE TABLE COMPOSITE_EVENTS (
	id INTEGER PRIMARY KEY, start, cpu, threadState, globalTid, cpuCycles);
INSERT INTO COMPOSITE_EVENTS VALUES (1, 1600, 3, 1, 0x1001000001000, 1);
CREATE TABLE SAMPLING_CALLCHAINS (
	id INTEGER, symbol, module, kernelMode, thumbCode, unresolved,
	specialEntry, originalIP, unwindMethod, stackDepth,
	PRIMARY KEY (id, stackDepth));
INSERT INTO SAMPLING_CALLCHAINS VALUES
	(1, 3, 5, 0, 0, 0, 0, 4198912, 1, 0), (1, 4, 5, 0, 0, 0, 0, 4198400, 1, 1);
