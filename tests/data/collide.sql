-- collide.sql - identities that collide unless the process is part of them
--
-- Three processes. 4096 "rank 0" and 8192 "rank 1" each see their GPU as device
-- 0, use context 1, stream 7 and correlation ids 1-4 (bugs 3 and 4). 12288
-- "trainer" (0x3000) uses two devices, 0 and 1, with the same stream number and
-- a correlation id for each (bug 5).
--
--   process  call        corr  call ns      work       ns          device stream
--   4096     memcpy         1   900- 950    HtoD        960- 990     0     7
--   4096     launch         2  1000-1100    a0         1200-2200     0     7
--   4096     launch         3  1300-1400    a1         2300-3300     0     7
--   4096     graph launch   4  1500-1600    a2, a3     3400-4400, 4500-5500  7
--   8192     memcpy         1   905- 955    HtoD        970-1000     0     7
--   8192     launch         2  1005-1105    b0         1205-2105     0     7
--   8192     launch         3  1305-1405    b1         2205-3205     0     7
--   8192     graph launch   4  1505-1605    b2, b3     3305-4305, 4405-5405  7
--   12288    launch         1  1010-1110    c0         1210-3000     0     7
--   12288    launch         2  1210-1310    c1         1500-3100     1     7
--   12288    peer copy      3  1400-1450    PtoP 0-1   3200-3400     0     7
--
--   ranges, on the main threads: "step" of 4096 800-5000; "step" of 8192
--   805-5000; "step" of 12288 800-1600, "on 0" 1000-1150, "on 1" 1200-1350
--
-- Physical GPUs (TARGET_INFO_CUDA_DEVICE): 4096: 0 is GPU 0; 8192: 0 is GPU 1;
-- 12288: 0 is GPU 2, 1 is GPU 3. Three processes, four tracks of device and
-- stream, 11 calls with an arrow to each of 13 operations, none across
-- processes. Projected: step of 4096 on device 0: 960-5500, 5 operations, 4
-- calls; of 8192: 970-5405; of 12288: 2 operations on device 0 (1210-3400), 1 on
-- device 1 (1500-3100).
--
-- Rows: ThreadNames 3, PROCESSES 3, RUNTIME 11, KERNEL 10, MEMCPY 3,
-- NVTX_EVENTS 5.

BEGIN;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
	(1, 'rank 0'), (2, 'rank 1'), (3, 'trainer'), (10, 'a0'), (11, 'a1'),
	(12, 'a2'), (13, 'a3'), (20, 'b0'), (21, 'b1'), (22, 'b2'), (23, 'b3'),
	(30, 'c0'), (31, 'c1'), (40, 'cudaLaunchKernel_v7000'),
	(41, 'cudaGraphLaunch_v10000'), (42, 'cudaMemcpyAsync_v3020'),
	(43, 'cudaMemcpyPeerAsync_v4000');
.read parts/tables.sql version
CREATE TABLE ThreadNames (nameId, priority, globalTid);
INSERT INTO ThreadNames VALUES
	(1, 20, 0x1001000001000), (2, 20, 0x1002000002000),
	(3, 20, 0x1003000003000);
CREATE TABLE PROCESSES (globalPid, pid, name TEXT);
INSERT INTO PROCESSES VALUES
	(0x1001000000000, 4096, 'python3'), (0x1002000000000, 8192, 'python3'),
	(0x1003000000000, 12288, 'python3');
CREATE TABLE TARGET_INFO_GPU (vmId, id, name TEXT, busLocation TEXT, uuid TEXT, smCount);
INSERT INTO TARGET_INFO_GPU VALUES
	(0x1000000000000, 0, 'GPU zero', '0000:01:00.0', 'aaaaaaaa-0000-0000-0000-000000000000', 108),
	(0x1000000000000, 1, 'GPU one', '0000:02:00.0', 'bbbbbbbb-0000-0000-0000-000000000000', 108),
	(0x1000000000000, 2, 'GPU two', '0000:03:00.0', 'cccccccc-0000-0000-0000-000000000000', 108),
	(0x1000000000000, 3, 'GPU three', '0000:04:00.0', 'dddddddd-0000-0000-0000-000000000000', 108);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId, cudaId, pid, uuid TEXT, numMultiprocessors);
INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES
	(0, 0, 4096, 'aaaaaaaa-0000-0000-0000-000000000000', 108),
	(1, 0, 8192, 'bbbbbbbb-0000-0000-0000-000000000000', 108),
	(2, 0, 12288, 'cccccccc-0000-0000-0000-000000000000', 108),
	(3, 1, 12288, 'dddddddd-0000-0000-0000-000000000000', 108);
.read parts/tables.sql runtime
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid,
	correlationId, nameId) VALUES
	( 900,  950, 0, 0x1001000001000, 1, 42),
	(1000, 1100, 0, 0x1001000001000, 2, 40),
	(1300, 1400, 0, 0x1001000001000, 3, 40),
	(1500, 1600, 0, 0x1001000001000, 4, 41),
	( 905,  955, 0, 0x1002000002000, 1, 42),
	(1005, 1105, 0, 0x1002000002000, 2, 40),
	(1305, 1405, 0, 0x1002000002000, 3, 40),
	(1505, 1605, 0, 0x1002000002000, 4, 41),
	(1010, 1110, 0, 0x1003000003000, 1, 40),
	(1210, 1310, 0, 0x1003000003000, 2, 40),
	(1400, 1450, 0, 0x1003000003000, 3, 43);
.read parts/tables.sql kernel
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId,
	correlationId, globalPid, demangledName, shortName, graphNodeId) VALUES
	(1200, 2200, 0, 1, 2, 0x1001000000000, 10, 10, NULL),
	(1205, 2105, 0, 1, 2, 0x1002000000000, 20, 20, NULL),
	(1210, 3000, 0, 1, 1, 0x1003000000000, 30, 30, NULL),
	(1500, 3100, 1, 2, 2, 0x1003000000000, 31, 31, NULL),
	(2205, 3205, 0, 1, 3, 0x1002000000000, 21, 21, NULL),
	(2300, 3300, 0, 1, 3, 0x1001000000000, 11, 11, NULL),
	(3305, 4305, 0, 1, 4, 0x1002000000000, 22, 22, 1),
	(3400, 4400, 0, 1, 4, 0x1001000000000, 12, 12, 1),
	(4405, 5405, 0, 1, 4, 0x1002000000000, 23, 23, 2),
	(4500, 5500, 0, 1, 4, 0x1001000000000, 13, 13, 2);
.read parts/tables.sql memcpy
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, correlationId, globalPid)
VALUES (960, 990, 1, 0x1001000000000), (970, 1000, 1, 0x1002000000000);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, correlationId, globalPid,
	copyKind, srcKind, dstKind, srcDeviceId, srcContextId, dstDeviceId,
	dstContextId) VALUES
	(3200, 3400, 3, 0x1003000000000, 10, 2, 2, 0, 1, 1, 2);
.read parts/tables.sql nvtx
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid) VALUES
	( 800, 5000, 59, 'step', 0x1001000001000),
	( 800, 1600, 59, 'step', 0x1003000003000),
	( 805, 5000, 59, 'step', 0x1002000002000),
	(1000, 1150, 59, 'on 0', 0x1003000003000),
	(1200, 1350, 59, 'on 1', 0x1003000003000);
COMMIT;
