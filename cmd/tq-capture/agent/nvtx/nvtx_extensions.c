/* nvtx_ext.c - the extensions of NVTX: payloads with schemas, and counters */

#include <errno.h>
#include <string.h>

#include "agent/first_call.h"
#include "agent/own_memory.h"
#include "annotate.h"

/* exported; the loader within NVTX calls it for each library and extension */
int InitializeInjectionNvtxExtension(struct nvtx_extension *extension);

/* ---- the blob of a definition: counted first, then filled ---- */

struct blob {
	char *p; /* NULL while it is counted */
	size_t len;
};

static void
add_bytes(struct blob *b, const void *p, size_t len)
{
	if (b->p != NULL && len > 0)
		memcpy(b->p + b->len, p, len);
	b->len += (len + 7) & ~(size_t)7;
}

static void
add_number(struct blob *b, uint64_t v)
{
	add_bytes(b, &v, sizeof(v));
}

static void
add_text(struct blob *b, const char *s)
{
	size_t len = s != NULL ? strlen(s) : 0;

	add_number(b, len);
	add_bytes(b, s, len);
}

/* the meaning of a counter: see record.h */
static void
add_semantics(struct blob *b, const struct nvtx_semantics *s)
{
	const struct nvtx_counter_semantics *c = NULL;

	for (; s != NULL && c == NULL; s = s->next)
		if (s->id == NVTX_SEMANTICS_COUNTER && s->size >= sizeof(*c))
			c = (const struct nvtx_counter_semantics *)s;
	add_number(b, c != NULL ? c->flags : 0);
	add_number(b, c != NULL ? c->numerator : 0);
	add_number(b, c != NULL ? c->denominator : 0);
	add_text(b, c != NULL ? c->unit : NULL);
}

static void
add_schema(struct blob *b, const void *attributes)
{
	const struct nvtx_schema *a = attributes;
	uint64_t f = a->fields;
	bool entries = (f & NVTX_SCHEMA_ENTRIES) && a->entries != NULL &&
		       (f & NVTX_SCHEMA_N_ENTRIES);

	add_number(b, (f & NVTX_SCHEMA_TYPE) ? a->type : 0);
	add_number(b, (f & NVTX_SCHEMA_FLAGS) ? a->flags : 0);
	add_number(b, (f & NVTX_SCHEMA_BYTES) ? a->bytes : 0);
	add_number(b, (f & NVTX_SCHEMA_PACK) ? a->pack : 0);
	add_number(b, entries ? a->n_entries : 0);
	for (size_t i = 0; entries && i < a->n_entries; i++) {
		const struct nvtx_schema_entry *e = &a->entries[i];

		add_number(b, e->flags);
		add_number(b, e->type);
		add_number(b, e->detail);
		add_number(b, e->offset);
		add_text(b, e->name);
		add_text(b, e->description);
		add_semantics(b, e->semantics);
	}
}

static void
add_enum(struct blob *b, const void *attributes)
{
	const struct nvtx_enum *a = attributes;
	uint64_t f = a->fields;
	bool entries = (f & NVTX_ENUM_ENTRIES) && a->entries != NULL &&
		       (f & NVTX_ENUM_N_ENTRIES);

	add_number(b, (f & NVTX_ENUM_BYTES) ? a->bytes : 0);
	add_number(b, entries ? a->n_entries : 0);
	for (size_t i = 0; entries && i < a->n_entries; i++) {
		add_number(b, a->entries[i].value);
		add_number(b, a->entries[i].is_flag != 0);
		add_text(b, a->entries[i].name);
	}
}

static void
add_counter(struct blob *b, const void *attributes)
{
	const struct nvtx_counter *a = attributes;

	add_number(b, a->schema);
	add_number(b, a->scope);
	add_semantics(b, a->semantics);
	add_text(b, a->description);
}

/*
 * Define a schema, enum or counter by its attributes, under that id, or one of
 * ours if it is 0.  Returns the id, 0 if that failed.
 */
static uint64_t
define_attributes(const void *domain, uint8_t type, uint64_t id,
    const char *name, void (*add_all)(struct blob *, const void *),
    const void *attributes, size_t bytes)
{
	struct writer *w;
	struct nvtx_record e;
	struct blob_piece piece;
	struct blob b = {0};
	size_t size;
	int error = errno;

	if ((w = writer_enter()) == NULL)
		return 0;
	add_all(&b, attributes);
	size = b.len;
	b = (struct blob){
	    .p = own_memory_map(size, MAP_PRIVATE | MAP_ANONYMOUS, -1)};
	if (b.p == NULL) {
		id = 0;
	} else {
		add_all(&b, attributes);
		piece = (struct blob_piece){b.p, size};
		if (id == 0)
			id = registry_number(NVTX_DYNAMIC);
		nvtx_record_init(
		    &e, type, LOSS_NAME, registry_domain_id(domain, w));
		nvtx_record_set_id(&e, id);
		nvtx_record_set_text(&e, name);
		nvtx_record_set_blob(&e, &piece, 1);
		if (!registry_define(&e, bytes))
			id = 0;
		own_memory_unmap(b.p, size);
	}
	writer_leave(w);
	errno = error;
	return id;
}

/* ---- payloads ---- */

static uint64_t
define_schema(const void *domain, const struct nvtx_schema *a)
{
	if (a == NULL)
		return 0;
	return define_attributes(domain, RECORD_SCHEMA,
	    (a->fields & NVTX_SCHEMA_ID) ? a->id : 0,
	    (a->fields & NVTX_SCHEMA_NAME) ? a->name : NULL, add_schema, a,
	    (a->fields & NVTX_SCHEMA_BYTES) ? a->bytes : 0);
}

