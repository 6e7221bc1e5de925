/* speedscope_source.c - a file for the viewer speedscope becomes a section */

#include <inttypes.h>
#include <stdlib.h>

#include "operand.h"
#include "read/decimal_time.h"
#include "read/json_members.h"
#include "read/value_reader.h"
#include "source.h"
#include "tq/base/array.h"
#include "write/open_ranges.h"
#include "write/sorted_section.h"

/* a frame that opened; dur is NEVER_ENDED until it closes */
struct speedscope_range {
	int64_t ts, dur;
	uint32_t frame;
};

struct speedscope {
	struct sorted_section section; /* first: see sorted_section.h */
	struct value_reader reader;
	struct json_members profile, event;
	struct text key, producer, args, scratch;

	/* of the current profile, which is a thread */
	int64_t profiles; /* so far */
	int64_t pid, tid; /* NO_ID: none */
	enum decimal_unit unit;
	bool timed; /* its unit is a time; else ts counts units */
	int64_t start;

	struct open_ranges open;
	struct speedscope_range *all; /* of the profile */
	size_t range_count, range_cap;
	int64_t ranges; /* that have an id */

	/* frames may come behind the profiles, which have their numbers */
	struct intern stacks; /* arrays of numbers, the outermost first */
	struct region texts;
	struct span *frames;
	size_t frame_count, frame_cap;
};

/* the number of the first thread whose profile has no tid */
#define FIRST_TID ((int64_t)1 << 30)

/* ---- threads ---- */

/* pass over a word and a blank */
static bool
skip_word(struct span *s, const char *word)
{
	struct span w = span_of(word);

	if (!span_begins(*s, w))
		return false;
	*s = (struct span){s->p + w.len, s->len - w.len};
	return true;
}

/* pass over a number, which may be hexadecimal, and the blank behind it */
static bool
skip_number(struct span *s, int64_t *v)
{
	const char *blank = memchr(s->p, ' ', s->len);
	size_t n = blank != NULL ? (size_t)(blank - s->p) : s->len;

	if (n == 0 || !lenient_int((struct span){s->p, n}, v) || *v < 0)
		return false;
	n += blank != NULL;
	*s = (struct span){s->p + n, s->len - n};
	return true;
}

/* py-spy: Process 7 Thread 0x1F "name"; any other name has no tid */
static void
take_thread(struct speedscope *s, struct span name)
{
	struct span rest;
	int64_t pid = NO_ID, tid;

	s->scratch.len = 0;
	if (name.p != NULL)
		lenient_decode(&s->scratch, lenient_inner(name));
	rest = text_span(&s->scratch);
	if (skip_word(&rest, "Process ") && !skip_number(&rest, &pid))
		pid = NO_ID;
	if (skip_word(&rest, "Thread ") && skip_number(&rest, &tid)) {
		if (rest.len >= 2 && *rest.p == '"' &&
		    rest.p[rest.len - 1] == '"')
			rest = (struct span){rest.p + 1, rest.len - 2};
	} else {
		rest = text_span(&s->scratch);
		tid = FIRST_TID + s->profiles;
	}
	s->pid = pid;
	s->tid = tid;
	task_names_thread(&s->section.tasks, pid, tid, rest);
	if (pid != NO_ID)
		task_names_process(&s->section.tasks, pid, SPAN(""));
}

/* ---- values ---- */

static void
take_unit(struct speedscope *s, struct span unit)
{
	static const struct {
		const char *name;
		enum decimal_unit unit;
	} units[] = {{"nanoseconds", DECIMAL_NS}, {"microseconds", DECIMAL_US},
	    {"milliseconds", DECIMAL_MS}, {"seconds", DECIMAL_S}};

	s->unit = DECIMAL_NS;
	s->timed = false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (unit.p != NULL &&
		    span_eq(lenient_inner(unit), span_of(units[i].name))) {
			s->unit = units[i].unit;
			s->timed = true;
		}
}

static bool
value_of(struct speedscope *s, struct span text, int64_t *v)
{
	return text.p != NULL && decimal_time(lenient_inner(text), s->unit, v,
				     &s->section.rounded);
}

