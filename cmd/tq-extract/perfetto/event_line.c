/* event_line.c - track events and render stages are taken apart */

#include <err.h>
#include <stdlib.h>

#include "event_line.h"
#include "read/proto_reader.h"
#include "tq/io/status.h"
#include "tq/io/temporary.h"
#include "tq/line/json.h"
#include "tq/base/array.h"

/* fields of TrackEvent */
enum {
	EVENT_CATEGORY_IID = 3,
	EVENT_NOTE = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	EVENT_VALUE = 30,
	EVENT_OLD_FLOW = 36,
	EVENT_OLD_LAST_FLOW = 42,
	EVENT_REAL_VALUE = 44,
	EVENT_FLOW = 47,
	EVENT_LAST_FLOW = 48,
	EVENT_STACK = 55,
	EVENT_STACK_IID = 56
};

/* the values of an event, while it is read */
struct event_parts {
	struct pftrace *p;
	const struct sequence *q;
	struct event_line head;
	struct span name, category;
	struct text *args, *flows, *value;
	bool has_value, typed;
	struct text *list; /* values of a field that is repeated */
	struct span list_name;
};

/* ---- arguments ---- */

static void
add_arg(struct event_parts *e, struct span key, struct span value)
{
	struct event_line_arg a = {
	    (uint32_t)key.len, (uint32_t)value.len, e->typed};

	text_add(e->args, (const char *)&a, sizeof(a));
	text_add_span(e->args, key);
	text_add_span(e->args, value);
}

static void
add_int_arg(struct event_parts *e, struct span key, int64_t v)
{
	e->value->len = 0;
	annotations_int(e->value, v);
	add_arg(e, key, text_span(e->value));
}

static void
add_str_arg(struct event_parts *e, struct span key, struct span s)
{
	e->value->len = 0;
	text_add_json(e->value, s.p, s.len);
	add_arg(e, key, text_span(e->value));
}

static void
finish_list(struct event_parts *e)
{
	if (e->list->len == 0)
		return;
	text_add_char(e->list, ']');
	add_arg(e, e->list_name, text_span(e->list));
	e->list->len = 0;
}

static void
put_field(void *parts, const struct extension_field *f, struct span value)
{
	struct event_parts *e = parts;

	if (e->list->len > 0 &&
	    !(f->repeated && span_eq(f->name, e->list_name)))
		finish_list(e);
	if (!f->repeated) {
		add_arg(e, f->name, value);
		return;
	}
	e->list_name = f->name;
	text_add_char(e->list, e->list->len > 0 ? ',' : '[');
	text_add_span(e->list, value);
}

static void
add_note(struct event_parts *e, struct span note)
{
	e->value->len = 0;
	annotations_value(e->value, e->q, note);
	add_arg(e, annotations_name(e->q, note), text_span(e->value));
}

/* ---- stacks ---- */

/* the frames stand in the message, or are interned; the root comes first */
static void
add_frames(
    struct event_parts *e, struct span message, uint32_t field, bool interned)
{
	struct proto_reader r = proto_reader(message);
	struct proto_field f, function;
	struct span *frames = NULL, name;
	size_t count = 0, cap = 0;

	while (proto_reader_next(&r, &f)) {
		if (f.number != field || (f.bytes.p == NULL) != interned)
			continue;
		name = proto_reader_bytes(f.bytes, 1);
		if (interned) {
			if (!proto_reader_find(
				sequence_entry(e->q, SEQUENCE_FRAMES, f.v), 2,
				&function))
				function.v = 0;
			name =
			    sequence_text(e->q, SEQUENCE_FUNCTIONS, function.v);
		}
		*array_add(&frames, &count, &cap) = name;
	}
	stack_list_begin(&e->p->stacks);
	while (count > 0)
		stack_list_add(&e->p->stacks, frames[--count]);
	e->head.stack = stack_list_end(&e->p->stacks);
	free(frames);
}

/* ---- track events ---- */

static void
add_flow(struct event_parts *e, uint64_t id, bool ends)
{
	struct event_line_flow f = {id, ends};

	text_add(e->flows, (const char *)&f, sizeof(f));
}

