/* speedscope_source.c - a file for the viewer speedscope becomes a section */

#include <stdlib.h>

#include "operand.h"
#include "speedscope_profile.h"
#include "speedscope_source.h"
#include "tq/base/array.h"
#include "tq/io/emit.h"

static bool
detect(const struct source_input *in)
{
	struct span head = operand_head(in->from);

	if (lenient_has_key(head, "$schema"))
		return memmem(head.p, head.len, "speedscope", 10) != NULL;
	return lenient_has_key(head, "shared") &&
	       memmem(head.p, head.len, "\"frames\"", 8) != NULL;
}

/* ---- frames ---- */

/* the name of a frame, and where it is: work (a.py:7) */
static void
add_frame(struct speedscope *s, struct span frame)
{
	struct span name = lenient_find(frame, "name");
	struct span file = lenient_find(frame, "file");
	struct span line = lenient_find(frame, "line");
	int64_t n;

	s->scratch.len = 0;
	if (name.p != NULL)
		lenient_decode(&s->scratch, lenient_inner(name));
	if (file.p != NULL && lenient_is_string(file)) {
		text_add_str(&s->scratch, " (");
		lenient_decode(&s->scratch, lenient_inner(file));
		if (line.p != NULL && lenient_int(line, &n)) {
			text_add_char(&s->scratch, ':');
			text_add_int(&s->scratch, n);
		}
		text_add_char(&s->scratch, ')');
	}
	*array_add(&s->frames, &s->frame_count, &s->frame_cap) =
	    region_copy(&s->texts, text_span(&s->scratch));
}

static void
take_shared(struct speedscope *s, struct span shared)
{
	struct span frames = lenient_find(shared, "frames"), frame;
	const char *at = NULL;

	while (frames.p != NULL && lenient_element(frames, &at, &frame))
		add_frame(s, frame);
}

/* "work (a.py:7)", or "#7" of a number without a frame */
static void
write_frame(const struct speedscope *s, struct text *to, int64_t frame)
{
	if (frame >= 0 && (uint64_t)frame < s->frame_count) {
		text_add_json(to, s->frames[frame].p, s->frames[frame].len);
		return;
	}
	text_add_str(to, "\"#");
	text_add_int(to, frame);
	text_add_char(to, '"');
}

/* the name of a range, whose frame is known by now */
static void
patch_name(void *speedscope, struct text *to, struct span bytes)
{
	uint32_t frame;

	memcpy(&frame, bytes.p, sizeof(frame));
	text_add_str(to, ",\"name\":");
	write_frame(speedscope, to, frame);
}

/* ---- reading ---- */

static bool
take_profiles(struct speedscope *s)
{
	enum value_item item;
	struct span profile;

	value_reader_skip(&s->reader, '[');
	while (
	    (item = value_reader_element(&s->reader, &profile)) == VALUE_WHOLE)
		speedscope_profile_take(s, profile);
	return item == VALUE_END;
}

static bool
take_member(struct speedscope *s)
{
	struct span key, value;

	if (!value_reader_key(&s->reader, &s->key))
		return false;
	key = text_span(&s->key);
	if (span_eq(key, SPAN("profiles")) &&
	    value_reader_peek(&s->reader) == '[')
		return take_profiles(s);
	if (!value_reader_value(&s->reader, &value))
		return false;
	if (span_eq(key, SPAN("shared"))) {
		take_shared(s, value);
	} else if (span_eq(key, SPAN("exporter"))) {
		s->producer.len = 0;
		lenient_decode(&s->producer, lenient_inner(value));
	} else if (*value.p != '{' && *value.p != '[') {
		if (s->args.len > 0)
			text_add_char(&s->args, ',');
		lenient_write_string(&s->args, key);
		text_add_char(&s->args, ':');
		lenient_write(&s->args, value);
	}
	return true;
}

static bool
read_object(struct speedscope *s)
{
	struct value_reader *r = &s->reader;

	value_reader_skip_mark(r);
	if (!value_reader_skip(r, '{'))
		return false;
	while (!value_reader_skip(r, '}')) {
		while (value_reader_skip(r, ','))
			;
		if (value_reader_peek(r) != '}' && !take_member(s))
			return false;
	}
	return true;
}

static void *
open_speedscope(const struct source_input *in)
{
	struct speedscope *s = mem_alloc(sizeof(*s));

	sorted_section_open(&s->section, &speedscope_source, in);
	s->section.records.patch = patch_name;
	s->section.records.arg = s;
	value_reader_open(&s->reader, in->from);
	if (!read_object(s))
		sorted_section_cut(&s->section, s->reader.offset,
		    value_reader_error(&s->reader));
	return s;
}

/* ---- definitions ---- */

/* numbers of frames, the leaf first */
static void
write_stack(const struct speedscope *s, struct text *to, struct span array)
{
	int64_t *numbers = NULL, n;
	size_t count = 0, cap = 0;
	const char *at = NULL;
	struct span element;

	while (lenient_element(array, &at, &element))
		*array_add(&numbers, &count, &cap) =
		    lenient_int(element, &n) ? n : -1;
	for (size_t i = count; i-- > 0;) {
		write_frame(s, to, numbers[i]);
		if (i > 0)
			text_add_char(to, ',');
	}
	free(numbers);
}

static void
definitions(void *speedscope)
{
	const struct speedscope *s = speedscope;
	struct output *o = s->section.frames;
	struct text padded = {0};

	sorted_section_trace(&s->section,
	    &(struct trace_record){.producer = text_span(&s->producer),
		.args = text_span(&s->args)});
	task_names_write(&s->section.tasks, o);
	for (size_t i = 0; i < s->stacks.count; i++) {
		padded.len = 0;
		text_add_span(&padded, intern_text(&s->stacks, (uint32_t)i));
		memset(
		    text_reserve(&padded, LENIENT_PADDING), 0, LENIENT_PADDING);
		emit_open(o, KIND_stack);
		emit_int(o, KEY_id, (int64_t)i + 1);
		emit_key(o, KEY_frames);
		text_add_char(&o->buf, '[');
		write_stack(s, &o->buf, text_span(&padded));
		text_add_char(&o->buf, ']');
		emit_close(o);
	}
	text_free(&padded);
}

static void
close_speedscope(void *speedscope)
{
	struct speedscope *s = speedscope;

	value_reader_close(&s->reader);
	sorted_section_free(&s->section);
	json_members_free(&s->profile);
	json_members_free(&s->event);
	open_ranges_free(&s->open);
	intern_free(&s->stacks);
	region_free(&s->texts);
	text_free(&s->key);
	text_free(&s->producer);
	text_free(&s->args);
	text_free(&s->scratch);
	free(s->all);
	free(s->frames);
	free(s);
}

const struct source speedscope_source = {
    .name = "speedscope",
    .about = "speedscope JSON: py-spy, rbspy, ...",
    .detect = detect,
    .open = open_speedscope,
    .definitions = definitions,
    .count = sorted_section_count,
    .records = sorted_section_records,
    .check = sorted_section_check,
    .close = close_speedscope,
};
