/* perfetto_source.c - a trace of Perfetto becomes a section */

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "read/proto_reader.h"
#include "slice_records.h"
#include "source.h"
#include "tq/base/mem.h"
#include "tq/io/emit.h"
#include "tq/io/status.h"
#include "tq/io/temporary.h"
#include "tq/show/col.h"
#include "write/definition_writer.h"

enum { EVENTS = 128 << 20 }; /* memory of the sorter */

/* further fields of TracePacket */
enum {
	PACKET_CLOCKS = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_CLOCK = 58,
	PACKET_DEFAULTS = 59,
	PACKET_CLEARED = 41 /* the old spelling of a flag */
};

static bool
detect(const struct source_input *in)
{
	return packet_reader_detect(
	    (struct span){in->from->head, in->from->len});
}

/* ---- packets ---- */

/* the fields of a packet */
struct packet {
	uint64_t sequence, timestamp, clock, flags;
	bool has_timestamp;
	struct span interned, defaults, clocks;
	uint32_t field; /* its field, and its bytes */
	struct span message;
};

static void
read_number(const struct proto_field *f, struct packet *k)
{
	switch (f->number) {
	case PACKET_TIMESTAMP:
		k->timestamp = f->v;
		k->has_timestamp = true;
		break;
	case PACKET_SEQUENCE:
		k->sequence = f->v;
		break;
	case PACKET_FLAGS:
		k->flags |= f->v;
		break;
	case PACKET_CLEARED:
		k->flags |= f->v != 0;
		break;
	case PACKET_CLOCK:
		k->clock = f->v;
		break;
	}
}

/* false where the packet is no message */
static bool
read_packet(struct span bytes, struct packet *k)
{
	struct proto_reader r = proto_reader(bytes);
	struct proto_field f;

	*k = (struct packet){0};
	while (proto_reader_next(&r, &f)) {
		if (f.bytes.p == NULL) {
			read_number(&f, k);
		} else if (f.number == PACKET_INTERNED) {
			k->interned = f.bytes;
		} else if (f.number == PACKET_DEFAULTS) {
			k->defaults = f.bytes;
		} else {
			k->field = f.number;
			k->message = f.bytes;
			if (f.number == PACKET_CLOCKS)
				k->clocks = f.bytes;
		}
	}
	return !r.broken;
}

/* what packets behind this one refer to */
static void
take_state(struct pftrace *p, struct sequence *q, const struct packet *k)
{
	enum { CLEARED = 1 };

	if ((k->flags & CLEARED) != 0)
		sequence_clear(q);
	if (k->defaults.len > 0)
		sequence_defaults(q, k->defaults);
	if (k->interned.len > 0)
		sequence_intern(q, k->interned);
	if (k->clocks.len > 0)
		sequence_clocks(&p->sequences, q, k->clocks);
}

static void
take_message(struct pftrace *p, struct sequence *q, const struct packet *k)
{
	struct pftrace_count *n;
	int64_t ts = NO_ID;

	/* also of packets that are not read: it may be a distance */
	if (k->has_timestamp &&
	    !sequence_time(&p->sequences, q, k->timestamp, k->clock, &ts))
		ts = NO_ID;
	if (k->field == PACKET_TRACK_EVENT || k->field == PACKET_STAGE) {
		event_line_take(p, q, k->field, k->message, ts);
		return;
	}
	n = pftrace_count(p, k->field, PFTRACE_NO_TYPE);
	n->n.events++;
	if (k->field == PACKET_TRACK)
		described_tracks_take(&p->tracks, k->message);
	else if (k->field == PACKET_THREAD)
		q->track = described_tracks_thread(&p->tracks, k->message);
	else if (k->field == PACKET_EXTENSION)
		extensions_take(&p->extensions, k->message);
	else if (k->field != 0 && k->field != PACKET_CLOCKS) {
		n->n.unread++;
		return;
	}
	n->n.folded++;
}

static void
take_packet(struct pftrace *p, struct span bytes)
{
	struct sequence *q;
	struct packet k;

	if (!read_packet(bytes, &k)) {
		pftrace_count(p, 0, PFTRACE_NO_TYPE)->n.events++;
		pftrace_lose(p, 0, PFTRACE_NO_TYPE, EVENT_LOST_SYNTAX);
		return;
	}
	q = sequence_get(&p->sequences, k.sequence);
	take_state(p, q, &k);
	take_message(p, q, &k);
}

/* ---- begins and ends of a track become slices ---- */

static struct pftrace_count *
count_of(struct pftrace *p, enum pftrace_type type)
{
	return pftrace_count(
	    p, type == PFTRACE_STAGE ? PACKET_STAGE : PACKET_TRACK_EVENT, type);
}

/* a track that has a begin or an end; returns its id */
static uint64_t
note_row(struct pftrace *p, struct span line)
{
	uint64_t track = event_line_head(line).track;
	bool fresh;

	*keyed_get(&p->rows, track, 0, &fresh) = track;
	return track;
}