static uint64_t
define_enum(const void *domain, const struct nvtx_enum *a)
{
	if (a == NULL)
		return 0;
	return define_attributes(domain, RECORD_ENUM,
	    (a->fields & NVTX_ENUM_ID) ? a->id : 0,
	    (a->fields & NVTX_ENUM_NAME) ? a->name : NULL, add_enum, a, 0);
}

/* scopes have ids, but are not recorded */
static uint64_t
number_scope(const void *domain, const struct nvtx_scope *a)
{
	(void)domain;
	if (a != NULL && a->size >= sizeof(*a) && a->id != 0)
		return a->id;
	return registry_number(NVTX_DYNAMIC);
}

/* ---- counters ---- */

static uint64_t
define_counter(const void *domain, const struct nvtx_counter *a)
{
	if (a == NULL || a->size < offsetof(struct nvtx_counter, id))
		return 0;
	return define_attributes(domain, RECORD_COUNTERDEF,
	    a->size >= sizeof(*a) ? a->id : 0, a->name, add_counter, a, 0);
}

static void
sample(
    const void *domain, uint64_t id, const struct blob_piece *pieces, size_t n)
{
	struct writer *w = writer_enter();

	if (w == NULL)
		return;
	if (writer_on() & ARENA_NVTX) {
		struct nvtx_record e;

		nvtx_record_init(&e, RECORD_COUNTER, LOSS_COUNTER,
		    registry_domain_id(domain, w));
		nvtx_record_set_id(&e, id);
		registry_repeat(w);
		nvtx_record_set_blob(&e, pieces, n);
		nvtx_record_put(w, &e);
	}
	writer_leave(w);
}

static void
sample_i64(const void *domain, uint64_t id, int64_t value)
{
	uint64_t blob[2] = {COUNTER_I64, (uint64_t)value};

	sample(domain, id, &(struct blob_piece){blob, sizeof(blob)}, 1);
}

static void
sample_f64(const void *domain, uint64_t id, double value)
{
	uint64_t blob[2] = {COUNTER_F64};

	memcpy(&blob[1], &value, sizeof(value));
	sample(domain, id, &(struct blob_piece){blob, sizeof(blob)}, 1);
}

static void
sample_raw(const void *domain, uint64_t id, const void *values, size_t size)
{
	uint64_t head[2] = {COUNTER_RAW, values != NULL ? size : 0};

	sample(domain, id,
	    (struct blob_piece[]){{head, sizeof(head)}, {values, head[1]}}, 2);
}

static void
sample_none(const void *domain, uint64_t id, uint8_t reason)
{
	uint64_t blob[2] = {COUNTER_NONE, reason};

	sample(domain, id, &(struct blob_piece){blob, sizeof(blob)}, 1);
}

static void
sample_batch(const void *domain, const struct nvtx_counter_batch *b)
{
	uint64_t head[4] = {COUNTER_BATCH};

	if (b == NULL)
		return;
	head[1] = b->flags;
	head[2] = b->samples != NULL ? b->samples_size : 0;
	head[3] = b->times != NULL ? b->times_size : 0;
	sample(domain, b->counter,
	    (struct blob_piece[]){{head, sizeof(head)}, {b->samples, head[2]},
		{b->times, head[3]}},
	    3);
}

/* ---- the functions and their tables ---- */

#define PAYLOADS(p, n) (&(struct nvtx_source){NVTX_FROM_PAYLOADS, (p), (n)})

#define PAYLOAD(slot, parameters, call) \
	static void on_##slot parameters \
	{ \
		call; \
	}
#define PAYLOAD_VALUE(slot, type, parameters, call) \
	static type on_##slot parameters \
	{ \
		return call; \
	}
#define COUNTER(slot, parameters, call) PAYLOAD(slot, parameters, call)
#define COUNTER_VALUE(slot, type, parameters, call) \
	PAYLOAD_VALUE(slot, type, parameters, call)
#include "nvtx_entries.def"

static const intptr_t payloads[] = {
#define PAYLOAD(slot, ...) [NVTX_EXT_##slot] = (intptr_t)on_##slot,
#define PAYLOAD_VALUE(slot, ...) PAYLOAD(slot, )
#include "nvtx_entries.def"
};

static const intptr_t counters[] = {
#define COUNTER(slot, ...) [NVTX_EXT_##slot] = (intptr_t)on_##slot,
#define COUNTER_VALUE(slot, ...) COUNTER(slot, )
#include "nvtx_entries.def"
};

static void
set_segment(const struct nvtx_segment *s, const intptr_t *ours, size_t n)
{
	for (size_t i = 0; i < n && i < s->n_slots; i++)
		if (ours[i] != 0)
			s->slots[i] = ours[i];
}

__attribute__((visibility("default"))) int
InitializeInjectionNvtxExtension(struct nvtx_extension *e)
{
	first_call_begin();
	if (e != NULL && e->n_segments > 0 && e->segments != NULL &&
	    writer_wanted()) {
		if (e->module == NVTX_EXT_PAYLOAD)
			set_segment(e->segments, payloads,
			    sizeof(payloads) / sizeof(payloads[0]));
		if (e->module == NVTX_EXT_COUNTERS)
			set_segment(e->segments, counters,
			    sizeof(counters) / sizeof(counters[0]));
	}
	first_call_end();
	return 1;
}
