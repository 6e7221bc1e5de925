/* annotate.c - annotations of NVTX become records */

#include <string.h>

#include "agent/python/python_stack.h"

#include "annotate.h"

/* extended payloads of one annotation; more are dropped */
enum { PAYLOADS = 16 };

/* pieces of a blob of extended payloads, until its record is written */
struct payloads {
	uint64_t heads[PAYLOADS][2]; /* schema, bytes */
	struct blob_piece pieces[PAYLOADS * 2];
};

static void
set_payloads(struct nvtx_record *e, struct payloads *room,
    const struct nvtx_payload_data *data, size_t n)
{
	size_t used = 0;

	if (data == NULL || n == 0)
		return;
	for (size_t i = 0; i < n && i < PAYLOADS; i++) {
		size_t size = data[i].size;

		if (data[i].p == NULL)
			size = 0;
		else if (size == SIZE_MAX)
			size = data[i].schema == NVTX_CSTRING ||
				       data[i].schema == NVTX_CSTRING_UTF8
				   ? strlen(data[i].p) + 1
				   : registry_payload_size(
					 e->domain, data[i].schema);
		room->heads[i][0] = data[i].schema;
		room->heads[i][1] = size;
		room->pieces[used++] =
		    (struct blob_piece){room->heads[i], sizeof(room->heads[i])};
		room->pieces[used++] = (struct blob_piece){data[i].p, size};
	}
	nvtx_record_set_blob(e, room->pieces, used);
}

static void
set_payload(struct nvtx_record *e, struct payloads *room,
    const struct nvtx_attributes *a)
{
	if (a->payload_type == NVTX_PAYLOAD_EXT) {
		const void *data = (const void *)(uintptr_t)a->payload;

		if (a->payload_count > 0)
			set_payloads(e, room, data, (size_t)a->payload_count);
		return;
	}
	e->flags |= FLAG_PAYLOAD;
	e->payload_type = a->payload_type;
	e->payload = a->payload_type >= NVTX_PAYLOAD_U32 &&
			     a->payload_type <= NVTX_PAYLOAD_F32
			 ? a->payload & UINT32_MAX
			 : a->payload;
}

static void
set_string(struct nvtx_record *e, const struct writer *w, const void *handle)
{
	const struct registered *n = registry_string_of(handle, w);

	if (n == NULL)
		return;
	if (n->generation == w->generation) {
		e->flags |= FLAG_STRING;
		e->string = n->id;
	} else {
		e->flags |= FLAG_TEXT;
		e->text = (struct nvtx_text){.bytes = n->text, .len = n->len};
	}
}

static void
set_message(struct nvtx_record *e, const struct writer *w,
    const struct nvtx_attributes *a)
{
	switch (a->message_type) {
	case NVTX_MESSAGE_ASCII:
		nvtx_record_set_text(e, a->message.ascii);
		break;
	case NVTX_MESSAGE_UNICODE:
		nvtx_record_set_wide(e, a->message.wide);
		break;
	case NVTX_MESSAGE_REGISTERED:
		set_string(e, w, a->message.registered);
		break;
	}
}

/* the program's attributes; if its NVTX is older and has fewer, a copy in room
   with the others 0 */
static const struct nvtx_attributes *
whole(const struct nvtx_attributes *a, struct nvtx_attributes *room)
{
	if (a->size >= sizeof(*a))
		return a;
	*room = (struct nvtx_attributes){0};
	memcpy(room, a, a->size);
	return room;
}

static void
set_attributes(struct nvtx_record *e, const struct writer *w,
    struct payloads *room, const struct nvtx_attributes *a)
{
	struct nvtx_attributes copy;

	if (a == NULL)
		return;
	a = whole(a, &copy);
	if (a->category != 0 || a->color_type == NVTX_COLOR_ARGB) {
		e->flags |= FLAG_STYLE;
		e->category = a->category;
		e->color = a->color_type == NVTX_COLOR_ARGB ? a->color : 0;
	}
	if (a->payload_type != 0)
		set_payload(e, room, a);
	set_message(e, w, a);
}

static void
set_source(struct nvtx_record *e, const struct writer *w, struct payloads *room,
    const struct nvtx_source *from)
{
	switch (from->form) {
	case NVTX_FROM_ASCII:
		nvtx_record_set_text(e, from->p);
		break;
	case NVTX_FROM_WIDE:
		nvtx_record_set_wide(e, from->p);
		break;
	case NVTX_FROM_ATTRIBUTES:
		set_attributes(e, w, room, from->p);
		break;
	case NVTX_FROM_PAYLOADS:
		set_payloads(e, room, from->p, from->n);
		break;
	}
}

