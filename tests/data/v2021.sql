-- v2021.sql - an export of nsys 2021.2: no metadata, no session start, no ENUM tables
--
-- The v20??.sql files show the same run as the versions of nsys write it, so
-- what is common to them must come out the same:
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
-- Rows: ThreadNames 1, RUNTIME 4, MEMCPY 1, MEMSET 1, KERNEL 1,
-- SYNCHRONIZATION 1, NVTX_EVENTS 4, OSRT_API 1, PROFILER_OVERHEAD 1,
-- SCHED_EVENTS 2, COMPOSITE_EVENTS 1, SAMPLING_CALLCHAINS 2.
--
-- Here: TARGET_INFO_GPU with id; RUNTIME has callchainId, KERNEL
-- sharedMemoryLimitConfig but no mangledName, OSRT_API and PROFILER_OVERHEAD
-- still have correlationId; no PROCESSES: the name of the process is that of
-- its main thread.

BEGIN;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
	(1, 'sim'), (2, 'Lib'), (3, 'solve'), (4, 'main'), (5, '/usr/bin/sim'),
	(6, 'read'), (7, 'init'), (10, 'cudaMemcpyAsync_v3020'),
	(11, 'cudaMemsetAsync_v3020'), (12, 'cudaLaunchKernel_v7000'),
	(13, 'cudaStreamSynchronize_v3020'), (20, 'stencil'),
	(21, 'stencil(float *, int)'), (22, '_Z7stencilPfi');
CREATE TABLE ThreadNames (nameId, priority, globalTid);
INSERT INTO ThreadNames VALUES (1, 20, 0x1001000001000);
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
CREATE TABLE TARGET_INFO_CUDA_NULL_STREAM (
	streamId, hwId, vmId, processId, deviceId, contextId);
INSERT INTO TARGET_INFO_CUDA_NULL_STREAM VALUES (7, 0, 1, 4096, 0, 1);
CREATE TABLE TARGET_INFO_CUDA_STREAM (
	streamId, hwId, vmId, processId, contextId, priority, flag);
INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (7, 0, 1, 4096, 1, 0, 1);
CREATE TABLE UnwindMethodType (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO UnwindMethodType VALUES (0, 'Unknown'), (1, 'FramePointer');

CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
	start, end, eventClass, globalTid, correlationId, nameId, returnValue,
	callchainId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
	(1000, 1200, 0, 0x1001000001000, 1, 10, 0, NULL),
	(1300, 1400, 0, 0x1001000001000, 2, 11, 0, NULL),
	(1500, 1700, 0, 0x1001000001000, 3, 12, 0, NULL),
	(1800, 6000, 0, 0x1001000001000, 4, 13, 0, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	bytes, copyKind, deprecatedSrcId, srcKind, dstKind, srcDeviceId,
	srcContextId, dstDeviceId, dstContextId, migrationCause, graphNodeId);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES
	(2000, 3000, 0, 1, 7, 1, 0x1001000000000, 1024, 1, NULL, 0, 2,
	NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	value, bytes, graphNodeId, memKind);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES
	(3100, 3200, 0, 1, 7, 2, 0x1001000000000, 0, 256, NULL, 2);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	demangledName, shortName, launchType, cacheConfig, registersPerThread,
	gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory,
	dynamicSharedMemory, localMemoryPerThread, localMemoryTotal, gridId,
	sharedMemoryExecuted, graphNodeId, sharedMemoryLimitConfig);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
	(3300, 5300, 0, 1, 7, 3, 0x1001000000000, 21, 20, 1, 0, 32, 10, 1, 1,
	256, 1, 1, 0, 512, 0, 0, 1, 8192, NULL, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	syncType, eventId);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES
	(1900, 5900, 0, 1, 7, 4, 0x1001000000000, 3, 4294967295);
CREATE TABLE NVTX_EVENTS (
	start, end, eventType, rangeId, category, color, text TEXT, globalTid,
	endGlobalTid, textId, domainId, uint64Value, int64Value,
	doubleValue REAL, uint32Value, int32Value, floatValue REAL, jsonTextId,
	jsonText TEXT);
INSERT INTO NVTX_EVENTS (start, end, eventType, rangeId, category, color, text,
	globalTid, endGlobalTid, textId, domainId) VALUES
	( 10, NULL, 75, NULL, NULL, NULL, 'Lib', 0x1001000001000, NULL, NULL, 1),
	(900, 6100, 59, NULL, NULL, NULL, 'step', 0x1001000001000, NULL, NULL, 0),
	(950, NULL, 34, NULL, NULL, NULL, 'go', 0x1001000001000, NULL, NULL, 0),
	(1450, 1750, 59, NULL, NULL, NULL, NULL, 0x1001000001000, NULL, 3, 1);
CREATE TABLE OSRT_API (
	start, end, eventClass, globalTid, correlationId, nameId, returnValue,
	nestingLevel, callchainId);
INSERT INTO OSRT_API VALUES
	(500, 700, 27, 0x1001000001000, 77, 6, 64, 0, 0);
CREATE TABLE PROFILER_OVERHEAD (
	start, end, globalTid, correlationId, nameId, returnValue);
INSERT INTO PROFILER_OVERHEAD VALUES (200, 300, 0x1001000001000, 78, 7, 0);
CREATE TABLE SCHED_EVENTS (start, cpu, isSchedIn, globalTid);
INSERT INTO SCHED_EVENTS VALUES
	(100, 3, 1, 0x1001000001000), (6500, 3, 0, 0x1001000001000);
CREATE TABLE COMPOSITE_EVENTS (
	id INTEGER PRIMARY KEY, start, cpu, threadState, globalTid, cpuCycles);
INSERT INTO COMPOSITE_EVENTS VALUES (1, 1600, 3, 1, 0x1001000001000, 1);
CREATE TABLE SAMPLING_CALLCHAINS (
	id INTEGER, symbol, module, kernelMode, thumbCode, unresolved,
	specialEntry, originalIP, unwindMethod, stackDepth,
	PRIMARY KEY (id, stackDepth));
INSERT INTO SAMPLING_CALLCHAINS VALUES
	(1, 3, 5, 0, 0, 0, 0, 4198912, 1, 0), (1, 4, 5, 0, 0, 0, 0, 4198400, 1, 1);
COMMIT;
