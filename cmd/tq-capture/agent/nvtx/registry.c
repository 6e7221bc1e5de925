/* registry.c - domains, strings and other definitions */

#include <string.h>

#include "agent/permanent.h"
#include "registry.h"

enum {
	STRING_LISTS = 1 << 16,
	DOMAIN_LISTS = 1 << 6,
	DEFINITION_LISTS = 1 << 16
};

/* a child may be forked at any moment: each list is whole at any moment */
typedef struct registered *_Atomic name_list;

/* a definition of registry_define, in the order of its calls */
struct registered_definition {
	struct registered_definition *_Atomic next;
	struct registered_definition *older; /* of the same list */
	struct nvtx_record event;
	struct blob_piece piece; /* its blob */
	size_t bytes;
	uint32_t generation;
};

_Atomic uint32_t registry_written;

static name_list strings[STRING_LISTS], domains[DOMAIN_LISTS];
static _Atomic uint64_t n_strings, numbers;
static _Atomic uint32_t n_domains;
static struct registered_definition *_Atomic definitions;
static struct registered_definition *_Atomic *last = &definitions;
static struct registered_definition *_Atomic by_id[DEFINITION_LISTS];
/* those before it are written in this generation; under the lock */
static struct registered_definition *resume;
static uint32_t resume_generation;
static struct writer registry_writer; /* of no thread */

/* ---- writing ---- */

/* the caller has the lock */
static bool
write_locked(struct nvtx_record *e)
{
	struct writer *w = &registry_writer;

	if (w->generation != process->generation) {
		*w = (struct writer){.generation = process->generation,
		    .type = CHUNK_NAMES,
		    .tid = process->arena->pid};
	}
	return nvtx_record_put(w, e);
}

bool
registry_write(struct nvtx_record *e)
{
	bool ok;

	process_lock();
	ok = write_locked(e);
	process_unlock();
	return ok;
}

/* ---- domains and strings ---- */

static uint32_t
hash(uint32_t domain, const char *text, size_t len)
{
	uint64_t h = UINT64_C(14695981039346656037) + domain;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (uint8_t)text[i]) * UINT64_C(1099511628211);
	return (uint32_t)(h ^ h >> 32);
}

static struct registered *
find_registered(
    struct registered *n, uint32_t domain, const char *text, size_t len)
{
	for (; n != NULL; n = n->next)
		if (n->domain == domain && n->len == len &&
		    memcmp(n->text, text, len) == 0)
			return n;
	return NULL;
}

static void
write_name_locked(struct registered *n, enum arena_loss_kind loss)
{
	bool domain = n->magic == REGISTRY_DOMAIN;
	struct nvtx_record e = {.type = domain ? RECORD_DOMAIN : RECORD_STRING,
	    .flags = FLAG_ID | FLAG_TEXT | (domain ? 0 : FLAG_RANGE),
	    .loss = loss,
	    .domain = n->domain,
	    .id = n->id,
	    .text = {.bytes = n->text, .len = n->len},
	    .range = (uint64_t)(uintptr_t)n};

	if (n->generation != process->generation && write_locked(&e))
		n->generation = process->generation;
}

void
registry_write_name(struct registered *n)
{
	process_lock();
	write_name_locked(n, LOSSES);
	process_unlock();
}

static struct registered *
make_registered(uint64_t magic, uint32_t domain, struct nvtx_text text)
{
	struct registered *n = permanent_alloc(sizeof(*n) + text.len);

	if (n == NULL || text.len > UINT32_MAX)
		return NULL;
	n->magic = magic;
	n->domain = domain;
	n->len = (uint32_t)text.len;
	nvtx_record_copy_text(&text, n->text, text.len);
	n->id = magic == REGISTRY_DOMAIN ? ++n_domains : ++n_strings;
	return n;
}

/* Make a wide text one of bytes, in memory that the next call overwrites; false
   if there is no memory. */
static bool
as_bytes(struct nvtx_text *t)
{
	static char *scratch;
	static size_t size;
	struct nvtx_text from = *t;

	if (t->wide == NULL)
		return true;
	if (t->len > size || scratch == NULL) {
		size_t more = t->len * 2 + 64;
		char *p = permanent_alloc(more);

		if (p == NULL)
			return false;
		/* a child forked here sees the smaller size: safe */
		scratch = p;
		atomic_signal_fence(memory_order_seq_cst);
		size = more;
	}
	nvtx_record_copy_text(&from, scratch, from.len);
	*t = (struct nvtx_text){.bytes = scratch, .len = t->len};
	return true;
}

static struct registered *
find_or_make(uint64_t magic, name_list *lists, uint32_t size, uint32_t domain,
    struct nvtx_text text)
{
	struct registered *n = NULL;
	name_list *list;

