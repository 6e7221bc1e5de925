/* cupti_translate.c - buffers of CUPTI, record by record, into the arena */
#include <stdatomic.h>
#include <string.h>

#include "cupti_kinds.h"
#include "cupti_launches.h"
#include "cupti_names.h"
#include "cupti_raw.h"
#include "cupti_record.h"
#include "cupti_translate.h"
#include "agent/agent.h"

enum { NAME_MOST = 256 }; /* bytes of the name of a device */

static _Atomic uint32_t kept;
static _Atomic bool saw_device;

void
cupti_translate_keep(uint32_t bits)
{
	atomic_store(&kept, bits);
}

bool
cupti_translate_saw_device(void)
{
	return atomic_load(&saw_device);
}

/* a record of CUPTI, and where it is: in a buffer of the arena, or none */
struct raw_place {
	const void *raw;
	size_t stride;
	uint32_t buffer; /* ARENA_BUFFERS_MAX: none */
	uint64_t offset;
};

static void
publish(struct writer *w, size_t bytes, const struct raw_place *from)
{
	if (from->buffer < ARENA_BUFFERS_MAX)
		agent_copies(w, bytes, from->buffer, from->offset);
	agent_end(w, bytes);
}

/* a record of a device with its name behind it */
static void
put_device(union record_any *r, const struct raw_place *from)
{
	const char *name = cupti_record_text(from->raw);
	struct writer *w = agent_thread();
	uint64_t len = name == NULL ? 0 : strnlen(name, NAME_MOST);
	size_t bytes = sizeof(r->device) + 8 + (len + 7) / 8 * 8;
	char *p;

	if (w == NULL || (p = agent_begin(w, LOSS_CUDA, bytes)) == NULL)
		return;
	r->head.words = (uint16_t)(bytes / 8);
	r->head.flags = FLAG_TEXT;
	memset(p, 0, bytes);
	memcpy(p, r, sizeof(r->device));
	memcpy(p + sizeof(r->device), &len, sizeof(len));
	memcpy(p + sizeof(r->device) + 8, name == NULL ? "" : name, len);
	publish(w, bytes, from);
	atomic_store(&saw_device, true);
}

static void
put_record(const union record_any *r, enum arena_loss_kind loss,
    const struct raw_place *from)
{
	struct writer *w = agent_thread();
	size_t bytes = (size_t)r->head.words * 8;
	char *p;

	if (w == NULL || (p = agent_begin(w, loss, bytes)) == NULL)
		return;
	memcpy(p, r, bytes);
	publish(w, bytes, from);
}

static void
translate(const struct cupti_lib *lib, const struct raw_place *from)
{
	uint32_t kind = ((const CUpti_Activity *)from->raw)->kind;
	union record_any r;

	if (!cupti_record_make(from->raw, from->stride, &r)) {
		agent_lost(cupti_record_loss(kind), 1);
		return;
	}
	switch (r.head.type) {
	case RECORD_KERNEL:
		r.kernel.symbol = cupti_names_symbol(
		    (const char *)(uintptr_t)r.kernel.address);
		break;
	case RECORD_API:
		if (cupti_kinds_silent(r.api.source, r.api.callback))
			return;
		cupti_names_function(lib, r.api.source, r.api.callback);
		break;
	case RECORD_DEVICE:
		if (r.head.words != 0)
			put_device(&r, from);
		return;
	default:
		break;
	}
	put_record(&r, cupti_record_loss(kind), from);
}

/*
 * The bytes until the next record: the stride of the kind, or, if it is
 * unknown, as libcupti finds it.  0: there is no next record.
 */
static size_t
find_stride(const struct cupti_lib *lib, const struct arena *a, uint8_t *p,
    uint32_t kind, size_t left)
{
	CUpti_Activity *next = (CUpti_Activity *)(void *)p;
	size_t stride = 0;

	if (kind == CUPTI_ACTIVITY_KIND_INVALID)
		return 0;
	if (kind < ARENA_STRIDES) /* read once: it may change */
		stride = *(const volatile uint16_t *)&a->stride[kind];
	if (stride != 0)
		return stride <= left ? stride : 0;
	if (lib->next_record(p, left, &next) != CUPTI_SUCCESS ||
	    (uint8_t *)next <= p || (uint8_t *)next >= p + left)
		return 0;
	return (size_t)((uint8_t *)next - p);
}

/* ARENA_BUFFERS_MAX: it is not of the arena */
static uint32_t
number_of(struct arena *a, const uint8_t *buffer)
{
	uintptr_t i =
	    ((uintptr_t)buffer - (uintptr_t)arena_buffer(a, 0)) / ARENA_BUFFER;

	return i < a->buffers && i < ARENA_BUFFERS_MAX ? (uint32_t)i
						       : ARENA_BUFFERS_MAX;
}

static void
translate_all(const struct cupti_lib *lib, struct arena *a, uint8_t *buffer,
    size_t bytes, uint32_t number)
{
	uint32_t kind, bits, wanted = atomic_load(&kept) | agent_on();
	size_t at, n;

	cupti_raw_write(lib, a->stride, wanted, buffer, bytes);
	for (at = 0; bytes - at >= sizeof(kind); at += n) {
		memcpy(&kind, buffer + at, sizeof(kind));
		n = find_stride(lib, a, buffer + at, kind, bytes - at);
		if (n == 0)
			return;
		cupti_launches_recorded(buffer + at, n);
		bits = cupti_record_bits(kind);
		if ((bits & wanted) == 0 && bits != UINT32_MAX)
			continue;
		if (n < cupti_record_least(kind))
			agent_lost(cupti_record_loss(kind), 1);
		else
			translate(lib,
			    &(struct raw_place){buffer + at, n, number, at});
		kind |= CUPTI_RECORD_DONE;
		memcpy(buffer + at, &kind, sizeof(kind));
	}
}

void
cupti_translate(const struct cupti_lib *lib, uint8_t *buffer, size_t bytes)
{
	struct arena *a = agent_arena();
	uint32_t number;

	if (a == NULL)
		return;
	number = number_of(a, buffer);
	translate_all(lib, a, buffer, bytes, number);
	/* before the buffer is lent again */
	if (number < ARENA_BUFFERS_MAX)
		atomic_store_explicit(
		    &a->writing[number], 0, memory_order_release);
}