static void
begin_slice(struct pftrace *p, const struct sorter_line *l)
{
	struct open_range *o =
	    open_ranges_begin(&p->open, note_row(p, l->line), 0);

	o->ts = l->ts;
	text_add_span(&o->text, l->line);
}

/* the slice of a begin; end is the line of its end, or empty */
static void
make_slice(
    struct pftrace *p, const struct drawn_slice *s, enum pftrace_type type)
{
	struct pftrace_count *n = count_of(p, type);
	int64_t records = slice_records_make(p, s);

	n->n.records += records;
	n->n.events += records - 1;
}

static void
end_slice(struct pftrace *p, const struct sorter_line *l)
{
	const struct open_range *o =
	    open_ranges_end(&p->open, note_row(p, l->line), 0, SPAN(""));

	if (o == NULL) {
		pftrace_lose(
		    p, PACKET_TRACK_EVENT, PFTRACE_END, EVENT_LOST_END);
		return;
	}
	count_of(p, PFTRACE_END)->n.paired++;
	make_slice(p,
	    &(struct drawn_slice){o->ts, time_between(o->ts, l->ts),
		text_span(&o->text), l->line},
	    PFTRACE_BEGIN);
}

static void
make_value(struct pftrace *p, const struct sorter_line *l)
{
	struct pftrace_count *n = count_of(p, PFTRACE_COUNTER);

	if (slice_records_value(p, l->ts, l->line) > 0)
		n->n.records++;
	else
		n->n.folded++;
}

static void
take_line(void *trace, const struct sorter_line *l)
{
	struct pftrace *p = trace;
	struct event_line head = event_line_head(l->line);

	switch (head.type) {
	case PFTRACE_BEGIN:
		begin_slice(p, l);
		break;
	case PFTRACE_END:
		end_slice(p, l);
		break;
	case PFTRACE_COUNTER:
		make_value(p, l);
		break;
	default:
		make_slice(p,
		    &(struct drawn_slice){l->ts, head.dur, l->line, {NULL, 0}},
		    head.type);
	}
}

/*
 * Make the records of all events, which are known now.  An end closes the
 * innermost slice of its track; a slice without an end is open.
 */
static void
make_slices(struct pftrace *p)
{
	const struct open_range *o;

	if (!sorter_finish(p->events, take_line, p))
		err(TQ_FAIL, "%s", temporary_directory());
	for (size_t i = 0; i < p->rows.count; i++)
		while ((o = open_ranges_end(
			    &p->open, p->rows.all[i], 0, SPAN(""))) != NULL)
			make_slice(p,
			    &(struct drawn_slice){o->ts, NEVER_ENDED,
				text_span(&o->text), {NULL, 0}},
			    PFTRACE_BEGIN);
}

/* ---- definitions ---- */

static void
put_id(struct output *o, enum key key, int64_t v)
{
	if (v != NO_ID)
		emit_int(o, key, v);
}

static void
put_str(struct output *o, enum key key, struct span s)
{
	if (s.len > 0)
		emit_str(o, key, s);
}

/* the lanes of a thread are tracks of one name, the first of which counts */
static void
define_tasks(struct pftrace *p)
{
	struct task_names *t = &p->section.tasks;

	for (size_t i = 0; i < p->tracks.all.count; i++) {
		const struct described_track *k = &p->tracks.all.all[i];

		if (k->pid != NO_ID && k->process_name.len > 0 &&
		    keyed_find(&t->processes, (uint64_t)k->pid, 0) == NULL)
			task_names_process(t, k->pid, k->process_name);
		if (k->tid != NO_ID && k->name.len > 0 &&
		    keyed_find(&t->threads, (uint64_t)k->process,
			(uint64_t)k->tid) == NULL)
			task_names_thread(t, k->process, k->tid, k->name);
	}
	task_names_write(t, p->section.frames);
}

static void
define_streams(const struct pftrace *p)
{
	struct output *o = p->section.frames;

	for (size_t i = 0; i < p->streams.count; i++) {
		const struct pftrace_stream *s = &p->streams.all[i];

		emit_open(o, KIND_stream);
		put_id(o, KEY_pid, s->pid);
		put_str(o, KEY_name, s->name);
		put_id(o, KEY_device, s->device);
		put_id(o, KEY_context, s->context);
		emit_int(o, KEY_stream, s->stream);
		put_str(o, KEY_flags, s->flags);
		emit_close(o);
	}
}

/* write processes, threads, streams, symbols, counters and stacks */
static void
write_definitions(struct pftrace *p)
{
	struct output *o = p->section.frames;

	define_tasks(p);
	define_streams(p);
	for (size_t i = 0; i < p->symbol_count; i++) {
		emit_open(o, KIND_symbol);
		emit_json(o, KEY_name, p->symbol_of[i].name);
		emit_int(o, KEY_id, (int64_t)i + 1);
		emit_str(
		    o, KEY_demangled, intern_text(&p->symbols, (uint32_t)i));
		emit_close(o);
	}
	for (size_t i = 0; i < p->counters.count; i++) {
		emit_open(o, KIND_counterdef);
		emit_str(o, KEY_name, intern_text(&p->counters, (uint32_t)i));
		emit_int(o, KEY_id, (int64_t)i + 1);
		put_str(o, KEY_unit, p->units[i]);
		emit_close(o);
	}
	stack_list_write(&p->stacks, o);
}

