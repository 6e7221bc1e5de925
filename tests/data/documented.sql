-- documented.sql - the tables that are documented but rarely seen (schema 3.30.1)
--
-- Two processes: 4096 (0x1000) is MPI rank 0, 8192 (0x2000) rank 1; threads 4096
-- "rank 0", 4097 and 8192. Each kind has a time of its own:
--
--   ns           table                             what
--     100-  900  MPI_OTHER_EVENTS                  MPI_Init, both ranks
--    1000- 1300  MPI_P2P_EVENTS                    MPI_Isend 4096 B tag 7 to 1;
--                                                  MPI_Recv from 0, end NULL
--    2000- 2700  MPI_COLLECTIVES_EVENTS            MPI_Allreduce (no root),
--                                                  MPI_Bcast root 0
--    3000- 3400  MPI_START_WAIT_EVENTS             MPI_Wait
--    4000- 4500  UCP_SUBMIT_, UCP_PROGRESS_, UCP_EVENTS  the last without end
--    5000- 5400  CUDA_GRAPH_EVENTS, _NODE_EVENTS   created, cloned, instantiated
--    6000- 6900  CUDA_GPU_MEMORY_USAGE_EVENTS      4 alloc, 2 free (instants)
--    6050- 6850  CUDA_GPU_MEMORY_POOL_EVENTS       created, trimmed, destroyed
--    7000- 7600  CUDNN_EVENTS, CUBLAS_EVENTS       one call each
--    8000- 8900  CUDA_UM_CPU_ and GPU_PAGE_FAULT_EVENTS  2 and 2
--    9000- 9600  SYSCALL                           2, one with a call stack
--    9700        DIAGNOSTIC_EVENT                  severity 3
--    9900-12000  RUNTIME, GRAPH_TRACE              graph 4, exec 5, by call 21,
--                                                  whose stack is in
--                                                  CUDA_CALLCHAINS
--   12100-12900  _MEM_DECOMPRESS, _JIT, CUDA_HOST_CALLBACK,
--                _GRAPH_HOST_NODE_AND_HOST_LAUNCH  one each
--   13000-13900  ..._OPENACC_DATA, _LAUNCH, _OTHER 2, 1, 1
--   14000-15799  OPENMP_EVENT_KIND_*               18 tables, one row each, 100
--                                                  apart; the even ones last 50,
--                                                  the odd ones 0
--   16000-16300  GPU_METRICS                       2 GPUs, 3 metrics, 4 times;
--                                                  metric 9 has no name
--   16000-16100  SOC_METRICS                       1 metric, 2 times
--   17000-17200  GENERIC_EVENTS                    3, JSON data; one without
--                                                  thread, one without data
--   18000-18300  GPU_CONTEXT_SWITCH_EVENTS         4
--   19000-19100  NVVIDEO_ENCODER_API               1
--   20000-22000  NVTX_EVENTS                       see there
--   -            FUTURE_EVENTS                     a table nobody knows yet
--
-- Rows: ThreadNames 2, PROCESSES 2, MPI_RANKS 2, MPI_COMMUNICATORS 2,
-- MPI_P2P_EVENTS 2, MPI_COLLECTIVES_EVENTS 3, MPI_START_WAIT_EVENTS 1,
-- MPI_OTHER_EVENTS 3, UCP_WORKERS 2, UCP_SUBMIT_EVENTS 1,
-- UCP_PROGRESS_EVENTS 1, UCP_EVENTS 2, CUDA_GRAPH_EVENTS 3,
-- CUDA_GRAPH_NODE_EVENTS 2, GRAPH_TRACE 1, RUNTIME 1, CUDA_CALLCHAINS 2,
-- CUDA_GPU_MEMORY_USAGE_EVENTS 6, CUDA_GPU_MEMORY_POOL_EVENTS 3,
-- CUDA_UM_CPU_PAGE_FAULT_EVENTS 2, CUDA_UM_GPU_PAGE_FAULT_EVENTS 2,
-- CUDNN_EVENTS 1, CUBLAS_EVENTS 1, SYSCALL 2, SYSCALL_CALLCHAINS 2,
-- DIAGNOSTIC_EVENT 1, NVVIDEO_ENCODER_API 1, MEM_DECOMPRESS 1, JIT 1,
-- CUDA_HOST_CALLBACK 1, GRAPH_HOST_NODE_AND_HOST_LAUNCH 1,
-- CUPTI_ACTIVITY_KIND_OPENACC_DATA 2, CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH 1,
-- CUPTI_ACTIVITY_KIND_OPENACC_OTHER 1,
-- 18 tables OPENMP_EVENT_KIND_* with 1 row each, GPU_METRICS 24,
-- SOC_METRICS 2, GENERIC_EVENTS 3, GPU_CONTEXT_SWITCH_EVENTS 4,
-- NVTX_EVENTS 31, NVTX_SCOPES 1, FUTURE_EVENTS 1.

