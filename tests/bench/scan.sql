-- scan.sql - the columns that tq-extract reads of the big tables, unsorted

SELECT start, "end", deviceId, contextId, greenContextId, streamId,
	correlationId, globalPid, demangledName, shortName, mangledName,
	launchType, registersPerThread, gridX, gridY, gridZ, blockX,
	blockY, blockZ, staticSharedMemory, dynamicSharedMemory,
	localMemoryTotal, graphNodeId, graphId, clusterX, clusterY, clusterZ
FROM CUPTI_ACTIVITY_KIND_KERNEL;

SELECT start, "end", deviceId, contextId, greenContextId, streamId,
	correlationId, globalPid, bytes, copyKind, srcKind, dstKind,
	srcDeviceId, dstDeviceId, graphNodeId
FROM CUPTI_ACTIVITY_KIND_MEMCPY;

SELECT start, "end", deviceId, contextId, greenContextId, streamId,
	correlationId, globalPid, value, bytes, graphNodeId, memKind
FROM CUPTI_ACTIVITY_KIND_MEMSET;

SELECT start, "end", deviceId, contextId, greenContextId, streamId,
	correlationId, globalPid, syncType, eventId
FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;

SELECT start, "end", eventClass, globalTid, correlationId, nameId,
	returnValue, callchainId
FROM CUPTI_ACTIVITY_KIND_RUNTIME;

SELECT start, "end", eventType, rangeId, category, color, text, globalTid,
	endGlobalTid, textId, domainId, uint64Value, int64Value, doubleValue,
	uint32Value, int32Value, floatValue, jsonTextId, jsonText
FROM NVTX_EVENTS;

SELECT start, "end", globalTid, nameId, returnValue, nestingLevel, callchainId
FROM OSRT_API;

SELECT start, cpu, isSchedIn, globalTid, threadState, threadBlock
FROM SCHED_EVENTS;

SELECT id, start, cpu, threadState, globalTid
FROM COMPOSITE_EVENTS;

SELECT id, symbol, module, stackDepth
FROM SAMPLING_CALLCHAINS;
