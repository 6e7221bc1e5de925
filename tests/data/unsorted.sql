-- unsorted.sql - rows out of order in every table of events
--
-- RUNTIME is a concatenation of runs, one for each (globalTid, eventClass), as
-- in real exports; the last run is as long as the trace, so a window does not
-- help. The others are shuffled. Call n (n = 1 ... 60) runs from 1000 n to
-- 1000 n + 300 and launches kernel n, 1000 n + 400 to 1000 n + 900, on stream
-- 7 + n % 3; correlation id n; name "k" || (n % 5). Thread 4096 makes the calls
-- with n % 3 = 1, 4097 those with 2, and 4096 those with 0 by the driver API:
--
--   run 1   4096, class 0: n = 1, 4, 7 ... 58      ascending
--   run 2   4096, class 1: n = 3, 6, 9 ... 60      ascending
--   run 3   4097, class 0: n = 2, 5, 8 ... 59      ascending
--   run 4   4097: cudaEventQuery at 70000, 500, 70100: not even that
--
-- Rows of KERNEL stand in the order of (n * 37) % 61, NVTX in that of
-- (n * 23) % 61. Ranges "r" || n of 4096 last from 1000 n - 50 to 1000 n + 350.
-- Equal starts, different ends (the longer one goes first), at 80000:
--   NVTX    "short" 100 ns, "long" 300, mark, "middle" 200, "long too" 300
--   KERNEL  "k0" 10 ns on stream 20, "k2" 20 on 21, "k1" 30 on 22: no call
--   MEMCPY  90000 on stream 22, 80000-80500 on 23, 85000 on 22
--   MEMSET  90000, then 80000-80400, stream 24
--   SYNCHRONIZATION  95000, then 75000
--   OSRT    80000-80001 before 80000-80900; 79000 last
--   SCHED   rows descend in time: 80000, 60000 ... 0; in, out alternating
--   COMPOSITE_EVENTS  ids ascend, times descend
--
-- Rows: RUNTIME 63, KERNEL 63, MEMCPY 3, MEMSET 2, SYNCHRONIZATION 2,
-- NVTX_EVENTS 65, OSRT_API 3, SCHED_EVENTS 5, COMPOSITE_EVENTS 3,
-- SAMPLING_CALLCHAINS 4.

BEGIN;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
	(0, 'k0'), (1, 'k1'), (2, 'k2'), (3, 'k3'), (4, 'k4'),
	(10, 'cudaLaunchKernel_v7000'), (11, 'cuLaunchKernel'),
	(12, 'cudaEventQuery_v3020'), (13, 'read'), (14, 'main'), (15, 'app');
.read parts/tables.sql version
.read parts/tables.sql runtime
CREATE TEMP TABLE n AS
WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 60)
SELECT n FROM n;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
SELECT 1000 * n, 1000 * n + 300, 0, 0x1001000001000, n, 10, 0, NULL
FROM n WHERE n % 3 = 1 ORDER BY n;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
SELECT 1000 * n, 1000 * n + 300, 1, 0x1001000001000, n, 11, 0, NULL
FROM n WHERE n % 3 = 0 ORDER BY n;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
SELECT 1000 * n, 1000 * n + 300, 0, 0x1001000001001, n, 10, 0, NULL
FROM n WHERE n % 3 = 2 ORDER BY n;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
	(70000, 70050, 0, 0x1001000001001, 101, 12, 0, NULL),
	(  500,   550, 0, 0x1001000001001, 102, 12, 0, NULL),
	(70100, 70150, 0, 0x1001000001001, 103, 12, 0, NULL);
.read parts/tables.sql kernel
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, streamId, correlationId,
	demangledName, shortName)
SELECT 1000 * n + 400, 1000 * n + 900, 7 + n % 3, n, n % 5, n % 5
FROM n ORDER BY n * 37 % 61;
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, streamId, correlationId,
	demangledName, shortName) VALUES
	(80000, 80010, 20, 104, 0, 0), (80000, 80020, 21, 105, 2, 2),
	(80000, 80030, 22, 106, 1, 1);
.read parts/tables.sql memcpy
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, streamId, correlationId)
VALUES (90000, 90100, 22, 107), (80000, 80500, 23, 108), (85000, 85100, 22, 109);
.read parts/tables.sql memset
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (start, end, streamId, correlationId)
VALUES (90000, 90100, 24, 110), (80000, 80400, 24, 111);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	syncType, eventId);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES
	(95000, 95100, 0, 1, 7, 112, 0x1001000000000, 3, 4294967295),
	(75000, 75100, 0, 1, 7, 113, 0x1001000000000, 3, 4294967295);
.read parts/tables.sql nvtx
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid)
SELECT 1000 * n - 50, 1000 * n + 350, 59, 'r' || n, 0x1001000001000
FROM n ORDER BY n * 23 % 61;
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid) VALUES
	(80000, 80100, 59, 'short', 0x1001000001000),
	(80000, 80300, 59, 'long', 0x1001000001000),
	(80000,  NULL, 34, 'mark', 0x1001000001000),
	(80000, 80200, 59, 'middle', 0x1001000001000),
	(80000, 80300, 59, 'long too', 0x1001000001000);
CREATE TABLE OSRT_API (
	start, end, eventClass, globalTid, nameId, returnValue, nestingLevel,
	callchainId);
INSERT INTO OSRT_API VALUES
	(80000, 80001, 27, 0x1001000001001, 13, 0, 0, 0),
	(80000, 80900, 27, 0x1001000001000, 13, 0, 0, 0),
	(79000, 79100, 27, 0x1001000001000, 13, 0, 0, 0);
CREATE TABLE SCHED_EVENTS (start, cpu, isSchedIn, globalTid);
INSERT INTO SCHED_EVENTS VALUES
	(80000, 0, 1, 0x1001000001000), (60000, 0, 0, 0x1001000001000),
	(40000, 0, 1, 0x1001000001000), (20000, 0, 0, 0x1001000001000),
	(    0, 0, 1, 0x1001000001000);
CREATE TABLE COMPOSITE_EVENTS (
	id INTEGER PRIMARY KEY, start, cpu, threadState, globalTid, cpuCycles);
INSERT INTO COMPOSITE_EVENTS VALUES
	(1, 50000, 0, 1, 0x1001000001000, 1), (2, 30000, 0, 1, 0x1001000001000, 1),
	(3, 10000, 0, 1, 0x1001000001000, 1);
CREATE TABLE SAMPLING_CALLCHAINS (
	id INTEGER, symbol, module, kernelMode, thumbCode, unresolved,
	specialEntry, originalIP, unwindMethod, stackDepth,
	PRIMARY KEY (id, stackDepth));
INSERT INTO SAMPLING_CALLCHAINS VALUES
	(3, 14, 15, 0, 0, 0, 0, 100, 0, 1), (3, 13, 15, 0, 0, 0, 0, 200, 0, 0),
	(1, 13, 15, 0, 0, 0, 0, 200, 0, 0), (2, 14, 15, 0, 0, 0, 0, 100, 0, 0);
COMMIT;
