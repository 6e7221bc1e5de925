/* nvtx_entries.c - the functions of NVTX that a program calls */

#include "agent/cupti/cupti_stream.h"
#include "agent/first_call.h"
#include "agent/functions/functions_module.h"
#include "annotate.h"

/* exported; the loader within NVTX calls it for each library that has NVTX */
int InitializeInjectionNvtx2(nvtx_export_table *export_table);

/* ---- names ---- */

/* a definition or name: an id and a text, of which one is not NULL */
static struct nvtx_record
make_name(uint8_t type, uint64_t id, const char *s, const wchar_t *wide)
{
	struct nvtx_record r;

	nvtx_record_init(&r, type, LOSS_NAME, 0);
	nvtx_record_set_id(&r, id);
	nvtx_record_set_text(&r, s);
	nvtx_record_set_wide(&r, wide);
	return r;
}

static void
name_category(
    const void *domain, uint32_t id, const char *s, const wchar_t *wide)
{
	struct writer *w;
	struct nvtx_record r;

	if ((s == NULL && wide == NULL) || (w = writer_enter()) == NULL)
		return;
	r = make_name(RECORD_CATEGORY, id, s, wide);
	r.domain = registry_domain_id(domain, w);
	registry_define(&r, 0);
	writer_leave(w);
}

static const void *
create_domain(const char *s, const wchar_t *wide)
{
	struct nvtx_record r;
	struct registered *n = NULL;
	struct writer *w;

	if ((s == NULL && wide == NULL) || (w = writer_enter()) == NULL)
		return NULL;
	r = make_name(RECORD_DOMAIN, 0, s, wide);
	n = registry_domain(r.text);
	writer_leave(w);
	return n;
}

static const void *
register_string(const void *domain, const char *s, const wchar_t *wide)
{
	struct writer *w;
	struct nvtx_record r;
	struct registered *n;

	if ((s == NULL && wide == NULL) || (w = writer_enter()) == NULL)
		return NULL;
	r = make_name(RECORD_STRING, 0, s, wide);
	n = registry_string(registry_domain_id(domain, w), r.text);
	writer_leave(w);
	return n;
}

/* names of the program's own resources are not recorded */
static const void *
create_resource(const void *domain, const void *attributes)
{
	static const char resource;

	(void)domain;
	(void)attributes;
	return &resource;
}

/* Names of threads and of CUDA's objects stand among the events: no other
   record refers to them. */

static void
name_thread(uint32_t tid, const char *s, const wchar_t *wide)
{
	struct writer *w = writer_enter();
	struct nvtx_record r;

	if (w == NULL)
		return;
	r = make_name(RECORD_THREAD, tid, s, wide);
	nvtx_record_put(w, &r);
	writer_leave(w);
}

static void
name_object(
    enum object_type type, uint64_t id, const char *s, const wchar_t *wide)
{
	uint64_t number = 0;
	bool numbered =
	    (type == OBJECT_CU_STREAM || type == OBJECT_CUDA_STREAM) &&
	    cupti_stream_number != NULL && cupti_stream_number(id, &number);
	/* not before: CUPTI may hand over records to us in this thread */
	struct writer *w = writer_enter();
	struct nvtx_record r;

	if (w == NULL)
		return;
	r = make_name(RECORD_OBJECT, id, s, wide);
	r.domain = type;
	if (numbered)
		nvtx_record_set_range(&r, number);
	nvtx_record_put(w, &r);
	writer_leave(w);
}

/* ---- the functions and their table ---- */

#define ASCII(s) (&(struct nvtx_source){NVTX_FROM_ASCII, (s), 0})
#define WIDE(s) (&(struct nvtx_source){NVTX_FROM_WIDE, (s), 0})
#define ATTRIBUTES(a) (&(struct nvtx_source){NVTX_FROM_ATTRIBUTES, (a), 0})

#define ENTRY(module, slot, parameters, call) \
	static void on_##slot parameters \
	{ \
		call; \
	}
#define VALUE(module, slot, type, parameters, call) \
	static type on_##slot parameters \
	{ \
		return call; \
	}
#include "nvtx_entries.def"

static const struct {
	enum nvtx_module module;
	unsigned slot;
	nvtx_function function;
} entries[] = {
#define ENTRY(module, slot, ...) \
	{NVTX_##module, NVTX_##slot, (nvtx_function)on_##slot},
#define VALUE(module, slot, ...) ENTRY(module, slot, )
#include "nvtx_entries.def"
};

/* our functions, as far as the table of the module, which may be older, has
   slots for them */
static void
set_module(const struct nvtx_callbacks *callbacks, enum nvtx_module module)
{
	nvtx_function **table = NULL;
	unsigned size = 0;

	if (callbacks->module(module, &table, &size) != 1 || table == NULL)
		return;
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (entries[i].module == module && entries[i].slot < size &&
		    table[entries[i].slot] != NULL)
			*table[entries[i].slot] = entries[i].function;
}

__attribute__((visibility("default"))) int
InitializeInjectionNvtx2(nvtx_export_table *export_table)
{
	const struct nvtx_callbacks *c;

	first_call_begin();
	c = export_table(NVTX_CALLBACKS);
	if (c != NULL && c->size >= sizeof(*c) && c->module != NULL &&
	    writer_wanted()) {
		set_module(c, NVTX_CORE);
		set_module(c, NVTX_CORE2);
		set_module(c, NVTX_CUDA);
		set_module(c, NVTX_CUDART);
	}
	functions_module_start();
	first_call_end();
	return 1;
}
