-- documented-old.sql - rarely seen tables as older versions wrote them (3.7.2)
--
-- As documented.sql, for what changed: same name, other columns, other meaning.
-- Process 4096 (0x1000), thread 4096.
--
--   ns           table                           what
--    1000- 1100  MPI_P2P_EVENTS                  without commUid
--    2000- 2500  MPI_COLLECTIVES_EVENTS          without commUid, requestHandle
--    3000- 3400  MPI_START_WAIT_EVENTS           1
--    3500        MPI_OTHER_EVENTS                MPI_Finalize, end NULL
--    5010- 5115  CUDA_GRAPH_EVENTS               here these are NODES:
--                                                graphNodeId, originalGraphNodeId
--    5005-11300  RUNTIME 3, KERNEL 2             corr 21, cudaGraphLaunch:
--                                                nodes 41 and 42, which are
--                                                clones of 31 and 32
--    6000- 6900  CUDA_GPU_MEMORY_USAGE_EVENTS    without streamId and pools
--    8000- 8300  CUDA_UM_CPU_ and GPU_ faults    without source lines
--   16000-16100  GPU_METRICS                     without rawTimestamp; one row
--                                                with timestamp NULL
--   17000-17100  GENERIC_EVENTS                  without id and globalTid
--   18000-18100  FECS_EVENTS                     later GPU_CONTEXT_SWITCH_EVENTS
--
-- Rows: ThreadNames 1, MPI_RANKS 1, MPI_P2P_EVENTS 1,
-- MPI_COLLECTIVES_EVENTS 1, MPI_START_WAIT_EVENTS 1, MPI_OTHER_EVENTS 1,
-- CUDA_GRAPH_EVENTS 4, RUNTIME 3, KERNEL 2, CUDA_GPU_MEMORY_USAGE_EVENTS 2,
-- CUDA_UM_CPU_PAGE_FAULT_EVENTS 1, CUDA_UM_GPU_PAGE_FAULT_EVENTS 1,
-- GPU_METRICS 3, GENERIC_EVENTS 2, FECS_EVENTS 2.

BEGIN;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
	(1, 'rank 0'), (4, 'MPI_Isend'), (6, 'MPI_Allreduce'), (8, 'MPI_Wait'),
	(9, 'MPI_Finalize'), (16, 'cudaGraphAddKernelNode_v10000'),
	(19, 'cudaGraphLaunch_v10000'), (20, 'solve'), (21, '/usr/bin/solver'),
	(22, 'k_a'), (23, 'k_b'), (24, 'cudaGraphInstantiate_v12000');
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES
	('EXPORT_PRODUCT_VERSION', '2023.4.4.54'),
	('EXPORT_SCHEMA_VERSION', '3.7.2');
CREATE TABLE ThreadNames (nameId, priority, globalTid);
INSERT INTO ThreadNames VALUES (1, 20, 0x1001000001000);

CREATE TABLE MPI_RANKS (globalTid, rank);
INSERT INTO MPI_RANKS VALUES (0x1001000001000, 0);
CREATE TABLE MPI_P2P_EVENTS (
	start, end, globalTid, textId, commHandle, tag, remoteRank, size,
	requestHandle);
INSERT INTO MPI_P2P_EVENTS VALUES
	(1000, 1100, 0x1001000001000, 4, 1140850688, 7, 1, 4096, 100);
CREATE TABLE MPI_COLLECTIVES_EVENTS (
	start, end, globalTid, textId, commHandle, rootRank, size, recvSize);
INSERT INTO MPI_COLLECTIVES_EVENTS VALUES
	(2000, 2500, 0x1001000001000, 6, 1140850688, NULL, 1024, 1024);
CREATE TABLE MPI_START_WAIT_EVENTS (start, end, globalTid, textId, requestHandle);
INSERT INTO MPI_START_WAIT_EVENTS VALUES (3000, 3400, 0x1001000001000, 8, 100);
CREATE TABLE MPI_OTHER_EVENTS (start, end, globalTid, textId);
INSERT INTO MPI_OTHER_EVENTS VALUES (3500, NULL, 0x1001000001000, 9);

