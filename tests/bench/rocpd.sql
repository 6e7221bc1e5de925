-- rocpd.sql - a database as rocprofv3 writes it, of a made-up run: :n calls of
-- hipLaunchKernel with five arguments each, and a kernel for each
--
-- The columns are those of schema 3, in order, with the GUID in each row; the
-- views kernels and regions are AMD's, for what theirs cost to read.
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
BEGIN;
CREATE TABLE rocpd_metadata_g (id INTEGER PRIMARY KEY, tag, value);
INSERT INTO rocpd_metadata_g VALUES (1, 'schema_version', '3'),
	(2, 'uuid', '_g'), (3, 'guid', '00003fdc-92cb-72cb-9169-c7e541b1fcdf');
CREATE TABLE rocpd_string_g (id INTEGER PRIMARY KEY, guid, string UNIQUE);
INSERT INTO rocpd_string_g (id, string) VALUES (1, ''),
	(2, 'HIP_RUNTIME_API_EXT'), (3, 'KERNEL_DISPATCH'),
	(4, 'hipLaunchKernel');
CREATE TABLE rocpd_info_node_g (id INTEGER PRIMARY KEY, guid, hash, machine_id,
	system_name, hostname, release, version);
INSERT INTO rocpd_info_node_g VALUES
	(9, NULL, 1, 'm', 'Linux', 'node', '6.8.0', '#1');
CREATE TABLE rocpd_info_process_g (id INTEGER PRIMARY KEY, guid, nid, ppid, pid,
	init, fini, start, "end", command, environment DEFAULT '{}');
INSERT INTO rocpd_info_process_g VALUES (28, NULL, 9, 1, 28, 1071420000000000,
	NULL, NULL, NULL, '/opt/app/bench', '{}');
CREATE TABLE rocpd_info_thread_g (id INTEGER PRIMARY KEY, guid, nid, ppid, pid,
	tid, name);
INSERT INTO rocpd_info_thread_g VALUES (28, NULL, 9, 1, 28, 28, 'main');
CREATE TABLE rocpd_info_agent_g (id INTEGER PRIMARY KEY, guid, nid, pid, type,
	absolute_index, logical_index, type_index, uuid, name, model_name,
	vendor_name, product_name, user_name, extdata DEFAULT '{}');
INSERT INTO rocpd_info_agent_g VALUES (2, NULL, 9, 28, 'GPU', 2, 2, 0, 0,
	'gfx942', '', 'AMD', 'AMD Instinct MI300X', '', '{}');
CREATE TABLE rocpd_info_queue_g (id INTEGER PRIMARY KEY, guid, nid, pid, name);
INSERT INTO rocpd_info_queue_g VALUES (1, NULL, 9, 28, 'Queue 1');
CREATE TABLE rocpd_info_stream_g (id INTEGER PRIMARY KEY, guid, nid, pid, name);
INSERT INTO rocpd_info_stream_g VALUES (0, NULL, 9, 28, 'Stream 0');
CREATE TABLE rocpd_info_kernel_symbol_g (id INTEGER PRIMARY KEY, guid, nid, pid,
	code_object_id, kernel_name, display_name, group_segment_size,
	private_segment_size, sgpr_count, arch_vgpr_count, accum_vgpr_count);
WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 300)
INSERT INTO rocpd_info_kernel_symbol_g SELECT i, NULL, 9, 28, 1,
	'_Z6kernelILi' || i || 'EEvPfS_', 'void kernel<' || i ||
	'>(float*, float const*)', 65536, 0, 32, 64 + i % 64, 0 FROM k;
CREATE TABLE rocpd_event_g (id INTEGER PRIMARY KEY, guid, category_id, stack_id,
	parent_stack_id, correlation_id, call_stack, line_info, extdata);
CREATE TABLE rocpd_arg_g (id INTEGER PRIMARY KEY, guid, event_id, position,
	type, name, value, extdata);
CREATE TABLE rocpd_region_g (id INTEGER PRIMARY KEY, guid, nid, pid, tid, start,
	"end", name_id, event_id, extdata);
CREATE TABLE rocpd_kernel_dispatch_g (id INTEGER PRIMARY KEY, guid, nid, pid,
	tid, agent_id, kernel_id, dispatch_id, queue_id, stream_id, start,
	"end", private_segment_size, group_segment_size, workgroup_size_x,
	workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y,
	grid_size_z, region_name_id, event_id, extdata);
CREATE TEMP TABLE call AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL
	SELECT i + 1 FROM c WHERE i < :n)
SELECT i, i * 2654435761 % 4294967296 AS r, 1071420602503774 + i * 20000 AS ts
FROM c;
INSERT INTO rocpd_event_g SELECT i + part * :n, g.value, 2 + part, i, 0, 0,
	'{}', '{}', '{}' FROM (SELECT 0 AS part UNION ALL SELECT 1)
	CROSS JOIN call, rocpd_metadata_g g WHERE g.id = 3;
