-- mpi.sql - calls of MPI, and unified memory (schema 3.30.1)
--
-- Two processes: 4096 (0x1000) is rank 3, 8192 (0x2000) rank 5; threads 4096,
-- 4097 and 8192. 300 calls of each sort are made by rules, so that sums have
-- something to add up; what is special stands at the end of each table:
--
--   ns           what
--     10-  9999  calls by rules: p2p of 6 names, collectives of 4
--   10000-10900  MPI_Sendrecv, whose halves are equal: one row
--   11000-11900  MPI_Sendrecv to 1 and from 2: a row for each half; at the
--                same time one of the other rank
--   12000-12900  MPI_Isendrecv, whose halves differ in the tag only
--   13000        MPI_Recv from any rank (-2) that never ended, size NULL
--   14000-14001  MPI_Send of 0 B
--   15000        MPI_Barrier: neither root nor sizes
--   16000-16100  a name that is not in StringIds
--
-- Migrations by rules over 11 pages, which both processes have; host
-- faults, the last two without a source; device faults. What is special:
--
--   copy         what
--   DtoD         is no migration between host and device
--   UVM DtoD     nor is this
--   UVM HtoD     virtualAddress NULL: in no row of um_sum, but in the totals
--   UVM DtoH     0 ns: no throughput

BEGIN;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
	(1, 'rank 3'), (2, 'rank 5'), (10, 'MPI_Send'), (11, 'MPI_Recv'),
	(12, 'MPI_Isend'), (13, 'MPI_Irecv'), (14, 'MPI_Ssend'),
	(15, 'MPI_Mrecv'), (20, 'MPI_Allreduce'), (21, 'MPI_Bcast'),
	(22, 'MPI_Alltoall'), (23, 'MPI_Gather'), (30, 'MPI_Wait'),
	(31, 'MPI_Test'), (32, 'MPI_Comm_rank'), (33, 'MPI_Init'),
	(40, 'MPI_Sendrecv'), (41, 'MPI_Isendrecv'), (42, 'MPI_Barrier'),
	(50, 'solve'), (51, '0x55d0c0ffee00'), (52, 'in "it"'),
	(60, '/usr/bin/solver'), (61, 'libm.so, 6'), (70, 'solver.c'),
	(71, 'it, too.h');
CREATE TABLE ThreadNames (nameId, priority, globalTid);
INSERT INTO ThreadNames VALUES
	(1, 20, 0x1001000001000), (2, 20, 0x1002000002000);
CREATE TABLE PROCESSES (globalPid, pid, name TEXT);
INSERT INTO PROCESSES VALUES
	(0x1001000000000, 4096, 'solver'), (0x1002000000000, 8192, 'solver');

-- ---- MPI ----

CREATE TABLE MPI_RANKS (globalTid, rank);
INSERT INTO MPI_RANKS VALUES (0x1001000001000, 3), (0x1002000002000, 5);
CREATE TABLE MPI_P2P_EVENTS (
	start, end, globalTid, textId, commHandle, commUid, tag, remoteRank,
	size, requestHandle);
CREATE TABLE MPI_COLLECTIVES_EVENTS (
	start, end, globalTid, textId, commHandle, commUid, rootRank, size,
	recvSize, requestHandle);
CREATE TABLE MPI_START_WAIT_EVENTS (start, end, globalTid, textId, requestHandle);
CREATE TABLE MPI_OTHER_EVENTS (start, end, globalTid, textId);
CREATE TABLE threads (n INTEGER PRIMARY KEY, globalTid);
INSERT INTO threads VALUES
	(0, 0x1001000001000), (1, 0x1001000001001), (2, 0x1002000002000);
CREATE TABLE numbers (i INTEGER PRIMARY KEY);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299)
	INSERT INTO numbers SELECT i FROM n;

INSERT INTO MPI_P2P_EVENTS
	SELECT 10 + i * 30, 10 + i * 30 + i * 7919 % 29, globalTid,
		10 + i % 6, 1140850688, 1, i % 5, i * 3 % 8,
		(i * 7919 % 1013) << (i % 9), CASE WHEN i % 2 THEN i END
	FROM numbers JOIN threads ON n = i % 3;