/* fields that are numbers */
static void
take_number(struct event_parts *e, const struct proto_field *f)
{
	struct event_line *h = &e->head;

	switch (f->number) {
	case EVENT_TYPE:
		h->type = f->v <= PFTRACE_STATE ? (enum pftrace_type)f->v
						: PFTRACE_NO_TYPE;
		break;
	case EVENT_TRACK:
		h->track = f->v;
		break;
	case EVENT_NAME_IID:
		e->name = sequence_text(e->q, SEQUENCE_NAMES, f->v);
		break;
	case EVENT_CATEGORY_IID:
		e->category = sequence_text(e->q, SEQUENCE_CATEGORIES, f->v);
		break;
	case EVENT_VALUE:
		h->integer = (int64_t)f->v;
		e->has_value = true;
		break;
	case EVENT_REAL_VALUE:
		memcpy(&h->real, &f->v, sizeof(h->real));
		e->has_value = h->is_real = true;
		break;
	case EVENT_OLD_FLOW:
	case EVENT_FLOW:
		add_flow(e, f->v, false);
		break;
	case EVENT_OLD_LAST_FLOW:
	case EVENT_LAST_FLOW:
		add_flow(e, f->v, true);
		break;
	case EVENT_STACK_IID:
		add_frames(e, sequence_entry(e->q, SEQUENCE_CALLSTACKS, f->v),
		    2, true);
		break;
	}
}

static void
take_bytes(struct event_parts *e, const struct proto_field *f)
{
	uint32_t message;

	switch (f->number) {
	case EVENT_NAME:
		e->name = f->bytes;
		break;
	case EVENT_CATEGORY:
		e->category = f->bytes;
		break;
	case EVENT_NOTE:
		add_note(e, f->bytes);
		break;
	case EVENT_STACK:
		add_frames(e, f->bytes, 1, false);
		break;
	default:
		message = extensions_message(&e->p->extensions, f->number);
		if (message == 0)
			break;
		e->typed = true;
		extensions_read(
		    &e->p->extensions, message, f->bytes, put_field, e);
		finish_list(e);
		e->typed = false;
	}
}

static bool
take_event(struct event_parts *e, struct span message)
{
	struct proto_reader r = proto_reader(message);
	struct proto_field f;

	e->head.track = e->q->track;
	while (proto_reader_next(&r, &f))
		if (f.bytes.p != NULL)
			take_bytes(e, &f);
		else
			take_number(e, &f);
	return !r.broken;
}

/* ---- render stages ---- */

/* fields of GpuRenderStageEvent */
enum {
	STAGE_DURATION = 2,
	STAGE_CONTEXT = 5,
	STAGE_EXTRA = 6,
	STAGE_GPU = 11,
	STAGE_QUEUE = 13,
	STAGE_STAGE = 14,
	STAGE_NAME = 17,
	STAGE_KERNEL = 19,
	STAGE_NAME_IID = 20,
	STAGE_LAUNCH = 21
};

static void
add_size(struct event_parts *e, struct span key, struct span size)
{
	struct proto_field f;

	e->value->len = 0;
	for (uint32_t i = 1; i <= 3; i++) {
		if (!proto_reader_find(size, i, &f))
			f.v = 1;
		text_add_char(e->value, i > 1 ? ',' : '[');
		annotations_int(e->value, (int64_t)f.v);
	}
	text_add_char(e->value, ']');
	add_arg(e, key, text_span(e->value));
}

static void
add_launch_arg(struct event_parts *e, struct span arg)
{
	enum { NAME_IID = 1, NAME, INT, UINT, DOUBLE, STRING, STRING_IID };
	struct proto_reader r = proto_reader(arg);
	struct span key = proto_reader_bytes(arg, NAME);
	struct proto_field f;

	if (key.len == 0 && proto_reader_find(arg, NAME_IID, &f))
		key = sequence_text(e->q, SEQUENCE_LAUNCH_ARGS, f.v);
	while (proto_reader_next(&r, &f))
		if (f.number == STRING && f.bytes.p != NULL)
			add_str_arg(e, key, f.bytes);
		else if ((f.number == INT || f.number == UINT) &&
			 f.bytes.p == NULL)
			add_int_arg(e, key, (int64_t)f.v);
}

static void
add_launch(struct event_parts *e, struct span launch)
{
	enum { GRID = 1, BLOCK, ARG };
	struct proto_reader r = proto_reader(launch);
	struct proto_field f;

	e->typed = true;
	while (proto_reader_next(&r, &f))
		if (f.bytes.p == NULL)
			continue;
		else if (f.number == ARG)
			add_launch_arg(e, f.bytes);
		else if (f.number <= BLOCK && f.bytes.len > 0)
			add_size(e,
			    f.number == GRID ? SPAN("grid") : SPAN("block"),
			    f.bytes);
	e->typed = false;
}

