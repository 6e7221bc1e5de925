-- missing.sql - tables that lack columns: each costs its key, never the table
--
--   KERNEL           only start, end, shortName, globalPid: no correlationId,
--                    deviceId, contextId, streamId, demangledName, grid, block
--   MEMCPY           no copyKind, srcKind, dstKind, bytes
--   MEMSET           no end: instants, or open; not dropped unseen
--   RUNTIME          no eventClass, returnValue, callchainId; nameId there
--   NVTX_EVENTS      no textId, domainId, color, category, endGlobalTid
--   OSRT_API         no nameId, nestingLevel, callchainId
--   SCHED_EVENTS     no cpu, isSchedIn
--   SYNCHRONIZATION  no start: cannot be placed in time, and must be reported
--   ThreadNames      no nameId: of no use
--   TARGET_INFO_GPU  no name
--   StringIds        missing altogether: names are unknown
--
-- Rows: ThreadNames 1, KERNEL 2, MEMCPY 1, MEMSET 1, SYNCHRONIZATION 1,
-- RUNTIME 2, NVTX_EVENTS 2, OSRT_API 1, SCHED_EVENTS 1.

BEGIN;
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION');
CREATE TABLE ThreadNames (priority, globalTid);
INSERT INTO ThreadNames VALUES (20, 0x1001000001000);
CREATE TABLE TARGET_INFO_GPU (vmId, id, smCount);
INSERT INTO TARGET_INFO_GPU VALUES (0x1000000000000, 0, 108);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, shortName, globalPid);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
	(2000, 3000, 1, 0x1001000000000), (4000, 5000, 1, 0x1001000000000);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (
	start, end, deviceId, contextId, streamId, correlationId, globalPid);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES
	(1500, 1700, 0, 1, 7, 1, 0x1001000000000);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (
	start, deviceId, contextId, streamId, correlationId, globalPid, value,
	bytes, memKind);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES
	(1800, 0, 1, 7, 2, 0x1001000000000, 0, 64, 2);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (
	end, deviceId, contextId, streamId, correlationId, globalPid, syncType,
	eventId);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES
	(1900, 0, 1, 7, 3, 0x1001000000000, 3, 4294967295);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
	start, end, globalTid, correlationId, nameId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
	(1000, 1100, 0x1001000001000, 1, 2), (1200, 1300, 0x1001000001000, 2, 3);
CREATE TABLE NVTX_EVENTS (start, end, eventType, text TEXT, globalTid);
INSERT INTO NVTX_EVENTS VALUES
	(900, 5000, 59, 'step', 0x1001000001000),
	(950, NULL, 34, 'go', 0x1001000001000);
CREATE TABLE OSRT_API (start, end, eventClass, globalTid, returnValue);
INSERT INTO OSRT_API VALUES (100, 200, 27, 0x1001000001000, 5);
CREATE TABLE SCHED_EVENTS (start, globalTid);
INSERT INTO SCHED_EVENTS VALUES (50, 0x1001000001000);
COMMIT;
