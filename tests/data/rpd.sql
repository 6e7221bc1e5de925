-- rpd.sql - a recording of rocmProfileData: a call with a kernel, one with a
-- copy, a range, the tracer's own call, and a counter
--
-- Legal: a kernel of a graph (Task), which has no row in rocpd_kernelapi; an
-- operation with two calls.  Not legal: a value that is no number.

BEGIN;
CREATE TABLE rocpd_metadata (id INTEGER PRIMARY KEY, tag, value);
INSERT INTO rocpd_metadata VALUES (1, 'schema_version', '2');
CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string);
INSERT INTO rocpd_string VALUES (4294967297, 'hipLaunchKernel'),
	(4294967298, ''), (4294967299, 'UserMarker'), (4294967300, 'aten::add'),
	(4294967301, 'KernelExecution'), (4294967302, 'void add<float>(float*)'),
	(4294967303, 'Task'), (4294967304, 'CopyHostToDevice'),
	(4294967305, 'hipMemcpyAsync'), (4294967306, 'OpTable::writeRows'),
	(4294967307, 'hipExtModuleLaunchKernel'), (4294967308, 'Barrier');
CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, pid, tid, start, "end",
	apiName_id, args_id);
INSERT INTO rocpd_api VALUES
	(4294967297, 10, 11, 1000, 1100, 4294967297, 4294967298),
	(4294967298, 10, 11, 900, 1200, 4294967299, 4294967300),
	(4294967299, 10, 11, 1110, 1150, 4294967305, 4294967298),
	(4294967300, 10, 12, 2000, 2100, 4294967306, 4294967298),
	(4294967301, 10, 11, 1160, 1170, 4294967307, 4294967298);
CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId, queueId, sequenceId,
	start, "end", description_id, opType_id);
INSERT INTO rocpd_op VALUES
	(1, 2, 3, 0, 1300, 1400, 4294967302, 4294967301),
	(2, 2, 3, 0, 1400, 1450, 4294967302, 4294967303),
	(3, 2, 3, 0, 1500, 1600, 4294967298, 4294967304),
	(4, 2, 3, 0, 1600, 1700, 4294967302, 4294967301),
	(5, 2, 3, 0, 1700, 1700, 4294967298, 4294967308);
CREATE TABLE rocpd_api_ops (id INTEGER PRIMARY KEY, api_id, op_id);
INSERT INTO rocpd_api_ops (api_id, op_id) VALUES (4294967297, 1),
	(4294967299, 1), (4294967297, 2), (4294967299, 3), (4294967301, 4);
CREATE TABLE rocpd_kernelapi (api_ptr_id INTEGER PRIMARY KEY, stream, gridX,
	gridY, gridZ, workgroupX, workgroupY, workgroupZ, groupSegmentSize,
	privateSegmentSize, kernelName_id);
INSERT INTO rocpd_kernelapi VALUES
	(4294967297, '0x0', 8, 1, 1, 256, 1, 1, 0, 0, 4294967302),
	(4294967301, '0x0', 1000, 1, 1, 256, 1, 1, 64, 0, 4294967302);
CREATE TABLE rocpd_copyapi (api_ptr_id INTEGER PRIMARY KEY, size);
INSERT INTO rocpd_copyapi VALUES (4294967299, 4096);
CREATE TABLE rocpd_monitor (id INTEGER PRIMARY KEY, deviceType, deviceId,
	monitorType, start, "end", value);
INSERT INTO rocpd_monitor VALUES (1, 'gpu', 2, 'sclk', 1000, 1500, '134'),
	(2, 'gpu', 2, 'sclk', 1500, 1700, 'idle');
COMMIT;