INSERT INTO rocpd_region_g SELECT i, g.value, 9, 28, 28, ts,
	ts + 3000 + r % 9000, 4, i, '{}' FROM call, rocpd_metadata_g g
	WHERE g.id = 3;
INSERT INTO rocpd_kernel_dispatch_g SELECT i, g.value, 9, 28, 28, 2,
	1 + r % 300, i, 1, 0, ts + 12000, ts + 13000 + r % 16384, 0, 65536, 256,
	1, 1, 256 * (1 + r % 2048), 1, 1, 1, i + :n, '{}'
	FROM call, rocpd_metadata_g g WHERE g.id = 3;
INSERT INTO rocpd_arg_g (guid, event_id, position, type, name, value, extdata)
SELECT g.value, i, column1, 'type', column2, printf('0x%x', r + column1), '{}'
	FROM call CROSS JOIN (VALUES (1, 'function_address'), (2, 'numBlocks'),
	    (3, 'dimBlocks'), (4, 'args'), (5, 'sharedMemBytes')),
	rocpd_metadata_g g WHERE g.id = 3;
UPDATE rocpd_string_g SET guid = '00003fdc-92cb-72cb-9169-c7e541b1fcdf';
UPDATE rocpd_info_agent_g SET guid = '00003fdc-92cb-72cb-9169-c7e541b1fcdf';
UPDATE rocpd_info_queue_g SET guid = '00003fdc-92cb-72cb-9169-c7e541b1fcdf';
UPDATE rocpd_info_stream_g SET guid = '00003fdc-92cb-72cb-9169-c7e541b1fcdf';
UPDATE rocpd_info_thread_g SET guid = '00003fdc-92cb-72cb-9169-c7e541b1fcdf';
UPDATE rocpd_info_process_g SET guid = '00003fdc-92cb-72cb-9169-c7e541b1fcdf';
UPDATE rocpd_info_kernel_symbol_g
	SET guid = '00003fdc-92cb-72cb-9169-c7e541b1fcdf';
CREATE VIEW regions AS SELECT R.id, R.guid, (SELECT string
	FROM rocpd_string_g RS WHERE RS.id = E.category_id AND RS.guid = E.guid)
	AS category, S.string AS name, R.nid, P.pid, T.tid, R.start, R."end",
	R."end" - R.start AS duration, R.event_id, E.stack_id,
	E.parent_stack_id, E.correlation_id AS corr_id, E.extdata, E.call_stack,
	E.line_info
FROM rocpd_region_g R
	INNER JOIN rocpd_event_g E ON E.id = R.event_id AND E.guid = R.guid
	INNER JOIN rocpd_string_g S ON S.id = R.name_id AND S.guid = R.guid
	INNER JOIN rocpd_info_process_g P ON P.id = R.pid AND P.guid = R.guid
	INNER JOIN rocpd_info_thread_g T ON T.id = R.tid AND T.guid = R.guid;
CREATE VIEW kernels AS SELECT K.id, K.guid, T.tid, (SELECT string
	FROM rocpd_string_g RS WHERE RS.id = E.category_id AND RS.guid = E.guid)
	AS category, R.string AS region, S.display_name AS name, K.nid, P.pid,
	A.absolute_index, A.logical_index, A.type_index, A.type,
	S.code_object_id, K.kernel_id, K.dispatch_id, K.stream_id, K.queue_id,
	Q.name AS queue, ST.name AS stream, K.start, K."end", K."end" - K.start
	AS duration, K.grid_size_x, K.grid_size_y, K.grid_size_z,
	K.workgroup_size_x, K.workgroup_size_y, K.workgroup_size_z,
	K.group_segment_size AS lds_size, K.private_segment_size,
	S.arch_vgpr_count, S.accum_vgpr_count, S.sgpr_count, E.stack_id,
	E.parent_stack_id, E.correlation_id AS corr_id
FROM rocpd_kernel_dispatch_g K
	INNER JOIN rocpd_info_agent_g A ON A.id = K.agent_id AND A.guid = K.guid
	INNER JOIN rocpd_event_g E ON E.id = K.event_id AND E.guid = K.guid
	INNER JOIN rocpd_string_g R ON R.id = K.region_name_id
	    AND R.guid = K.guid
	INNER JOIN rocpd_info_kernel_symbol_g S ON S.id = K.kernel_id
	    AND S.guid = K.guid
	LEFT JOIN rocpd_info_stream_g ST ON ST.id = K.stream_id
	    AND ST.guid = K.guid
	LEFT JOIN rocpd_info_queue_g Q ON Q.id = K.queue_id AND Q.guid = K.guid
	INNER JOIN rocpd_info_process_g P ON P.id = Q.pid AND P.guid = Q.guid
	INNER JOIN rocpd_info_thread_g T ON T.id = K.tid AND T.guid = K.guid;
COMMIT;
