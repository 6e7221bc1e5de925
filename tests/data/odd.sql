-- odd.sql - values that occur in real exports, or could, and break readers
--
-- Process 4096 (0x1000), thread 4096. The rows are told apart by their start:
--
-- KERNEL (correlation id = start)
--   1000  plain, 1000-1100, name "plain"
--   2000  all that may be NULL is NULL: correlationId, globalPid, mangledName,
--         launchType, cacheConfig, graphNodeId ...
--   3000  demangledName, shortName without a row in StringIds (404)
--   4000  name id 4294967297 (2^32 + 1): "big id"
--   5000  name id 9223372036854775807: "biggest id"
--   6000  zero length, 6000-6000
--   7000  ends before it starts, 7000-6900
--   8000  end NULL
--   9000  streamId 4294967295, deviceId 4294967295
--   9100  streamId NULL, deviceId NULL, contextId NULL
--   9200  text in integer columns: deviceId 'gpu0', gridX 'ten'
--   9300  start and end as text that looks like numbers ('9300', '9400')
--   9400  start and end are REAL, 9400.0 and 9500.75
--   NULL  start NULL, end 9600: cannot be placed in time, must be reported
--   blob  start is X'00', end 9700: likewise
-- NVTX_EVENTS, push/pop ranges from n to n + 50, on one thread; the text is
--   10100 NUL inside: a, NUL, b (3 bytes)       10200 the same by textId
--   10300 bytes FF FE: not UTF-8                 10400 a surrogate, ED A0 80
--   10500 an overlong /, C0 AF                   10600 cut short, E2 82
--   10700 U+10FFFF and beyond: F4 8F BF BF, F4 90 80 80
--   10800 control characters 1-31 and 127        10900 quotes and backslashes
--   11000 emoji and CJK                          11100 U+2028, U+FEFF, U+FFFD
--   11200 empty text                             11300 NULL, textId NULL
--   11400 textId without a string (405)          11500 text and textId set:
--   "of textId" wins                             11600 300000 times "k"
--   11700 a BLOB, X'626C6F62'                    11800 the integer 42
--   11900 markup: <script>&amp;</script> %s %n   12000 newlines, CR LF, tab
--   12100 a JSON text: {"a":"b"}                 12200 only spaces
--   12300 globalTid NULL                         12400 eventType NULL
--   12500 eventType 7777 (unknown)               12600 end NULL (never closed)
--   12700 end before start, 12700-12650          12800 color 0, domainId 99
--   12900 color -1, category 5 without a name
-- RUNTIME
--   13000 correlationId NULL          13100 nameId without a string (406)
--   13200 name without version suffix 13300 cuMemAlloc_v2
--   13400 cudaStreamGetCaptureInfo_v2_v11030     13500 returnValue -1
--   13600 globalTid NULL              13700 callchainId 5 without a chain
--   13800 eventClass 12345            13900 end before start
-- MEMCPY
--   14000 copyKind 99, srcKind NULL   14100 copyKind NULL, bytes NULL
--   14200 bytes 'many'                14300 PtoP, devices 0 to 1, contexts 1, 2
--   14400 unified memory HtoD, migrationCause 2, virtualAddress 2^47 - 4096
--   14500 copyKind 8 in a batch of 3 (copyCount)
-- OSRT_API: 15000 callchainId 0 (none), 15100 callchainId 7 with a gap in the
--   depths (0, 2), 15200 nestingLevel NULL
-- SCHED_EVENTS: 16000 isSchedIn 5 (any but 0 is in), 16100 globalTid NULL,
--   16200 cpu 4294967295
-- SYNCHRONIZATION: 17000 streamId and eventId 4294967295, 17100 syncType 77
-- StringIds: 300000 bytes in id 99; a NULL value is in id 98 (used by thread
--   4097's name)
--
-- Rows: ThreadNames 4, PROCESSES 3, KERNEL 15, NVTX_EVENTS 29, RUNTIME 11,
-- MEMCPY 6, OSRT_API 3, OSRT_CALLCHAINS 2, SCHED_EVENTS 3, SYNCHRONIZATION 2.

BEGIN;
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO StringIds VALUES
	(1, 'plain'), (2, 'plain()'), (4294967297, 'big id'),
	(9223372036854775807, 'biggest id'), (3, 'odd'),
	(4, CAST(X'610062' AS TEXT)), (5, 'of textId'),
	(10, 'cudaLaunchKernel_v7000'), (11, 'cudaGetLastError'),
	(12, 'cuMemAlloc_v2'), (13, 'cudaStreamGetCaptureInfo_v2_v11030'),
	(14, 'read'), (15, 'main'), (98, NULL),
	(99, replace(hex(zeroblob(150000)), '0', 'k'));
CREATE TABLE ThreadNames (nameId, priority, globalTid);
INSERT INTO ThreadNames VALUES
	(3, NULL, 0x1001000001000), (98, 20, 0x1001000001001),
	(404, 20, 0x1001000001002), (3, 20, NULL);
CREATE TABLE PROCESSES (globalPid, pid, name TEXT);
INSERT INTO PROCESSES VALUES
	(0x1001000000000, 4096, 'odd "process" \ name'), (NULL, NULL, NULL),
	(0x1001001000000, NULL, NULL);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES
	('EXPORT_PRODUCT_VERSION', NULL), ('EXPORT_SCHEMA_VERSION', 'x.y');
CREATE TABLE TARGET_INFO_SESSION_START_TIME (
	utcEpochNs, utcTime TEXT, localTime TEXT);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (NULL, NULL, NULL);
CREATE TABLE TARGET_INFO_GPU (
	vmId, id, name TEXT, busLocation TEXT, totalMemory, smCount, uuid TEXT,
	computeMajor, computeMinor);
INSERT INTO TARGET_INFO_GPU VALUES
	(0x1000000000000, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
	start, end, deviceId DEFAULT 0, contextId DEFAULT 1,
	greenContextId DEFAULT 0, streamId DEFAULT 7, correlationId,
	globalPid DEFAULT 0x1001000000000, demangledName DEFAULT 2,
	shortName DEFAULT 1, mangledName, launchType DEFAULT 1, cacheConfig,
	registersPerThread DEFAULT 32, gridX DEFAULT 1, gridY DEFAULT 1,
	gridZ DEFAULT 1, blockX DEFAULT 32, blockY DEFAULT 1, blockZ DEFAULT 1,
	staticSharedMemory DEFAULT 0, dynamicSharedMemory DEFAULT 0,
	localMemoryPerThread DEFAULT 0, localMemoryTotal DEFAULT 0,
	gridId DEFAULT 1, sharedMemoryExecuted, graphNodeId);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId) VALUES
	(1000, 1100, 1000), (6000, 6000, 6000), (7000, 6900, 7000),
	(8000, NULL, 8000), ('9300', '9400', 9300), (9400.0, 9500.75, 9400),
	(NULL, 9600, 9501), (X'00', 9700, 9502);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
	(2000, 2100, 0, 1, NULL, 7, NULL, NULL, 2, 1, NULL, NULL, NULL, 32, 1, 1,
	1, 32, 1, 1, 0, 0, 0, 0, 1, NULL, NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId,
	demangledName, shortName) VALUES
	(3000, 3100, 3000, 404, 404), (4000, 4100, 4000, 4294967297, 4294967297),
	(5000, 5100, 5000, 9223372036854775807, 9223372036854775807);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId, deviceId,
	contextId, streamId, gridX) VALUES
	(9000, 9050, 9000, 4294967295, 1, 4294967295, 1),
	(9100, 9150, 9100, NULL, NULL, NULL, 1),
	(9200, 9250, 9200, 'gpu0', 1, 7, 'ten');

