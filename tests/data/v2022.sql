-- v2022.sql - an export of nsys 2022.4 (schema 3.0.0), not lazy: many empty tables
-- of the run in parts/run.sql
--
-- Here: the version is in EXPORT_META_DATA; session start and PROCESSES are
-- there; ENUM_CUDA_KRENEL_LAUNCH_TYPE is spelt so; 30 tables are empty; another
-- tool has added an index, a view and two columns (ALTER TABLE), which are absent
-- in the records of the old rows.

.read parts/run.sql 2022

-- exported with --lazy=false: a table for each kind, whether it was traced or not
CREATE TABLE ProcessStreams (globalPid, filenameId, contentId);
CREATE TABLE TARGET_INFO_XMC_SPEC (
	vmId, clientId, type TEXT, name TEXT, groupId TEXT);
CREATE TABLE TARGET_INFO_PROCESS (
	processId, openGlVersion TEXT, correlationId, nameId);
CREATE TABLE TARGET_INFO_NVTX_CUDA_DEVICE (name TEXT, hwId, vmId, deviceId);
CREATE TABLE TARGET_INFO_NVTX_CUDA_CONTEXT (
	name TEXT, hwId, vmId, processId, deviceId, contextId);
CREATE TABLE TARGET_INFO_NVTX_CUDA_STREAM (
	name TEXT, hwId, vmId, processId, deviceId, contextId, streamId);
CREATE TABLE TARGET_INFO_WDDM_CONTEXTS (
	context, engineType, nodeOrdinal, friendlyName TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (
	deviceId, contextId, streamId, correlationId, globalPid, eventId);
CREATE TABLE CUDNN_EVENTS (start, end, eventClass, globalTid, nameId);
CREATE TABLE CUBLAS_EVENTS (start, end, eventClass, globalTid, nameId);
CREATE TABLE CUDA_GRAPH_EVENTS (
	start, end, eventClass, globalTid, nameId, graphNodeId,
	originalGraphNodeId);
CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (
	start, globalPid, address, originalFaultPc, CpuInstruction, module,
	unresolvedFaultPc);
CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (
	start, end, globalPid, deviceId, address, numberOfPageFaults,
	faultAccessType);
CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (
	start, globalPid, deviceId, contextId, address, pc, bytes, memKind,
	memoryOperationType, name TEXT, correlationId);
CREATE TABLE CUDA_CALLCHAINS (
	id INTEGER, symbol, module, unresolved, originalIP, stackDepth,
	PRIMARY KEY (id, stackDepth));
CREATE TABLE OPENGL_API (
	start, end, eventClass, globalTid, endGlobalTid, correlationId,
	endCorrelationId, nameId, endNameId, returnValue, frameId, contextId,
	gpu, display);
CREATE TABLE OPENGL_WORKLOAD (
	start, end, eventClass, globalTid, endGlobalTid, correlationId,
	endCorrelationId, nameId, endNameId, returnValue, frameId, contextId,
	gpu, display);
CREATE TABLE KHR_DEBUG_EVENTS (
	eventClass, start, end, textId, globalTid, source, khrdType, id,
	severity, correlationId, context);
CREATE TABLE OSRT_CALLCHAINS (
	id INTEGER, symbol, module, kernelMode, thumbCode, unresolved,
	specialEntry, originalIP, unwindMethod, stackDepth,
	PRIMARY KEY (id, stackDepth));
CREATE TABLE FECS_EVENTS (
	tag, vmId, seqNo, contextId, timestamp, globalPid, gpuId);
CREATE TABLE OPENMP_EVENT_KIND_THREAD (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	threadId, threadType);
CREATE TABLE OPENMP_EVENT_KIND_PARALLEL (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	parallelId, parentTaskId);
CREATE TABLE OPENMP_EVENT_KIND_SYNC_REGION_WAIT (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	parallelId, taskId, kind);
CREATE TABLE OPENMP_EVENT_KIND_SYNC_REGION (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	parallelId, taskId, kind);
CREATE TABLE OPENMP_EVENT_KIND_TASK (
	start, end, eventClass, globalTid, correlationId, nameId, eventKind,
	parallelId, taskId, kind);
CREATE TABLE NVVIDEO_ENCODER_API (start, end, eventClass, globalTid, nameId);
CREATE TABLE NVVIDEO_DECODER_API (start, end, eventClass, globalTid, nameId);
CREATE TABLE CUPTI_ACTIVITY_KIND_OPENACC_DATA (
	start, end, nameId, globalTid, eventKind, DeviceType, lineNo,
	cuDeviceId, cuContextId, cuStreamId, srcFile, funcName, bytes, varName);
CREATE TABLE CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH (
	start, end, nameId, globalTid, eventKind, DeviceType, lineNo,
	cuDeviceId, cuContextId, cuStreamId, srcFile, funcName, numGangs,
	numWorkers, vectorLength, kernelName);
CREATE TABLE CUPTI_ACTIVITY_KIND_OPENACC_OTHER (
	start, end, nameId, globalTid, eventKind, DeviceType, lineNo,
	cuDeviceId, cuContextId, cuStreamId, srcFile, funcName);

-- what another tool did to the file
ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME ADD COLUMN name TEXT;
ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN kernelName TEXT DEFAULT 'none';
UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET name = 'by another tool'
WHERE correlationId = 3;
CREATE INDEX kernel_corr ON CUPTI_ACTIVITY_KIND_KERNEL (correlationId);
CREATE VIEW LONG_KERNELS AS
SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE end - start > 1000;
COMMIT;
