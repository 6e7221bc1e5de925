/*
 * nvToolsExt.h - what the tests use of NVTX, where there is no toolkit
 *
 * A stand-in of our own for the public header of that name: the types and
 * functions that tests/capture/ uses, with the same binary interface, and the
 * loader: the first call in a program or library loads what
 * NVTX_INJECTION64_PATH names and lets it set the functions.  It has the
 * extensions for payloads and counters in it too.
 */
#ifndef TQ_TEST_NVTX_H
#define TQ_TEST_NVTX_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#define NVTX_STAND_IN
#define NVTX_VERSION 3

typedef uint64_t nvtxRangeId_t;
typedef void *nvtxDomainHandle_t, *nvtxStringHandle_t;

enum {
	NVTX_COLOR_ARGB = 1,
	NVTX_MESSAGE_TYPE_ASCII = 1,
	NVTX_MESSAGE_TYPE_UNICODE = 2,
	NVTX_MESSAGE_TYPE_REGISTERED = 3,
	NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
	NVTX_PAYLOAD_TYPE_INT64 = 2,
	NVTX_PAYLOAD_TYPE_DOUBLE = 3,
	NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
	NVTX_PAYLOAD_TYPE_INT32 = 5,
	NVTX_PAYLOAD_TYPE_FLOAT = 6,
	NVTX_PAYLOAD_TYPE_EXT = (int)0xdfbd0009
};

typedef struct {
	uint16_t version, size;
	uint32_t category;
	int32_t colorType;
	uint32_t color;
	int32_t payloadType, reserved0;
	union {
		uint64_t ullValue;
		int64_t llValue;
		double dValue;
		uint32_t uiValue;
		int32_t iValue;
		float fValue;
	} payload;
	int32_t messageType;
	union {
		const char *ascii;
		const wchar_t *unicode;
		nvtxStringHandle_t registered;
	} message;
} nvtxEventAttributes_t;

#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_NO_PUSH_POP_TRACKING (-2)

/* ---- the loader ---- */

typedef void (*nvtx_test_function)(void);

/* the functions of the modules core and core2, by the numbers of their
   callbacks; the others are in the tables to be found, not to be called */
static struct {
	int ready;
	nvtx_test_function core[16], core2[16], cuda[9], cudart[7];
	nvtx_test_function *tables[8][16];
} nvtx_test;

static int
nvtx_test_module(int module, nvtx_test_function ***table, unsigned *size)
{
	static const unsigned sizes[] = {0, 16, 9, 0, 7, 16};
	nvtx_test_function *first[] = {NULL, nvtx_test.core, nvtx_test.cuda,
	    NULL, nvtx_test.cudart, nvtx_test.core2};

	if (module < 1 || module > 5 || first[module] == NULL)
		return 0;
	for (unsigned i = 1; i < sizes[module]; i++)
		nvtx_test.tables[module][i] = &first[module][i];
	*table = nvtx_test.tables[module];
	*size = sizes[module];
	return 1;
}

static const void *
nvtx_test_export(uint32_t id)
{
	static const struct {
		size_t size;
		int (*module)(int, nvtx_test_function ***, unsigned *);
	} callbacks = {sizeof(callbacks), nvtx_test_module};

	return id == 1 ? &callbacks : NULL;
}

static void *
nvtx_test_symbol(const char *name)
{
	const char *path = getenv("NVTX_INJECTION64_PATH");
	void *library = path != NULL ? dlopen(path, RTLD_LAZY) : NULL;

	return library != NULL ? dlsym(library, name) : NULL;
}