BEGIN;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
	(1, 'rank 0'), (2, 'rank 1'), (3, 'MPI_Init'), (4, 'MPI_Isend'),
	(5, 'MPI_Recv'), (6, 'MPI_Allreduce'), (7, 'MPI_Bcast'), (8, 'MPI_Wait'),
	(9, 'MPI_Finalize'), (10, 'ucp_tag_send_nbx'),
	(11, 'ucp_worker_progress'), (12, 'ucp_init'), (13, 'Graph Creation'),
	(14, 'Graph Clone'), (15, 'GraphExec Creation'), (16, 'Graph Node Creation'),
	(17, 'cudnnConvolutionForward'), (18, 'cublasSgemm_v2'),
	(19, 'cudaGraphLaunch_v10000'), (20, 'solve'), (21, '/usr/bin/solver'),
	(22, 'main'), (23, 'openat'), (24, 'futex'), (25, 'solver.c'),
	(26, 'jit_compile'), (27, 'on_done'), (28, 'acc_enter_data'),
	(29, 'acc_upload'), (30, 'acc_launch'), (31, 'acc_wait'),
	(32, 'field'), (33, 'step_112_gpu'), (34, 'NvEncEncodePicture'),
	(35, 'Compute'), (36, '{"iteration":3,"loss":0.5}'), (37, 'kB/s'),
	(38, 'Wattmeter'), (39, 'Reading'), (40, 'power'),
	(41, 'thread begin'), (42, 'parallel'), (43, 'sync region wait'),
	(44, 'sync region'), (45, 'task'), (46, 'master'), (47, 'reduction'),
	(48, 'task create'), (49, 'task schedule'), (50, 'cancel'),
	(51, 'mutex wait'), (52, 'critical section'), (53, 'mutex released'),
	(54, 'lock init'), (55, 'lock destroy'), (56, 'workshare'),
	(57, 'dispatch'), (58, 'flush');
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES
	('EXPORT_PRODUCT_VERSION', '2026.5.1.100'),
	('EXPORT_SCHEMA_VERSION', '3.30.1');
CREATE TABLE ThreadNames (nameId, priority, globalTid);
INSERT INTO ThreadNames VALUES
	(1, 20, 0x1001000001000), (2, 20, 0x1002000002000);
CREATE TABLE PROCESSES (globalPid, pid, name TEXT);
INSERT INTO PROCESSES VALUES
	(0x1001000000000, 4096, 'solver'), (0x1002000000000, 8192, 'solver');

-- MPI: textId may be registered, end may be NULL
CREATE TABLE MPI_RANKS (globalTid, rank);
INSERT INTO MPI_RANKS VALUES (0x1001000001000, 0), (0x1002000002000, 1);
CREATE TABLE MPI_COMMUNICATORS (
	rank, timestamp, commHandle, parentHandle, localRank, size, groupRoot,
	groupRootUid, members TEXT, commUid);
INSERT INTO MPI_COMMUNICATORS VALUES
	(0, 890, 1140850688, NULL, 0, 2, 0, 1, '0,1', 1),
	(1, 890, 1140850688, NULL, 1, 2, 0, 1, '0,1', 1);
CREATE TABLE MPI_P2P_EVENTS (
	start, end, globalTid, textId, commHandle, commUid, tag, remoteRank,
	size, requestHandle);
INSERT INTO MPI_P2P_EVENTS VALUES
	(1000, 1100, 0x1001000001000, 4, 1140850688, 1, 7, 1, 4096, 100),
	(1200, NULL, 0x1002000002000, 5, 1140850688, 1, 7, 0, 4096, NULL);
CREATE TABLE MPI_COLLECTIVES_EVENTS (
	start, end, globalTid, textId, commHandle, commUid, rootRank, size,
	recvSize, requestHandle);
INSERT INTO MPI_COLLECTIVES_EVENTS VALUES
	(2000, 2500, 0x1001000001000, 6, 1140850688, 1, NULL, 1024, 1024, NULL),
	(2100, 2500, 0x1002000002000, 6, 1140850688, 1, NULL, 1024, 1024, NULL),
	(2600, 2700, 0x1001000001000, 7, 1140850688, 1, 0, 512, NULL, NULL);
