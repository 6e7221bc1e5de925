-- rocpd.sql - a rocpd database of AMD's rocprofv3: two processes of two nodes,
-- merged, with the same ids in both; in the first, all kinds of rows
--
-- Legal: ids are unique within a suffix; an id without a row; a call without
-- an end; a call that took no time, in rocpd_sample.  Not legal: extdata that
-- is no JSON, a value that is no number, a kernel without a start.

BEGIN;
-- the first process
CREATE TABLE rocpd_metadata_a (id INTEGER PRIMARY KEY, tag TEXT, value TEXT);
INSERT INTO rocpd_metadata_a (tag, value) VALUES
	('schema_version', '3'), ('uuid', '_a'), ('guid', 'a');
CREATE TABLE rocpd_string_a (id INTEGER PRIMARY KEY, guid TEXT DEFAULT 'a',
	string TEXT);
INSERT INTO rocpd_string_a (id, string) VALUES (1, 'HIP_RUNTIME_API_EXT'),
	(2, 'hipLaunchKernel'), (3, 'MARKER_CORE_RANGE_API'),
	(4, 'roctxThreadRangeA'), (5, 'roctxProcessRangeA'), (6, 'KERNEL_DISPATCH'),
	(7, 'MEMORY_COPY'), (8, 'MEMORY_COPY_HOST_TO_DEVICE'), (9, 'HSA_CORE_API'),
	(10, 'hsa_signal_create'), (11, 'fwd'), (12, ''), (13, 'host'),
	(14, 'compute'), (15, 'KFD_PAGE_FAULT'), (16, 'hipStreamSynchronize');
CREATE TABLE rocpd_info_node_a (id INTEGER PRIMARY KEY, machine_id TEXT,
	system_name TEXT, hostname TEXT, release TEXT);
INSERT INTO rocpd_info_node_a VALUES (7, 'm1', 'Linux', 'node1', '6.8.0');
CREATE TABLE rocpd_info_process_a (id INTEGER PRIMARY KEY, nid INTEGER,
	pid INTEGER, init BIGINT, start BIGINT, command TEXT,
	environment JSONB DEFAULT '{}');
INSERT INTO rocpd_info_process_a VALUES (1, 7, 500, 1000000, 1000001,
	'/opt/app/train --fast', '{"LD_PRELOAD": "/opt/rocm-7.1.1/lib/x.so", '
	|| '"PMI_RANK": "3", "HOME": "/root"}');
CREATE TABLE rocpd_info_thread_a (id INTEGER PRIMARY KEY, pid INTEGER,
	tid INTEGER, name TEXT);
INSERT INTO rocpd_info_thread_a VALUES (1, 1, 501, 'main');
CREATE TABLE rocpd_info_agent_a (id INTEGER PRIMARY KEY, pid INTEGER,
	type TEXT, absolute_index INTEGER, type_index INTEGER, name TEXT,
	model_name TEXT, vendor_name TEXT, product_name TEXT,
	extdata JSONB DEFAULT '{}');
INSERT INTO rocpd_info_agent_a VALUES
	(1, 1, 'CPU', 0, 0, 'EPYC', '', 'CPU', 'EPYC', '{}'),
	(2, 1, 'GPU', 1, 0, 'gfx942', '', 'AMD', 'MI300X',
	'{"cu_count": 304, "location_id": 3072, "domain": 1}'),
	(3, 1, 'GPU', 2, 1, 'gfx942', '', 'AMD', 'MI300X', '{}');
CREATE TABLE rocpd_info_stream_a (id INTEGER PRIMARY KEY, pid INTEGER,
	name TEXT);
INSERT INTO rocpd_info_stream_a VALUES (0, 1, 'Default Stream');
CREATE TABLE rocpd_info_pmc_a (id INTEGER PRIMARY KEY, agent_id INTEGER,
	name TEXT, symbol TEXT, units TEXT);
INSERT INTO rocpd_info_pmc_a VALUES (1, 2, 'waves', 'SQ_WAVES', '');
CREATE TABLE rocpd_info_kernel_symbol_a (id INTEGER PRIMARY KEY,
	kernel_name TEXT, display_name TEXT, group_segment_size INTEGER,
	sgpr_count INTEGER, arch_vgpr_count INTEGER, accum_vgpr_count INTEGER);
INSERT INTO rocpd_info_kernel_symbol_a VALUES (9, '_Z4axpyIfEvi.kd',
	'void axpy<float>(int)', 1024, 32, 8, 0);