static void
nvtx_test_load(void)
{
	int (*init)(const void *(*)(uint32_t));
	int state = 0;

	if (__atomic_load_n(&nvtx_test.ready, __ATOMIC_ACQUIRE) == 2)
		return;
	if (!__atomic_compare_exchange_n(&nvtx_test.ready, &state, 1, 0,
		__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		while (__atomic_load_n(&nvtx_test.ready, __ATOMIC_ACQUIRE) != 2)
			;
		return;
	}
	*(void **)&init = nvtx_test_symbol("InitializeInjectionNvtx2");
	if (init != NULL)
		init(nvtx_test_export);
	__atomic_store_n(&nvtx_test.ready, 2, __ATOMIC_RELEASE);
}

/* A function of NVTX: type, name, parameters, arguments, its place in the
   table, and what it returns where no tool has set it. */
#define NVTX_TEST_FUNCTION(type, name, parameters, arguments, place, none) \
	__attribute__((unused)) static type name parameters \
	{ \
		nvtx_test_load(); \
		if (nvtx_test.place == NULL) \
			return none; \
		return ((type(*) parameters)nvtx_test.place)arguments; \
	}
#define NVTX_TEST_VOID(name, parameters, arguments, place) \
	__attribute__((unused)) static void name parameters \
	{ \
		nvtx_test_load(); \
		if (nvtx_test.place != NULL) \
			((void(*) parameters)nvtx_test.place) arguments; \
	}
#define F NVTX_TEST_FUNCTION
#define V NVTX_TEST_VOID

typedef const nvtxEventAttributes_t *nvtx_test_attributes;

V(nvtxMarkEx, (nvtx_test_attributes a), (a), core[1])
V(nvtxMarkA, (const char *s), (s), core[2])
V(nvtxMarkW, (const wchar_t *s), (s), core[3])
F(nvtxRangeId_t, nvtxRangeStartA, (const char *s), (s), core[5], 0)
V(nvtxRangeEnd, (nvtxRangeId_t id), (id), core[7])
F(int, nvtxRangePushEx, (nvtx_test_attributes a), (a), core[8], -2)
F(int, nvtxRangePushA, (const char *s), (s), core[9], -2)
F(int, nvtxRangePushW, (const wchar_t *s), (s), core[10], -2)
F(int, nvtxRangePop, (void), (), core[11], -2)
V(nvtxNameCategoryA, (uint32_t id, const char *s), (id, s), core[12])
V(nvtxNameOsThreadA, (uint32_t id, const char *s), (id, s), core[14])
V(nvtxNameCudaStreamA, (uintptr_t stream, const char *s), (stream, s),
    cudart[3])
V(nvtxDomainMarkEx, (nvtxDomainHandle_t d, nvtx_test_attributes a), (d, a),
    core2[1])
F(nvtxRangeId_t, nvtxDomainRangeStartEx,
    (nvtxDomainHandle_t d, nvtx_test_attributes a), (d, a), core2[2], 0)
V(nvtxDomainRangeEnd, (nvtxDomainHandle_t d, nvtxRangeId_t id), (d, id),
    core2[3])
F(int, nvtxDomainRangePushEx, (nvtxDomainHandle_t d, nvtx_test_attributes a),
    (d, a), core2[4], -2)
F(int, nvtxDomainRangePop, (nvtxDomainHandle_t d), (d), core2[5], -2)
V(nvtxDomainNameCategoryA, (nvtxDomainHandle_t d, uint32_t id, const char *s),
    (d, id, s), core2[8])
F(nvtxStringHandle_t, nvtxDomainRegisterStringA,
    (nvtxDomainHandle_t d, const char *s), (d, s), core2[10], NULL)
F(nvtxStringHandle_t, nvtxDomainRegisterStringW,
    (nvtxDomainHandle_t d, const wchar_t *s), (d, s), core2[11], NULL)
F(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *s), (s), core2[12], NULL)
F(nvtxDomainHandle_t, nvtxDomainCreateW, (const wchar_t *s), (s), core2[13],
    NULL)
V(nvtxDomainDestroy, (nvtxDomainHandle_t d), (d), core2[14])

/* ---- the extensions ---- */

typedef struct {
	uint64_t schemaId;
	size_t size;
	const void *payload;
} nvtxPayloadData_t;

typedef struct nvtxSemanticsHeader_v1 {
	uint32_t structSize;
	uint16_t semanticId, version;
	const struct nvtxSemanticsHeader_v1 *next;
} nvtxSemanticsHeader_t;

typedef struct {
	uint64_t flags, type;
	const char *name, *description;
	uint64_t arrayOrUnionDetail, offset;
	const nvtxSemanticsHeader_t *semantics;
	const void *reserved;
} nvtxPayloadSchemaEntry_t;

typedef struct {
	uint64_t fieldMask;
	const char *name;
	uint64_t type, flags;
	const nvtxPayloadSchemaEntry_t *entries;
	size_t numEntries, payloadStaticSize, packAlign;
	uint64_t schemaId;
	void *extension;
} nvtxPayloadSchemaAttr_t;

typedef struct {
	const char *name;
	uint64_t value;
	int8_t isFlag;
} nvtxPayloadEnum_t;

typedef struct {
	uint64_t fieldMask;
	const char *name;
	const nvtxPayloadEnum_t *entries;
	size_t numEntries, sizeOfEnum;
	uint64_t schemaId;
	void *extension;
} nvtxPayloadEnumAttr_t;

