# version
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES
	('EXPORT_PRODUCT_VERSION', '2025.5.1.121'),
	('EXPORT_SCHEMA_VERSION', '3.23.3');
# runtime
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
	start, end, eventClass, globalTid, correlationId, nameId,
	returnValue DEFAULT 0, callchainId);
# kernel
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
	start, end, deviceId DEFAULT 0, contextId DEFAULT 1,
	greenContextId DEFAULT 0, streamId DEFAULT 7, correlationId,
	globalPid DEFAULT 0x1001000000000, demangledName, shortName, mangledName,
	launchType DEFAULT 1, cacheConfig DEFAULT 0,
	registersPerThread DEFAULT 32, gridX DEFAULT 1, gridY DEFAULT 1,
	gridZ DEFAULT 1, blockX DEFAULT 128, blockY DEFAULT 1, blockZ DEFAULT 1,
	staticSharedMemory DEFAULT 0, dynamicSharedMemory DEFAULT 0,
	localMemoryPerThread DEFAULT 0, localMemoryTotal DEFAULT 0,
	gridId DEFAULT 1, sharedMemoryExecuted, graphNodeId,
	sharedMemoryLimitConfig, graphId);
# memcpy
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (
	start, end, deviceId DEFAULT 0, contextId DEFAULT 1,
	greenContextId DEFAULT 0, streamId DEFAULT 7, correlationId,
	globalPid DEFAULT 0x1001000000000, bytes DEFAULT 1024,
	copyKind DEFAULT 1, deprecatedSrcId, srcKind DEFAULT 1,
	dstKind DEFAULT 2, srcDeviceId, srcContextId, dstDeviceId, dstContextId,
	migrationCause, graphNodeId, virtualAddress, copyCount);
# memset
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (
	start, end, deviceId DEFAULT 0, contextId DEFAULT 1,
	greenContextId DEFAULT 0, streamId DEFAULT 7, correlationId,
	globalPid DEFAULT 0x1001000000000, value DEFAULT 0, bytes DEFAULT 256,
	graphNodeId, memKind DEFAULT 2);
# nvtx
CREATE TABLE NVTX_EVENTS (
	start, end, eventType, rangeId, category, color, text TEXT, globalTid,
	endGlobalTid, textId, domainId DEFAULT 0, uint64Value, int64Value,
	doubleValue REAL, uint32Value, int32Value, floatValue REAL, jsonTextId,
	jsonText TEXT);
