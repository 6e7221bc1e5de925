-- extreme.sql - integers at their limits
--
-- What is said of process 4096 must be right to the last digit; what cannot be
-- represented (an end minus a start that overflows) must be said, not wrapped.
--
--   KERNEL   start                 end                   correlation id
--     a      9007199254740993      9007199254740995      9007199254740993
--     b      4000000000000000000   4000000000000000100   9223372036854775807
--     c      -5000                 -4000                 -1
--     d      0                     9223372036854775807   4294967296
--     e      -9223372036854775808  9223372036854775807   2147483648 (overflow)
--   (2^53 + 1; beyond 2^61; before the origin; the longest; longer than fits)
--   MEMCPY   0-1 bytes 9223372036854775807, virtualAddress -1 (2^64 - 1)
--   MEMSET   0-1 bytes 9007199254740993, value 4294967295
--   NVTX     range 10-20, uint64Value -1 (2^64 - 1), int64Value -2^63,
--            doubleValue 1e308, uint32Value 4294967295, int32Value -2^31,
--            color 4294967295, category 4294967295, domainId 2^63 - 1
--   RUNTIME  returnValue -2147483648; correlation ids as KERNEL a and b
--   grid 2147483647 x 65535 x 65535, block 1024 x 1024 x 64
--   session start 9223372036854775807 ns
--
-- Rows: KERNEL 5, RUNTIME 2, MEMCPY 1, MEMSET 1, NVTX_EVENTS 1.

BEGIN;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
	(1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e'),
	(6, 'cudaLaunchKernel_v7000');
CREATE TABLE TARGET_INFO_SESSION_START_TIME (
	utcEpochNs, utcTime TEXT, localTime TEXT);
INSERT INTO TARGET_INFO_SESSION_START_TIME
VALUES (9223372036854775807, NULL, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	demangledName, shortName, registersPerThread, gridX, gridY, gridZ,
	blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory,
	localMemoryPerThread, localMemoryTotal, gridId);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
SELECT column1, column2, 0, 1, column3, column4, 0x1001000000000, column5,
	column5, 255, 2147483647, 65535, 65535, 1024, 1024, 64, 49152, 232448,
	524288, 9223372036854775807, 9223372036854775807
FROM (VALUES
	(9007199254740993, 9007199254740995, 7, 9007199254740993, 1),
	(4000000000000000000, 4000000000000000100, 7, 9223372036854775807, 2),
	(-5000, -4000, 7, -1, 3),
	(0, 9223372036854775807, 8, 4294967296, 4),
	(-9223372036854775808, 9223372036854775807, 9, 2147483648, 5));
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
	start, end, eventClass, globalTid, correlationId, nameId, returnValue,
	callchainId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
	(9007199254740001, 9007199254740991, 0, 0x1001000001000,
		9007199254740993, 6, -2147483648, NULL),
	(3999999999999999000, 3999999999999999999, 0, 0x1001000001000,
		9223372036854775807, 6, 0, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	bytes, copyKind, srcKind, dstKind, virtualAddress);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES
	(0, 1, 0, 1, 7, 5, 0x1001000000000, 9223372036854775807, 1, 0, 2, -1);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	value, bytes, memKind);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES
	(0, 1, 0, 1, 7, 6, 0x1001000000000, 4294967295, 9007199254740993, 2);
CREATE TABLE NVTX_EVENTS (
	start, end, eventType, rangeId, category, color, text TEXT, globalTid,
	endGlobalTid, textId, domainId, uint64Value, int64Value,
	doubleValue REAL, uint32Value, int32Value, floatValue REAL, jsonTextId,
	jsonText TEXT);
INSERT INTO NVTX_EVENTS VALUES
	(10, 20, 59, NULL, 4294967295, 4294967295, 'limits', 0x1001000001000,
	NULL, NULL, 9223372036854775807, -1, -9223372036854775808, 1e308,
	4294967295, -2147483648, 3.4028234663852886e38, NULL, NULL);
COMMIT;