CREATE TABLE CUDA_GRAPH_EVENTS (
	start, end, eventClass, globalTid, nameId, graphNodeId,
	originalGraphNodeId);
INSERT INTO CUDA_GRAPH_EVENTS VALUES
	(5010, 5015, 77, 0x1001000001000, 16, 31, NULL),
	(5020, 5025, 77, 0x1001000001000, 16, 32, NULL),
	(5110, 5112, 77, 0x1001000001000, 24, 41, 31),
	(5112, 5115, 77, 0x1001000001000, 24, 42, 32);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
	start, end, eventClass, globalTid, correlationId, nameId, returnValue,
	callchainId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
	( 5005,  5028, 0, 0x1001000001000, 11, 16, 0, NULL),
	( 5100,  5120, 0, 0x1001000001000, 12, 24, 0, NULL),
	(10000, 10100, 0, 0x1001000001000, 21, 19, 0, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
	start, end, deviceId DEFAULT 0, contextId DEFAULT 1, greenContextId,
	streamId DEFAULT 7, correlationId, globalPid DEFAULT 0x1001000000000,
	demangledName, shortName, mangledName, launchType DEFAULT 1, cacheConfig,
	registersPerThread DEFAULT 32, gridX DEFAULT 1, gridY DEFAULT 1,
	gridZ DEFAULT 1, blockX DEFAULT 32, blockY DEFAULT 1, blockZ DEFAULT 1,
	graphNodeId);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId,
	demangledName, shortName, graphNodeId) VALUES
	(10200, 10700, 21, 22, 22, 41), (10800, 11300, 21, 23, 23, 42);

CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (
	start, globalPid, deviceId, contextId, address, pc, bytes, memKind,
	memoryOperationType, name TEXT, correlationId);
INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES
	(6000, 0x1001000000000, 0, 1, 140660000000000, 0, 1048576, 2, 0, NULL, 31),
	(6900, 0x1001000000000, 0, 1, 140660000000000, 0, 1048576, 2, 1, NULL, 35);
CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (
	start, globalPid, address, originalFaultPc, CpuInstruction, module,
	unresolvedFaultPc);
INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS VALUES
	(8000, 0x1001000000000, 140660010004096, 4198912, 20, 21, 0);
CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (
	start, end, globalPid, deviceId, address, numberOfPageFaults,
	faultAccessType);
INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES
	(8200, 8300, 0x1001000000000, 0, 140660010012288, 12, 1);
CREATE TABLE TARGET_INFO_GPU_METRICS (
	typeId, sourceId, typeName TEXT, metricId, metricName TEXT);
INSERT INTO TARGET_INFO_GPU_METRICS VALUES
	(0x1000001000000, 0x1000000000000, 'GPU Metrics [0]', 1, 'SMs Active');
CREATE TABLE GPU_METRICS (timestamp, typeId, metricId, value);
INSERT INTO GPU_METRICS VALUES
	(16000, 0x1000001000000, 1, 10), (NULL, 0x1000001000000, 1, 11),
	(16100, 0x1000001000000, 1, 12);
CREATE TABLE GENERIC_EVENT_SOURCES (sourceId INTEGER PRIMARY KEY, data TEXT);
INSERT INTO GENERIC_EVENT_SOURCES VALUES (1, '{"Name":"Wattmeter"}');
CREATE TABLE GENERIC_EVENT_TYPES (typeId INTEGER PRIMARY KEY, sourceId, data TEXT);
INSERT INTO GENERIC_EVENT_TYPES VALUES
	(7, 1, '{"Name":"Reading","Fields":[{"Name":"power"}]}');
CREATE TABLE GENERIC_EVENTS (rawTimestamp, timestamp, typeId, data TEXT);
INSERT INTO GENERIC_EVENTS VALUES
	(901000, 17000, 7, '{"power":311.5}'), (901100, 17100, 7, '{"power":312}');
CREATE TABLE FECS_EVENTS (tag, vmId, seqNo, contextId, timestamp, globalPid, gpuId);
INSERT INTO FECS_EVENTS VALUES
	(7, 0x1000000000000, 1, 1, 18000, 0x1001000000000, 0),
	(8, 0x1000000000000, 2, 1, 18100, 0x1001000000000, 0);
COMMIT;