/* ---- samples ---- */

/* frames: an array of numbers */
static void
make_sample(
    struct speedscope *s, struct span frames, int64_t ts, int64_t weight)
{
	struct sorted_records *h = &s->section.records;

	sorted_section_begin(&s->section, KIND_sample, ts, NO_ID);
	sorted_records_int(h, KEY_pid, s->pid);
	sorted_records_int(h, KEY_tid, s->tid);
	s->scratch.len = 0;
	lenient_write(&s->scratch, frames);
	if (s->scratch.len > 2)
		sorted_records_int(h, KEY_stack,
		    (int64_t)intern_get(&s->stacks, text_span(&s->scratch)) +
			1);
	s->scratch.len = 0;
	text_printf(&s->scratch, "\"weight%s\":%" PRId64, s->timed ? "_ns" : "",
	    weight);
	sorted_records_args(h, text_span(&s->scratch));
	sorted_section_end(&s->section);
}

/* a sample lasts as long as its weight; then the next begins */
static void
take_samples(struct speedscope *s, struct span samples, struct span weights)
{
	struct event_counts *counts = &s->section.counts;
	const char *at = NULL, *weight_at = NULL;
	struct span frames, text;
	int64_t ts = s->start, weight, end;

	while (samples.p != NULL && lenient_element(samples, &at, &frames)) {
		event_counts_begin(counts, SPAN("sample"));
		if (weights.p == NULL ||
		    !lenient_element(weights, &weight_at, &text)) {
			event_counts_lose(counts, EVENT_LOST_NO_VALUE);
			weights.p = NULL;
		} else if (!value_of(s, text, &weight) ||
			   __builtin_add_overflow(ts, weight, &end)) {
			event_counts_lose(counts, EVENT_LOST_NO_TIME);
		} else {
			make_sample(s, frames, ts, weight);
			ts = end;
		}
	}
}

/* ---- frames that open and close ---- */

static void
make_range(struct speedscope *s, const struct speedscope_range *r)
{
	struct sorted_records *h = &s->section.records;

	sorted_section_begin(&s->section, KIND_range, r->ts, r->dur);
	sorted_records_int(h, KEY_pid, s->pid);
	sorted_records_int(h, KEY_tid, s->tid);
	sorted_records_patch(h, &r->frame, sizeof(r->frame));
	sorted_records_int(h, KEY_id, ++s->ranges);
	sorted_records_str(h, KEY_mode, SPAN("push"));
	sorted_records_open(h);
	sorted_section_end(&s->section);
}

static void
open_frame(struct speedscope *s, uint32_t frame, int64_t ts)
{
	struct open_range *o = open_ranges_begin(&s->open, frame, 0);

	o->type = s->range_count;
	*array_add(&s->all, &s->range_count, &s->range_cap) =
	    (struct speedscope_range){ts, NEVER_ENDED, frame};
	event_counts_begin(&s->section.counts, SPAN("open"));
}

static void
close_frame(struct speedscope *s, uint32_t frame, int64_t ts)
{
	struct event_counts *counts = &s->section.counts;
	const struct open_range *o =
	    open_ranges_end(&s->open, frame, 0, SPAN(""));
	struct speedscope_range *r;

	event_counts_begin(counts, SPAN("close"));
	if (o == NULL) {
		event_counts_lose(counts, EVENT_LOST_END);
		return;
	}
	r = &s->all[o->type];
	r->dur = time_between(r->ts, ts);
	counts->now->paired++;
}