CREATE TABLE NVTX_EVENTS (
	start, end, eventType, rangeId, category, color, text, globalTid,
	endGlobalTid, textId, domainId);
INSERT INTO NVTX_EVENTS
SELECT column1, column1 + 50, 59, NULL, NULL, NULL, column2, 0x1001000001000,
	NULL, column3, 0
FROM (VALUES
	(10100, CAST(X'610062' AS TEXT), NULL), (10200, NULL, 4),
	(10300, CAST(X'6261FFFE64' AS TEXT), NULL),
	(10400, CAST(X'73EDA08074' AS TEXT), NULL),
	(10500, CAST(X'6FC0AF70' AS TEXT), NULL),
	(10600, CAST(X'637574E282' AS TEXT), NULL),
	(10700, CAST(X'F48FBFBF20F4908080' AS TEXT), NULL),
	(10800, CAST(X'0102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F7F' AS TEXT), NULL),
	(10900, 'say "hi" \ back\\slash/ it''s \u0041 \n', NULL),
	(11000, '🔥 kernel 火 👩‍🚀 é', NULL),
	(11100, char(0x2028) || '|' || char(0xFEFF) || '|' || char(0xFFFD), NULL),
	(11200, '', NULL), (11300, NULL, NULL), (11400, NULL, 405),
	(11500, 'of text', 5), (11600, NULL, 99), (11700, X'626C6F62', NULL),
	(11800, 42, NULL), (11900, '<script>&amp;</script> %s %n', NULL),
	(12000, 'one' || char(10) || 'two' || char(13, 10) || char(9) || 'three', NULL),
	(12100, '{"a":"b"}', NULL), (12200, '   ', NULL));