static void
take_stage_number(struct event_parts *e, const struct proto_field *f)
{
	struct span kernel;
	struct proto_field pid;

	switch (f->number) {
	case STAGE_DURATION:
		e->head.dur = f->v <= INT64_MAX ? (int64_t)f->v : INT64_MAX;
		break;
	case STAGE_CONTEXT:
		if (proto_reader_find(
			sequence_entry(e->q, SEQUENCE_CONTEXTS, f->v), 2, &pid))
			e->head.pid = (int32_t)pid.v;
		break;
	case STAGE_STAGE:
		e->category = sequence_text(e->q, SEQUENCE_STAGES, f->v);
		break;
	case STAGE_NAME_IID:
		e->name = sequence_text(e->q, SEQUENCE_NAMES, f->v);
		break;
	case STAGE_KERNEL:
		kernel = sequence_entry(e->q, SEQUENCE_KERNELS, f->v);
		if (proto_reader_bytes(kernel, 3).len > 0)
			add_str_arg(e, SPAN("demangled"),
			    proto_reader_bytes(kernel, 3));
		break;
	case STAGE_GPU:
		e->head.integer = (int64_t)f->v;
		break;
	}
}

/* an annotation with a value of JSON stands there as such */
static void
add_extra(struct event_parts *e, struct span extra)
{
	struct span value = proto_reader_bytes(extra, 2);

	if (value.len > 0 && json_valid(value))
		add_arg(e, proto_reader_bytes(extra, 1), value);
	else
		add_str_arg(e, proto_reader_bytes(extra, 1), value);
}

static bool
take_stage(struct event_parts *e, struct span message)
{
	struct proto_reader r = proto_reader(message);
	struct proto_field f;

	e->head.type = PFTRACE_STAGE;
	e->head.dur = 0;
	while (proto_reader_next(&r, &f))
		if (f.bytes.p == NULL)
			take_stage_number(e, &f);
		else if (f.number == STAGE_NAME)
			e->name = f.bytes;
		else if (f.number == STAGE_LAUNCH)
			add_launch(e, f.bytes);
		else if (f.number == STAGE_EXTRA)
			add_extra(e, f.bytes);
	return !r.broken;
}

/* ---- lines ---- */

static void
hold(struct pftrace *p, struct event_parts *e, int64_t ts)
{
	struct event_line *h = &e->head;
	/* a slice ends before another begins, and the outer one begins first */
	int64_t dur = h->type == PFTRACE_STAGE ? h->dur : 0;

	h->name = (uint32_t)e->name.len;
	h->category = (uint32_t)e->category.len;
	h->args = (uint32_t)e->args->len;
	h->flows = (uint32_t)e->flows->len;
	p->line.len = 0;
	text_add(&p->line, (const char *)h, sizeof(*h));
	text_add_span(&p->line, e->name);
	text_add_span(&p->line, e->category);
	text_add_span(&p->line, text_span(e->args));
	text_add_span(&p->line, text_span(e->flows));
	if (!sorter_add(p->events, ts, dur, text_span(&p->line), 0))
		err(TQ_FAIL, "%s", temporary_directory());
}

void
event_line_take(struct pftrace *p, const struct sequence *q, uint32_t field,
    struct span message, int64_t ts)
{
	struct event_parts e = {.p = p,
	    .q = q,
	    .args = &p->parts[0],
	    .flows = &p->parts[1],
	    .value = &p->parts[2],
	    .list = &p->parts[3],
	    .head = {.stack = NO_ID, .dur = NO_ID, .pid = NO_ID}};
	enum pftrace_type type;
	bool whole;

	for (int i = 0; i < 4; i++)
		p->parts[i].len = 0;
	whole = field == PACKET_STAGE ? take_stage(&e, message)
				      : take_event(&e, message);
	type = e.head.type;
	pftrace_count(p, field, type)->n.events++;
	if (!whole)
		pftrace_lose(p, field, type, EVENT_LOST_SYNTAX);
	else if (ts == NO_ID)
		pftrace_lose(p, field, type, EVENT_LOST_NO_TIME);
	else if (type == PFTRACE_NO_TYPE || type == PFTRACE_STATE)
		pftrace_count(p, field, type)->n.unread++;
	else if (type == PFTRACE_COUNTER && !e.has_value)
		pftrace_lose(p, field, type, EVENT_LOST_TRACK_VALUE);
	else
		hold(p, &e, ts);
}
