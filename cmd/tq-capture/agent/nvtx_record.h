/*
 * nvtx_record.h - a record with its optional parts; a large one is written in
 * several
 */
#ifndef TQ_AGENT_NVTX_RECORD_H
#define TQ_AGENT_NVTX_RECORD_H

#include <string.h>
#include <wchar.h>

#include "writer.h"

/* a text: bytes, presumably UTF-8, or wide characters; the other is NULL.
   Writing consumes it */
struct nvtx_text {
	const char *bytes;
	const wchar_t *wide;
	size_t len; /* in UTF-8 */
};

/* a piece of a blob, padded to eight bytes */
struct blob_piece {
	const void *p;
	size_t len;
};

/* only members whose flags are set have a value */
struct nvtx_record {
	uint8_t type, flags;
	enum arena_loss_kind loss;
	uint32_t domain;
	uint32_t aside; /* bytes to reserve with it */
	uint64_t ticks; /* 0: the time when it is written */
	uint64_t id;
	uint32_t color, category;
	uint64_t payload_type, payload;
	uint64_t string;
	struct nvtx_text text;
	const struct blob_piece *pieces; /* of the blob */
	size_t blob;                     /* all their bytes, padded */
	uint64_t range;
};

static inline void
nvtx_record_init(struct nvtx_record *e, enum record_type type,
    enum arena_loss_kind loss, uint32_t domain)
{
	e->type = (uint8_t)type;
	e->flags = 0;
	e->loss = loss;
	e->domain = domain;
	e->aside = 0;
	e->ticks = 0;
}

static inline void
nvtx_record_set_id(struct nvtx_record *e, uint64_t id)
{
	e->flags |= FLAG_ID;
	e->id = id;
}

/* FLAG_RANGE: see the type of the record in record.h. */
static inline void
nvtx_record_set_range(struct nvtx_record *e, uint64_t range)
{
	e->flags |= FLAG_RANGE;
	e->range = range;
}

/* s NULL: the record has no text. */
static inline void
nvtx_record_set_text(struct nvtx_record *e, const char *s)
{
	if (s == NULL)
		return;
	e->flags |= FLAG_TEXT;
	e->text = (struct nvtx_text){.bytes = s, .len = strlen(s)};
}

/* The same. */
void nvtx_record_set_wide(struct nvtx_record *e, const wchar_t *s);

/* The n pieces are borrowed until the record is written. */
void nvtx_record_set_blob(
    struct nvtx_record *e, const struct blob_piece *pieces, size_t n);

/*
 * Write it.  Its time is taken last, so that a range does not include the cost
 * of recording its start.  False, with the loss counted, if there is no room.
 */
bool nvtx_record_put(struct writer *w, struct nvtx_record *e);

/* The pop of an open range whose push was written: there is room. */
static inline void
nvtx_record_put_pop(struct writer *w, uint32_t domain, uint64_t ticks)
{
	struct record r = {.words = sizeof(r) / 8,
	    .type = RECORD_POP,
	    .domain = domain,
	    .ticks = ticks};

	memcpy(w->place, &r, sizeof(r));
	w->open--;
	writer_publish(w, sizeof(r));
}

/* Copy up to room bytes of the text, whole characters; returns how many. */
size_t nvtx_record_copy_text(struct nvtx_text *t, char *to, size_t room);

#endif