INSERT INTO MPI_P2P_EVENTS VALUES
	(10000, 10900, 0x1001000001000, 40, 1140850688, 1, 7, 1, 4096, NULL),
	(11000, 11900, 0x1001000001000, 40, 1140850688, 1, 7, 1, 4096, NULL),
	(11000, 11900, 0x1002000002000, 40, 1140850688, 1, 7, 3, 1000, NULL),
	(11000, 11900, 0x1001000001000, 40, 1140850688, 1, 8, 2, 8192, NULL),
	(12000, 12900, 0x1002000002000, 41, 1140850688, 1, 1, 3, 512, 9),
	(12000, 12900, 0x1002000002000, 41, 1140850688, 1, 2, 3, 512, 9),
	(13000, NULL, 0x1001000001000, 11, 1140850688, 1, -1, -2, NULL, NULL),
	(14000, 14001, 0x1001000001000, 10, 1140850688, 1, 0, 0, 0, NULL),
	(16000, 16100, 0x1001000001000, 99, 1140850688, 1, 0, 0, 1, NULL);
INSERT INTO MPI_COLLECTIVES_EVENTS
	SELECT 15 + i * 30, 15 + i * 30 + i * 104729 % 23, globalTid,
		20 + i % 4, 1140850688, 1, CASE WHEN i % 4 IN (1, 3) THEN i % 7 END,
		i * 31 % 997 * 8,
		CASE WHEN i % 4 <> 1 THEN i * 37 % 991 * 4 END, NULL
	FROM numbers JOIN threads ON n = i % 3;
INSERT INTO MPI_COLLECTIVES_EVENTS VALUES
	(15000, 15500, 0x1001000001000, 42, 1140850688, 1, NULL, NULL, NULL, NULL);
INSERT INTO MPI_START_WAIT_EVENTS
	SELECT 20 + i * 30, 20 + i * 30 + i * 31 % 19, globalTid, 30 + i % 2, i
	FROM numbers JOIN threads ON n = i % 3;
INSERT INTO MPI_OTHER_EVENTS
	SELECT 25 + i * 30, 25 + i * 30 + i % 3, globalTid, 32 + (i = 0)
	FROM numbers JOIN threads ON n = i % 3;

-- ---- unified memory ----

CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (
	start, end, deviceId DEFAULT 0, contextId DEFAULT 1, streamId DEFAULT 7,
	correlationId, globalPid, bytes, copyKind, srcKind DEFAULT 4,
	dstKind DEFAULT 4, migrationCause DEFAULT 2, virtualAddress);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, globalPid, bytes, copyKind,
	virtualAddress)
	SELECT 20000 + i * 10, 20000 + i * 10 + 1 + i * 7 % 13,
		globalTid >> 24 << 24, 4096 * (1 + i * i % 5), 11 + (i % 7 > 3),
		140660010004480 + i * 5 % 11 * 65536
	FROM numbers JOIN threads ON n = i % 3;
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, globalPid, bytes, copyKind,
	virtualAddress) VALUES
	(24000, 24100, 0x1001000000000, 1048576, 8, NULL),
	(24200, 24300, 0x1001000000000, 65536, 13, 140660010004480),
	(24400, 24500, 0x1001000000000, 2097152, 11, NULL),
	(24600, 24600, 0x1001000000000, 4096, 12, 140669999996928);
CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (
	start, globalPid, address, originalFaultPc, CpuInstruction, module,
	unresolvedFaultPc, sourceFile, sourceLine);
INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS
	SELECT 30000 + i * 10, globalTid >> 24 << 24,
		140660010004480 + i % 14 * 65536, 4198912 + i % 4,
		50 + i % 3, 60 + i % 2, 0, CASE WHEN i % 3 < 2 THEN 70 + i % 2 END,
		CASE WHEN i % 3 < 2 THEN 100 + i % 2 END
	FROM numbers JOIN threads ON n = i % 3;
INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS VALUES
	(34000, 0x1001000000000, 140660000000000, NULL, 51, 60, 1, NULL, NULL),
	(34100, 0x1002000000000, 140660000000000, NULL, 51, 60, 1, NULL, NULL);
CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (
	start, end, globalPid, deviceId, address, numberOfPageFaults,
	faultAccessType);
INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS
	SELECT 40000 + i * 10, 40000 + i * 10 + i % 8, globalTid >> 24 << 24, 0,
		140660010004480 + i % 10 * 65536, 1 + i * 11 % 17, i % 6
	FROM numbers JOIN threads ON n = i % 3;
DROP TABLE threads;
DROP TABLE numbers;
COMMIT;
