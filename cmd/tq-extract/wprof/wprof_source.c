/*
 * wprof_source.c - output of wprof -J becomes a section
 *
 * It is a header, stacks, and events in order of their end, each an object.
 */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "operand.h"
#include "read/decimal_time.h"
#include "source.h"
#include "tq/io/emit.h"
#include "wprof_events.h"

static bool
detect(const struct source_input *in)
{
	struct span head = {in->from->head, in->from->len};

	return lenient_has_key(head, "stack_cnt") &&
	       lenient_has_key(head, "version") &&
	       !lenient_has_key(head, "kind");
}

/* ---- header and stacks ---- */

static void
take_header(struct wprof *w)
{
	struct span version = json_members_take(&w->event, SPAN("version"));

	w->header = true;
	event_counts_begin(&w->section.counts, SPAN("header"));
	w->section.counts.now->folded++;
	if (version.p != NULL)
		lenient_decode(&w->schema, lenient_inner(version));
	json_members_write(&w->event, &w->header_args, 0);
}

/* a frame, with the place in its source */
static void
add_frame(struct text *json, struct span frame, struct span src)
{
	struct text bytes = {0};

	lenient_decode(&bytes, lenient_inner(frame));
	src = src.p != NULL ? lenient_inner(src) : SPAN("");
	if (src.len > 0) {
		text_add_str(&bytes, " (");
		lenient_decode(&bytes, src);
		text_add_char(&bytes, ')');
	}
	if (json->len > 0)
		text_add_char(json, ',');
	text_add_json(json, bytes.p, bytes.len);
	text_free(&bytes);
}

/* frames are outermost first; a stack of a stream has its leaf first */
static void
take_stack(struct wprof *w, struct span frames)
{
	struct event_counts *counts = &w->section.counts;
	struct json_members *m = &w->stack;
	struct span srcs = json_members_take(&w->event, SPAN("srcs")), frame,
		    src;
	int64_t id = json_members_take_int(&w->event, SPAN("id"));
	const char *at = NULL, *src_at = NULL;
	struct text json = {0};
	struct wprof_stack *s;
	bool fresh, more = srcs.p != NULL;

	event_counts_begin(counts, SPAN("stack"));
	if (id == NO_ID) {
		event_counts_lose(counts, EVENT_LOST_NO_VALUE);
		return;
	}
	counts->now->folded++;
	for (m->count = 0; lenient_element(frames, &at, &frame);) {
		more = more && lenient_element(srcs, &src_at, &src);
		json_members_add(m, frame, more ? src : (struct span){NULL, 0});
	}
	for (size_t i = m->count; i-- > 0;)
		add_frame(&json, m->all[i].key, m->all[i].value);
	s = keyed_get(&w->stacks, (uint64_t)id, 0, &fresh);
	*s = (struct wprof_stack){id, region_copy(&w->texts, text_span(&json))};
	text_free(&json);
}

/* ---- reading ---- */

static void
take_object(struct wprof *w, struct span object)
{
	struct event_counts *counts = &w->section.counts;
	struct span type, frames;

	json_members_read(&w->event, object);
	type = json_members_take(&w->event, SPAN("t"));
	if (type.p != NULL) {
		w->type_name = lenient_inner(type);
		w->type = wprof_types_find(w->type_name);
		event_counts_begin(counts, w->type_name);
		wprof_events_take(w);
	} else if (!w->header) {
		take_header(w);
	} else if ((frames = json_members_take(&w->event, SPAN("frames"))).p !=
		   NULL) {
		take_stack(w, frames);
	} else {
		event_counts_begin(counts, SPAN("?"));
		event_counts_lose(counts, *object.p == '{'
					      ? EVENT_LOST_NO_TYPE
					      : EVENT_LOST_NO_OBJECT);
	}
}

static void *
open_wprof(const struct source_input *in)
{
	struct wprof *w = mem_alloc(sizeof(*w));
	struct span object;

	sorted_section_open(&w->section, &wprof_source, in);
	w->section.records.first = 0; /* the start of the session */
	value_reader_open(&w->reader, in->from);
	while (sorted_section_next(&w->section, &w->reader, &object))
		take_object(w, object);
	wprof_events_finish(w);
	return w;
}

/* ---- definitions ---- */

static void
write_symbols(const struct wprof *w, struct output *o)
{
	for (size_t i = 0; i < w->symbols.count; i++) {
		struct span name = intern_text(&w->symbols, (uint32_t)i);

		emit_open(o, KIND_symbol);
		emit_str(o, KEY_name, w->bases[i]);
		emit_int(o, KEY_id, (int64_t)i + 1);
		emit_str(o, KEY_demangled, name);
		emit_close(o);
	}
}

static void
definitions(void *wprof)
{
	const struct wprof *w = wprof;
	struct output *o = w->section.frames;

	sorted_section_trace(
	    &w->section, &(struct trace_record){.schema = text_span(&w->schema),
			     .args = text_span(&w->header_args)});
	task_names_write(&w->section.tasks, o);
	write_symbols(w, o);
	for (size_t i = 0; i < w->stacks.count; i++)
		definition_writer_stack(
		    o, w->stacks.all[i].id, w->stacks.all[i].frames);
}

static void
close_wprof(void *wprof)
{
	struct wprof *w = wprof;

	value_reader_close(&w->reader);
	sorted_section_free(&w->section);
	json_members_free(&w->event);
	json_members_free(&w->stack);
	open_ranges_free(&w->open);
	intern_free(&w->symbols);
	free(w->bases);
	keyed_free(&w->stacks);
	region_free(&w->texts);
	text_free(&w->schema);
	text_free(&w->header_args);
	text_free(&w->name);
	text_free(&w->args);
	text_free(&w->task_args);
	text_free(&w->scratch);
	free(w);
}

const struct source wprof_source = {
    .name = "wprof",
    .about = "wprof -J: threads, interrupts, CUDA and PyTorch by eBPF",
    .detect = detect,
    .open = open_wprof,
    .definitions = definitions,
    .count = sorted_section_count,
    .records = sorted_section_records,
    .check = sorted_section_check,
    .close = close_wprof,
};
