/*
 * nvtx_abi.h - the binary interface between a program that uses NVTX and a tool
 *
 * These are declarations of our own of the binary interface of NVTX 3, as its
 * public headers define it (nvToolsExt.h, nvToolsExtPayload.h,
 * nvToolsExtCounters.h, nvToolsExtSemanticsCounters.h, nvtxDetail/nvtxTypes.h
 * and nvtxDetail/nvtxExtTypes.h, under the Apache License 2.0 with LLVM
 * exceptions), so that the agent is built without any toolkit.  Each has its
 * name there beside it.
 */
#ifndef TQ_AGENT_NVTX_ABI_H
#define TQ_AGENT_NVTX_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/* ---- nvtxTypes.h: how a tool gets hold of the functions ---- */

typedef void (*nvtx_function)(void); /* NvtxFunctionPointer */

enum { NVTX_CALLBACKS = 1 }; /* NVTX_ETID_CALLBACKS */

/* NvtxCallbackModule */
enum nvtx_module {
	NVTX_CORE = 1,
	NVTX_CUDA = 2,
	NVTX_CUDART = 4,
	NVTX_CORE2 = 5
};

/* NvtxExportTableCallbacks */
struct nvtx_callbacks {
	size_t size;
	/* table: of pointers to the functions; returns 1 where it is set */
	int (*module)(int module, nvtx_function ***table, unsigned *size);
};

/* NvtxGetExportTableFunc_t */
typedef const void *nvtx_export_table(uint32_t id);

/* NvtxCallbackIdCore */
enum {
	NVTX_MARK_EX = 1,
	NVTX_MARK_A,
	NVTX_MARK_W,
	NVTX_START_EX,
	NVTX_START_A,
	NVTX_START_W,
	NVTX_END,
	NVTX_PUSH_EX,
	NVTX_PUSH_A,
	NVTX_PUSH_W,
	NVTX_POP,
	NVTX_CATEGORY_A,
	NVTX_CATEGORY_W,
	NVTX_THREAD_A,
	NVTX_THREAD_W
};

/* NvtxCallbackIdCore2 */
enum {
	NVTX_DOMAIN_MARK = 1,
	NVTX_DOMAIN_START,
	NVTX_DOMAIN_END,
	NVTX_DOMAIN_PUSH,
	NVTX_DOMAIN_POP,
	NVTX_RESOURCE_CREATE,
	NVTX_RESOURCE_DESTROY,
	NVTX_DOMAIN_CATEGORY_A,
	NVTX_DOMAIN_CATEGORY_W,
	NVTX_STRING_A,
	NVTX_STRING_W,
	NVTX_DOMAIN_CREATE_A,
	NVTX_DOMAIN_CREATE_W
};

/* NvtxCallbackIdCuda */
enum {
	NVTX_CU_DEVICE_A = 1,
	NVTX_CU_DEVICE_W,
	NVTX_CU_CONTEXT_A,
	NVTX_CU_CONTEXT_W,
	NVTX_CU_STREAM_A,
	NVTX_CU_STREAM_W,
	NVTX_CU_EVENT_A,
	NVTX_CU_EVENT_W
};

/* NvtxCallbackIdCudaRt */
enum {
	NVTX_CUDA_DEVICE_A = 1,
	NVTX_CUDA_DEVICE_W,
	NVTX_CUDA_STREAM_A,
	NVTX_CUDA_STREAM_W,
	NVTX_CUDA_EVENT_A,
	NVTX_CUDA_EVENT_W
};

/* ---- nvToolsExt.h ---- */

enum { NVTX_NO_TRACKING = -2 }; /* NVTX_NO_PUSH_POP_TRACKING */

/* nvtxColorType_t, nvtxMessageType_t */
enum { NVTX_COLOR_ARGB = 1 };
enum nvtx_message {
	NVTX_MESSAGE_ASCII = 1,
	NVTX_MESSAGE_UNICODE = 2,
	NVTX_MESSAGE_REGISTERED = 3
};

/* nvtxPayloadType_t, and NVTX_PAYLOAD_TYPE_EXT of nvToolsExtPayload.h */
enum nvtx_payload {
	NVTX_PAYLOAD_U64 = 1,
	NVTX_PAYLOAD_I64,
	NVTX_PAYLOAD_F64,
	NVTX_PAYLOAD_U32,
	NVTX_PAYLOAD_I32,
	NVTX_PAYLOAD_F32
};
#define NVTX_PAYLOAD_EXT UINT32_C(0xdfbd0009)

/* nvtxEventAttributes_t; older ones may be shorter */
struct nvtx_attributes {
	uint16_t version, size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	uint32_t payload_type;
	int32_t payload_count; /* reserved0: of extended payloads */
	uint64_t payload;
	int32_t message_type;
	union {
		const char *ascii;
		const wchar_t *wide;
		const void *registered;
	} message;
};

/* ---- nvtxExtTypes.h ---- */

/* nvtxExtModuleSegment_t */
struct nvtx_segment {
	size_t id, n_slots;
	intptr_t *slots;
};

