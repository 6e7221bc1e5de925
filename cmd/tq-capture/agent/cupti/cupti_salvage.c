/* cupti_salvage.c - reading a buffer whose process died */
#include <string.h>

#include "arena/salvage_abi.h"
#include "cupti_kinds.h"
#include "cupti_lib.h"
#include "cupti_record.h"

#define EXPORTED __attribute__((visibility("default")))

/* 0: it is unknown */
static size_t
stride_of(const struct arena *a, uint32_t kind)
{
	const volatile uint16_t *strides = a->stride;

	return kind < ARENA_STRIDES ? strides[kind] : 0;
}

static void
count_call(struct salvage *s, const void *raw)
{
	const CUpti_ActivityAPI *api = raw;

	s->launches +=
	    cupti_kinds_launches(api->kind & ~CUPTI_RECORD_DONE, api->cbid);
	if (s->corr == 0 || (int32_t)(api->correlationId - s->corr) > 0)
		s->corr = api->correlationId;
}

/*
 * The buffer was zeroed before it was lent, so a kind of 0 ends it: the end, or
 * a record that CUPTI had not begun to write.  Other processes that have the
 * arena may write into it at any time, so each record is copied first.
 */
EXPORTED size_t
tq_capture_salvage(struct salvage *s, char *out, size_t room)
{
	static char raw[UINT16_MAX + 1] __attribute__((aligned(8)));
	union record_any r;
	size_t stride, used = 0;
	uint32_t kind;
	bool done;

	_Static_assert(sizeof(r) <= SALVAGE_ROOM, "a record needs more room");
	while (room - used >= sizeof(r) && s->at < s->bytes &&
	       s->bytes - s->at >= sizeof(kind)) {
		memcpy(&kind, s->buffer + s->at, sizeof(kind));
		done =
		    (kind & CUPTI_RECORD_DONE) != 0 || s->at + 1 == s->written;
		kind &= ~CUPTI_RECORD_DONE;
		stride = stride_of(s->arena, kind);
		if (stride == 0 || stride % 8 != 0 || stride > s->bytes - s->at)
			break;
		memcpy(raw, s->buffer + s->at, stride);
		memcpy(raw, &kind, sizeof(kind));
		s->at += stride;
		if (done || cupti_record_bits(kind) == 0)
			continue;
		if (stride < cupti_record_least(kind) ||
		    !cupti_record_make(raw, stride, &r)) {
			s->incomplete++;
			continue;
		}
		if (r.head.type == RECORD_API)
			count_call(s, raw);
		if (r.head.type == RECORD_API &&
		    cupti_kinds_silent(r.api.source, r.api.callback))
			continue;
		memcpy(out + used, &r, (size_t)r.head.words * 8);
		used += (size_t)r.head.words * 8;
	}
	return used;
}

static bool
has_names(struct cupti_lib *lib)
{
	(void)lib;
	return true;
}

EXPORTED const char *
tq_capture_function(enum api_source source, uint32_t callback)
{
	static struct cupti_lib lib;
	static bool tried, loaded;
	const char *name = NULL;

	if (!tried) {
		tried = true;
		loaded = cupti_lib_find(&lib, has_names);
	}
	if (!loaded || lib.callback_name(source == API_RUNTIME
					     ? CUPTI_CB_DOMAIN_RUNTIME_API
					     : CUPTI_CB_DOMAIN_DRIVER_API,
			   callback, &name) != CUPTI_SUCCESS)
		return NULL;
	return name;
}
