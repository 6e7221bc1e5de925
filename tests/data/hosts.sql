-- hosts.sql - processes of two hosts, and of two VMs, that share a pid
--
-- The upper bits of a global id tell them apart (8 bits host, 8 bits VM):
--
--   globalPid            host  VM  pid   thread  kernel  call        kernel ns
--   0x0001001000000000      0   1  4096  main a  k_a     1000-1100   2000-3000
--   0x0101001000000000      1   1  4096  main b  k_b     1010-1110   2100-2900
--   0x0002001000000000      0   2  4096  main c  k_c     1020-1120   2200-2800
--
-- All use device 0, context 1, stream 7 and correlation id 1; each has a range
-- "step" 900-1200 on its main thread (tid 4096). Three processes, three tracks,
-- and k_x belongs to the call and to the range of main x only. TARGET_INFO_GPU
-- has one device for each VM: GPU a, b, c. globalPid of host 128
-- (0x8001001000000000) is negative as a signed integer: a fourth process, with range
-- "negative" 950-960 only.
--
-- Rows: ThreadNames 3, PROCESSES 3, RUNTIME 3, KERNEL 3, NVTX_EVENTS 4.

BEGIN;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
	(1, 'main a'), (2, 'main b'), (3, 'main c'), (4, 'k_a'), (5, 'k_b'),
	(6, 'k_c'), (7, 'cudaLaunchKernel_v7000');
CREATE TABLE ThreadNames (nameId, priority, globalTid);
INSERT INTO ThreadNames VALUES
	(1, 20, 0x0001001000001000), (2, 20, 0x0101001000001000),
	(3, 20, 0x0002001000001000);
CREATE TABLE PROCESSES (globalPid, pid, name TEXT);
INSERT INTO PROCESSES VALUES
	(0x0001001000000000, 4096, 'a'), (0x0101001000000000, 4096, 'b'),
	(0x0002001000000000, 4096, 'c');
CREATE TABLE TARGET_INFO_SYSTEM_ENV (
	globalVid, devStateName TEXT, name TEXT, nameEnum, value TEXT);
INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES
	(0x0001000000000000, 'Local (CLI)', 'Hostname', 619, 'host-a'),
	(0x0101000000000000, 'Local (CLI)', 'Hostname', 619, 'host-b'),
	(0x0002000000000000, 'Local (CLI)', 'Hostname', 619, 'vm-c');
CREATE TABLE TARGET_INFO_GPU (vmId, id, name TEXT, busLocation TEXT, smCount);
INSERT INTO TARGET_INFO_GPU VALUES
	(0x0001000000000000, 0, 'GPU a', '0000:01:00.0', 108),
	(0x0101000000000000, 0, 'GPU b', '0000:02:00.0', 132),
	(0x0002000000000000, 0, 'GPU c', '0000:03:00.0', 84);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
	start, end, eventClass, globalTid, correlationId, nameId, returnValue,
	callchainId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
	(1000, 1100, 0, 0x0001001000001000, 1, 7, 0, NULL),
	(1010, 1110, 0, 0x0101001000001000, 1, 7, 0, NULL),
	(1020, 1120, 0, 0x0002001000001000, 1, 7, 0, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
	start, end, deviceId DEFAULT 0, contextId DEFAULT 1, streamId DEFAULT 7,
	correlationId DEFAULT 1, globalPid, demangledName, shortName,
	registersPerThread DEFAULT 32, gridX DEFAULT 1, gridY DEFAULT 1,
	gridZ DEFAULT 1, blockX DEFAULT 32, blockY DEFAULT 1, blockZ DEFAULT 1);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, globalPid, demangledName,
	shortName) VALUES
	(2000, 3000, 0x0001001000000000, 4, 4),
	(2100, 2900, 0x0101001000000000, 5, 5),
	(2200, 2800, 0x0002001000000000, 6, 6);
CREATE TABLE NVTX_EVENTS (
	start, end, eventType, text TEXT, globalTid, textId, domainId);
INSERT INTO NVTX_EVENTS VALUES
	(900, 1200, 59, 'step', 0x0001001000001000, NULL, 0),
	(900, 1200, 59, 'step', 0x0101001000001000, NULL, 0),
	(900, 1200, 59, 'step', 0x0002001000001000, NULL, 0),
	(950,  960, 59, 'negative', 0x8001001000001000, NULL, 0);
COMMIT;