typedef struct {
	size_t structSize;
	uint64_t schemaId;
	const char *name, *description;
	uint64_t scopeId;
	const nvtxSemanticsHeader_t *semantics;
	uint64_t counterId;
} nvtxCounterAttr_t;

enum {
	NVTX_PAYLOAD_SCHEMA_TYPE_STATIC = 1,
	NVTX_PAYLOAD_ENTRY_TYPE_INT32 = 15,
	NVTX_PAYLOAD_ENTRY_TYPE_INT64 = 17,
	NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE = 20,
	NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME = 1 << 1,
	NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE = 1 << 2,
	NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES = 1 << 4,
	NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES = 1 << 5,
	NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE = 1 << 6,
	NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME = 1 << 1,
	NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES = 1 << 2,
	NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES = 1 << 3,
	NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE = 1 << 4
};

/* the slots of a module, set by the first call */
struct nvtx_test_extension {
	uint16_t module, compatible;
	int ready;
	intptr_t slots[63];
};

__attribute__((unused)) static struct nvtx_test_extension
    nvtx_test_payload = {.module = 2, .compatible = 0x0104},
    nvtx_test_counters = {.module = 4, .compatible = 0x0102};

__attribute__((unused)) static void
nvtx_test_extend(struct nvtx_test_extension *e)
{
	struct {
		size_t id, slots;
		intptr_t *slot;
	} segment = {0, 63, e->slots};
	struct {
		uint16_t version, size, module, compatible;
		size_t segments;
		void *segment;
		intptr_t (*export_table)(uint32_t);
		const void *info;
	} info = {NVTX_VERSION, sizeof(info), e->module, e->compatible, 1,
	    &segment, NULL, NULL};
	int (*init)(void *);

	if (e->ready)
		return;
	nvtx_test_load();
	*(void **)&init = nvtx_test_symbol("InitializeInjectionNvtxExtension");
	if (init != NULL)
		init(&info);
	e->ready = 1;
}

#undef NVTX_TEST_FUNCTION
#undef NVTX_TEST_VOID
#define NVTX_TEST_VOID(name, parameters, arguments, extension, place) \
	__attribute__((unused)) static void name parameters \
	{ \
		nvtx_test_extend(&nvtx_test_##extension); \
		if (nvtx_test_##extension.slots[place] != 0) \
			((void(*) \
				parameters)nvtx_test_##extension.slots[place]) \
			    arguments; \
	}
#define NVTX_TEST_FUNCTION( \
    type, name, parameters, arguments, extension, place, none) \
	__attribute__((unused)) static type name parameters \
	{ \
		nvtx_test_extend(&nvtx_test_##extension); \
		if (nvtx_test_##extension.slots[place] == 0) \
			return none; \
		return ((type(*) parameters) \
			    nvtx_test_##extension.slots[place])arguments; \
	}

F(uint64_t, nvtxPayloadSchemaRegister,
    (nvtxDomainHandle_t d, const nvtxPayloadSchemaAttr_t *a), (d, a), payload,
    0, 0)
F(uint64_t, nvtxPayloadEnumRegister,
    (nvtxDomainHandle_t d, const nvtxPayloadEnumAttr_t *a), (d, a), payload, 1,
    0)
V(nvtxMarkPayload, (nvtxDomainHandle_t d, const nvtxPayloadData_t *p, size_t n),
    (d, p, n), payload, 2)
F(int, nvtxRangePushPayload,
    (nvtxDomainHandle_t d, const nvtxPayloadData_t *p, size_t n), (d, p, n),
    payload, 3, -2)
F(int, nvtxRangePopPayload,
    (nvtxDomainHandle_t d, const nvtxPayloadData_t *p, size_t n), (d, p, n),
    payload, 4, -2)
F(uint8_t, nvtxDomainIsEnabled, (nvtxDomainHandle_t d), (d), payload, 7, 0)
F(uint64_t, nvtxCounterRegister,
    (nvtxDomainHandle_t d, const nvtxCounterAttr_t *a), (d, a), counters, 0, 0)
V(nvtxCounterSampleInt64, (nvtxDomainHandle_t d, uint64_t id, int64_t v),
    (d, id, v), counters, 1)
V(nvtxCounterSampleFloat64, (nvtxDomainHandle_t d, uint64_t id, double v),
    (d, id, v), counters, 2)

#undef F
#undef V

#endif
