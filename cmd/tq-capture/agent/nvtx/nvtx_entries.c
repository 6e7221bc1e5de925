/* nvtx.c - the functions of NVTX that a program calls */

#include "agent/cupti/cupti_stream.h"
#include "annotate.h"

/* exported; the loader within NVTX calls it for each library that has NVTX */
int InitializeInjectionNvtx2(nvtx_export_table *export_table);

/* ---- marks and ranges ---- */

#define ASCII(s) (&(struct nvtx_source){NVTX_FROM_ASCII, (s), 0})
#define WIDE(s) (&(struct nvtx_source){NVTX_FROM_WIDE, (s), 0})
#define ATTRIBUTES(a) (&(struct nvtx_source){NVTX_FROM_ATTRIBUTES, (a), 0})

static void
mark_ex(const struct nvtx_attributes *a)
{
	annotate_mark(NULL, ATTRIBUTES(a));
}

static void
mark_a(const char *s)
{
	annotate_mark(NULL, ASCII(s));
}

static void
mark_w(const wchar_t *s)
{
	annotate_mark(NULL, WIDE(s));
}

static uint64_t
start_ex(const struct nvtx_attributes *a)
{
	return annotate_start(NULL, ATTRIBUTES(a));
}

static uint64_t
start_a(const char *s)
{
	return annotate_start(NULL, ASCII(s));
}

static uint64_t
start_w(const wchar_t *s)
{
	return annotate_start(NULL, WIDE(s));
}

static void
end(uint64_t range)
{
	annotate_end(NULL, range, NULL);
}

static int
push_ex(const struct nvtx_attributes *a)
{
	return annotate_push(NULL, ATTRIBUTES(a));
}

static int
push_a(const char *s)
{
	return annotate_push(NULL, ASCII(s));
}

static int
push_w(const wchar_t *s)
{
	return annotate_push(NULL, WIDE(s));
}

static int
pop(void)
{
	return annotate_pop(NULL, NULL);
}

static void
domain_mark(const void *domain, const struct nvtx_attributes *a)
{
	annotate_mark(domain, ATTRIBUTES(a));
}

static uint64_t
domain_start(const void *domain, const struct nvtx_attributes *a)
{
	return annotate_start(domain, ATTRIBUTES(a));
}

static void
domain_end(const void *domain, uint64_t range)
{
	annotate_end(domain, range, NULL);
}

static int
domain_push(const void *domain, const struct nvtx_attributes *a)
{
	return annotate_push(domain, ATTRIBUTES(a));
}

static int
domain_pop(const void *domain)
{
	return annotate_pop(domain, NULL);
}

/* ---- names ---- */

/* a message of either kind, as text of an event without other parts */
static struct nvtx_record
named(uint8_t type, uint64_t id, const char *s, const wchar_t *wide)
{
	struct nvtx_record e;

	nvtx_record_init(&e, type, LOSS_NAME, 0);
	nvtx_record_set_id(&e, id);
	nvtx_record_set_text(&e, s);
	nvtx_record_set_wide(&e, wide);
	return e;
}

static void
category(const void *domain, uint32_t id, const char *s, const wchar_t *wide)
{
	struct writer *w;
	struct nvtx_record e;

	if ((s == NULL && wide == NULL) || (w = writer_enter()) == NULL)
		return;
	e = named(RECORD_CATEGORY, id, s, wide);
	e.domain = registry_domain_id(domain, w);
	registry_define(&e, 0);
	writer_leave();
}

static void
category_a(uint32_t id, const char *s)
{
	category(NULL, id, s, NULL);
}

static void
category_w(uint32_t id, const wchar_t *s)
{
	category(NULL, id, NULL, s);
}

static void
domain_category_a(const void *domain, uint32_t id, const char *s)
{
	category(domain, id, s, NULL);
}

static void
domain_category_w(const void *domain, uint32_t id, const wchar_t *s)
{
	category(domain, id, NULL, s);
}