INSERT INTO NVTX_EVENTS VALUES
	(12300, 12350, 59, NULL, NULL, NULL, 'no thread', NULL, NULL, NULL, 0),
	(12400, 12450, NULL, NULL, NULL, NULL, 'no type', 0x1001000001000, NULL,
		NULL, 0),
	(12500, 12550, 7777, NULL, NULL, NULL, 'unknown type', 0x1001000001000,
		NULL, NULL, 0),
	(12600, NULL, 60, 1, NULL, NULL, 'never closed', 0x1001000001000, NULL,
		NULL, 0),
	(12700, 12650, 59, NULL, NULL, NULL, 'backwards', 0x1001000001000, NULL,
		NULL, 0),
	(12800, 12850, 59, NULL, NULL, 0, 'unknown domain', 0x1001000001000, NULL,
		NULL, 99),
	(12900, 12950, 59, NULL, 5, -1, 'unknown category', 0x1001000001000,
		NULL, NULL, NULL);

CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
	start, end, eventClass, globalTid, correlationId, nameId, returnValue,
	callchainId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
	(  500,   600,     0, 0x1001000001000, 1000,  10,  0, NULL),
	(13000, 13050,     0, 0x1001000001000, NULL,  10,  0, NULL),
	(13100, 13150,     0, 0x1001000001000, 3001, 406,  0, NULL),
	(13200, 13250,     0, 0x1001000001000, 3002,  11,  0, NULL),
	(13300, 13350,     1, 0x1001000001000, 3003,  12,  0, NULL),
	(13400, 13450,     0, 0x1001000001000, 3004,  13,  0, NULL),
	(13500, 13550,     0, 0x1001000001000, 3005,  10, -1, NULL),
	(13600, 13650,     0, NULL,            3006,  10,  0, NULL),
	(13700, 13750,     0, 0x1001000001000, 3007,  10,  0,    5),
	(13800, 13850, 12345, 0x1001000001000, 3008,  10,  0, NULL),
	(13900, 13850,     0, 0x1001000001000, 3009,  10,  0, NULL);

CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (
	start, end, deviceId, contextId, greenContextId, streamId, correlationId,
	globalPid, bytes, copyKind, deprecatedSrcId, srcKind, dstKind,
	srcDeviceId, srcContextId, dstDeviceId, dstContextId, migrationCause,
	graphNodeId, virtualAddress, copyCount);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES
	(14000, 14050, 0, 1, 0, 7, 4000, 0x1001000000000, 64, 99, NULL, NULL, 2,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(14100, 14150, 0, 1, 0, 7, 4001, 0x1001000000000, NULL, NULL, NULL, NULL,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(14200, 14250, 0, 1, 0, 7, 4002, 0x1001000000000, 'many', 1, NULL, 0, 2,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(14300, 14350, 0, 1, 0, 7, 4003, 0x1001000000000, 64, 10, NULL, 2, 2,
		0, 1, 1, 2, NULL, NULL, NULL, NULL),
	(14400, 14450, 0, 1, 0, 7, NULL, 0x1001000000000, 65536, 11, NULL, 4, 4,
		NULL, NULL, NULL, NULL, 2, NULL, 140737488351232, NULL),
	(14500, 14550, 0, 1, 0, 7, 4005, 0x1001000000000, 192, 8, NULL, 2, 2,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3);

CREATE TABLE OSRT_API (
	start, end, eventClass, globalTid, nameId, returnValue, nestingLevel,
	callchainId);
INSERT INTO OSRT_API VALUES
	(15000, 15050, 27, 0x1001000001000, 14, 0,    0, 0),
	(15100, 15150, 27, 0x1001000001000, 14, 0,    1, 7),
	(15200, 15250, 27, 0x1001000001000, 14, 0, NULL, 0);
CREATE TABLE OSRT_CALLCHAINS (
	id INTEGER, symbol, module, kernelMode, thumbCode, unresolved,
	specialEntry, originalIP, unwindMethod, stackDepth,
	PRIMARY KEY (id, stackDepth));
INSERT INTO OSRT_CALLCHAINS VALUES
	(7, 15, 407, 0, 0, 0, 0, NULL, NULL, 2), (7, 14, 3, 0, 0, 0, 0, -1, 0, 0);

CREATE TABLE SCHED_EVENTS (
	start, cpu, isSchedIn, globalTid, threadState, threadBlock);
INSERT INTO SCHED_EVENTS VALUES
	(16000, 0, 5, 0x1001000001000, NULL, NULL), (16100, 0, 0, NULL, 0, NULL),
	(16200, 4294967295, 0, 0x1001000001000, 99, 99);

CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	syncType, eventId);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES
	(17000, 17050, 0, 1, 4294967295, 7000, 0x1001000000000, 4, 4294967295),
	(17100, 17150, 0, 1, 7, 7001, 0x1001000000000, 77, 3);
COMMIT;