/* ---- the section ---- */

static void *
open_trace(const struct source_input *in)
{
	struct pftrace *p = mem_alloc(sizeof(*p));
	struct span packet;

	sorted_section_open(&p->section, &perfetto_source, in);
	p->section.what = "packet of the trace";
	p->packets.from = in->from->zio;
	p->events = sorter_open(EVENTS);
	while (packet_reader_next(&p->packets, &packet))
		take_packet(p, packet);
	if (p->packets.error != NULL)
		sorted_section_cut(
		    &p->section, p->packets.offset, p->packets.error);
	p->section.counts.losses.of[EVENT_LOST_COMPRESSED] += p->packets.broken;
	described_tracks_settle(&p->tracks, p->extensions.ours);
	make_slices(p);
	/* its times are already those from the origin */
	if (p->extensions.ours && p->section.records.first > 0)
		p->section.records.first = 0;
	return p;
}

static void
definitions(void *trace)
{
	struct pftrace *p = trace;
	int64_t origin = sorted_records_origin(&p->section.records), utc;
	struct trace_record t = {.source = SPAN("perfetto")};

	if (p->sequences.has_utc &&
	    !__builtin_add_overflow(p->sequences.utc, origin, &utc))
		t.origin_utc = &utc;
	else if (!p->extensions.ours)
		t.origin_clock = &origin;
	definition_writer_trace(p->section.frames, &t);
	write_definitions(p);
}

/* ---- the report ---- */

/* the sort of a row's packets */
static const char *
row_name(const struct pftrace_count *n, char room[32])
{
	static const char *const types[] = {[PFTRACE_NO_TYPE] = "event",
	    [PFTRACE_BEGIN] = "slice begin",
	    [PFTRACE_END] = "slice end",
	    [PFTRACE_INSTANT] = "instant",
	    [PFTRACE_COUNTER] = "counter",
	    [PFTRACE_STATE] = "state",
	    [PFTRACE_STAGE] = "render stage"};

	switch (n->field) {
	case 0:
		return "interned data";
	case PACKET_TRACK_EVENT:
	case PACKET_STAGE:
		return types[n->type];
	case PACKET_TRACK:
		return "track";
	case PACKET_THREAD:
		return "thread";
	case PACKET_CLOCKS:
		return "clocks";
	case PACKET_EXTENSION:
		return "extension";
	default:
		snprintf(room, 32, "packet of field %" PRIu32, n->field);
		return room;
	}
}

static void
count_row(struct table *t, const struct pftrace_count *n)
{
	char room[32];

	col_text(t, "packet", span_of(row_name(n, room)));
	event_counts_columns(t, &n->n);
	col_int(t, "not read", UNIT_NONE, n->n.unread);
}

static void
check(void *trace, struct check_sheet *s)
{
	const struct pftrace *p = trace;
	struct table t = {0};

	check_sheet_source(s, p->section.name,
	    p->extensions.ours ? SPAN("perfetto, written by tq-perfetto")
			       : SPAN("perfetto"));
	col_heading(&t, count_row, &(struct pftrace_count){0});
	for (size_t i = 0; i < p->counts.count; i++)
		count_row(&t, &p->counts.all[i]);
	check_sheet_table(s, "tables", &t);
	event_losses_check(&p->section.counts.losses, s);
	if (p->sequences.unknown > 0)
		check_sheet_number(s, "  ",
		    "times of clocks that are not known", p->sequences.unknown,
		    "\n");
}

static void
close_trace(void *trace)
{
	struct pftrace *p = trace;

	packet_reader_free(&p->packets);
	sequence_free_all(&p->sequences);
	described_tracks_free(&p->tracks);
	extensions_free(&p->extensions);
	keyed_free(&p->counts);
	sorter_free(p->events);
	text_free(&p->line);
	keyed_free(&p->rows);
	open_ranges_free(&p->open);
	sorted_section_free(&p->section);
	stack_list_free(&p->stacks);
	intern_free(&p->symbols);
	intern_free(&p->counters);
	free(p->symbol_of);
	free(p->units);
	map_free(&p->stream_paths);
	keyed_free(&p->streams);
	map_free(&p->flows);
	region_free(&p->texts);
	region_free(&p->scratch);
	text_free(&p->args);
	for (int i = 0; i < 4; i++)
		text_free(&p->parts[i]);
	free(p);
}

const struct source perfetto_source = {
    .name = "perfetto",
    .about = "Perfetto's protobuf: .pftrace of rocprofv3, PyTorch, tq-perfetto",
    .detect = detect,
    .open = open_trace,
    .definitions = definitions,
    .count = sorted_section_count,
    .records = sorted_section_records,
    .check = check,
    .close = close_trace,
};
