-- v2026.sql - an export of nsys 2026.2 (schema 3.25.0)
-- of the run in parts/run.sql
--
-- Here: greenContextId stands in the middle of the columns; KERNEL has clusters
-- ([2,1,1]), graphId and tensorSizeMinusOneElements TEXT NOT NULL; SCHED_EVENTS
-- says why (2 interruptible, 7 CondVar); CUPTI_ACTIVITY_KIND_OVERHEAD, one row
-- without a name; CUDA_EVENT, one with its time and one without (0);
-- DIAGNOSTIC_EVENT, one with a newline in it.

.read parts/run.sql 2026
INSERT INTO StringIds VALUES (8, 'Lazy Function Loading');
CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (
	timestamp, deviceId, contextId, greenContextId, streamId, correlationId,
	globalPid, eventId, eventSyncId);
INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES
	(5350, 0, 1, 0, 7, 5, 0x1001000000000, 1, 1),
	(0, 0, 1, 0, 7, 6, 0x1001000000000, 2, 2);
CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (
	start, end, eventClass, globalTid, correlationId, nameId, overheadType);
INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD VALUES
	(1520, 1600, 103, 0x1001000001000, 3, 8, 7),
	(1610, 1620, 103, 0x1001000001000, 3, NULL, 8);
CREATE TABLE ENUM_CUPTI_OVERHEAD_TYPE (
	id INTEGER PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUPTI_OVERHEAD_TYPE VALUES
	(7, 'OVERHEAD_LAZY_FUNCTION_LOADING', 'Lazy function loading (CUDA)'),
	(8, 'OVERHEAD_COMMAND_BUFFER_FULL', 'Command buffer full (CUDA)');
CREATE TABLE ENUM_SAMPLING_THREAD_STATE (
	id INTEGER PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_SAMPLING_THREAD_STATE VALUES
	(0, 'Unknown', 'Unknown'), (1, 'Running', 'Running'),
	(2, 'Interruptible', 'Interruptible');
CREATE TABLE ENUM_SCHEDULING_THREAD_BLOCK (
	id INTEGER PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_SCHEDULING_THREAD_BLOCK VALUES (7, 'CondVar', 'CondVar');
CREATE TABLE DIAGNOSTIC_EVENT (
	timestamp, timestampType, source, severity, text TEXT, globalPid);
INSERT INTO DIAGNOSTIC_EVENT VALUES
	(50, 1, 2, 1, 'Tracing started.', 0x1000000000000),
	(6900, 1, 1, 2, 'Some events may be missing:
the buffer was full.', 0x1001000000000);
COMMIT;
