/* function_label.c - the ranges of functions of Python */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/nvtx/annotate.h"

#include "function_label.h"

struct label {
	char *domain_name, *name;
	uint32_t color;
	const void *domain, *message; /* handles; NULL before they are needed */
};

static struct label *labels;
static int32_t count;

/* labels of code, by its address: open addressing, a power of two */
struct labelled_code {
	const void *code; /* NULL: empty */
	int32_t label;
};

static struct {
	struct labelled_code *slots;
	size_t cap, used;
} codes;

/* ---- open ranges of a thread ---- */

enum { OPEN = 1024 };

/* the labels of the outermost ranges; deeper ones are counted */
struct open_labels {
	uint32_t depth;
	int32_t labels[OPEN];
};

static pthread_key_t open_key;
static bool has_key;

__attribute__((constructor)) static void
make_key(void)
{
	has_key = pthread_key_create(&open_key, free) == 0;
}

/* NULL: no memory */
static struct open_labels *
open_labels(void)
{
	struct open_labels *o;

	if (!has_key)
		return NULL;
	if ((o = pthread_getspecific(open_key)) != NULL)
		return o;
	if ((o = malloc(sizeof(*o))) == NULL)
		return NULL;
	o->depth = 0;
	if (pthread_setspecific(open_key, o) == 0)
		return o;
	free(o);
	return NULL;
}

/* ---- labels ---- */

int32_t
function_label_add(const char *domain, const char *name, uint32_t color)
{
	struct label l = {strdup(domain), strdup(name), color, NULL, NULL};
	struct label *more =
	    realloc(labels, ((size_t)count + 1) * sizeof(*labels));

	if (more != NULL)
		labels = more;
	if (more == NULL || l.domain_name == NULL || l.name == NULL) {
		free(l.domain_name);
		free(l.name);
		return FUNCTION_LABEL_NONE;
	}
	labels[count] = l;
	return count++;
}

static const void *
name_of(uint32_t domain, const char *text)
{
	return registry_string(
	    domain, (struct nvtx_text){.bytes = text, .len = strlen(text)});
}

/* the handles of a label, and of its name with the text before it */
static const void *
find_message(struct label *l, const char *of)
{
	struct writer *w = writer_enter();
	const void *message = NULL;
	char text[256];
	uint32_t domain;

	if (w == NULL)
		return NULL;
	if (l->domain == NULL)
		l->domain = registry_domain((struct nvtx_text){
		    .bytes = l->domain_name, .len = strlen(l->domain_name)});
	domain = registry_domain_id(l->domain, w);
	if (of != NULL) {
		snprintf(text, sizeof(text), "%s.%s", of, l->name);
		message = name_of(domain, text);
	} else
		message = l->message = name_of(domain, l->name);
	writer_leave(w);
	return message;
}

void
function_label_begin(int32_t label, const char *of, const char *payload)
{
	struct open_labels *open = open_labels();
	struct label *l = &labels[label];
	struct nvtx_payload_data data = {
	    .schema = NVTX_CSTRING_UTF8, .size = SIZE_MAX, .p = payload};
	struct nvtx_attributes a = {.size = sizeof(a),
	    .color_type = l->color != 0 ? NVTX_COLOR_ARGB : 0,
	    .color = l->color,
	    .message_type = NVTX_MESSAGE_REGISTERED,
	    .message.registered = l->message};

	if (open == NULL)
		return;
	if (of != NULL || l->message == NULL || l->domain == NULL)
		a.message.registered = find_message(l, of);
	if (payload != NULL) {
		a.payload_type = NVTX_PAYLOAD_EXT;
		a.payload_count = 1;
		a.payload = (uintptr_t)&data;
	}
	if (open->depth < OPEN)
		open->labels[open->depth] = label;
	open->depth++;
	annotate_push(
	    l->domain, &(struct nvtx_source){NVTX_FROM_ATTRIBUTES, &a, 0});
}

void
function_label_end(int32_t label)
{
	struct open_labels *open = open_labels();

	if (open == NULL || open->depth == 0 ||
	    (open->depth <= OPEN && open->labels[open->depth - 1] != label))
		return;
	open->depth--;
	annotate_pop(labels[label].domain, NULL);
}

/* ---- code ---- */

/* where the code is, or would be; there is an empty slot */
static size_t
slot_of(const void *code)
{
	uint64_t h = (uintptr_t)code * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(h >> 32) & (codes.cap - 1);

	while (codes.slots[i].code != NULL && codes.slots[i].code != code)
		i = (i + 1) & (codes.cap - 1);
	return i;
}

int32_t
function_label_of(const void *code)
{
	size_t i;

	if (codes.cap == 0)
		return FUNCTION_LABEL_NONE;
	i = slot_of(code);
	return codes.slots[i].code != NULL ? codes.slots[i].label
					   : FUNCTION_LABEL_NONE;
}

/* twice the slots; false if there is no memory */
static bool
grow(void)
{
	enum { FIRST = 64 };
	struct labelled_code *old = codes.slots;
	size_t n = codes.cap, cap = n > 0 ? n * 2 : FIRST;
	void *slots = calloc(cap, sizeof(*codes.slots));

	if (slots == NULL)
		return false;
	codes.slots = slots;
	codes.cap = cap;
	for (size_t i = 0; i < n; i++)
		if (old[i].code != NULL)
			codes.slots[slot_of(old[i].code)] = old[i];
	free(old);
	return true;
}

void
function_label_set(const void *code, int32_t label)
{
	size_t i;

	if (codes.used * 2 >= codes.cap && !grow())
		return;
	i = slot_of(code);
	if (codes.slots[i].code != NULL)
		return;
	codes.slots[i].code = code;
	codes.slots[i].label = label;
	codes.used++;
}
