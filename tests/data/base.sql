-- base.sql - a typical export of 2025 (schema 3.23.3), as small as can be
--
-- One process, 4096 "app" (0x1000), threads 4096 "app" and 4097 "worker", one
-- device. Times are in ns, 150 to 17000.
--
--   call          corr  tid   call ns       work on device 0, context 1
--   cudaMalloc       1  4096   1000- 2000
--   cudaMemcpyAsync  2  4096   3000- 3500   HtoD 8192 B      7   4000- 5000
--   cudaLaunchKernel 3  4096   6000- 6400   axpy<float>      7   7000- 9000
--   cudaLaunchKernel 4  4096   6500- 6800   axpy<double>     7   9100-10000
--   cuLaunchKernelEx 5  4096   7000- 7300   triton_add      13  10100-12100
--   cudaMemsetAsync  6  4096   8000- 8200   fill 0, 4096 B   7  12500-12800
--   cudaMemcpyAsync  7  4096   8500-14500   DtoH 4096 B      7  13000-14000
--   cudaStreamSynchronize
--                    8  4096  15000-15500   sync, stream     7  15100-15400
--   cudaDeviceSynchronize
--                    9  4096  16000-17000   sync, context    -  16100-16900
--   cudaLaunchKernel 10 4097   6600- 6900   reduce          13  12200-12900
--
--   range                tid   ns            colour   domain
--   iteration           4096   2500-15600    #76b900
--   copy in             4096   2900- 3600
--   compute             4096   5900- 7400    #0000ff  App (registered string)
--   request 1 (start/end)
--                       4096   5000-12000
--   work                4097   6550- 6950
--   checkpoint (mark)   4096   15800
--
-- Rows: PROCESSES 1, ThreadNames 2, RUNTIME 10, KERNEL 4, MEMCPY 2, MEMSET 1,
-- SYNCHRONIZATION 2, NVTX_EVENTS 7, OSRT_API 2, OSRT_CALLCHAINS 2,
-- SCHED_EVENTS 4, COMPOSITE_EVENTS 2, SAMPLING_CALLCHAINS 4.
-- 33 events, not counting the domain. 7 operations, each with its call: 6 were
-- launched by thread 4096, 1 by 4097. The kernels take 5600 ns; they have 4
-- symbols and 3 base names (axpy is a template, used with two types).

BEGIN;
CREATE TABLE StringIds (
    -- as nsys writes it: comments inside

    id                          INTEGER   NOT NULL   PRIMARY KEY,      -- the id
    value                       TEXT      NOT NULL                     -- the (string), "value"
);
INSERT INTO StringIds VALUES
	(1, 'app'), (2, 'worker'), (3, 'App'),
	(10, 'cudaMalloc_v3020'), (11, 'cudaMemcpyAsync_v3020'),
	(12, 'cudaLaunchKernel_v7000'), (13, 'cuLaunchKernelEx'),
	(14, 'cudaMemsetAsync_v3020'), (15, 'cudaStreamSynchronize_v3020'),
	(16, 'cudaDeviceSynchronize_v3020'),
	(20, 'axpy'),
	(21, 'void axpy<float>(int, T1, const T1 *, T1 *)'),
	(22, '_Z4axpyIfEviT_PKS0_PS0_'),
	(23, 'void axpy<double>(int, T1, const T1 *, T1 *)'),
	(24, '_Z4axpyIdEviT_PKS0_PS0_'),
	(25, 'triton_add'), (26, 'reduce'), (27, 'reduce(const float *, float *)'),
	(28, '_Z6reducePKfPf'),
	(30, 'compute'), (40, 'poll'), (41, 'read'),
	(50, 'main'), (51, 'solve'), (52, '/usr/bin/app'), (53, '0x7f0000001234'),
	(54, 'libc.so.6');

CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES
	('EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'),
	('EXPORT_PRODUCT_VERSION', '2025.5.1.121'),
	('EXPORT_SCHEMA_VERSION', '3.23.3'), ('EXPORT_ARCH', 'x64');
CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_CAPTURE VALUES
	('DEVICE_DISPLAY_NAME', 'host1'), ('PROCESS_0:COMMAND', 'app'),
	('PROCESS_0:ARGUMENT_0', '--size'), ('PROCESS_0:ARGUMENT_1', '1024');