static const void *
domain_create(const char *s, const wchar_t *wide)
{
	struct nvtx_record e;
	struct registered *n = NULL;

	if ((s == NULL && wide == NULL) || writer_enter() == NULL)
		return NULL;
	e = named(RECORD_DOMAIN, 0, s, wide);
	n = registry_domain(e.text);
	writer_leave();
	return n;
}

static const void *
domain_create_a(const char *s)
{
	return domain_create(s, NULL);
}

static const void *
domain_create_w(const wchar_t *s)
{
	return domain_create(NULL, s);
}

static const void *
string(const void *domain, const char *s, const wchar_t *wide)
{
	struct writer *w;
	struct nvtx_record e;
	struct registered *n;

	if ((s == NULL && wide == NULL) || (w = writer_enter()) == NULL)
		return NULL;
	e = named(RECORD_STRING, 0, s, wide);
	n = registry_string(registry_domain_id(domain, w), e.text);
	writer_leave();
	return n;
}

static const void *
string_a(const void *domain, const char *s)
{
	return string(domain, s, NULL);
}

static const void *
string_w(const void *domain, const wchar_t *s)
{
	return string(domain, NULL, s);
}

/* Names of resources of the program's own are not recorded. */
static const void *
resource_create(const void *domain, const void *attributes)
{
	static const char resource;

	(void)domain;
	(void)attributes;
	return &resource;
}

static void
resource_destroy(const void *resource)
{
	(void)resource;
}

/* ---- names of threads and of CUDA's objects: with the events, as they are
   not used by others ---- */

/*
 * The number that CUPTI has for a stream.  Not to be asked for within
 * writer_enter: CUPTI may hand over records then, in this thread.
 */
static bool
stream_number(uint8_t type, uint32_t kind, uint64_t id, uint64_t *number)
{
	return type == RECORD_OBJECT &&
	       (kind == OBJECT_CU_STREAM || kind == OBJECT_CUDA_STREAM) &&
	       cupti_stream_number != NULL && cupti_stream_number(id, number);
}

static void
object(uint8_t type, uint32_t kind, uint64_t id, const char *s,
    const wchar_t *wide)
{
	uint64_t number = 0;
	bool numbered = stream_number(type, kind, id, &number);
	struct writer *w = writer_enter();
	struct nvtx_record e;

	if (w == NULL)
		return;
	e = named(type, id, s, wide);
	e.domain = kind;
	if (numbered)
		nvtx_record_set_range(&e, number);
	nvtx_record_put(w, &e);
	writer_leave();
}

static void
thread_a(uint32_t tid, const char *s)
{
	object(RECORD_THREAD, 0, tid, s, NULL);
}

static void
thread_w(uint32_t tid, const wchar_t *s)
{
	object(RECORD_THREAD, 0, tid, NULL, s);
}

/* NAME_a and NAME_w, which name an object of that type */
#define OBJECT(name, handle, kind) \
	static void name##_a(handle object_handle, const char *s) \
	{ \
		object( \
		    RECORD_OBJECT, (kind), (uint64_t)object_handle, s, NULL); \
	} \
	static void name##_w(handle object_handle, const wchar_t *s) \
	{ \
		object( \
		    RECORD_OBJECT, (kind), (uint64_t)object_handle, NULL, s); \
	}

OBJECT(cu_device, int, OBJECT_CU_DEVICE)
OBJECT(cu_context, uintptr_t, OBJECT_CU_CONTEXT)
OBJECT(cu_stream, uintptr_t, OBJECT_CU_STREAM)
OBJECT(cu_event, uintptr_t, OBJECT_CU_EVENT)
OBJECT(cuda_device, int, OBJECT_CUDA_DEVICE)
OBJECT(cuda_stream, uintptr_t, OBJECT_CUDA_STREAM)
OBJECT(cuda_event, uintptr_t, OBJECT_CUDA_EVENT)