/* nvtxExtModuleInfo_t */
struct nvtx_extension {
	uint16_t version, size, module, compatible;
	size_t n_segments;
	struct nvtx_segment *segments;
	intptr_t (*export_table)(uint32_t id);
	const void *info;
};

/* ---- nvToolsExtPayload.h ---- */

enum { NVTX_EXT_PAYLOAD = 2, NVTX_EXT_COUNTERS = 4 }; /* _MODULEID */

/* NVTX3EXT_CBID_* of the payload extension */
enum {
	NVTX_EXT_SCHEMA,
	NVTX_EXT_ENUM,
	NVTX_EXT_MARK,
	NVTX_EXT_PUSH,
	NVTX_EXT_POP,
	NVTX_EXT_START,
	NVTX_EXT_END,
	NVTX_EXT_ENABLED,
	NVTX_EXT_TIMESTAMP,
	NVTX_EXT_SCOPE = 12
};

/* NVTX_PAYLOAD_ENTRY_TYPE_CSTRING and _UTF8; where our own numbers for
   schemas, counters and scopes start: NVTX_*_ID_DYNAMIC_START */
enum { NVTX_CSTRING = 75, NVTX_CSTRING_UTF8 = 76 };
#define NVTX_DYNAMIC (UINT64_C(1) << 32)

/* nvtxPayloadData_t; size SIZE_MAX: the tool may find it out */
struct nvtx_payload_data {
	uint64_t schema;
	size_t size;
	const void *p;
};

/* nvtxSemanticsHeader_t */
struct nvtx_semantics {
	uint32_t size;
	uint16_t id, version;
	const struct nvtx_semantics *next;
};

/* nvtxPayloadSchemaEntry_t */
struct nvtx_schema_entry {
	uint64_t flags, type;
	const char *name, *description;
	uint64_t detail; /* arrayOrUnionDetail */
	uint64_t offset;
	const struct nvtx_semantics *semantics;
	const void *reserved;
};

/* nvtxPayloadSchemaAttr_t, and the bits of its fields */
struct nvtx_schema {
	uint64_t fields;
	const char *name;
	uint64_t type, flags;
	const struct nvtx_schema_entry *entries;
	size_t n_entries, bytes, pack;
	uint64_t id;
	void *extension;
};

enum {
	NVTX_SCHEMA_NAME = 1 << 1,
	NVTX_SCHEMA_TYPE = 1 << 2,
	NVTX_SCHEMA_FLAGS = 1 << 3,
	NVTX_SCHEMA_ENTRIES = 1 << 4,
	NVTX_SCHEMA_N_ENTRIES = 1 << 5,
	NVTX_SCHEMA_BYTES = 1 << 6,
	NVTX_SCHEMA_PACK = 1 << 7,
	NVTX_SCHEMA_ID = 1 << 8
};

/* nvtxPayloadEnum_t */
struct nvtx_enum_entry {
	const char *name;
	uint64_t value;
	int8_t is_flag;
};

/* nvtxPayloadEnumAttr_t, and the bits of its fields */
struct nvtx_enum {
	uint64_t fields;
	const char *name;
	const struct nvtx_enum_entry *entries;
	size_t n_entries, bytes;
	uint64_t id;
	void *extension;
};

enum {
	NVTX_ENUM_NAME = 1 << 1,
	NVTX_ENUM_ENTRIES = 1 << 2,
	NVTX_ENUM_N_ENTRIES = 1 << 3,
	NVTX_ENUM_BYTES = 1 << 4,
	NVTX_ENUM_ID = 1 << 5
};

/* nvtxScopeAttr_t */
struct nvtx_scope {
	size_t size;
	const char *path;
	uint64_t parent, id;
};

/* ---- nvToolsExtCounters.h, nvToolsExtSemanticsCounters.h ---- */

/* NVTX3EXT_CBID_* of the counters extension */
enum {
	NVTX_EXT_COUNTER,
	NVTX_EXT_SAMPLE_I64,
	NVTX_EXT_SAMPLE_F64,
	NVTX_EXT_SAMPLE,
	NVTX_EXT_SAMPLE_NONE,
	NVTX_EXT_SAMPLE_BATCH
};

/* nvtxCounterAttr_t */
struct nvtx_counter {
	size_t size;
	uint64_t schema; /* or the type of a number */
	const char *name, *description;
	uint64_t scope;
	const struct nvtx_semantics *semantics;
	uint64_t id;
};

/* nvtxCounterBatch_t */
struct nvtx_counter_batch {
	uint64_t counter;
	const void *samples;
	size_t samples_size;
	uint64_t flags;
	const int64_t *times;
	size_t times_size;
};

/* NVTX_SEMANTIC_ID_COUNTERS_V1, nvtxSemanticsCounter_t up to its limits */
enum { NVTX_SEMANTICS_COUNTER = 5 };
struct nvtx_counter_semantics {
	struct nvtx_semantics head;
	uint64_t flags;
	const char *unit;
	uint64_t numerator, denominator;
};

#endif