static bool
write_record(
    struct writer *w, struct nvtx_record *e, const struct nvtx_source *from)
{
	struct payloads room;

	registry_repeat(w);
	set_source(e, w, &room, from);
	return nvtx_record_put(w, e);
}

/* the Python stack of a range or mark, if the settings have that */
static inline void
set_python(struct nvtx_record *e)
{
	uint32_t stack;

	if (!(writer_on() & ARENA_PYTHON_NVTX) ||
	    (stack = python_stack_take()) == 0)
		return;
	nvtx_record_set_range(e, stack);
}

/* the record of a push to that level; its bit is in word, NULL: there is none
 */
static void
write_push(struct writer *w, uint32_t domain, uint32_t level, uint64_t *word,
    const struct nvtx_source *from)
{
	struct nvtx_record e;

	if (word == NULL || w->open >= WRITER_OPEN) {
		writer_lost(LOSS_RANGE, 1);
		return;
	}
	nvtx_record_init(&e, RECORD_PUSH, LOSS_RANGE, domain);
	e.aside = WRITER_POP;
	set_python(&e);
	if (write_record(w, &e, from)) {
		*word |= UINT64_C(1) << level % 64;
		w->open++;
	}
}

int
annotate_push(const void *domain, const struct nvtx_source *from)
{
	struct writer *w = writer_enter();
	int level = NVTX_NO_TRACKING;
	struct open_levels *s;
	uint64_t *word;
	uint32_t id;

	if (w == NULL)
		return level;
	id = registry_domain_id(domain, w);
	if ((s = writer_stack(w, id)) != NULL) {
		level = (int)writer_push(s, &word);
		if (writer_on() & ARENA_NVTX)
			write_push(w, id, (uint32_t)level, word, from);
	}
	writer_leave(w);
	return level;
}

/* the end of a range with payloads, for which there may be no room */
static bool
write_pop(struct writer *w, uint32_t domain, const struct nvtx_source *payloads)
{
	struct nvtx_record e;

	nvtx_record_init(&e, RECORD_POP, LOSSES, domain);
	if (!write_record(w, &e, payloads))
		return false;
	w->open--;
	w->room += WRITER_POP;
	return true;
}

int
annotate_pop(const void *domain, const struct nvtx_source *payloads)
{
	uint64_t ticks;
	struct writer *w = writer_enter();
	struct open_levels *s;
	uint32_t id;
	int level = -1;

	if (w == NULL)
		return NVTX_NO_TRACKING;
	id = registry_domain_id(domain, w);
	s = writer_stack(w, id);
	if (s != NULL && s->depth > 0) {
		if (!writer_pop(s))
			;
		else if (payloads == NULL || !write_pop(w, id, payloads)) {
			ticks = process_clock();
			nvtx_record_put_pop(w, id, ticks);
		}
		level = (int)s->depth;
	}
	writer_leave(w);
	return level;
}

uint64_t
annotate_start(const void *domain, const struct nvtx_source *from)
{
	struct writer *w = writer_enter();
	uint64_t range;

	if (w == NULL)
		return 0;
	range = writer_range(w);
	if (writer_on() & ARENA_NVTX) {
		struct nvtx_record e;

		nvtx_record_init(&e, RECORD_START, LOSS_RANGE,
		    registry_domain_id(domain, w));
		nvtx_record_set_id(&e, range | WRITER_WRITTEN);
		set_python(&e);
		if (write_record(w, &e, from))
			range = e.id;
	}
	writer_leave(w);
	return range;
}

void
annotate_end(
    const void *domain, uint64_t range, const struct nvtx_source *payloads)
{
	struct nvtx_record e;
	struct writer *w;

	if ((range & WRITER_WRITTEN) == 0 || (w = writer_enter()) == NULL)
		return;
	if (writer_knows(range)) {
		nvtx_record_init(
		    &e, RECORD_END, LOSSES, registry_domain_id(domain, w));
		nvtx_record_set_id(&e, range);
		e.ticks = process_clock();
		if (payloads == NULL || !write_record(w, &e, payloads)) {
			e.flags = FLAG_ID;
			e.loss = LOSS_RANGE_END;
			nvtx_record_put(w, &e);
		}
	}
	writer_leave(w);
}

void
annotate_mark(const void *domain, const struct nvtx_source *from)
{
	struct writer *w = writer_enter();

	if (w == NULL)
		return;
	if (writer_on() & ARENA_NVTX) {
		struct nvtx_record e;

		nvtx_record_init(
		    &e, RECORD_MARK, LOSS_MARK, registry_domain_id(domain, w));
		set_python(&e);
		write_record(w, &e, from);
	}
	writer_leave(w);
}