CREATE TABLE MPI_START_WAIT_EVENTS (start, end, globalTid, textId, requestHandle);
INSERT INTO MPI_START_WAIT_EVENTS VALUES (3000, 3400, 0x1001000001000, 8, 100);
CREATE TABLE MPI_OTHER_EVENTS (start, end, globalTid, textId);
INSERT INTO MPI_OTHER_EVENTS VALUES
	(100, 900, 0x1001000001000, 3), (110, 900, 0x1002000002000, 3),
	(22500, NULL, 0x1001000001000, 9);
CREATE TABLE UCP_WORKERS (globalTid, workerUid);
INSERT INTO UCP_WORKERS VALUES (0x1001000001000, 11), (0x1002000002000, 12);
CREATE TABLE UCP_SUBMIT_EVENTS (
	start, end, globalTid, textId, bufferAddr, packedSize, peerWorkerUid, tag);
INSERT INTO UCP_SUBMIT_EVENTS VALUES
	(4000, 4050, 0x1001000001000, 10, 139637976727552, 4096, 12, 7);
CREATE TABLE UCP_PROGRESS_EVENTS (
	start, end, globalTid, textId, bufferAddr, packedSize, peerWorkerUid, tag);
INSERT INTO UCP_PROGRESS_EVENTS VALUES
	(4100, 4200, 0x1002000002000, 11, 139637976731648, 4096, 11, 7);
CREATE TABLE UCP_EVENTS (start, end, globalTid, textId);
INSERT INTO UCP_EVENTS VALUES
	(4300, 4400, 0x1001000001000, 12), (4500, NULL, 0x1002000002000, 12);

-- CUDA graphs: here the graphs, and in a table of their own the nodes
CREATE TABLE CUDA_GRAPH_EVENTS (
	start, end, eventClass, globalTid, nameId, graphId, originalGraphId,
	graphExecId);
INSERT INTO CUDA_GRAPH_EVENTS VALUES
	(5000, 5000, 95, 0x1001000001000, 13, 3, NULL, NULL),
	(5100, 5120, 96, 0x1001000001000, 14, 4, 3, NULL),
	(5200, 5290, 94, 0x1001000001000, 15, 4, NULL, 5);
CREATE TABLE CUDA_GRAPH_NODE_EVENTS (
	start, end, eventClass, globalTid, nameId, graphNodeId,
	originalGraphNodeId);
INSERT INTO CUDA_GRAPH_NODE_EVENTS VALUES
	(5010, 5015, 77, 0x1001000001000, 16, 31, NULL),
	(5110, 5115, 77, 0x1001000001000, 16, 41, 31);
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (
	start, end, deviceId, contextId, greenContextId, streamId, correlationId,
	globalPid, graphId, graphExecId);
INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES
	(10000, 12000, 0, 1, 0, 7, 21, 0x1001000000000, 4, 5);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
	start, end, eventClass, globalTid, correlationId, nameId, returnValue,
	callchainId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
	(9900, 9990, 0, 0x1001000001000, 21, 19, 0, 1);
CREATE TABLE CUDA_CALLCHAINS (
	id INTEGER, symbol, module, unresolved, originalIP, stackDepth,
	PRIMARY KEY (id, stackDepth));
INSERT INTO CUDA_CALLCHAINS VALUES
	(1, 20, 21, 0, 4198912, 0), (1, 22, 21, 0, 4198400, 1);

-- Memory: operation 0 alloc, 1 free; kind 2 device, 4 managed, 5 static
CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (
	start, globalPid, deviceId, contextId, address, pc, bytes, memKind,
	memoryOperationType, name TEXT, correlationId, streamId,
	localMemoryPoolAddress, localMemoryPoolReleaseThreshold,
	localMemoryPoolSize, localMemoryPoolUtilizedSize,
	importedMemoryPoolAddress, importedMemoryPoolProcessId);
INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES
	(6000, 0x1001000000000, 0, 1, 140660000000000, 0, 1048576, 2, 0, NULL,
		31, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(6100, 0x1001000000000, 0, 1, 140660010000000, 0, 2097152, 4, 0, NULL,
		32, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(6200, 0x1001000000000, 0, 1, 140660020000000, 0, 4096, 5, 0, 'table',
		NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(6300, 0x1001000000000, 0, 1, 140660030000000, 0, 65536, 2, 0, NULL,
		33, 13, 140660030000000, 0, 33554432, 65536, NULL, NULL),
	(6700, 0x1001000000000, 0, 1, 140660030000000, 0, 65536, 2, 1, NULL,
		34, 13, 140660030000000, 0, 33554432, 0, NULL, NULL),
	(6900, 0x1001000000000, 0, 1, 140660000000000, 0, 1048576, 2, 1, NULL,
		35, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE CUDA_GPU_MEMORY_POOL_EVENTS (
	start, globalPid, deviceId, address, operationType, poolType,
	correlationId, minBytesToKeep, localMemoryPoolReleaseThreshold,
	localMemoryPoolSize, localMemoryPoolUtilizedSize);
INSERT INTO CUDA_GPU_MEMORY_POOL_EVENTS VALUES
	(6050, 0x1001000000000, 0, 140660030000000, 1, 1, 36, NULL, 0, 0, 0),
	(6800, 0x1001000000000, 0, 140660030000000, 3, 1, 37, 4096, 0, 4096, 0),
	(6850, 0x1001000000000, 0, 140660030000000, 2, 2, 38, NULL, NULL, NULL,
		NULL);
CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (
	start, globalPid, address, originalFaultPc, CpuInstruction, module,
	unresolvedFaultPc, sourceFile, sourceLine);
INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS VALUES
	(8000, 0x1001000000000, 140660010004096, 4198912, 20, 21, 0, 25, 112),
	(8100, 0x1001000000000, 140660010008192, 4198920, 20, 21, 1, NULL, NULL);
CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (
	start, end, globalPid, deviceId, address, numberOfPageFaults,
	faultAccessType);
INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES
	(8200, 8300, 0x1001000000000, 0, 140660010012288, 12, 1),
	(8400, 8900, 0x1001000000000, 0, 140660010016384, 3, 2);

-- Libraries, system calls
CREATE TABLE CUDNN_EVENTS (start, end, eventClass, globalTid, nameId);
INSERT INTO CUDNN_EVENTS VALUES (7000, 7300, 28, 0x1001000001000, 17);
CREATE TABLE CUBLAS_EVENTS (start, end, eventClass, globalTid, nameId);
INSERT INTO CUBLAS_EVENTS VALUES (7400, 7600, 29, 0x1001000001000, 18);
CREATE TABLE SYSCALL (start, end, eventClass, globalTid, nameId, callchainId);
INSERT INTO SYSCALL VALUES
	(9000, 9100, 107, 0x1001000001000, 23, 1),
	(9200, 9600, 107, 0x1001000001001, 24, 0);
CREATE TABLE SYSCALL_CALLCHAINS (
	id INTEGER, symbol, module, kernelMode, thumbCode, unresolved,
	specialEntry, originalIP, unwindMethod, stackDepth,
	PRIMARY KEY (id, stackDepth));
INSERT INTO SYSCALL_CALLCHAINS VALUES
	(1, 23, 21, 0, 0, 0, 0, 4198916, 0, 0), (1, 22, 21, 0, 0, 0, 0, 4198400, 0, 1);
CREATE TABLE DIAGNOSTIC_EVENT (
	timestamp, timestampType, source, severity, text TEXT, globalPid);
INSERT INTO DIAGNOSTIC_EVENT VALUES
	(9700, 1, 1, 3, 'The event buffer was full.', 0x1001000000000);
CREATE TABLE NVVIDEO_ENCODER_API (start, end, eventClass, globalTid, nameId);
INSERT INTO NVVIDEO_ENCODER_API VALUES (19000, 19100, 83, 0x1001000001000, 34);

-- What CUDA 13 added
CREATE TABLE CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS (
	start, end, eventClass, deviceId, contextId, streamId, correlationId,
	globalPid, ChannelID, sourceBytes, NumberOfOperations);
INSERT INTO CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS VALUES
	(12100, 12200, 80, 0, 1, 7, 41, 0x1001000000000, 2, 65536, 4);
CREATE TABLE CUPTI_ACTIVITY_KIND_JIT (
	start, end, eventClass, globalTid, correlationId, nameId, overheadType,
	jitEntryType, jitOperationType, deviceId, jitOperationCorrelationId,
	cacheSize, cachePath TEXT);
INSERT INTO CUPTI_ACTIVITY_KIND_JIT VALUES
	(12300, 12500, 102, 0x1001000001000, 42, 26, 2, 1, 3, 0, 1, NULL, NULL);
CREATE TABLE CUDA_HOST_CALLBACK (
	start, end, eventClass, globalTid, correlationId, nameId);
INSERT INTO CUDA_HOST_CALLBACK VALUES
	(12600, 12700, 26, 0x1001000001001, 43, 27);
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH (
	start, end, deviceId, contextId, greenContextId, streamId, correlationId,
	globalPid, graphNodeId, graphId);
INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH VALUES
	(12590, 12900, 0, 1, 0, 7, 43, 0x1001000000000, NULL, NULL);

-- OpenACC
CREATE TABLE CUPTI_ACTIVITY_KIND_OPENACC_DATA (
	start, end, nameId, globalTid, eventKind, DeviceType, lineNo, cuDeviceId,
	cuContextId, cuStreamId, srcFile, funcName, bytes, varName);
INSERT INTO CUPTI_ACTIVITY_KIND_OPENACC_DATA VALUES
	(13000, 13400, 28, 0x1001000001000, 11, 4, 110, 0, 1, 13, 25, 20, 0, NULL),
	(13100, 13300, 29, 0x1001000001000, 5, 4, 110, 0, 1, 13, 25, 20, 8192, 32);
CREATE TABLE CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH (
	start, end, nameId, globalTid, eventKind, DeviceType, lineNo, cuDeviceId,
	cuContextId, cuStreamId, srcFile, funcName, numGangs, numWorkers,
	vectorLength, kernelName);
INSERT INTO CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH VALUES
	(13500, 13600, 30, 0x1001000001000, 4, 4, 112, 0, 1, 13, 25, 20, 128, 1,
		128, 33);
CREATE TABLE CUPTI_ACTIVITY_KIND_OPENACC_OTHER (
	start, end, nameId, globalTid, eventKind, DeviceType, lineNo, cuDeviceId,
	cuContextId, cuStreamId, srcFile, funcName);
INSERT INTO CUPTI_ACTIVITY_KIND_OPENACC_OTHER VALUES
	(13700, 13900, 31, 0x1001000001000, 7, 4, 120, 0, 1, 13, NULL, NULL);

-- OpenMP: eventKind 27 thread, 28 parallel, 29 ... as the names say
CREATE TABLE OPENMP_EVENT_KIND_THREAD (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	threadId, threadType);
INSERT INTO OPENMP_EVENT_KIND_THREAD VALUES
	(14000, 14050, 78, 0x1001000001000, NULL, 41, 27, 1, 1);
CREATE TABLE OPENMP_EVENT_KIND_PARALLEL (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	parallelId, parentTaskId);
INSERT INTO OPENMP_EVENT_KIND_PARALLEL VALUES
	(14100, 14100, 78, 0x1001000001000, NULL, 42, 28, 1, 0);
CREATE TABLE OPENMP_EVENT_KIND_SYNC_REGION_WAIT (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	parallelId, taskId, kind);
INSERT INTO OPENMP_EVENT_KIND_SYNC_REGION_WAIT VALUES
	(14200, 14250, 78, 0x1001000001000, NULL, 43, 29, 1, 2, 1);
CREATE TABLE OPENMP_EVENT_KIND_SYNC_REGION (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	parallelId, taskId, kind);
INSERT INTO OPENMP_EVENT_KIND_SYNC_REGION VALUES
	(14300, 14300, 78, 0x1001000001000, NULL, 44, 30, 1, 2, 1);
CREATE TABLE OPENMP_EVENT_KIND_TASK (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	parallelId, taskId, kind);
INSERT INTO OPENMP_EVENT_KIND_TASK VALUES
	(14400, 14450, 78, 0x1001000001000, NULL, 45, 31, 1, 2, 2);
CREATE TABLE OPENMP_EVENT_KIND_MASTER (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	parallelId, taskId);
INSERT INTO OPENMP_EVENT_KIND_MASTER VALUES
	(14500, 14500, 78, 0x1001000001000, NULL, 46, 32, 1, 2);
CREATE TABLE OPENMP_EVENT_KIND_REDUCTION (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	parallelId, taskId);
INSERT INTO OPENMP_EVENT_KIND_REDUCTION VALUES
	(14600, 14650, 78, 0x1001000001000, NULL, 47, 33, 1, 2);
CREATE TABLE OPENMP_EVENT_KIND_TASK_CREATE (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	parentTaskId, newTaskId);
INSERT INTO OPENMP_EVENT_KIND_TASK_CREATE VALUES
	(14700, 14700, 78, 0x1001000001000, NULL, 48, 15, 2, 3);
CREATE TABLE OPENMP_EVENT_KIND_TASK_SCHEDULE (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	parallelId, priorTaskId, priorTaskStatus, nextTaskId);
INSERT INTO OPENMP_EVENT_KIND_TASK_SCHEDULE VALUES
	(14800, 14850, 78, 0x1001000001000, NULL, 49, 16, 1, 2, 1, 3);
CREATE TABLE OPENMP_EVENT_KIND_CANCEL (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	taskId);
INSERT INTO OPENMP_EVENT_KIND_CANCEL VALUES
	(14900, 14900, 78, 0x1001000001000, NULL, 50, 17, 3);
CREATE TABLE OPENMP_EVENT_KIND_MUTEX_WAIT (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	kind, waitId, taskId);
INSERT INTO OPENMP_EVENT_KIND_MUTEX_WAIT VALUES
	(15000, 15050, 78, 0x1001000001000, NULL, 51, 34, 1, 9, 3);
CREATE TABLE OPENMP_EVENT_KIND_CRITICAL_SECTION (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	kind, waitId);
INSERT INTO OPENMP_EVENT_KIND_CRITICAL_SECTION VALUES
	(15100, 15100, 78, 0x1001000001000, NULL, 52, 35, 1, 9);
CREATE TABLE OPENMP_EVENT_KIND_MUTEX_RELEASED (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	kind, waitId, taskId);
INSERT INTO OPENMP_EVENT_KIND_MUTEX_RELEASED VALUES
	(15200, 15250, 78, 0x1001000001000, NULL, 53, 20, 1, 9, 3);
CREATE TABLE OPENMP_EVENT_KIND_LOCK_INIT (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	kind, waitId);
INSERT INTO OPENMP_EVENT_KIND_LOCK_INIT VALUES
	(15300, 15300, 78, 0x1001000001000, NULL, 54, 21, 1, 9);
CREATE TABLE OPENMP_EVENT_KIND_LOCK_DESTROY (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	kind, waitId);
INSERT INTO OPENMP_EVENT_KIND_LOCK_DESTROY VALUES
	(15400, 15450, 78, 0x1001000001000, NULL, 55, 22, 1, 9);
CREATE TABLE OPENMP_EVENT_KIND_WORKSHARE (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	kind, parallelId, taskId, count);
INSERT INTO OPENMP_EVENT_KIND_WORKSHARE VALUES
	(15500, 15500, 78, 0x1001000001000, NULL, 56, 36, 1, 1, 2, 1000);
CREATE TABLE OPENMP_EVENT_KIND_DISPATCH (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	kind, parallelId, taskId);
INSERT INTO OPENMP_EVENT_KIND_DISPATCH VALUES
	(15600, 15650, 78, 0x1001000001000, NULL, 57, 25, 1, 1, 2);
CREATE TABLE OPENMP_EVENT_KIND_FLUSH (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	threadId);
INSERT INTO OPENMP_EVENT_KIND_FLUSH VALUES
	(15700, 15700, 78, 0x1001000001000, NULL, 58, 26, 1);

-- Metrics: the low byte of typeId is the GPU. Metric 1 of GPU g at time n is
-- 10 * n + g, metric 2 is 100 - n, metric 9 is n.
CREATE TABLE TARGET_INFO_GPU_METRICS (
	typeId, sourceId, typeName TEXT, metricId, metricName TEXT);
INSERT INTO TARGET_INFO_GPU_METRICS VALUES
	(0x1000001000000, 0x1000000000000, 'GPU Metrics [0]', 1,
		'SMs Active [Throughput %]'),
	(0x1000001000000, 0x1000000000000, 'GPU Metrics [0]', 2,
		'GPC Clock Frequency [MHz]'),
	(0x1000001000001, 0x1000000000000, 'GPU Metrics [1]', 1,
		'SMs Active [Throughput %]'),
	(0x1000001000001, 0x1000000000000, 'GPU Metrics [1]', 2,
		'GPC Clock Frequency [MHz]');
CREATE TABLE GPU_METRICS (rawTimestamp, timestamp, typeId, metricId, value);
INSERT INTO GPU_METRICS
WITH RECURSIVE tick(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM tick WHERE n < 3)
SELECT 900000 + 100 * n, 16000 + 100 * n, 0x1000001000000 | gpu, metric,
	CASE metric WHEN 1 THEN 10 * n + gpu WHEN 2 THEN 100 - n ELSE n END
FROM tick, (SELECT 0 AS gpu UNION SELECT 1),
	(SELECT 1 AS metric UNION SELECT 2 UNION SELECT 9)
ORDER BY n, gpu, metric;
CREATE TABLE TARGET_INFO_SOC_METRICS (
	typeId, sourceId, typeName TEXT, metricId, metricName TEXT);
INSERT INTO TARGET_INFO_SOC_METRICS VALUES
	(0x1000002000000, 0x1000000000000, 'SoC Metrics', 1, 'EMC Active [%]');
CREATE TABLE SOC_METRICS (rawTimestamp, timestamp, typeId, metricId, value);
INSERT INTO SOC_METRICS VALUES
	(900000, 16000, 0x1000002000000, 1, 12),
	(900100, 16100, 0x1000002000000, 1, 13);

-- Generic events: the form is known only here
CREATE TABLE GENERIC_EVENT_SOURCES (
	sourceId INTEGER PRIMARY KEY, nameId, timeSourceId, sourceGroupId,
	hyperType TEXT, hyperVersion TEXT, hyperStructPrefix TEXT,
	hyperMacroPrefix TEXT, hyperFilterFlags, hyperDomain TEXT, data TEXT);
INSERT INTO GENERIC_EVENT_SOURCES (sourceId, nameId, timeSourceId,
	sourceGroupId, data) VALUES (1, 38, 3, 0, '{"Name":"Wattmeter"}');
CREATE TABLE GENERIC_EVENT_TYPES (
	typeId INTEGER PRIMARY KEY, sourceId, nameId, hyperComment TEXT,
	ftraceFormat TEXT, etwProviderId, etwProviderNameId, etwTaskId,
	etwTaskNameId, etwEventId, etwVersion, etwGuidHigh, etwGuidLow,
	etwGuid TEXT, data TEXT);
INSERT INTO GENERIC_EVENT_TYPES (typeId, sourceId, nameId, data) VALUES
	(7, 1, 39, '{"Name":"Reading","Fields":[{"Name":"power"}]}');
CREATE TABLE GENERIC_EVENT_TYPE_FIELDS (
	typeId, fieldIdx, fieldNameId, offset, size, type);
INSERT INTO GENERIC_EVENT_TYPE_FIELDS VALUES (7, 0, 40, 0, 8, 1);
CREATE TABLE GENERIC_EVENTS (
	genericEventId INTEGER PRIMARY KEY, rawTimestamp, timestamp, typeId,
	globalTid, data TEXT);
INSERT INTO GENERIC_EVENTS VALUES
	(1, 901000, 17000, 7, 0x1001000001000, '{"power":311.5}'),
	(2, 901100, 17100, 7, NULL, '{"power":312}'),
	(3, 901200, 17200, 7, 0x1001000001000, NULL);
CREATE TABLE GENERIC_EVENT_DATA (
	genericEventId, fieldIdx, intVal, uintVal, floatVal REAL, doubleVal REAL);
INSERT INTO GENERIC_EVENT_DATA VALUES (1, 0, NULL, NULL, NULL, 311.5);
CREATE TABLE GPU_CONTEXT_SWITCH_EVENTS (
	tag, vmId, seqNo, contextId, timestamp, globalPid, gpuId);
INSERT INTO GPU_CONTEXT_SWITCH_EVENTS VALUES
	(7, 0x1000000000000, 1, 1, 18000, 0x1001000000000, 0),
	(8, 0x1000000000000, 2, 1, 18100, 0x1001000000000, 0),
	(7, 0x1000000000000, 3, 1, 18200, 0x1002000000000, 0),
	(8, 0x1000000000000, 4, 1, 18300, 0x1002000000000, 0);

-- NVTX: one row for each type and each payload. In domain 1 "Compute" (its
-- name is registered), all on thread 4096 except the thread name.
CREATE TABLE NVTX_EVENTS (
	start, end, eventType, rangeId, category, color, text TEXT, globalTid,
	endGlobalTid, textId, domainId, uint64Value, int64Value,
	doubleValue REAL, uint32Value, int32Value, floatValue REAL, jsonTextId,
	jsonText TEXT, binaryData TEXT, eventId INTEGER NOT NULL PRIMARY KEY);
INSERT INTO NVTX_EVENTS (start, end, eventType, rangeId, category, color, text,
	globalTid, textId, domainId) VALUES
	(20000, NULL, 75, NULL, NULL, NULL, NULL, 0x1001000001000, 35, 1),
	(20005, NULL, 33, NULL, 3, NULL, 'io', 0x1001000001000, NULL, 1),
	(20010, NULL, 34, NULL, 3, 0xff102030, 'mark', 0x1001000001000, NULL, 1),
	(20020, NULL, 39, NULL, NULL, NULL, 'worker by NVTX', 0x1001000001001,
		NULL, 0),
	(20030, 20080, 59, NULL, 3, NULL, 'push/pop', 0x1001000001000, NULL, 1),
	(21200, 21250, 60, 77, 3, 0x00abcdef, 'start/end', 0x1001000001000,
		NULL, 1),
	(21300, 21350, 70, NULL, NULL, NULL, 'nvtxt push/pop', 0x1001000001000,
		NULL, 1),
	(21400, 21450, 71, 78, NULL, NULL, 'nvtxt start/end', 0x1001000001000,
		NULL, 1),
	(21460, NULL, 65, NULL, NULL, NULL, 'nvtxt mark', 0x1001000001000,
		NULL, 1),
	(21500, NULL, 75, NULL, NULL, NULL, 'Short-lived', 0x1001000001000,
		NULL, 2),
	(21510, 21520, 59, NULL, NULL, NULL, 'in it', 0x1001000001000, NULL, 2),
	(21550, NULL, 76, NULL, NULL, NULL, NULL, 0x1001000001000, NULL, 2),
	(21600, NULL, 97, NULL, NULL, NULL, 'device by NVTX', 0x1001000001000,
		NULL, 0),
	(21610, NULL, 98, NULL, NULL, NULL, 'context by NVTX', 0x1001000001000,
		NULL, 0),
	(21620, NULL, 99, NULL, NULL, NULL, 'stream by NVTX', 0x1001000001000,
		NULL, 0),
	(21700, NULL, 35, NULL, NULL, NULL, 'raw push', 0x1001000001000, NULL, 1),
	(21710, NULL, 36, NULL, NULL, NULL, NULL, 0x1001000001000, NULL, 1),
	(21720, NULL, 37, 79, NULL, NULL, 'raw start', 0x1001000001000, NULL, 1),
	(21730, NULL, 38, 79, NULL, NULL, NULL, 0x1001000001000, NULL, 1);
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId,
	uint64Value, int64Value, doubleValue, uint32Value, int32Value, floatValue,
	jsonTextId, jsonText, binaryData) VALUES
	(20100, 20150, 59, 'uint64', 0x1001000001000, 1,
		-1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(20200, 20250, 59, 'int64', 0x1001000001000, 1,
		NULL, -5, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(20300, 20350, 59, 'double', 0x1001000001000, 1,
		NULL, NULL, 0.125, NULL, NULL, NULL, NULL, NULL, NULL),
	(20400, 20450, 59, 'uint32', 0x1001000001000, 1,
		NULL, NULL, NULL, 4294967295, NULL, NULL, NULL, NULL, NULL),
	(20500, 20550, 59, 'int32', 0x1001000001000, 1,
		NULL, NULL, NULL, NULL, -7, NULL, NULL, NULL, NULL),
	(20600, 20650, 59, 'float', 0x1001000001000, 1,
		NULL, NULL, NULL, NULL, NULL, 1.5, NULL, NULL, NULL),
	(20700, 20750, 59, 'jsonTextId', 0x1001000001000, 1,
		NULL, NULL, NULL, NULL, NULL, NULL, 36, NULL, NULL),
	(20800, 20850, 59, 'jsonText', 0x1001000001000, 1,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL,
		'{"list":[1,2,{"deep":null}],"text":"a\"b"}', NULL),
	(20900, 20950, 59, 'not JSON', 0x1001000001000, 1,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{"cut":', NULL),
	(21000, 21050, 59, 'binaryData', 0x1001000001000, 1,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
		'AAECAwQFBgc='),
	(21100, 21150, 59, 'all', 0x1001000001000, 1,
		1, 2, 3.5, 4, 5, 6.5, 36, '{"a":1}', 'AA=='),
	(21160, NULL, 34, 'mark with payload', 0x1001000001000, 1,
		NULL, 9, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE NVTX_PAYLOAD_SCHEMAS (
	domainId, schemaId, name TEXT, type, flags, numEntries, payloadSize,
	alignTo);
INSERT INTO NVTX_PAYLOAD_SCHEMAS VALUES (1, 16777217, 'pair', 1, 0, 2, 8, 4);
CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (
	domainId, schemaId, idx, flags, type, name TEXT, description TEXT,
	arrayOrUnionDetail, offset);
INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES
	(1, 16777217, 0, 0, 5, 'first', 'the first number', NULL, 0),
	(1, 16777217, 1, 0, 5, 'second', NULL, NULL, 4);
CREATE TABLE NVTX_PAYLOAD_ENUMS (domainId, schemaId, name TEXT, numEntries, size);
INSERT INTO NVTX_PAYLOAD_ENUMS VALUES (1, 16777218, 'state', 2, 4);
CREATE TABLE NVTX_PAYLOAD_ENUM_ENTRIES (
	domainId, schemaId, idx, name TEXT, value, isFlag);
INSERT INTO NVTX_PAYLOAD_ENUM_ENTRIES VALUES
	(1, 16777218, 0, 'off', 0, 0), (1, 16777218, 1, 'on', 1, 0);
CREATE TABLE NVTX_SCOPES (domainId, scopeId, parentScopeId, path TEXT);
INSERT INTO NVTX_SCOPES VALUES (1, 1, 0, 'node/gpu');

CREATE TABLE FUTURE_EVENTS (start, end, globalTid, nameId, novelty);
INSERT INTO FUTURE_EVENTS VALUES (23000, 23100, 0x1001000001000, 20, 1);
COMMIT;
