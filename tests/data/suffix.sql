-- suffix.sql - tables with a version in their names: the newest must win
--
--   CUPTI_ACTIVITY_KIND_KERNEL        1 row, name "old", must not be read
--   CUPTI_ACTIVITY_KIND_KERNEL_V2     1 row, name "older than V3", not read
--   CUPTI_ACTIVITY_KIND_KERNEL_V3     2 rows, name "newest"
--   CUPTI_ACTIVITY_KIND_RUNTIME_V9    1 row, not read
--   CUPTI_ACTIVITY_KIND_RUNTIME_V10   2 rows: versions are numbers, not text
--   CUPTI_ACTIVITY_KIND_MEMCPY        1 row, and an empty _V2: nothing to read
--   NVTX_EVENTS_V2                    1 row, there is no NVTX_EVENTS
--   TARGET_INFO_GPU_V2                name "GPU of V2"; TARGET_INFO_GPU is old
--   CUPTI_ACTIVITY_KIND_MEMSET_VIEW, CUPTI_ACTIVITY_KIND_MEMSET_V2_BACKUP,
--   CUPTI_ACTIVITY_KIND_MEMSET_V      not versions of MEMSET, not read
--
-- Rows: KERNEL 1, KERNEL_V3 2, KERNEL_V2 1, RUNTIME_V9 1, RUNTIME_V10 2,
-- MEMCPY 1, NVTX_EVENTS_V2 1, MEMSET_VIEW 1, MEMSET_V 1, MEMSET_V2_BACKUP 1.
-- Right: 2 kernels "newest" at 2000 and 4000, 2 calls at 1000 and 3000, range
-- "step" 900-5000; 5 events in all.

BEGIN;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
	(1, 'newest'), (2, 'old'), (3, 'older than V3'),
	(4, 'cudaLaunchKernel_v7000'), (5, 'wrong call');
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES
	('EXPORT_PRODUCT_VERSION', '2026.5.1.100'),
	('EXPORT_SCHEMA_VERSION', '3.30.1');
CREATE TABLE TARGET_INFO_GPU (vmId, id, name TEXT, smCount);
INSERT INTO TARGET_INFO_GPU VALUES (0x1000000000000, 0, 'old GPU', 1);
CREATE TABLE TARGET_INFO_GPU_V2 (vmId, id, name TEXT, smCount);
INSERT INTO TARGET_INFO_GPU_V2 VALUES (0x1000000000000, 0, 'GPU of V2', 132);

CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
	start, end, deviceId DEFAULT 0, contextId DEFAULT 1, streamId DEFAULT 7,
	correlationId, globalPid DEFAULT 0x1001000000000, demangledName,
	shortName, registersPerThread DEFAULT 32, gridX DEFAULT 1,
	gridY DEFAULT 1, gridZ DEFAULT 1, blockX DEFAULT 32, blockY DEFAULT 1,
	blockZ DEFAULT 1);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId,
	demangledName, shortName) VALUES (1, 2, 1, 2, 2);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL_V3 (
	globalPid DEFAULT 0x1001000000000, start, end, correlationId,
	deviceId DEFAULT 0, contextId DEFAULT 1, streamId DEFAULT 7,
	demangledName, shortName, registersPerThread DEFAULT 32,
	gridX DEFAULT 1, gridY DEFAULT 1, gridZ DEFAULT 1, blockX DEFAULT 32,
	blockY DEFAULT 1, blockZ DEFAULT 1);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL_V3 (start, end, correlationId,
	demangledName, shortName) VALUES (2000, 3000, 1, 1, 1), (4000, 4500, 2, 1, 1);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL_V2 AS
SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL;
UPDATE CUPTI_ACTIVITY_KIND_KERNEL_V2 SET demangledName = 3, shortName = 3;

CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME_V9 (
	start, end, eventClass, globalTid, correlationId, nameId, returnValue,
	callchainId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME_V9 VALUES
	(1, 2, 0, 0x1001000001000, 1, 5, 0, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME_V10 (
	start, end, eventClass, globalTid, correlationId, nameId, returnValue,
	callchainId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME_V10 VALUES
	(1000, 1200, 0, 0x1001000001000, 1, 4, 0, NULL),
	(3000, 3200, 0, 0x1001000001000, 2, 4, 0, NULL);

CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	bytes, copyKind, srcKind, dstKind);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES
	(1, 2, 0, 1, 7, 3, 0x1001000000000, 1, 1, 0, 2);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY_V2 (
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	bytes, copyKind, srcKind, dstKind);

CREATE TABLE NVTX_EVENTS_V2 (
	start, end, eventType, rangeId, category, color, text TEXT, globalTid,
	endGlobalTid, textId, domainId);
INSERT INTO NVTX_EVENTS_V2 VALUES
	(900, 5000, 59, NULL, NULL, NULL, 'step', 0x1001000001000, NULL, NULL, 0);

CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET_VIEW (
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	value, bytes);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET_VIEW VALUES
	(1, 2, 0, 1, 7, 4, 0x1001000000000, 0, 1);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET_V AS
SELECT * FROM CUPTI_ACTIVITY_KIND_MEMSET_VIEW;
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET_V2_BACKUP AS
SELECT * FROM CUPTI_ACTIVITY_KIND_MEMSET_VIEW;
COMMIT;