CREATE TABLE rocpd_track_a (id INTEGER PRIMARY KEY, pid INTEGER,
	tid INTEGER, name_id INTEGER);
INSERT INTO rocpd_track_a VALUES (1, 1, 1, 1), (2, 1, 1, 3), (3, 1, NULL, 13);
CREATE TABLE rocpd_event_a (id INTEGER PRIMARY KEY, guid TEXT DEFAULT 'a',
	category_id INTEGER, stack_id INTEGER, parent_stack_id INTEGER,
	correlation_id INTEGER, call_stack JSONB DEFAULT '{}',
	line_info JSONB DEFAULT '{}', extdata JSONB DEFAULT '{}');
INSERT INTO rocpd_event_a (id, category_id, stack_id, parent_stack_id,
	correlation_id, extdata) VALUES (1, 3, 1, 0, 0, '{"message": "step \"0\""}'),
	(2, 1, 2, 0, 0, '{}'), (3, 6, 2, 2, 0, '{}'), (4, 9, 4, 2, 0, '{}'),
	(5, 1, 5, 0, 0, '{}'), (6, 7, 5, 5, 0, '{}'), (7, 3, 7, 0, 0, '{}'),
	(8, 3, 8, 0, 0, '{"message": '), (9, 1, 9, 0, 0, '{}'),
	(10, 3, 10, 0, 0, '{"message":"here"}'), (11, 13, 0, 0, 0, '{}'),
	(12, 14, 12, 0, 0, '{}'), (13, 15, 13, 0, 0, '{}'), (14, 1, 14, 0, 0, '{}'),
	(15, 6, 77, 77, 0, '{}'), (16, 6, 78, 78, 0, '{}');
CREATE TABLE rocpd_arg_a (id INTEGER PRIMARY KEY, guid TEXT DEFAULT 'a',
	event_id INTEGER, position INTEGER, type TEXT, name TEXT, value TEXT,
	extdata JSONB DEFAULT '{}');
INSERT INTO rocpd_arg_a (event_id, position, type, name, value) VALUES
	(2, 0, 'void*', 'f', 'axpy'), (2, 1, 'dim3', 'n', '{x=1}'),
	(2, 2, 'dim3', 'n', '{x=2}'), (5, 0, 'size_t', 'sizeBytes', '4096');
CREATE TABLE rocpd_region_a (id INTEGER PRIMARY KEY, guid TEXT DEFAULT 'a',
	nid INTEGER, pid INTEGER, tid INTEGER, start BIGINT, end BIGINT,
	name_id INTEGER, event_id INTEGER, extdata JSONB DEFAULT '{}');
INSERT INTO rocpd_region_a (pid, tid, start, end, name_id, event_id) VALUES
	(1, 1, 1000200, 1000300, 2, 2), (1, 1, 1000400, 1000500, 2, 5),
	(1, 1, 1000600, 0, 16, 14), (1, 1, 1000250, 1000260, 10, 4),
	(1, 1, 1000100, 1000550, 4, 1), (1, 1, 1000110, 1000120, 5, 7),
	(1, 1, 1000130, 1000125, 4, 8), (1, 1, 1000570, 1000580, 404, 12),
	(1, 4242, 1000590, 1000595, 2, 13);
CREATE TABLE rocpd_sample_a (id INTEGER PRIMARY KEY, guid TEXT DEFAULT 'a',
	track_id INTEGER, timestamp BIGINT, event_id INTEGER,
	extdata JSONB DEFAULT '{}');
INSERT INTO rocpd_sample_a (track_id, timestamp, event_id) VALUES
	(1, 1000310, 9), (2, 1000320, 10), (3, 1000700, 11);