/* ---- the tables ---- */

#define F(function) ((nvtx_function)(function))

static const nvtx_function core[] = {
    [NVTX_MARK_EX] = F(mark_ex),
    [NVTX_MARK_A] = F(mark_a),
    [NVTX_MARK_W] = F(mark_w),
    [NVTX_START_EX] = F(start_ex),
    [NVTX_START_A] = F(start_a),
    [NVTX_START_W] = F(start_w),
    [NVTX_END] = F(end),
    [NVTX_PUSH_EX] = F(push_ex),
    [NVTX_PUSH_A] = F(push_a),
    [NVTX_PUSH_W] = F(push_w),
    [NVTX_POP] = F(pop),
    [NVTX_CATEGORY_A] = F(category_a),
    [NVTX_CATEGORY_W] = F(category_w),
    [NVTX_THREAD_A] = F(thread_a),
    [NVTX_THREAD_W] = F(thread_w),
};

static const nvtx_function core2[] = {
    [NVTX_DOMAIN_MARK] = F(domain_mark),
    [NVTX_DOMAIN_START] = F(domain_start),
    [NVTX_DOMAIN_END] = F(domain_end),
    [NVTX_DOMAIN_PUSH] = F(domain_push),
    [NVTX_DOMAIN_POP] = F(domain_pop),
    [NVTX_RESOURCE_CREATE] = F(resource_create),
    [NVTX_RESOURCE_DESTROY] = F(resource_destroy),
    [NVTX_DOMAIN_CATEGORY_A] = F(domain_category_a),
    [NVTX_DOMAIN_CATEGORY_W] = F(domain_category_w),
    [NVTX_STRING_A] = F(string_a),
    [NVTX_STRING_W] = F(string_w),
    [NVTX_DOMAIN_CREATE_A] = F(domain_create_a),
    [NVTX_DOMAIN_CREATE_W] = F(domain_create_w),
};

static const nvtx_function cuda[] = {
    [NVTX_CU_DEVICE_A] = F(cu_device_a),
    F(cu_device_w),
    [NVTX_CU_CONTEXT_A] = F(cu_context_a),
    F(cu_context_w),
    [NVTX_CU_STREAM_A] = F(cu_stream_a),
    F(cu_stream_w),
    [NVTX_CU_EVENT_A] = F(cu_event_a),
    F(cu_event_w),
};

static const nvtx_function cudart[] = {
    [NVTX_CUDA_DEVICE_A] = F(cuda_device_a),
    F(cuda_device_w),
    [NVTX_CUDA_STREAM_A] = F(cuda_stream_a),
    F(cuda_stream_w),
    [NVTX_CUDA_EVENT_A] = F(cuda_event_a),
    F(cuda_event_w),
};

/* those of ours that the table of a module, an older one it may be, has */
static void
set_module(const struct nvtx_callbacks *callbacks, enum nvtx_module module,
    const nvtx_function *ours, size_t n)
{
	nvtx_function **table = NULL;
	unsigned size = 0;

	if (callbacks->module(module, &table, &size) != 1 || table == NULL)
		return;
	for (size_t i = 1; i < n && i < size; i++)
		if (ours[i] != NULL && table[i] != NULL)
			*table[i] = ours[i];
}

#define SET(callbacks, module, ours) \
	set_module(callbacks, module, ours, sizeof(ours) / sizeof((ours)[0]))

__attribute__((visibility("default"))) int
InitializeInjectionNvtx2(nvtx_export_table *export_table)
{
	const struct nvtx_callbacks *c = export_table(NVTX_CALLBACKS);

	if (c != NULL && c->size >= sizeof(*c) && c->module != NULL &&
	    writer_open()) {
		SET(c, NVTX_CORE, core);
		SET(c, NVTX_CORE2, core2);
		SET(c, NVTX_CUDA, cuda);
		SET(c, NVTX_CUDART, cudart);
	}
	return 1;
}