CREATE TABLE ANALYSIS_DETAILS (
	globalVid INTEGER NOT NULL, duration INTEGER NOT NULL,
	startTime INTEGER NOT NULL, stopTime INTEGER NOT NULL);
INSERT INTO ANALYSIS_DETAILS VALUES (0x1000000000000, 20000, 500000, 520000);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (
	utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES
	(1760000000123456789, '2025-10-09T08:53:20', '2025-10-09T10:53:20');
CREATE TABLE TARGET_INFO_SYSTEM_ENV (
	globalVid INTEGER, devStateName TEXT NOT NULL, name TEXT NOT NULL,
	nameEnum INTEGER NOT NULL, value TEXT NOT NULL);
INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES
	(0x1000000000000, 'Local (CLI)', 'OsDescription', 605, 'Debian 12'),
	(0x1000000000000, 'Local (CLI)', 'Hostname', 619, 'host1');
CREATE TABLE TARGET_INFO_GPU (
	vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, busLocation TEXT,
	isDiscrete INTEGER, l2CacheSize INTEGER, totalMemory INTEGER,
	memoryBandwidth INTEGER, clockRate INTEGER, smCount INTEGER,
	pwGpuId INTEGER, uuid TEXT, luid INTEGER, chipName TEXT,
	cuDevice INTEGER, ctxswDevPath TEXT, ctrlDevPath TEXT, revision INTEGER,
	nodeMask INTEGER, constantMemory INTEGER, maxIPC INTEGER,
	maxRegistersPerBlock INTEGER, maxShmemPerBlock INTEGER,
	maxShmemPerBlockOptin INTEGER, maxShmemPerSm INTEGER,
	maxRegistersPerSm INTEGER, threadsPerWarp INTEGER, asyncEngines INTEGER,
	maxWarpsPerSm INTEGER, maxBlocksPerSm INTEGER, maxThreadsPerBlock INTEGER,
	maxBlockDimX INTEGER, maxBlockDimY INTEGER, maxBlockDimZ INTEGER,
	maxGridDimX INTEGER, maxGridDimY INTEGER, maxGridDimZ INTEGER,
	computeMajor INTEGER, computeMinor INTEGER, smMajor INTEGER,
	smMinor INTEGER);
INSERT INTO TARGET_INFO_GPU VALUES
	(0x1000000000000, 0, 'NVIDIA A100-SXM4-40GB', '0000:07:00.0', 1, 41943040,
	42298834944, 1555200000000, 1410000000, 108, 0,
	'01234567-89ab-cdef-0123-456789abcdef', 0, 'GA100', 0, '', '', 161, 0,
	65536, 4, 65536, 49152, 166912, 167936, 65536, 32, 3, 64, 32, 1024, 1024,
	1024, 64, 2147483647, 65535, 65535, 8, 0, 8, 0);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (
	gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL);
INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 4096);
CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (
	nullStreamId INTEGER NOT NULL, hwId INTEGER NOT NULL,
	vmId INTEGER NOT NULL, processId INTEGER NOT NULL,
	deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
	parentContextId INTEGER, isGreenContext INTEGER);
INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO VALUES (7, 0, 1, 4096, 0, 1, 0, 0);
CREATE TABLE TARGET_INFO_CUDA_STREAM (
	streamId INTEGER NOT NULL, hwId INTEGER NOT NULL, vmId INTEGER NOT NULL,
	processId INTEGER NOT NULL, contextId INTEGER NOT NULL,
	priority INTEGER NOT NULL, flag INTEGER NOT NULL);
INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (13, 0, 1, 4096, 1, 0, 2);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
INSERT INTO PROCESSES VALUES (0x1001000000000, 4096, 'app');
CREATE TABLE ThreadNames (
	nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
INSERT INTO ThreadNames VALUES
	(1, 20, 0x1001000001000), (2, 19, 0x1001000001001);

CREATE TABLE ENUM_CUDA_MEMCPY_OPER (
	id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES
	(1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device'),
	(2, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host');
CREATE TABLE ENUM_CUDA_MEM_KIND (
	id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUDA_MEM_KIND VALUES
	(0, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE', 'Pageable'),
	(1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned'),
	(2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', 'Device');

CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
	start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
	globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL,
	returnValue INTEGER NOT NULL, callchainId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
	( 1000,  2000, 0, 0x1001000001000,  1, 10, 0, NULL),
	( 3000,  3500, 0, 0x1001000001000,  2, 11, 0, NULL),
	( 6000,  6400, 0, 0x1001000001000,  3, 12, 0, NULL),
	( 6500,  6800, 0, 0x1001000001000,  4, 12, 0, NULL),
	( 8000,  8200, 0, 0x1001000001000,  6, 14, 0, NULL),
	( 8500, 14500, 0, 0x1001000001000,  7, 11, 0, NULL),
	(15000, 15500, 0, 0x1001000001000,  8, 15, 0, NULL),
	(16000, 17000, 0, 0x1001000001000,  9, 16, 0, NULL),
	( 7000,  7300, 1, 0x1001000001000,  5, 13, 0, NULL),
	( 6600,  6900, 0, 0x1001000001001, 10, 12, 0, NULL);

CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
	start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
	contextId INTEGER NOT NULL, greenContextId INTEGER,
	streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
	demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL,
	mangledName INTEGER, launchType INTEGER, cacheConfig INTEGER,
	registersPerThread INTEGER NOT NULL,
	gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL,
	blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL,
	staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL,
	localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL,
	gridId INTEGER NOT NULL, sharedMemoryExecuted INTEGER,
	graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
	( 7000,  9000, 0, 1, 0,  7,  3, 0x1001000000000, 21, 20, 22, 1, 1, 32,
		256, 1, 1, 128, 1, 1, 0, 0, 0, 0, 1, 8192, NULL, 0),
	( 9100, 10000, 0, 1, 0,  7,  4, 0x1001000000000, 23, 20, 24, 1, 1, 34,
		128, 2, 1, 64, 2, 1, 0, 0, 0, 0, 2, 8192, NULL, 0),
	(10100, 12100, 0, 1, 0, 13,  5, 0x1001000000000, 25, 25, 25, 1, 1, 40,
		64, 1, 1, 32, 4, 1, 0, 16384, 0, 0, 3, 32768, NULL, 0),
	(12200, 12900, 0, 1, 0, 13, 10, 0x1001000000000, 27, 26, 28, 2, 1, 24,
		1, 1, 1, 1024, 1, 1, 4096, 0, 8, 131072, 4, 8192, NULL, 0);

CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (
	start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
	contextId INTEGER NOT NULL, greenContextId INTEGER,
	streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
	bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL,
	deprecatedSrcId INTEGER, srcKind INTEGER, dstKind INTEGER,
	srcDeviceId INTEGER, srcContextId INTEGER, dstDeviceId INTEGER,
	dstContextId INTEGER, migrationCause INTEGER, graphNodeId INTEGER,
	virtualAddress INTEGER, copyCount INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES
	( 4000,  5000, 0, 1, 0, 7, 2, 0x1001000000000, 8192, 1, NULL, 1, 2,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1),
	(13000, 14000, 0, 1, 0, 7, 7, 0x1001000000000, 4096, 2, NULL, 2, 0,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1);

CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (
	start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
	contextId INTEGER NOT NULL, greenContextId INTEGER,
	streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
	value INTEGER NOT NULL, bytes INTEGER NOT NULL, graphNodeId INTEGER,
	memKind INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES
	(12500, 12800, 0, 1, 0, 7, 6, 0x1001000000000, 0, 4096, NULL, 2);

CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (
	start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
	contextId INTEGER NOT NULL, greenContextId INTEGER,
	streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
	deprecatedSyncType INTEGER, syncType INTEGER NOT NULL,
	eventId INTEGER NOT NULL, eventSyncId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES
	(15100, 15400, 0, 1, 0, 7, 8, 0x1001000000000, NULL, 3, 4294967295, NULL),
	(16100, 16900, 0, 1, 0, 4294967295, 9, 0x1001000000000, NULL, 4,
		4294967295, NULL);

CREATE TABLE NVTX_EVENTS (
	start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,
	rangeId INTEGER, category INTEGER, color INTEGER, text TEXT,
	globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER,
	domainId INTEGER, uint64Value INTEGER, int64Value INTEGER,
	doubleValue REAL, uint32Value INTEGER, int32Value INTEGER,
	floatValue REAL, jsonTextId INTEGER, jsonText TEXT, binaryData TEXT);
INSERT INTO NVTX_EVENTS (start, end, eventType, rangeId, color, text,
	globalTid, textId, domainId) VALUES
	(  150,  NULL, 75, NULL, NULL, 'App',         0x1001000001000, NULL, 1),
	( 2500, 15600, 59, NULL, 0xff76b900, 'iteration',
	                                              0x1001000001000, NULL, 0),
	( 2900,  3600, 59, NULL, NULL, 'copy in',     0x1001000001000, NULL, 0),
	( 5000, 12000, 60,    1, NULL, 'request 1',   0x1001000001000, NULL, 0),
	( 5900,  7400, 59, NULL, 255,  NULL,          0x1001000001000,   30, 1),
	( 6550,  6950, 59, NULL, NULL, 'work',        0x1001000001001, NULL, 0),
	(15800,  NULL, 34, NULL, NULL, 'checkpoint',  0x1001000001000, NULL, 0);

CREATE TABLE OSRT_API (
	start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
	globalTid INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL,
	nestingLevel INTEGER, callchainId INTEGER NOT NULL,
	argumentsId INTEGER NOT NULL);
INSERT INTO OSRT_API VALUES
	(2100, 2400, 27, 0x1001000001000, 41, 512, 0, 1, 0),
	( 500, 6500, 27, 0x1001000001001, 40,   1, 0, 0, 0);
CREATE TABLE OSRT_CALLCHAINS (
	id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL,
	kernelMode INTEGER, thumbCode INTEGER, unresolved INTEGER,
	specialEntry INTEGER, originalIP INTEGER, unwindMethod INTEGER,
	stackDepth INTEGER NOT NULL, PRIMARY KEY (id, stackDepth));
INSERT INTO OSRT_CALLCHAINS VALUES
	(1, 41, 54, 0, 0, 0, 0, 139637976733252, 0, 0),
	(1, 50, 52, 0, 0, 0, 0, 4198400, 0, 1);

CREATE TABLE SCHED_EVENTS (
	start INTEGER NOT NULL, cpu INTEGER NOT NULL, isSchedIn INTEGER NOT NULL,
	globalTid INTEGER, threadState INTEGER, threadBlock INTEGER);
INSERT INTO SCHED_EVENTS VALUES
	(  200, 2, 1, 0x1001000001000, 0, NULL),
	(  300, 3, 1, 0x1001000001001, 0, NULL),
	(  510, 3, 0, 0x1001000001001, 2, NULL),
	( 6490, 3, 1, 0x1001000001001, 0, NULL);

CREATE TABLE COMPOSITE_EVENTS (
	id INTEGER NOT NULL PRIMARY KEY, start INTEGER NOT NULL, cpu INTEGER,
	threadState INTEGER, globalTid INTEGER, cpuCycles INTEGER NOT NULL);
INSERT INTO COMPOSITE_EVENTS VALUES
	(1, 2600, 2, 1, 0x1001000001000, 1),
	(2, 7600, 2, 1, 0x1001000001000, 1);
CREATE TABLE SAMPLING_CALLCHAINS (
	id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL,
	kernelMode INTEGER, thumbCode INTEGER, unresolved INTEGER,
	specialEntry INTEGER, originalIP INTEGER, unwindMethod INTEGER,
	stackDepth INTEGER NOT NULL, PRIMARY KEY (id, stackDepth));
INSERT INTO SAMPLING_CALLCHAINS VALUES
	(1, 51, 52, 0, 0, 0, 0, 4198912, 0, 0),
	(1, 50, 52, 0, 0, 0, 0, 4198400, 0, 1),
	(2, 53, 54, 0, 0, 1, 0, 139637976732212, 0, 0),
	(2, 50, 52, 0, 0, 0, 0, 4198400, 0, 1);
COMMIT;