CREATE TABLE rocpd_kernel_dispatch_a (id INTEGER PRIMARY KEY,
	guid TEXT DEFAULT 'a', pid INTEGER, tid INTEGER, agent_id INTEGER,
	kernel_id INTEGER, queue_id INTEGER, stream_id INTEGER, start BIGINT,
	end BIGINT, private_segment_size INTEGER, group_segment_size INTEGER,
	workgroup_size_x INTEGER, workgroup_size_y INTEGER,
	workgroup_size_z INTEGER, grid_size_x INTEGER, grid_size_y INTEGER,
	grid_size_z INTEGER, region_name_id INTEGER, event_id INTEGER,
	graph_exec_id INTEGER, graph_node_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_a VALUES
	(1, 'a', 1, 1, 2, 9, 6, 0, 1000350, 1000380, 16, 1536, 256, 1, 1, 77824, 1,
	1, 11, 3, 0, 0),
	(2, 'a', 1, 1, 3, 10, 6, 0, 1000360, 1000390, 0, 0, 0, 0, 0, 8, 1, 1, 12,
	15, 5, 2),
	(3, 'a', 1, 1, 3, 9, 6, 0, NULL, 1000395, 0, 0, 1, 1, 1, 8, 1, 1, 12, 16, 0,
	0);
CREATE TABLE rocpd_memory_copy_a (id INTEGER PRIMARY KEY, pid INTEGER,
	tid INTEGER, start BIGINT, end BIGINT, name_id INTEGER,
	dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER,
	queue_id INTEGER, stream_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_memory_copy_a VALUES
	(1, 1, 1, 1000450, 1000480, 8, 2, 1, 4096, 6, 0, 6),
	(2, 1, NULL, 1000481, 1000482, 8, NULL, NULL, 1, NULL, NULL, NULL),
	(3, 1, NULL, 1000483, 1000484, 404, 3, 2, 1, NULL, NULL, NULL);
CREATE TABLE rocpd_memory_allocate_a (id INTEGER PRIMARY KEY, pid INTEGER,
	tid INTEGER, agent_id INTEGER, type TEXT, level TEXT, start BIGINT,
	end BIGINT, address INTEGER, size INTEGER, event_id INTEGER,
	extdata JSONB DEFAULT '{}');
INSERT INTO rocpd_memory_allocate_a VALUES (1, 1, 1, 2, 'ALLOC', 'REAL',
	1000010, 1000020, -140737488355328, 64, NULL, '{"flags": [1, "a b"]}');
CREATE TABLE rocpd_pmc_event_a (id INTEGER PRIMARY KEY, event_id INTEGER,
	pmc_id INTEGER, value REAL);
INSERT INTO rocpd_pmc_event_a VALUES (1, 11, 1, 2.5), (2, 3, 1, 7),
	(3, 3, 1, 9e999), (4, NULL, 1, 1);
CREATE TABLE rocpd_graph_launch_a (id INTEGER PRIMARY KEY, pid INTEGER,
	tid INTEGER, agent_id INTEGER, start BIGINT, end BIGINT,
	graph_exec_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_graph_launch_a VALUES (1, 1, 1, 3, 1000360, 1000390, 5, 15),
	(2, 1, 1, 3, 1000800, 1000900, 6, 15);
CREATE TABLE rocpd_event_operation_a (id INTEGER PRIMARY KEY, pid INTEGER,
	agent_id INTEGER, stream_id INTEGER, start BIGINT, end BIGINT, type TEXT);
INSERT INTO rocpd_event_operation_a VALUES
	(1, 1, 2, 0, 1000710, 1000711, 'WAIT');
CREATE TABLE rocpd_gpu_pc_sample_a (id INTEGER PRIMARY KEY);
INSERT INTO rocpd_gpu_pc_sample_a VALUES (1), (2);
-- the second process
CREATE TABLE rocpd_metadata_b (id INTEGER PRIMARY KEY, tag TEXT, value TEXT);
INSERT INTO rocpd_metadata_b (tag, value) VALUES ('schema_version', '3');
CREATE TABLE rocpd_string_b (id INTEGER PRIMARY KEY, string TEXT);
INSERT INTO rocpd_string_b VALUES (1, 'HSA_CORE_API'), (2, 'hsa_init');
CREATE TABLE rocpd_info_node_b (id INTEGER PRIMARY KEY, machine_id TEXT,
	hostname TEXT);
INSERT INTO rocpd_info_node_b VALUES (1, 'm2', 'node2');
CREATE TABLE rocpd_info_process_b (id INTEGER PRIMARY KEY, nid INTEGER,
	pid INTEGER, command TEXT);
INSERT INTO rocpd_info_process_b VALUES (1, 1, 500, 'train');
CREATE TABLE rocpd_event_b (id INTEGER PRIMARY KEY, category_id INTEGER,
	stack_id INTEGER);
INSERT INTO rocpd_event_b VALUES (2, 1, 2);
CREATE TABLE rocpd_region_b (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER,
	start BIGINT, end BIGINT, name_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_region_b VALUES (1, 1, 7, 999000, 1000201, 2, 2);
COMMIT;
