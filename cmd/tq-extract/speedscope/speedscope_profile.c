/* speedscope_profile.c - samples, or frames that open and close */

#include <inttypes.h>

#include "speedscope_profile.h"
#include "tq/base/array.h"

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
	sorted_records_patch(h, KEY_name, &r->frame, sizeof(r->frame));
	sorted_records_int(h, KEY_id, ++s->ranges);
	sorted_records_str(h, KEY_mode, SPAN("push"));
	if (r->dur == NEVER_ENDED)
		sorted_records_json(h, KEY_open, SPAN("true"));
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
	type = json_members_take(&s->event, "type");
	type = type.p != NULL ? lenient_inner(type) : SPAN("");
	frame = json_members_take_int(&s->event, "frame");
	if (!span_eq(type, SPAN("O")) && !span_eq(type, SPAN("C"))) {
		event_counts_begin(counts, SPAN("?"));
		event_counts_lose(counts, EVENT_LOST_NO_TYPE);
	} else if (frame < 0 || frame > UINT32_MAX) {
		event_counts_begin(counts, SPAN("?"));
		event_counts_lose(counts, EVENT_LOST_NO_FRAME);
	} else if (!value_of(s, json_members_take(&s->event, "at"), &ts)) {
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

void
speedscope_profile_take(struct speedscope *s, struct span profile)
{
	struct json_members *m = &s->profile;
	struct span type;

	json_members_read(m, profile);
	type = json_members_take(m, "type");
	type = type.p != NULL ? lenient_inner(type) : SPAN("");
	take_thread(s, json_members_take(m, "name"));
	take_unit(s, json_members_take(m, "unit"));
	if (!value_of(s, json_members_take(m, "startValue"), &s->start))
		s->start = 0;
	if (span_eq(type, SPAN("sampled"))) {
		take_samples(s, json_members_take(m, "samples"),
		    json_members_take(m, "weights"));
	} else if (span_eq(type, SPAN("evented"))) {
		take_events(s, json_members_take(m, "events"));
	} else {
		event_counts_begin(&s->section.counts, SPAN("?"));
		event_counts_lose(&s->section.counts, EVENT_LOST_NO_TYPE);
	}
	s->profiles++;
}
