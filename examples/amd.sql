-- amd.sql - a recording of rocprofv3 (AMD), of 4 steps of a program that was
-- never run: each copies to the GPU and launches two kernels within a range

BEGIN;
CREATE TABLE rocpd_metadata_1 (id INTEGER PRIMARY KEY, tag TEXT, value TEXT);
INSERT INTO rocpd_metadata_1 (tag, value) VALUES ('schema_version', '3');
CREATE TABLE rocpd_string_1 (id INTEGER PRIMARY KEY, string TEXT);
INSERT INTO rocpd_string_1 VALUES (1, 'HIP_RUNTIME_API_EXT'),
	(2, 'hipLaunchKernel'), (3, 'hipMemcpyAsync'),
	(4, 'MARKER_CORE_RANGE_API'), (5, 'roctxThreadRangeA'),
	(6, 'KERNEL_DISPATCH'), (7, 'MEMORY_COPY');
CREATE TABLE rocpd_info_process_1 (id INTEGER PRIMARY KEY, pid INTEGER,
	init BIGINT, command TEXT);
INSERT INTO rocpd_info_process_1 VALUES (1, 4096, 1000000000, './train');
CREATE TABLE rocpd_info_thread_1 (id INTEGER PRIMARY KEY, pid INTEGER,
	tid INTEGER, name TEXT);
INSERT INTO rocpd_info_thread_1 VALUES (1, 1, 4096, 'train');
CREATE TABLE rocpd_info_agent_1 (id INTEGER PRIMARY KEY, pid INTEGER,
	type TEXT, absolute_index INTEGER, type_index INTEGER, name TEXT,
	product_name TEXT, vendor_name TEXT);
INSERT INTO rocpd_info_agent_1 VALUES
	(1, 1, 'CPU', 0, 0, 'EPYC', 'AMD EPYC', 'CPU'),
	(2, 1, 'GPU', 1, 0, 'gfx942', 'AMD Instinct MI300X', 'AMD');
CREATE TABLE rocpd_info_kernel_symbol_1 (id INTEGER PRIMARY KEY,
	kernel_name TEXT, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol_1 VALUES
	(1, '_Z4gemmIfEvPT_.kd', 'void gemm<float>(float*)'),
	(2, '_Z4reluPf.kd', 'relu(float*)');

-- of each step: its range, a copy and two launches, and what they launched
CREATE TEMP TABLE step AS WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL
	SELECT i + 1 FROM n WHERE i < 3)
	SELECT i, 1000100000 + i * 500000 AS t FROM n;
CREATE TABLE rocpd_event_1 (id INTEGER PRIMARY KEY, category_id INTEGER,
	stack_id INTEGER, extdata TEXT);
INSERT INTO rocpd_event_1
	SELECT i * 10 + 1, 4, i * 10 + 1, '{"message":"step ' || i || '"}'
	FROM step UNION ALL
	SELECT i * 10 + k, 1, i * 10 + k, '{}' FROM step,
	(SELECT 2 AS k UNION ALL SELECT 3 UNION ALL SELECT 4) UNION ALL
	SELECT i * 10 + k + 3, CASE k WHEN 2 THEN 7 ELSE 6 END, i * 10 + k, '{}'
	FROM step, (SELECT 2 AS k UNION ALL SELECT 3 UNION ALL SELECT 4);
CREATE TABLE rocpd_region_1 (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER,
	start BIGINT, end BIGINT, name_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_region_1 (pid, tid, start, end, name_id, event_id)
	SELECT 1, 1, t, t + 400000, 5, i * 10 + 1 FROM step UNION ALL
	SELECT 1, 1, t + k * 10000, t + k * 10000 + 5000,
	CASE k WHEN 2 THEN 3 ELSE 2 END, i * 10 + k
	FROM step, (SELECT 2 AS k UNION ALL SELECT 3 UNION ALL SELECT 4);
CREATE TABLE rocpd_kernel_dispatch_1 (id INTEGER PRIMARY KEY, pid INTEGER,
	tid INTEGER, agent_id INTEGER, kernel_id INTEGER, queue_id INTEGER,
	stream_id INTEGER, start BIGINT, end BIGINT, workgroup_size_x INTEGER,
	workgroup_size_y INTEGER, workgroup_size_z INTEGER, grid_size_x INTEGER,
	grid_size_y INTEGER, grid_size_z INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_1 (pid, tid, agent_id, kernel_id, queue_id,
	stream_id, start, end, workgroup_size_x, workgroup_size_y,
	workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, event_id)
	SELECT 1, 1, 2, k - 2, 1, 0, t + k * 100000 - 200000,
	t + k * 110000 - 190000, 256, 1, 1, 65536, 1, 1, i * 10 + k + 3
	FROM step, (SELECT 3 AS k UNION ALL SELECT 4);
CREATE TABLE rocpd_memory_copy_1 (id INTEGER PRIMARY KEY, pid INTEGER,
	tid INTEGER, start BIGINT, end BIGINT, dst_agent_id INTEGER,
	src_agent_id INTEGER, size INTEGER, queue_id INTEGER, stream_id INTEGER,
	event_id INTEGER);
INSERT INTO rocpd_memory_copy_1 (pid, tid, start, end, dst_agent_id,
	src_agent_id, size, queue_id, stream_id, event_id)
	SELECT 1, 1, t + 30000, t + 60000, 2, 1, 1048576, 1, 0, i * 10 + 5
	FROM step;
COMMIT;