static void
take_event(struct speedscope *s, struct span event)
{
	struct event_counts *counts = &s->section.counts;
	struct span type;
	int64_t frame, ts;

	json_members_read(&s->event, event);
	type = json_members_take(&s->event, SPAN("type"));
	type = type.p != NULL ? lenient_inner(type) : SPAN("");
	frame = json_members_take_int(&s->event, SPAN("frame"));
	if (!span_eq(type, SPAN("O")) && !span_eq(type, SPAN("C"))) {
		event_counts_begin(counts, SPAN("?"));
		event_counts_lose(counts, EVENT_LOST_NO_TYPE);
	} else if (frame < 0 || frame > UINT32_MAX) {
		event_counts_begin(counts, SPAN("?"));
		event_counts_lose(counts, EVENT_LOST_NO_FRAME);
	} else if (!value_of(
		       s, json_members_take(&s->event, SPAN("at")), &ts)) {
		event_counts_begin(counts, SPAN("?"));
		event_counts_lose(counts, EVENT_LOST_NO_TIME);
	} else if (*type.p == 'O') {
		open_frame(s, (uint32_t)frame, ts);
	} else {
		close_frame(s, (uint32_t)frame, ts);
	}
}

/* ranges in order of their begin, so that one comes before those within */
static void
take_events(struct speedscope *s, struct span events)
{
	const char *at = NULL;
	struct span event;

	s->range_count = 0;
	while (events.p != NULL && lenient_element(events, &at, &event))
		take_event(s, event);
	event_counts_recall(&s->section.counts, SPAN("open"));
	for (size_t i = 0; i < s->range_count; i++)
		make_range(s, &s->all[i]);
	open_ranges_free(&s->open);
	s->open = (struct open_ranges){0};
}

/* ---- a profile ---- */

/* a profile, as JSON */
static void
take_profile(struct speedscope *s, struct span profile)
{
	struct json_members *m = &s->profile;
	struct span type;

	json_members_read(m, profile);
	type = json_members_take(m, SPAN("type"));
	type = type.p != NULL ? lenient_inner(type) : SPAN("");
	take_thread(s, json_members_take(m, SPAN("name")));
	take_unit(s, json_members_take(m, SPAN("unit")));
	if (!value_of(s, json_members_take(m, SPAN("startValue")), &s->start))
		s->start = 0;
	if (span_eq(type, SPAN("sampled"))) {
		take_samples(s, json_members_take(m, SPAN("samples")),
		    json_members_take(m, SPAN("weights")));
	} else if (span_eq(type, SPAN("evented"))) {
		take_events(s, json_members_take(m, SPAN("events")));
	} else {
		event_counts_begin(&s->section.counts, SPAN("?"));
		event_counts_lose(&s->section.counts, EVENT_LOST_NO_TYPE);
	}
	s->profiles++;
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
patch_name(void *speedscope, struct text *to, struct span bytes,
    const struct keyset *chosen)
{
	uint32_t frame;

	if (!keyset_has(chosen, KEY_name))
		return;
	memcpy(&frame, bytes.p, sizeof(frame));
	text_add_str(to, ",\"name\":");
	write_frame(speedscope, to, frame);
}

/* ---- reading ---- */

static bool
detect(const struct source_input *in)
{
	struct span head = operand_head(in->from);

	if (lenient_has_key(head, "$schema"))
		return memmem(head.p, head.len, "speedscope", 10) != NULL;
	return lenient_has_key(head, "shared") &&
	       memmem(head.p, head.len, "\"frames\"", 8) != NULL;
}

static bool
take_profiles(struct speedscope *s)
{
	enum value_item item;
	struct span profile;

	value_reader_skip(&s->reader, '[');
	while (
	    (item = value_reader_element(&s->reader, &profile)) == VALUE_WHOLE)
		take_profile(s, profile);
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
	struct text padded = {0}, frames = {0};

	sorted_section_trace(&s->section,
	    &(struct trace_record){.producer = text_span(&s->producer),
		.args = text_span(&s->args)});
	task_names_write(&s->section.tasks, o);
	for (size_t i = 0; i < s->stacks.count; i++) {
		padded.len = 0;
		text_add_span(&padded, intern_text(&s->stacks, (uint32_t)i));
		memset(
		    text_reserve(&padded, LENIENT_PADDING), 0, LENIENT_PADDING);
		frames.len = 0;
		write_stack(s, &frames, text_span(&padded));
		definition_writer_stack(o, (int64_t)i + 1, text_span(&frames));
	}
	text_free(&padded);
	text_free(&frames);
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