	process_lock();
	if (as_bytes(&text)) {
		list = &lists[hash(domain, text.bytes, text.len) % size];
		n = find_registered(*list, domain, text.bytes, text.len);
		if (n == NULL &&
		    (n = make_registered(magic, domain, text)) != NULL) {
			n->next = *list;
			*list = n;
		}
	}
	if (n != NULL)
		write_name_locked(
		    n, magic == REGISTRY_DOMAIN ? LOSS_NAME : LOSSES);
	process_unlock();
	return n;
}

struct registered *
registry_domain(struct nvtx_text text)
{
	return find_or_make(REGISTRY_DOMAIN, domains, DOMAIN_LISTS, 0, text);
}

struct registered *
registry_string(uint32_t domain, struct nvtx_text text)
{
	return find_or_make(
	    REGISTRY_STRING, strings, STRING_LISTS, domain, text);
}

/* ---- other definitions ---- */

static void
write_definition(struct registered_definition *d, enum arena_loss_kind loss)
{
	struct nvtx_record e = d->event;

	e.loss = loss;
	if (d->generation != process->generation && write_locked(&e))
		d->generation = process->generation;
}

static bool
copy_text(struct nvtx_text *t)
{
	char *to = permanent_alloc(t->len + 1);

	if (to == NULL)
		return false;
	memcpy(to, t->bytes, t->len);
	t->bytes = to;
	return true;
}

static bool
copy_blob(struct registered_definition *d, const struct nvtx_record *e)
{
	char *to = permanent_alloc(e->blob), *at = to;

	if (to == NULL)
		return false;
	for (const struct blob_piece *p = e->pieces; at < to + e->blob; p++) {
		if (p->len > 0)
			memcpy(at, p->p, p->len);
		at += (p->len + 7) & ~(size_t)7;
	}
	d->piece = (struct blob_piece){to, e->blob};
	nvtx_record_set_blob(&d->event, &d->piece, 1);
	return true;
}

/* the list of the definitions with that domain and id, the newest first */
static struct registered_definition *_Atomic *
list_of(uint32_t domain, uint64_t id)
{
	uint64_t h =
	    (id ^ (uint64_t)domain << 32) * UINT64_C(0x9e3779b97f4a7c15);

	return &by_id[h >> 48];
}

/* NULL: there is none */
static struct registered_definition *
find_definition(uint8_t type, uint32_t domain, uint64_t id)
{
	struct registered_definition *d = *list_of(domain, id);

	while (d != NULL && (d->event.type != type ||
				d->event.domain != domain || d->event.id != id))
		d = d->older;
	return d;
}

/* true for a category that has that name already: programs repeat them */
static bool
is_repeated(const struct nvtx_record *e)
{
	const struct registered_definition *d;

	if (e->type != RECORD_CATEGORY)
		return false;
	d = find_definition(RECORD_CATEGORY, e->domain, e->id);
	return d != NULL && d->event.text.len == e->text.len &&
	       memcmp(d->event.text.bytes, e->text.bytes, e->text.len) == 0;
}

static bool
define_locked(const struct nvtx_record *e, size_t bytes)
{
	struct registered_definition *d = permanent_alloc(sizeof(*d));
	struct registered_definition *_Atomic *list = list_of(e->domain, e->id);

	if (d == NULL)
		return false;
	d->event = *e;
	d->bytes = bytes;
	if (((e->flags & FLAG_TEXT) && !copy_text(&d->event.text)) ||
	    ((e->flags & FLAG_BLOB) && !copy_blob(d, e)))
		return false;
	d->older = *list;
	*list = d;
	*last = d;
	last = &d->next;
	write_definition(d, LOSS_NAME);
	if (d->generation != process->generation) {
		if (resume == NULL)
			resume = d;
		registry_written = 0;
	}
	return true;
}

bool
registry_define(struct nvtx_record *e, size_t bytes)
{
	bool ok;

	process_lock();
	ok = ((e->flags & FLAG_TEXT) == 0 || as_bytes(&e->text)) &&
	     (is_repeated(e) || define_locked(e, bytes));
	process_unlock();
	return ok;
}

size_t
registry_payload_size(uint32_t domain, uint64_t schema)
{
	struct registered_definition *d =
	    find_definition(RECORD_SCHEMA, domain, schema);

	return d != NULL ? d->bytes : 0;
}

void
registry_repeat_all(void)
{
	process_lock();
	if (resume_generation != process->generation) {
		resume_generation = process->generation;
		resume = definitions;
	}
	while (resume != NULL) {
		write_definition(resume, LOSSES);
		if (resume->generation != process->generation)
			break;
		resume = resume->next;
	}
	if (resume == NULL)
		registry_written = process->generation;
	process_unlock();
}

uint64_t
registry_number(uint64_t first)
{
	return first + numbers++;
}
