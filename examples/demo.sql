-- demo.sql - two ranks train a small transformer on two GPUs: 3 steps in 60 ms
--
--	sqlite3 demo.sqlite < demo.sql
--	tq-extract demo.sqlite | tq-correlate | tq-chrome > demo.json
--
-- An export as nsys 2026.2 writes it (schema 3.25.0), of a run that never
-- took place: all of it is made here from a plan of one training step.
--
--   processes  48211 and 48212, python3, rank 0 and 1; device 0 of each is
--              another GPU; both use context 1, streams 7 (compute), 20 (NCCL)
--              and 24 (copies), and the same correlation ids
--   threads    per process: python3 (tid = pid), pt_autograd_0 (pid + 180),
--              which launches the backward pass, pt_data_pin (pid + 160)
--   a step     data, zero_grad, forward, backward, optimizer (one CUDA graph
--              of four kernels), loss.item(), where the host waits for the GPU;
--              gradients are reduced in four buckets while backward still runs
--   ranges     default domain: text in the row; domain 1 "NCCL": registered
--              strings; domain 2 "Loader": start/end ranges that cross and end
--              on another thread
--
-- Rows (tests may rely on them):
--   KERNEL 372: 24 in 6 graph launches, 24 NCCL, 24 by cuLaunchKernelEx;
--   MEMCPY 24, MEMSET 12, SYNCHRONIZATION 38, CUDA_EVENT 24, RUNTIME 468 (234
--   per process), OVERHEAD 14; CUDA_GPU_MEMORY_USAGE_EVENTS 12 (8 alloc, 4
--   free); NVTX_EVENTS 302: 282 push/pop (24 of them in domain NCCL), 6
--   start/end, 8 marks, 2 categories, 4 domains; OSRT_API 42, SCHED_EVENTS 64,
--   COMPOSITE_EVENTS 48 (3 different stacks), GPU_METRICS 168,
--   PROFILER_OVERHEAD 4, DIAGNOSTIC_EVENT 3.
-- Every operation has its call in the same process, starts after the call
-- started, and no two on one stream overlap. Push/pop ranges nest.

BEGIN;

-- Tables --------------------------------------------------------------------

CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT);
CREATE TABLE ANALYSIS_DETAILS (
	globalVid INTEGER NOT NULL, duration INTEGER NOT NULL,
	startTime INTEGER NOT NULL, stopTime INTEGER NOT NULL);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (
	utcEpochNs INTEGER, utcTime TEXT, localTime TEXT, systemClockNs INTEGER);
CREATE TABLE TARGET_INFO_SYSTEM_ENV (
	globalVid INTEGER, devStateName TEXT NOT NULL, name TEXT NOT NULL,
	nameEnum INTEGER NOT NULL, value TEXT NOT NULL);
CREATE TABLE TARGET_INFO_GPU (
	vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, busLocation TEXT,
	isDiscrete INTEGER, l2CacheSize INTEGER, totalMemory INTEGER,
	memoryBandwidth INTEGER, clockRate INTEGER, smCount INTEGER,
	pwGpuId INTEGER, uuid TEXT, luid INTEGER, chipName TEXT,
	cuDevice INTEGER, computeMajor INTEGER, computeMinor INTEGER,
	smMajor INTEGER, smMinor INTEGER);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (
	gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL,
	uuid TEXT, numMultiprocessors INTEGER);
CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (
	nullStreamId INTEGER NOT NULL, hwId INTEGER NOT NULL,
	vmId INTEGER NOT NULL, processId INTEGER NOT NULL,
	deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
	parentContextId INTEGER, isGreenContext INTEGER,
	numMultiprocessors INTEGER);
CREATE TABLE TARGET_INFO_CUDA_STREAM (
	streamId INTEGER NOT NULL, hwId INTEGER NOT NULL, vmId INTEGER NOT NULL,
	processId INTEGER NOT NULL, contextId INTEGER NOT NULL,
	priority INTEGER NOT NULL, flag INTEGER NOT NULL);
CREATE TABLE TARGET_INFO_NVTX_CUDA_STREAM (
	name TEXT NOT NULL, hwId INTEGER NOT NULL, vmId INTEGER NOT NULL,
	processId INTEGER NOT NULL, deviceId INTEGER NOT NULL,
	contextId INTEGER NOT NULL, streamId INTEGER NOT NULL);
