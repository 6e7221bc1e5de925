/* cupti_record.c - a record of CUPTI as one of ours: see arena/records.def */

#include <string.h>

#include <cupti.h>

#include "cupti_record.h"

#define ALWAYS UINT32_MAX

/* CUpti_ActivityCudaEvent2, which headers before 12.8 do not have */
struct cuda_event_today {
	CUpti_ActivityCudaEvent first;
	uint32_t device, pad;
	uint64_t reserved, time, event_sync;
};

/* no record of CUPTI: a callback makes a record_node itself */
struct node_creation {
	uint64_t time, node, original;
	uint32_t tid;
};

/* ---- copies ---- */

/*
 * True if a record of stride bytes has that member of the newest struct.  Those
 * of the oldest struct need no look at stride: that is known when this is
 * compiled.
 */
#define HAS(member) \
	(offsetof(newest_struct, member) + \
		    sizeof(((newest_struct *)0)->member) <= \
		sizeof(oldest_struct) || \
	    stride >= offsetof(newest_struct, member) + \
			  sizeof(((newest_struct *)0)->member))

/*
 * An end of 0 means that it is not over, or, for work of the device, that CUPTI
 * had no room for its times: false.
 */
static bool
set_times(struct record_event *r, uint64_t start, uint64_t end)
{
	r->head.ticks = start;
	r->end = end < start ? start : end;
	return end != 0;
}

static void
finish_device(
    const CUpti_ActivityDevice3 *raw, size_t stride, struct record_device *r)
{
	typedef CUpti_ActivityDevice3 newest_struct;
	typedef CUpti_ActivityDevice2 oldest_struct;

	/* CUDA_VISIBLE_DEVICES hides it, and the number may be another's */
	if (HAS(isCudaVisible) && !raw->isCudaVisible)
		r->head.words = 0;
	memcpy(r->uuid, &raw->uuid, sizeof(r->uuid));
}

static void
finish_overhead(
    const CUpti_ActivityOverhead *raw, size_t stride, struct record_overhead *r)
{
	(void)stride;
	if (raw->objectKind == CUPTI_ACTIVITY_OBJECT_THREAD)
		r->tid = raw->objectId.pt.threadId;
}

/* copy_NAME: false if CUPTI was not done with the record */
#define DEFINITION(TYPE, name, newest, oldest) \
	static bool copy_##name( \
	    const void *from, size_t stride, union record_any *to) \
	{ \
		typedef newest newest_struct; \
		typedef oldest oldest_struct; \
		const newest_struct *raw = from; \
		struct record_##name *r = &to->name; \
		bool is_complete = true;
#define EVENT(TYPE, name, newest, oldest, ...) \
	DEFINITION(TYPE, name, newest, oldest)
#define TIMES(start_, end_) \
	is_complete = set_times(&to->event, raw->start_, raw->end_);
#define TIME(at) \
	if (HAS(at)) \
		r->head.ticks = raw->at; \
	is_complete = r->head.ticks != 0;
#define DATA(type, member_, from_) \
	if (HAS(from_)) \
		r->member_ = (type)raw->from_;
#define FIELD(type, member_, from_, how, key) DATA(type, member_, from_)
#define CORR(from_) DATA(uint32_t, corr, from_)
#define DIMS(member_, from_, how, key) \
	if (HAS(from_##Z)) { \
		r->member_[0] = (int32_t)raw->from_##X; \
		r->member_[1] = (int32_t)raw->from_##Y; \
		r->member_[2] = (int32_t)raw->from_##Z; \
	}
#define FINISH(name) finish_##name(raw, stride, r);
#define END_EVENT(name) \
	return is_complete; \
	}
#define END_DEFINITION(name) END_EVENT(name)
#include "arena/records.def"

/* ---- tables ---- */

/* by record type */
static const struct {
	uint16_t bytes; /* of ours */
	uint16_t least; /* of CUPTI's */
	bool (*copy)(const void *from, size_t stride, union record_any *to);
} types[RECORD_CUPTI_END] = {
#define DEFINITION(TYPE, name, newest, oldest) \
	[RECORD_##TYPE] = { \
	    sizeof(struct record_##name), sizeof(oldest), copy_##name},
#define EVENT(TYPE, name, newest, oldest, ...) \
	DEFINITION(TYPE, name, newest, oldest)
#include "arena/records.def"
};

/* by kind of CUPTI */
static const struct {
	uint32_t bits;
	uint8_t type;
} kinds[] = {
#define ACTIVITY(KIND, TYPE, bits, level) \
	[CUPTI_ACTIVITY_KIND_##KIND] = {bits, RECORD_##TYPE},
#include "arena/records.def"
};

_Static_assert((int)API_DRIVER == (int)CUPTI_ACTIVITY_KIND_DRIVER &&
		   (int)API_RUNTIME == (int)CUPTI_ACTIVITY_KIND_RUNTIME,
    "enum api_source is copied from the kind");

static uint8_t
type_of(uint32_t kind)
{
	return kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[kind].type : 0;
}

uint32_t
cupti_record_bits(uint32_t kind)
{
	return type_of(kind) != 0 ? kinds[kind].bits : 0;
}

enum arena_loss_kind
cupti_record_loss(uint32_t kind)
{
	switch (cupti_record_bits(kind)) {
	case ARENA_GPU:
		return LOSS_GPU;
	case ARENA_RUNTIME:
	case ARENA_DRIVER:
		return LOSS_API;
	default:
		return LOSS_CUDA;
	}
}

size_t
cupti_record_least(uint32_t kind)
{
	return types[type_of(kind)].least;
}

const char *
cupti_record_text(const void *raw)
{
	switch (type_of(((const CUpti_Activity *)raw)->kind)) {
	case RECORD_KERNEL:
		return ((const CUpti_ActivityKernel4 *)raw)->name;
	case RECORD_DEVICE:
		return ((const CUpti_ActivityDevice2 *)raw)->name;
	default:
		return NULL;
	}
}

bool
cupti_record_make(const void *raw, size_t stride, union record_any *r)
{
	uint8_t type = type_of(((const CUpti_Activity *)raw)->kind);

	memset(r, 0, types[type].bytes);
	r->head.words = (uint16_t)(types[type].bytes / 8);
	r->head.type = type;
	return types[type].copy(raw, stride, r);
}