CREATE TABLE TARGET_INFO_GPU_METRICS (
	typeId INTEGER NOT NULL, sourceId INTEGER NOT NULL,
	typeName TEXT NOT NULL, metricId INTEGER NOT NULL,
	metricName TEXT NOT NULL);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE ThreadNames (
	nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
CREATE TABLE ENUM_CUDA_MEMCPY_OPER (
	id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
CREATE TABLE ENUM_CUDA_MEM_KIND (
	id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
CREATE TABLE ENUM_CUPTI_SYNC_TYPE (
	id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
CREATE TABLE ENUM_SAMPLING_THREAD_STATE (
	id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);

CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
	start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
	contextId INTEGER NOT NULL, greenContextId INTEGER,
	streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
	demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL,
	mangledName INTEGER, launchType INTEGER, cacheConfig INTEGER,
	registersPerThread INTEGER NOT NULL,
	gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL,
	blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL,
	staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL,
	localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL,
	gridId INTEGER NOT NULL, sharedMemoryExecuted INTEGER,
	graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER,
	qmdBulkReleaseDone INTEGER, qmdPreexitDone INTEGER,
	qmdLastCtaDone INTEGER, graphId INTEGER,
	clusterX INTEGER, clusterY INTEGER, clusterZ INTEGER,
	clusterSchedulingPolicy INTEGER, maxPotentialClusterSize INTEGER,
	maxActiveClusters INTEGER, sharedMemoryRequestedPercentage INTEGER,
	tensorSizeMinusOneElements TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (
	start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
	contextId INTEGER NOT NULL, greenContextId INTEGER,
	streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
	bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL,
	deprecatedSrcId INTEGER, srcKind INTEGER, dstKind INTEGER,
	srcDeviceId INTEGER, srcContextId INTEGER, dstDeviceId INTEGER,
	dstContextId INTEGER, migrationCause INTEGER, graphNodeId INTEGER,
	virtualAddress INTEGER, copyCount INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (
	start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
	contextId INTEGER NOT NULL, greenContextId INTEGER,
	streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
	value INTEGER NOT NULL, bytes INTEGER NOT NULL, graphNodeId INTEGER,
	memKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (
	start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
	contextId INTEGER NOT NULL, greenContextId INTEGER,
	streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
	deprecatedSyncType INTEGER, syncType INTEGER NOT NULL,
	eventId INTEGER NOT NULL, eventSyncId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (
	timestamp INTEGER, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
	greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
	globalPid INTEGER, eventId INTEGER NOT NULL, eventSyncId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
	start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
	globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL,
	returnValue INTEGER NOT NULL, callchainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (
	start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
	globalTid INTEGER, correlationId INTEGER, nameId INTEGER,
	overheadType INTEGER NOT NULL);
CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (
	start INTEGER NOT NULL, globalPid INTEGER NOT NULL,
	deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
	address INTEGER NOT NULL, pc INTEGER NOT NULL, bytes INTEGER NOT NULL,
	memKind INTEGER NOT NULL, memoryOperationType INTEGER NOT NULL,
	name TEXT, correlationId INTEGER, streamId INTEGER,
	localMemoryPoolAddress INTEGER, localMemoryPoolReleaseThreshold INTEGER,
	localMemoryPoolSize INTEGER, localMemoryPoolUtilizedSize INTEGER,
	importedMemoryPoolAddress INTEGER, importedMemoryPoolProcessId INTEGER);
CREATE TABLE NVTX_EVENTS (
	start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,
	rangeId INTEGER, category INTEGER, color INTEGER, text TEXT,
	globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER,
	domainId INTEGER, uint64Value INTEGER, int64Value INTEGER,
	doubleValue REAL, uint32Value INTEGER, int32Value INTEGER,
	floatValue REAL, jsonTextId INTEGER, jsonText TEXT, binaryData TEXT);
CREATE TABLE OSRT_API (
	start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
	globalTid INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL,
	nestingLevel INTEGER, callchainId INTEGER NOT NULL,
	argumentsId INTEGER NOT NULL);
CREATE TABLE OSRT_CALLCHAINS (
	id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL,
	kernelMode INTEGER, thumbCode INTEGER, unresolved INTEGER,
	specialEntry INTEGER, originalIP INTEGER, unwindMethod INTEGER,
	stackDepth INTEGER NOT NULL, PRIMARY KEY (id, stackDepth));
CREATE TABLE SCHED_EVENTS (
	start INTEGER NOT NULL, cpu INTEGER NOT NULL, isSchedIn INTEGER NOT NULL,
	globalTid INTEGER, threadState INTEGER, threadBlock INTEGER);
CREATE TABLE COMPOSITE_EVENTS (
	id INTEGER NOT NULL PRIMARY KEY, start INTEGER NOT NULL, cpu INTEGER,
	threadState INTEGER, globalTid INTEGER, cpuCycles INTEGER NOT NULL);
CREATE TABLE SAMPLING_CALLCHAINS (
	id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL,
	kernelMode INTEGER, thumbCode INTEGER, unresolved INTEGER,
	specialEntry INTEGER, originalIP INTEGER, unwindMethod INTEGER,
	stackDepth INTEGER NOT NULL, PRIMARY KEY (id, stackDepth));
CREATE TABLE GPU_METRICS (
	rawTimestamp INTEGER NOT NULL, timestamp INTEGER NOT NULL,
	typeId INTEGER NOT NULL, metricId INTEGER NOT NULL,
	value INTEGER NOT NULL);
CREATE TABLE PROFILER_OVERHEAD (
	start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER,
	nameId INTEGER NOT NULL, overheadType INTEGER NOT NULL);
CREATE TABLE DIAGNOSTIC_EVENT (
	timestamp INTEGER NOT NULL, timestampType INTEGER NOT NULL,
	source INTEGER NOT NULL, severity INTEGER NOT NULL, text TEXT NOT NULL,
	globalPid INTEGER);

-- The machine, the processes, the threads -----------------------------------

-- gpid: a global id is 8 bits of hardware, 8 of VM, 24 of pid, 24 of tid
CREATE TEMP TABLE rank AS
SELECT column1 AS rank, column2 AS pid, (1 << 48) | (column2 << 24) AS gpid
FROM (VALUES (0, 48211), (1, 48212));

CREATE TEMP TABLE thread AS
SELECT rank, pid, gpid, column1 AS thread, gpid | (pid + column2) AS gtid,
	column3 AS name, 2 * column4 + 8 * rank AS cpu
FROM rank, (VALUES
	('main',       0, 'python3',       0),
	('autograd', 180, 'pt_autograd_0', 1),
	('pin',      160, 'pt_data_pin',   2));

INSERT INTO META_DATA_EXPORT VALUES
	('EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'),
	('EXPORT_PRODUCT_VERSION', '2026.2.1.210'),
	('EXPORT_PRODUCT_DATE', '2026.2'),
	('EXPORT_SCHEMA_VERSION', '3.25.0'),
	('EXPORT_SCHEMA_VERSION_MAJOR', '3'),
	('EXPORT_SCHEMA_VERSION_MINOR', '25'),
	('EXPORT_SCHEMA_VERSION_MICRO', '0'),
	('EXPORT_PLATFORM', 'linux-desktop'),
	('EXPORT_ARCH', 'x64'),
	('EXPORT_PARAM_LAZY', 'true');
INSERT INTO META_DATA_CAPTURE VALUES
	('DEVICE_DISPLAY_NAME', 'node01'),
	('CUDA_GRAPH_TRACE_OPTIONS:MODE', 'Node'),
	('PROCESS_0:COMMAND', 'torchrun'),
	('PROCESS_0:ARGUMENT_0', '--nproc-per-node=2'),
	('PROCESS_0:ARGUMENT_1', 'train.py');
INSERT INTO ANALYSIS_DETAILS
VALUES (1 << 48, 60000000, 812345000000, 812405000000);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES
	(1778578200000000000, '2026-05-12T09:30:00', '2026-05-12T11:30:00',
	812345000000);
INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES
	(1 << 48, 'Local (CLI)', 'CpuCores', 1, '16'),
	(1 << 48, 'Local (CLI)', 'OsDescription', 605, 'Ubuntu 24.04.3 LTS'),
	(1 << 48, 'Local (CLI)', 'CudaDriverVersion', 611, '13.0'),
	(1 << 48, 'Local (CLI)', 'Hostname', 619, 'node01');
INSERT INTO TARGET_INFO_GPU
SELECT 1 << 48, rank, 'NVIDIA H100 80GB HBM3',
	iif(rank = 0, '0000:1b:00.0', '0000:43:00.0'),
	1, 52428800, 85045870592, 3352320000000, 1980000000, 132, rank,
	printf('6f0e4b7a-2d31-5c48-9a60-0000000000%02d', 27 + 40 * rank),
	0, 'GH100', rank, 9, 0, 9, 0 FROM rank;
INSERT INTO TARGET_INFO_CUDA_DEVICE
SELECT rank, 0, pid,
	printf('6f0e4b7a-2d31-5c48-9a60-0000000000%02d', 27 + 40 * rank), 132
FROM rank;
INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO
SELECT 7, 0, 1, pid, 0, 1, 0, 0, 0 FROM rank;
INSERT INTO TARGET_INFO_CUDA_STREAM
SELECT column1, 0, 1, pid, 1, column2, column3
FROM rank, (VALUES (7, 0, 3), (20, 4294967291, 2), (24, 0, 2));
INSERT INTO TARGET_INFO_NVTX_CUDA_STREAM
SELECT column1, 0, 1, pid, 0, 1, column2
FROM rank, (VALUES ('nccl', 20), ('copies', 24));
INSERT INTO PROCESSES
SELECT gpid, pid, 'python3' FROM rank
UNION ALL SELECT (1 << 48) | (column1 << 24), column1, column2
FROM (VALUES (48190, 'torchrun'), (1, 'systemd'));
INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES
	(1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device'),
	(2, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host'),
	(8, 'CUDA_MEMCPY_KIND_DTOD', 'Device-to-Device');
INSERT INTO ENUM_CUDA_MEM_KIND VALUES
	(0, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE', 'Pageable'),
	(1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned'),
	(2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', 'Device');
INSERT INTO ENUM_CUPTI_SYNC_TYPE VALUES
	(2, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT',
		'Stream wait sync'),
	(3, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE',
		'Stream sync'),
	(4, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE',
		'Context sync');
INSERT INTO ENUM_SAMPLING_THREAD_STATE VALUES
	(0, 'Unknown', 'Unknown'), (1, 'Running', 'Running'),
	(2, 'Interruptible', 'Interruptible');

-- The kernels: block is (threads, 1, 1); 0 for no cluster ---------------------

CREATE TEMP TABLE kern (
	kern, short, mangled, demangled, gx, gy, threads, regs, smem, cluster);
INSERT INTO kern VALUES
('gather', 'vectorized_gather_kernel',
	'_ZN2at6native12_GLOBAL__N_124vectorized_gather_kernelILi16ElEEvPcS3_PT0_illllb',
	'void at::native::<unnamed>::vectorized_gather_kernel<(int)16, long>(char *, char *, T2 *, int, long, long, long, long, bool)',
	32768, 1, 256, 24, 0, 0),
('ln', 'vectorized_layer_norm_kernel',
	'_ZN2at6native12_GLOBAL__N_128vectorized_layer_norm_kernelIN3c108BFloat16EfLb0EEEviT0_PKT_S8_S8_PS5_S9_PS6_',
	'void at::native::<unnamed>::vectorized_layer_norm_kernel<c10::BFloat16, float, (bool)0>(int, T2, const T1 *, const T1 *, const T1 *, T2 *, T2 *, T1 *)',
	32768, 1, 128, 40, 24, 0),
('gemm_tn', 'nvjet_tst_128x256_64x4_2x1_v_bz_coopA_TNT',
	'nvjet_tst_128x256_64x4_2x1_v_bz_coopA_TNT',
	'nvjet_tst_128x256_64x4_2x1_v_bz_coopA_TNT',
	2, 66, 384, 168, 213120, 2),
('gemm_bias', 'nvjet_tst_256x128_64x4_1x2_h_bz_coopA_bias_TNT',
	'nvjet_tst_256x128_64x4_1x2_h_bz_coopA_bias_TNT',
	'nvjet_tst_256x128_64x4_1x2_h_bz_coopA_bias_TNT',
	2, 66, 384, 168, 213120, 2),
('gemm_xmma', 'sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas',
	'sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas',
	'sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas',
	256, 32, 128, 168, 164864, 0),
('gemm_dgrad', 'nvjet_tst_128x256_64x4_2x1_v_bz_coopA_NNT',
	'nvjet_tst_128x256_64x4_2x1_v_bz_coopA_NNT',
	'nvjet_tst_128x256_64x4_2x1_v_bz_coopA_NNT',
	2, 66, 384, 168, 213120, 2),
('gemm_wgrad', 'nvjet_tst_256x128_64x4_1x2_h_bz_coopA_NTN',
	'nvjet_tst_256x128_64x4_1x2_h_bz_coopA_NTN',
	'nvjet_tst_256x128_64x4_1x2_h_bz_coopA_NTN',
	2, 66, 384, 168, 213120, 2),
('rope', 'triton_poi_fused_cat_mul_neg_slice_0',
	'triton_poi_fused_cat_mul_neg_slice_0',
	'triton_poi_fused_cat_mul_neg_slice_0', 131072, 1, 128, 22, 0, 0),
('add_ln', 'triton_per_fused_add_native_layer_norm_1',
	'triton_per_fused_add_native_layer_norm_1',
	'triton_per_fused_add_native_layer_norm_1', 32768, 1, 256, 34, 16, 0),
('flash', 'flash_fwd_kernel',
	'_ZN5flash16flash_fwd_kernelI23Flash_fwd_kernel_traitsILi128ELi128ELi64ELi4ELb0ELb0EN7cutlass10bfloat16_tE19Flash_kernel_traitsILi128ELi128ELi64ELi4ES3_EELb0ELb1ELb0ELb0ELb1ELb0ELb0EEEvNS_16Flash_fwd_paramsE',
	'void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<(int)128, (int)128, (int)64, (int)4, (bool)0, (bool)0, cutlass::bfloat16_t, Flash_kernel_traits<(int)128, (int)128, (int)64, (int)4, cutlass::bfloat16_t>>, (bool)0, (bool)1, (bool)0, (bool)0, (bool)1, (bool)0, (bool)0>(flash::Flash_fwd_params)',
	32, 8, 128, 255, 65536, 0),
('flash_bwd', 'flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel',
	'_ZN5flash44flash_bwd_dq_dk_dv_loop_seqk_parallel_kernelI23Flash_bwd_kernel_traitsILi128ELi64ELi128ELi8ELi2ELi4ELi2ELb0ELb0EN7cutlass10bfloat16_tE19Flash_kernel_traitsILi128ELi64ELi128ELi8ES3_EELb0ELb1ELb0ELb0ELb1ELb1ELb0EEEvNS_16Flash_bwd_paramsE',
	'void flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<(int)128, (int)64, (int)128, (int)8, (int)2, (int)4, (int)2, (bool)0, (bool)0, cutlass::bfloat16_t, Flash_kernel_traits<(int)128, (int)64, (int)128, (int)8, cutlass::bfloat16_t>>, (bool)0, (bool)1, (bool)0, (bool)0, (bool)1, (bool)1, (bool)0>(flash::Flash_bwd_params)',
	32, 8, 256, 255, 147456, 0),
('gelu', 'vectorized_elementwise_kernel',
	'_ZN2at6native29vectorized_elementwise_kernelILi8EZZZNS0_18GeluCUDAKernelImplERNS_18TensorIteratorBaseENS0_8GeluTypeEENKUlvE0_clEvENKUlvE2_clEvEUlN3c108BFloat16EE_St5arrayIPcLm2EEEEviT0_T1_',
	'void at::native::vectorized_elementwise_kernel<(int)8, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase &, at::native::GeluType)::[lambda() (instance 2)]::operator ()() const::[lambda() (instance 4)]::operator ()() const::[lambda(c10::BFloat16) (instance 1)], std::array<char *, (unsigned long)2>>(int, T2, T3)',
	131072, 1, 128, 32, 0, 0),
('gelu_bwd', 'vectorized_elementwise_kernel',
	'_ZN2at6native29vectorized_elementwise_kernelILi8EZZZNS0_26GeluBackwardCUDAKernelImplERNS_18TensorIteratorBaseENS0_8GeluTypeEENKUlvE0_clEvENKUlvE2_clEvEUlN3c108BFloat16ES7_E_St5arrayIPcLm3EEEEviT0_T1_',
	'void at::native::vectorized_elementwise_kernel<(int)8, at::native::GeluBackwardCUDAKernelImpl(at::TensorIteratorBase &, at::native::GeluType)::[lambda() (instance 2)]::operator ()() const::[lambda() (instance 4)]::operator ()() const::[lambda(c10::BFloat16, c10::BFloat16) (instance 1)], std::array<char *, (unsigned long)3>>(int, T2, T3)',
	131072, 1, 128, 38, 0, 0),
('softmax', 'cunn_SoftMaxForwardSmem',
	'_ZN2at6native12_GLOBAL__N_123cunn_SoftMaxForwardSmemILi8EN3c108BFloat16EffNS1_25LogSoftMaxForwardEpilogueElEEvPT2_PKT0_T4_',
	'void at::native::<unnamed>::cunn_SoftMaxForwardSmem<(int)8, c10::BFloat16, float, float, at::native::<unnamed>::LogSoftMaxForwardEpilogue, long>(T4 *, const T2 *, T6)',
	32768, 1, 1024, 40, 100640, 0),
('softmax_bwd', 'cunn_SoftMaxBackward',
	'_ZN2at6native12_GLOBAL__N_120cunn_SoftMaxBackwardILi8EN3c108BFloat16EffNS1_26LogSoftMaxBackwardEpilogueEEEvPT0_PKT2_SA_l',
	'void at::native::<unnamed>::cunn_SoftMaxBackward<(int)8, c10::BFloat16, float, float, at::native::<unnamed>::LogSoftMaxBackwardEpilogue>(T2 *, const T4 *, const T4 *, long)',
	32768, 1, 1024, 32, 128, 0),
('nll', 'nll_loss_forward_reduce_cuda_kernel_2d',
	'_ZN2at6native12_GLOBAL__N_138nll_loss_forward_reduce_cuda_kernel_2dIfflEEvPT_S4_PKS3_PKT1_S6_bllll',
	'void at::native::<unnamed>::nll_loss_forward_reduce_cuda_kernel_2d<float, float, long>(T1 *, T1 *, const T1 *, const T3 *, const T1 *, bool, long, long, long, long)',
	1, 1, 1024, 32, 8192, 0),
('nll_bwd', 'nll_loss_backward_reduce_cuda_kernel_2d',
	'_ZN2at6native12_GLOBAL__N_139nll_loss_backward_reduce_cuda_kernel_2dIflEEvPT_PKS3_PKT0_S6_S6_biill',
	'void at::native::<unnamed>::nll_loss_backward_reduce_cuda_kernel_2d<float, long>(T1 *, const T1 *, const T2 *, const T1 *, const T1 *, bool, int, int, long, long)',
	1, 1, 1024, 22, 0, 0),
('ln_bwd', 'layer_norm_grad_input_kernel_vectorized',
	'_ZN2at6native12_GLOBAL__N_139layer_norm_grad_input_kernel_vectorizedIN3c108BFloat16EfLb0EEEvPKT_S7_PKT0_SA_S7_PS5_i',
	'void at::native::<unnamed>::layer_norm_grad_input_kernel_vectorized<c10::BFloat16, float, (bool)0>(const T1 *, const T1 *, const T2 *, const T2 *, const T1 *, T1 *, int)',
	32768, 1, 128, 40, 128, 0),
('emb_bwd', 'embedding_backward_feature_kernel',
	'_ZN2at6native12_GLOBAL__N_133embedding_backward_feature_kernelIN3c108BFloat16EflEEvPKT1_PKT_PS8_ili',
	'void at::native::<unnamed>::embedding_backward_feature_kernel<c10::BFloat16, float, long>(const T3 *, const T1 *, T1 *, int, long, int)',
	128, 1, 1024, 38, 8320, 0),
('norm', 'multi_tensor_apply_kernel',
	'_ZN2at6native12_GLOBAL__N_125multi_tensor_apply_kernelINS1_18TensorListMetadataILi1EEENS1_13LpNormFunctorIN3c108BFloat16ELNS0_8NormTypeE1EfLi1ELi1ELi0EEEJPfiEEEvT_T0_DpT1_',
	'void at::native::<unnamed>::multi_tensor_apply_kernel<at::native::<unnamed>::TensorListMetadata<(int)1>, at::native::<unnamed>::LpNormFunctor<c10::BFloat16, (at::native::NormType)1, float, (int)1, (int)1, (int)0>, float *, int>(T1, T2, T3...)',
	320, 1, 512, 36, 2048, 0),
('adam', 'multi_tensor_apply_kernel',
	'_ZN2at6native12_GLOBAL__N_125multi_tensor_apply_kernelINS1_32FusedOptimizerTensorListMetadataILi4EEENS1_20FusedAdamMathFunctorIfLi4ELNS0_9ADAM_MODEE1ELb0EEEJPfddEEEvT_T0_DpT1_',
	'void at::native::<unnamed>::multi_tensor_apply_kernel<at::native::<unnamed>::FusedOptimizerTensorListMetadata<(int)4>, at::native::<unnamed>::FusedAdamMathFunctor<float, (int)4, (at::native::ADAM_MODE)1, (bool)0>, float *, double, double>(T1, T2, T3...)',
	320, 1, 512, 60, 0, 0),
('nccl', 'ncclDevKernel_AllReduce_Sum_bf16_RING_LL',
	'_Z40ncclDevKernel_AllReduce_Sum_bf16_RING_LL24ncclDevKernelArgsStorageILm4096EE',
	'ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<(unsigned long)4096>)',
	24, 1, 640, 96, 82240, 0);

-- The calls: what a call costs on the host, in us ------------------------------

CREATE TEMP TABLE api (call, name, class, cost);
INSERT INTO api VALUES
	('launch',   'cudaLaunchKernel_v7000',           0,  5),
	('launchEx', 'cudaLaunchKernelExC_v11060',       0,  6),
	('triton',   'cuLaunchKernelEx',                 1,  4),
	('graph',    'cudaGraphLaunch_v10000',           0, 44),
	('memcpy',   'cudaMemcpyAsync_v3020',            0, 11),
	('memset',   'cudaMemsetAsync_v3020',            0,  7),
	('record',   'cudaEventRecordWithFlags_v11010',  0,  2),
	('wait',     'cudaStreamWaitEvent_v3020',        0,  2),
	('sync',     'cudaStreamSynchronize_v3020',      0,  9),
	('malloc',   'cudaMalloc_v3020',                 0, 61);

-- The plan of one step: calls in order; what they make the GPU do, and for
-- how many us. Allocations are made in the first step only.

CREATE TEMP TABLE plan (
	seq INTEGER PRIMARY KEY, thread, phase, block, module, call, what, us,
	stream);
INSERT INTO plan VALUES
	( 10, 'main', 'data', NULL, NULL, 'memcpy', 'HtoD pinned', 322, 24),
	( 11, 'main', 'data', NULL, NULL, 'memcpy', 'HtoD pageable', 21, 7),
	( 20, 'main', 'zero_grad', NULL, NULL, 'memset', 'memset', 51, 7),
	( 21, 'main', 'zero_grad', NULL, NULL, 'memset', 'memset', 51, 7),
	( 30, 'main', 'forward', NULL, 'embedding', 'malloc', NULL, 0, 7),
	( 31, 'main', 'forward', NULL, 'embedding', 'launch', 'gather', 54, 7),
	( 32, 'main', 'forward', NULL, 'embedding', 'memcpy', 'DtoD', 28, 7),
	(300, 'main', 'forward', NULL, 'lm_head', 'malloc', NULL, 0, 7),
	(301, 'main', 'forward', NULL, 'lm_head', 'launch', 'ln', 56, 7),
	(302, 'main', 'forward', NULL, 'lm_head', 'launchEx', 'gemm_tn', 769, 7),
	(310, 'main', 'forward', NULL, 'loss', 'launch', 'softmax', 201, 7),
	(311, 'main', 'forward', NULL, 'loss', 'launch', 'nll', 6, 7);
INSERT INTO plan
SELECT 100 * (1 + block) + column1, 'main', 'forward', block, column2, column3,
	column4, column5, 7
FROM (SELECT 0 AS block UNION SELECT 1), (VALUES
	( 1, 'attn', 'launch',   'ln',         56),
	( 2, 'attn', 'malloc',   NULL,          0),
	( 3, 'attn', 'launchEx', 'gemm_tn',   333),
	( 4, 'attn', 'triton',   'rope',       75),
	( 5, 'attn', 'launch',   'flash',     501),
	( 6, 'attn', 'launchEx', 'gemm_tn',   143),
	(10, 'mlp',  'triton',   'add_ln',     78),
	(11, 'mlp',  'launchEx', 'gemm_bias', 451),
	(12, 'mlp',  'launch',   'gelu',      103),
	(13, 'mlp',  'launch',   'gemm_xmma', 438));

-- backward: the module is the node that the autograd engine evaluates
INSERT INTO plan
SELECT column1, 'autograd', 'backward', NULL, column2, column3, column4,
	column5, column6
FROM (VALUES
	(400, 'NllLossBackward0', 'launch', 'nll_bwd', 8, 7),
	(401, 'LogSoftmaxBackward0', 'launch', 'softmax_bwd', 213, 7),
	(402, 'MmBackward0', 'launchEx', 'gemm_dgrad', 748, 7),
	(403, 'MmBackward0', 'launchEx', 'gemm_wgrad', 741, 7),
	(410, 'AllReduce 0', 'record', NULL, 0, 7),
	(411, 'AllReduce 0', 'wait', NULL, 0, 20),
	(412, 'AllReduce 0', 'launchEx', 'nccl', 1104, 20),
	(413, 'NativeLayerNormBackward0', 'launch', 'ln_bwd', 95, 7),
	(530, 'AllReduce 1', 'record', NULL, 0, 7),
	(531, 'AllReduce 1', 'wait', NULL, 0, 20),
	(532, 'AllReduce 1', 'launchEx', 'nccl', 1420, 20),
	(609, 'AllReduce 2', 'record', NULL, 0, 7),
	(610, 'AllReduce 2', 'wait', NULL, 0, 20),
	(611, 'AllReduce 2', 'launchEx', 'nccl', 1010, 20),
	(630, 'EmbeddingBackward0', 'launch', 'emb_bwd', 122, 7),
	(640, 'AllReduce 3', 'record', NULL, 0, 7),
	(641, 'AllReduce 3', 'wait', NULL, 0, 20),
	(642, 'AllReduce 3', 'launchEx', 'nccl', 560, 20));
INSERT INTO plan
SELECT 100 * (6 - block) + column1, 'autograd', 'backward', NULL,
	printf('%s, block.%d %s', column2, block, column3), column4, column5,
	column6, 7
FROM (SELECT 0 AS block UNION SELECT 1), (VALUES
	( 0, 'AddmmBackward0', 'fc2', 'launchEx', 'gemm_dgrad', 433),
	( 1, 'AddmmBackward0', 'fc2', 'launchEx', 'gemm_wgrad', 423),
	( 2, 'GeluBackward0', 'act', 'launch', 'gelu_bwd', 113),
	( 3, 'AddmmBackward0', 'fc1', 'launchEx', 'gemm_dgrad', 445),
	( 4, 'AddmmBackward0', 'fc1', 'launchEx', 'gemm_wgrad', 439),
	( 5, 'NativeLayerNormBackward0', 'ln_2', 'launch', 'ln_bwd', 95),
	( 6, 'AddmmBackward0', 'proj', 'launchEx', 'gemm_dgrad', 145),
	( 7, 'AddmmBackward0', 'proj', 'launchEx', 'gemm_wgrad', 139),
	(20, 'ScaledDotProductFlashAttentionBackward0', 'core', 'launch',
		'flash_bwd', 1198),
	(21, 'AddmmBackward0', 'qkv', 'launchEx', 'gemm_dgrad', 330),
	(22, 'AddmmBackward0', 'qkv', 'launchEx', 'gemm_wgrad', 322),
	(23, 'NativeLayerNormBackward0', 'ln_1', 'launch', 'ln_bwd', 95));

INSERT INTO plan VALUES
	(700, 'main', 'optimizer', NULL, 'clip_grad_norm_', 'wait', NULL, 0, 7),
	(701, 'main', 'optimizer', NULL, 'clip_grad_norm_', 'launch', 'norm', 75, 7),
	(710, 'main', 'optimizer', NULL, 'AdamW.step', 'graph', 'adam', 126, 7),
	(800, 'main', 'loss.item()', NULL, NULL, 'memcpy', 'DtoH', 2, 7),
	(801, 'main', 'loss.item()', NULL, NULL, 'sync', NULL, 0, 7);

-- The host: one call after the other, each after some time in Python ----------
--
-- j varies all durations a little, always in the same way. Step 0 is slower:
-- it allocates, and the first launch of some kernels loads their code (180 us).

CREATE TEMP TABLE call AS
WITH RECURSIVE step(step) AS (
	SELECT 0 UNION ALL SELECT step + 1 FROM step WHERE step < 2),
every AS (
	SELECT rank, step, plan.*, name, class, cost,
		(seq * 7919 + step * 3571 + rank * 2713) % 101 AS j,
		ifnull(step = 0 AND (what LIKE 'gemm%' OR what LIKE 'flash%') AND
			seq = min(seq) OVER (PARTITION BY rank, step, what), 0) AS cold
	FROM rank, step, plan JOIN api USING (call)
	WHERE call <> 'malloc' OR step = 0),
timed AS (
	SELECT *, cost * 1000 + j * 31 + cold * 180000 AS dur,
		CASE phase WHEN 'forward' THEN 84000 + j * 520
		WHEN 'backward' THEN 62000 + j * 430
		ELSE 34000 + j * 260 END AS gap
	FROM every)
SELECT *, start + dur AS "end" FROM (
	SELECT *, 2400000 + 18400000 * step + 1000000 * (step > 0) +
		310000 * rank - dur + sum(gap + dur) OVER (PARTITION BY rank, step ORDER BY seq) AS start
	FROM timed);

-- The GPUs: an operation starts when it was launched and the operation before
-- it on its stream is done: start = before + max(ready - before) of all up to
-- here, where before is the sum of all durations before.

CREATE TEMP TABLE work AS
SELECT rank, step, seq, node, stream, what,
	us * (950 + j + 20 * rank + 30 * (step = 0)) / 32 * 32 AS ns,
	1000 + j % 7 * 128 AS gap, end + 2100 + j * 9 AS ready
FROM call JOIN (SELECT 1 AS node UNION SELECT 2 UNION SELECT 3 UNION SELECT 4)
ON node = 1 OR call = 'graph'
WHERE what IS NOT NULL;

CREATE TEMP VIEW queue AS
SELECT *, start + ns AS "end" FROM (
	SELECT *, before + max(ready - before) OVER (
		PARTITION BY rank, stream ORDER BY step, seq, node) AS start
	FROM (SELECT *, sum(ns + gap) OVER (
		PARTITION BY rank, stream ORDER BY step, seq, node) - ns - gap
		AS before FROM work));

-- A reduction waits for the gradients launched before it, and for the other
-- rank: both end together. The optimizer waits for the last reduction.
UPDATE work SET ready = max(ready, 3500 + (
	SELECT max(end) FROM queue AS q WHERE q.rank = work.rank AND q.stream = 7
	AND (q.step, q.seq) < (work.step, work.seq)))
WHERE what = 'nccl';
CREATE TEMP TABLE meeting AS
SELECT step, seq, max(ready) + min(ns) AS till FROM work
WHERE what = 'nccl' GROUP BY step, seq;
UPDATE work SET ns = (SELECT till FROM meeting
	WHERE (step, seq) = (work.step, work.seq)) - ready
WHERE what = 'nccl';
UPDATE work SET ready = max(ready, 4000 + (
	SELECT max(end) FROM queue AS q
	WHERE (q.rank, q.step, q.stream) = (work.rank, work.step, 20)))
WHERE seq = 701;

CREATE TEMP TABLE done AS SELECT * FROM queue;

-- loss.item() returns when the loss has been copied
UPDATE call SET end = 5500 + (SELECT end FROM done AS d
	WHERE (d.rank, d.step, d.seq) = (call.rank, call.step, 800))
WHERE call = 'sync';

-- What else the main threads call, before the steps and after them
INSERT INTO call (rank, step, seq, thread, stream, call, name, class, start, end)
SELECT rank, column1, column2, 'main', 7, column3, column4, 0,
	column5 + 21000 * rank, column5 + 21000 * rank + column6
FROM rank, (VALUES
	(-1, 1, 'create', 'cudaStreamCreateWithPriority_v5050', 1190000, 17400),
	(-1, 2, 'create', 'cudaStreamCreateWithFlags_v5000',    1260000, 12800),
	( 9, 1, 'device', 'cudaDeviceSynchronize_v3020',       58700000,  9700),
	( 9, 2, 'free',   'cudaFree_v3020',                    58790000, 96400),
	( 9, 3, 'free',   'cudaFree_v3020',                    58930000, 71300));

CREATE TEMP TABLE corr AS
SELECT rank, step, seq, 1094 + 3 * row_number() OVER (
	PARTITION BY rank ORDER BY step, seq) AS corr
FROM call;

-- Calls of the operating system, call stacks ------------------------------------

-- the main thread waits for the autograd thread, and the other way round; the
-- loader reads
CREATE TEMP TABLE osrt (rank, thread, name, ret, nesting, stack, start, end);
INSERT INTO osrt
SELECT rank, 'main', 'pthread_cond_wait', 0, 0, 0, min(start) - 15000,
	max(end) + 9000
FROM call WHERE phase = 'backward' GROUP BY rank, step;
INSERT INTO osrt
SELECT rank, 'autograd', 'pthread_cond_wait', 0, 0, 0, a, b FROM (
	SELECT rank, max(end) + 8000 AS a,
		lead(min(start) - 14000, 1, 59400000) OVER (
			PARTITION BY rank ORDER BY step) AS b
	FROM call WHERE phase = 'backward' GROUP BY rank, step
	UNION ALL SELECT rank, 400000, min(start) - 14000
	FROM call WHERE phase = 'backward' GROUP BY rank);
INSERT INTO osrt
SELECT rank, 'pin', column1, column2, 0, 0,
	a + column3 * 1000 + step * 37000, a + (column3 + column4) * 1000
FROM (SELECT rank, step, min(start) AS a FROM call
	WHERE phase = 'data' GROUP BY rank, step), (VALUES
	('poll', 1,           900, 2600),
	('read', 8388608,    3600, 4100),
	('read', 8388608,    7900, 3800));
INSERT INTO osrt
SELECT rank, 'main', column1, column2, column3, column4,
	column5 + 13000 * rank, column5 + column6 + 13000 * rank
FROM rank, (VALUES
	('fopen',  0, 0, 0,  310000,  41200),
	('open64', 9, 1, 0,  318000,  24600),
	('mmap64', 0, 0, 1,  420000,  18900),
	('ioctl',  0, 0, 0,  520000, 133700),
	('ioctl',  0, 0, 0,  700000,  88200));

CREATE TEMP TABLE frame (chain, depth, symbol, module, unresolved);
INSERT INTO frame VALUES
	('python', 0, 'cudaLaunchKernel', 'libcudart.so.12', 0),
	('python', 1, 'at::native::layer_norm_cuda(at::Tensor const&, c10::ArrayRef<long>)', 'libtorch_cuda.so', 0),
	('python', 2, 'at::_ops::native_layer_norm::call(at::Tensor const&, c10::ArrayRef<c10::SymInt>)', 'libtorch_cpu.so', 0),
	('python', 3, 'torch::autograd::THPVariable_layer_norm(_object*, _object*, _object*)', 'libtorch_python.so', 0),
	('python', 4, '_PyEval_EvalFrameDefault', 'python3.12', 0),
	('python', 5, 'Py_RunMain', 'python3.12', 0),
	('autograd', 0, 'cudaLaunchKernelExC', 'libcudart.so.12', 0),
	('autograd', 1, 'at::native::mm(at::Tensor const&, at::Tensor const&)', 'libtorch_cuda.so', 0),
	('autograd', 2, 'torch::autograd::generated::AddmmBackward0::apply(std::vector<at::Tensor>&&)', 'libtorch_cpu.so', 0),
	('autograd', 3, 'torch::autograd::Engine::evaluate_function(std::shared_ptr<torch::autograd::GraphTask>&)', 'libtorch_cpu.so', 0),
	('autograd', 4, 'torch::autograd::Engine::thread_main(std::shared_ptr<torch::autograd::GraphTask> const&)', 'libtorch_cpu.so', 0),
	('autograd', 5, 'start_thread', 'libc.so.6', 0),
	('sync', 0, '__vdso_clock_gettime', '[vdso]', 0),
	('sync', 1, '0x7f31a2c41b07', 'libcuda.so.580.95.05', 1),
	('sync', 2, 'cudaStreamSynchronize', 'libcudart.so.12', 0),
	('sync', 3, 'at::native::_local_scalar_dense_cuda(at::Tensor const&)', 'libtorch_cuda.so', 0),
	('sync', 4, '_PyEval_EvalFrameDefault', 'python3.12', 0),
	('sync', 5, 'Py_RunMain', 'python3.12', 0),
	('mmap', 0, 'mmap64', 'libc.so.6', 0),
	('mmap', 1, '0x7f31a2b80e52', 'libcuda.so.580.95.05', 1),
	('mmap', 2, 'cuInit', 'libcuda.so.580.95.05', 0);

-- a sample each 2.4 ms, of every thread that does not wait
CREATE TEMP TABLE sample AS
WITH RECURSIVE tick(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM tick WHERE n < 24)
SELECT row_number() OVER (ORDER BY n, gtid) AS id,
	n * 2400000 + rank * 70000 AS at, cpu, gtid, rank, thread
FROM tick, thread AS t
WHERE thread <> 'pin' AND NOT EXISTS (SELECT 1 FROM osrt AS o
	WHERE (o.rank, o.thread) = (t.rank, t.thread) AND
	n * 2400000 + t.rank * 70000 BETWEEN o.start AND o.end);

-- Strings -----------------------------------------------------------------------

INSERT INTO StringIds
SELECT row_number() OVER (ORDER BY value), value FROM (
	SELECT short AS value FROM kern UNION SELECT mangled FROM kern
	UNION SELECT demangled FROM kern UNION SELECT name FROM call
	UNION SELECT name FROM osrt UNION SELECT name FROM thread
	UNION SELECT symbol FROM frame UNION SELECT module FROM frame
	UNION VALUES ('NCCL'), ('ncclAllReduce'), ('Lazy Function Loading'),
	('CUPTI Buffer flush'), ('CUDA profiling initialization'));

-- The events --------------------------------------------------------------------

INSERT INTO ThreadNames
SELECT s.id, 20, gtid FROM thread JOIN StringIds AS s ON s.value = name;

-- as in real exports: one sorted run for each thread and class
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
SELECT start, end, class, gtid, corr, s.id, 0, NULL
FROM call JOIN corr USING (rank, step, seq) JOIN thread USING (rank, thread)
JOIN StringIds AS s ON s.value = call.name
ORDER BY gtid, class, start;

INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
SELECT start, end, 0, 1, 0, stream, corr, gpid, d.id, s.id, m.id, 1, 1,
	regs, gx, gy, 1, threads, 1, 1, 0, smem, 0, 250871808,
	4000 + row_number() OVER (PARTITION BY rank ORDER BY step, seq, node),
	smem + 1024, iif(what = 'adam', 300 + node, NULL), 0, NULL, NULL, NULL,
	iif(what = 'adam', 12, NULL), cluster, min(cluster, 1), min(cluster, 1),
	1, 0, 0, 0, '[]'
FROM done JOIN corr USING (rank, step, seq) JOIN rank USING (rank)
JOIN kern ON kern = what
JOIN StringIds AS d ON d.value = demangled
JOIN StringIds AS s ON s.value = short
JOIN StringIds AS m ON m.value = mangled
ORDER BY start;

INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY
SELECT start, end, 0, 1, 0, stream, corr, gpid, column2, column3, NULL,
	column4, column5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1
FROM done JOIN corr USING (rank, step, seq) JOIN rank USING (rank)
JOIN (VALUES
	('HtoD pinned',   16777216, 1, 1, 2),
	('HtoD pageable',   262144, 1, 0, 2),
	('DtoD',          33554432, 8, 2, 2),
	('DtoH',                 4, 2, 2, 1)) ON column1 = what
ORDER BY start;

INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET
SELECT start, end, 0, 1, 0, stream, corr, gpid, 0, 134217728, NULL, 2
FROM done JOIN corr USING (rank, step, seq) JOIN rank USING (rank)
WHERE what = 'memset' ORDER BY start;

-- bucket n of step s has the event 30 + n and the id 10 * s + n
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
SELECT start + 600, end - 500, 0, 1, 0,
	iif(call = 'device', 4294967295, stream), corr, gpid, NULL,
	CASE call WHEN 'wait' THEN 2 WHEN 'sync' THEN 3 ELSE 4 END,
	iif(call = 'wait', 30 + bucket, 4294967295),
	iif(call = 'wait', 10 * step + bucket, NULL)
FROM (SELECT *, CASE seq WHEN 411 THEN 0 WHEN 531 THEN 1 WHEN 610 THEN 2
	ELSE 3 END AS bucket FROM call WHERE call IN ('wait', 'sync', 'device'))
JOIN corr USING (rank, step, seq) JOIN rank USING (rank)
ORDER BY start;

INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT
SELECT d.start - 1800, 0, 1, 0, 7, corr, gpid, 30 + bucket,
	10 * c.step + bucket
FROM (SELECT *, CASE seq WHEN 410 THEN 0 WHEN 530 THEN 1 WHEN 609 THEN 2
	ELSE 3 END AS bucket FROM call WHERE call = 'record') AS c
JOIN corr USING (rank, step, seq) JOIN rank USING (rank)
JOIN done AS d ON (d.rank, d.step, d.seq) = (c.rank, c.step, c.seq + 2)
ORDER BY c.start;

INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD
SELECT start + 4000, end - 3500, 103, gtid, corr,
	(SELECT id FROM StringIds WHERE value = 'Lazy Function Loading'), 7
FROM call JOIN corr USING (rank, step, seq) JOIN thread USING (rank, thread)
WHERE cold ORDER BY start;

-- addresses: one segment after the other
INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS
SELECT end - 2000, gpid, 0, 1,
	0x7f1400000000 + (2 << 30) * (row_number() OVER (
		PARTITION BY rank, call ORDER BY start) - 1),
	0, 2 << 30, 2, iif(call = 'free', 1, 0), NULL, corr, NULL, NULL, NULL,
	NULL, NULL, NULL, NULL
FROM call JOIN corr USING (rank, step, seq) JOIN rank USING (rank)
WHERE call IN ('malloc', 'free') ORDER BY start;

-- NVTX: ranges enclose the calls that were made in them
CREATE TEMP TABLE nvtx (
	rank, thread, type, start, end, domain, color, text, string, json);
INSERT INTO nvtx
SELECT rank, 'main', 59, min(start) - 26000, max(end) + 17000, 0, 0xff76b900,
	'step ' || step, NULL, NULL
FROM call WHERE phase IS NOT NULL GROUP BY rank, step;
INSERT INTO nvtx
SELECT rank, 'main', 59, min(start) - 18000, max(end) + 12000, 0,
	CASE phase WHEN 'forward' THEN 0xff1f77b4 WHEN 'backward' THEN 0xffd62728
	WHEN 'optimizer' THEN 0xff9467bd ELSE 0xff7f7f7f END, phase, NULL, NULL
FROM call WHERE phase IS NOT NULL GROUP BY rank, step, phase;
INSERT INTO nvtx
SELECT rank, 'main', 59, min(start) - 12000, max(end) + 8000, 0, 0xff17becf,
	'block.' || block, NULL, NULL
FROM call WHERE block IS NOT NULL GROUP BY rank, step, block;
INSERT INTO nvtx
SELECT rank, thread, 59, min(start) - 6000, max(end) + 5000, 0,
	iif(thread = 'main', 0xffaec7e8, NULL),
	iif(module LIKE 'AllReduce%', 'nccl:all_reduce', module), NULL, NULL
FROM call WHERE module IS NOT NULL GROUP BY rank, step, phase, block, module;
INSERT INTO nvtx
SELECT rank, thread, 59, start - 2500, end + 1500, 1, NULL, NULL,
	'ncclAllReduce', printf(
	'{"NCCL communicator ID":7211398341,"Message size [bytes]":%d}', us << 19)
FROM call WHERE what = 'nccl';
INSERT INTO nvtx
SELECT rank, 'main', 34, end + 7000, NULL, 0, 0xffff7f0e,
	printf('loss = %.4f', 3.2174 - 0.0831 * step + 0.0102 * rank), NULL, NULL
FROM call WHERE call = 'sync';
INSERT INTO nvtx
SELECT rank, 'main', 34, end + 20000, NULL, 0, NULL, 'training done', NULL, NULL
FROM call WHERE (step, seq) = (9, 3);

INSERT INTO NVTX_EVENTS (start, end, eventType, color, text, globalTid, textId,
	domainId, jsonText, doubleValue)
SELECT start, end, type, color, text, gtid, s.id, domain, json,
	iif(text LIKE 'loss = %', CAST(substr(text, 8) AS REAL), NULL)
FROM nvtx JOIN thread USING (rank, thread)
LEFT JOIN StringIds AS s ON s.value = string
UNION ALL
SELECT 150000 + 9000 * rank, NULL, 75, NULL, NULL, gtid, s.id, 1, NULL, NULL
FROM thread JOIN StringIds AS s ON s.value = 'NCCL' WHERE thread = 'main'
UNION ALL
SELECT 170000 + 9000 * rank, NULL, 75, NULL, 'Loader', gtid, NULL, 2, NULL, NULL
FROM thread WHERE thread = 'main'
ORDER BY 1, 2 DESC;

-- the loader is one batch ahead: its ranges cross
INSERT INTO NVTX_EVENTS (start, end, eventType, rangeId, category, color, text,
	globalTid, endGlobalTid, domainId)
SELECT 175000 + 9000 * m.rank, NULL, 33, NULL, 1, NULL, 'io', m.gtid, NULL, 2
FROM thread AS m WHERE thread = 'main'
UNION ALL
SELECT a, iif(step = 2, 58400000 + 9000 * m.rank, a + 21400000), 60, step + 1,
	1, 0xffbcbd22, 'prefetch batch ' || (step + 1), m.gtid, p.gtid, 2
FROM (SELECT rank, step, min(start) + 300000 AS a FROM call
	WHERE phase = 'data' GROUP BY rank, step) AS c
JOIN thread AS m ON (m.rank, m.thread) = (c.rank, 'main')
JOIN thread AS p ON (p.rank, p.thread) = (c.rank, 'pin');

INSERT INTO OSRT_API
SELECT start, end, 27, gtid, s.id, ret, nesting, stack * (1 + rank), 0
FROM osrt JOIN thread USING (rank, thread)
JOIN StringIds AS s ON s.value = osrt.name
ORDER BY gtid, start;
INSERT INTO OSRT_CALLCHAINS
SELECT 1 + rank, s.id, m.id, 0, 0, unresolved, 0, 0x7f31a0000000 + 64 * s.id,
	0, depth
FROM rank, frame JOIN StringIds AS s ON s.value = symbol
JOIN StringIds AS m ON m.value = module WHERE chain = 'mmap';

INSERT INTO COMPOSITE_EVENTS SELECT id, at, cpu, 1, gtid, 1 FROM sample;
INSERT INTO SAMPLING_CALLCHAINS
SELECT x.id, s.id, m.id, 0, 0, unresolved, 0, 0x7f31a0000000 + 64 * s.id, 0,
	depth
FROM sample AS x JOIN frame ON chain = CASE WHEN thread = 'autograd'
	THEN 'autograd' WHEN EXISTS (SELECT 1 FROM call AS c
		WHERE c.rank = x.rank AND c.call = 'sync'
		AND at BETWEEN c.start AND c.end) THEN 'sync'
	ELSE 'python' END
JOIN StringIds AS s ON s.value = symbol
JOIN StringIds AS m ON m.value = module
ORDER BY x.id, depth;

-- a thread that waits gives its CPU away
INSERT INTO SCHED_EVENTS
SELECT 120000 + cpu * 3000 AS at, cpu, 1, gtid, 0, NULL FROM thread
UNION ALL SELECT 59600000 + cpu * 3000, cpu, 0, gtid, 2, NULL FROM thread
UNION ALL SELECT start + 2500, cpu, 0, gtid, 2, NULL
FROM osrt JOIN thread USING (rank, thread)
WHERE osrt.name IN ('pthread_cond_wait', 'read')
UNION ALL SELECT end - 2500, cpu, 1, gtid, 0, NULL
FROM osrt JOIN thread USING (rank, thread)
WHERE osrt.name IN ('pthread_cond_wait', 'read')
ORDER BY at;

-- GPU metrics each 3 ms, from what ran; the low byte of the type is the GPU
CREATE TEMP TABLE metric (id, name, tensor, part);
INSERT INTO metric VALUES
	(1, 'SMs Active [Throughput %]',            0, 97),
	(2, 'Tensor Active [Throughput %]',         1, 71),
	(3, 'DRAM Read Bandwidth [Throughput %]',   0, 46),
	(4, 'NVLink TX Responses User Data [Throughput %]', 2, 83);
INSERT INTO TARGET_INFO_GPU_METRICS
SELECT (1 << 48) | (1 << 24) | rank, 1 << 48,
	printf('GPU Metrics [%d]', rank), id, name
FROM rank, metric;
INSERT INTO GPU_METRICS
WITH RECURSIVE tick(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM tick WHERE n < 20)
SELECT 812345000000 + n * 3000000, n * 3000000, (1 << 48) | (1 << 24) | k.rank,
	id, part * ifnull((
		SELECT sum(max(0, min(end, n * 3000000) -
			max(start, (n - 1) * 3000000))) FROM done AS d
		WHERE d.rank = k.rank AND CASE tensor WHEN 2 THEN what = 'nccl'
		WHEN 1 THEN what LIKE 'gemm%' OR what LIKE 'flash%'
		ELSE stream = 7 END), 0) / 3000000
FROM tick, rank AS k, metric
ORDER BY n, k.rank, id;

INSERT INTO PROFILER_OVERHEAD
SELECT column1 + 15000 * rank, column1 + column2 + 15000 * rank, gtid, s.id,
	column3
FROM thread, (VALUES
	(  200000, 61000, 0, 'CUDA profiling initialization'),
	(59120000, 84000, 3, 'CUPTI Buffer flush'))
JOIN StringIds AS s ON s.value = column4
WHERE thread = 'main';
INSERT INTO DIAGNOSTIC_EVENT VALUES
	(40000, 1, 2, 1, 'Process-tree CPU IP sample collection, period 2.4 ms.',
		1 << 48),
	(190000, 1, 1, 1, 'CUPTI was initialized.', (1 << 48) | (48211 << 24)),
	(59210000, 1, 1, 2, 'Not all NVTX payloads could be decoded.',
		(1 << 48) | (48211 << 24));

COMMIT;
