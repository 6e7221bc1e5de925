/*
 * perfetto_trace.c - Perfetto's packets
 *
 * A slice is two track events, its begin and its end, one behind the other.
 * The trace processor sorts packets by time, and keeps packets of the same
 * time in the order of the file.  With LAYOUT_APART no end stands behind a
 * begin of the same time.
 *
 * The ends of a recording that may have arrows of its own come late, so that
 * they can have the arrows: Perfetto takes those of an end for those of its
 * slice, whatever comes first.
 *
 * A flow is a number that two slices have.  A call gets a number for each of
 * its operations, whether these come or not; Perfetto ignores numbers that only
 * one slice has.
 */

#include <stdlib.h>
#include <string.h>

#include "perfetto_trace.h"
#include "tq/base/array.h"
#include "tq/draw/made_of.h"
#include "tq/draw/args.h"
#include "tq/draw/category.h"
#include "tq/line/json.h"

/*
 * ---- ends of slices that are still to be written ----
 *
 * They are written as late as possible, since arrows that begin or end in a
 * slice come behind its beginning.
 */

struct late_end {
	int64_t start, end; /* of the slice */
	uint64_t *arrows;
	size_t count, cap;
};

/* {0} is empty; slices lie in the ones before them */
struct late_ends {
	struct late_end *all;
	size_t count, cap;
	int64_t latest; /* start of a slice */
};

/* the memory for arrows of an earlier end serves this one */
static void
late_ends_add(struct late_ends *l, int64_t start, int64_t end)
{
	struct late_end *e;

	if (l->count == l->cap) {
		size_t cap = l->cap;

		l->all = mem_more(l->all, l->count, &l->cap, sizeof(*l->all));
		memset(l->all + cap, 0, (l->cap - cap) * sizeof(*l->all));
	}
	e = &l->all[l->count++];
	e->start = start;
	e->end = end;
	e->count = 0;
}

/* an arrow begins or ends in a slice; false if its end is gone */
static bool
late_ends_arrow(struct late_ends *l, int64_t start, int64_t end, uint64_t arrow)
{
	for (size_t i = l->count; i-- > 0;) {
		struct late_end *e = &l->all[i];

		if (e->start == start && e->end == end) {
			*array_add(&e->arrows, &e->count, &e->cap) = arrow;
			return true;
		}
	}
	return false;
}

/*
 * Take the innermost end, if it is not after ts; NULL if there is none.  It is
 * good until the next late_ends_add.
 */
static const struct late_end *
late_ends_take(struct late_ends *l, int64_t ts)
{
	if (l->count == 0 || l->all[l->count - 1].end > ts)
		return NULL;
	return &l->all[--l->count];
}

static void
late_ends_free(struct late_ends *l)
{
	for (size_t i = 0; i < l->cap; i++)
		free(l->all[i].arrows);
	free(l->all);
	*l = (struct late_ends){0};
}

/* ---- packets ---- */

/* fields of TrackEvent */
enum {
	EVENT_CATEGORY = 3,
	EVENT_TYPE = 9,
	EVENT_NAME_NUMBER = 10,
	EVENT_TRACK = 11,
	EVENT_NAME = 23,
	EVENT_COUNTER = 30,
	EVENT_DOUBLE_COUNTER = 44,
	EVENT_FLOW = 47,
	EVENT_FLOW_ENDS = 48,
	EVENT_CORRELATION = 54,
	EVENT_SUBMITS = 3000
};

enum { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT, TYPE_COUNTER };

enum {
	NAME_MAX = 1024, /* bytes of a name that is interned */
	FAN = 4096,      /* flows of a call; further operations are a chain */
	ENDS = 1         /* bit of a waiting flow that ends at its slice */
};

/* fields that the packets of all slices of a track have */
struct packet_prefix {
	char begin[24];        /* PACKET_TRACK_EVENT, up to EVENT_CATEGORY */
	char end[PACKETS_END]; /* the whole event of an end */
	unsigned char begin_len, end_len;
	struct keyset left_out; /* keys that are no arguments */
	uint64_t uuid;          /* of the track; 0: it is none */
	struct late_ends ends;  /* that are still to be written */
};

static void
write_end(
    struct perfetto_trace *t, const struct packet_prefix *prefix, int64_t ts)
{
	packets_end(&t->packets, prefix->end, prefix->end_len, ts);
}

/* an end with arrows is too long for packets_end */
static void
write_late_end(struct perfetto_trace *t, const struct packet_prefix *prefix,
    const struct late_end *e)
{
	struct text event = {0};
	size_t start;

	if (e->count == 0) {
		write_end(t, prefix, e->end);
		return;
	}
	start = proto_open(&event, PACKET_TRACK_EVENT);
	proto_uint(&event, EVENT_TYPE, TYPE_END);
	proto_uint(&event, EVENT_TRACK, prefix->uuid);
	for (size_t i = 0; i < e->count; i++)
		proto_fixed64(&event, EVENT_FLOW, e->arrows[i]);
	proto_close(&event, start);
	packets_long_end(&t->packets, text_span(&event), e->end);
	text_free(&event);
}

/* the ends of a track that are not after ts */
static void
write_late_ends(
    struct perfetto_trace *t, struct packet_prefix *prefix, int64_t ts)
{
	const struct late_end *e;

	while ((e = late_ends_take(&prefix->ends, ts)) != NULL)
		write_late_end(t, prefix, e);
	packets_check(&t->packets);
}

/* ends of slices that come in order wait for arrows */
static void
end_slice(struct perfetto_trace *t)
{
	struct packet_prefix *prefix = &t->prefixes[t->slice.track];
	int64_t end = t->slice.ts + t->slice.dur;

	if (t->with_late_ends && t->slice.ts >= prefix->ends.latest) {
		prefix->ends.latest = t->slice.ts;
		late_ends_add(&prefix->ends, t->slice.ts, end);
	} else
		write_end(t, prefix, end);
}

/* close the packet of the last slice, and write its end */
static void
finish_slice(struct perfetto_trace *t)
{
	struct text *b = &t->packets.out->buf;

	if (!t->slice.is_open)
		return;
	t->slice.is_open = false;
	if (t->slice.is_stage)
		stages_close(&t->stages, t->slice.flow);
	else
		proto_close(b, t->slice.event);
	packets_close(&t->packets, t->slice.packet);
	if (!t->slice.is_stage && t->slice.dur >= 0)
		end_slice(t);
	packets_check(&t->packets);
}

/* the last slice, and all ends that are not after ts */
static void
finish_ends(struct perfetto_trace *t, int64_t ts)
{
	finish_slice(t);
	for (size_t i = 0; t->with_late_ends && i < t->prefix_count; i++)
		write_late_ends(t, &t->prefixes[i], ts);
}

/* ---- groups and tracks ---- */

static void
begin_trace(void *arg, int64_t utc)
{
	struct perfetto_trace *t = arg;

	t->begun = true;
	if (t->made_of != NULL)
		made_of_add_packet(&t->packets.out->buf, t->made_of);
	packets_begin(&t->packets, utc);
	describe_root(&t->describe);
}

static void
write_group(void *arg, const struct track_group *g)
{
	struct perfetto_trace *t = arg;

	finish_slice(t);
	describe_group(&t->describe, g);
	if (t->with_stages && g->device != NO_ID) {
		describe_process(&t->describe, g);
		stages_group(&t->stages, g);
	}
}

enum { AT_LENGTH = 1, AT_TYPE = 3 }; /* in a prefix */

/* put the begin of an event, up to EVENT_TRACK; returns the end */
static char *
put_event(char *p, unsigned type, uint64_t uuid)
{
	p = proto_put_open(p, PACKET_TRACK_EVENT);
	p = proto_put_tag(p, EVENT_TYPE, PROTO_VARINT);
	*p++ = (char)type;
	p = proto_put_tag(p, EVENT_TRACK, PROTO_VARINT);
	return proto_put(p, uuid);
}

static void
set_prefix(struct packet_prefix *p, uint64_t uuid)
{
	char *end = put_event(p->begin, TYPE_BEGIN, uuid);

	end = proto_put_tag(end, EVENT_CATEGORY, PROTO_VARINT);
	p->begin_len = (unsigned char)(end - p->begin);
	end = put_event(p->end, TYPE_END, uuid);
	p->end_len = (unsigned char)(end - p->end);
	p->end[AT_LENGTH] = (char)(p->end_len - AT_LENGTH - 1);
}

static void
write_track(void *arg, const struct track *k)
{
	struct perfetto_trace *t = arg;
	struct packet_prefix *p =
	    array_add(&t->prefixes, &t->prefix_count, &t->prefix_cap);

	finish_slice(t);
	*p = (struct packet_prefix){0};
	if (t->with_stages && k->kind == ROW_STREAM)
		return;
	p->uuid = describe_number(&t->describe, k);
	set_prefix(p, p->uuid);
	p->left_out = args_left_out(k);
}

static void
write_place(void *arg, const struct track *k)
{
	struct perfetto_trace *t = arg;
	uint64_t uuid = t->prefixes[k->number].uuid;

	finish_slice(t);
	if (uuid != 0)
		describe_track(&t->describe, k, uuid);
}

/* ---- slices ---- */

/* the first of the flows of a call */
static uint64_t
first_flow(uint64_t call)
{
	return call * FAN;
}

/* flows from a call; a call that does not count them has one, a chain */
static void
add_flows_from(
    const struct perfetto_trace *t, struct text *b, const struct sink_slice *s)
{
	int64_t n = event_int(s->event, KEY_gpu, -1);
	size_t submits;

	if (n < 0)
		n = 1;
	if (t->with_stages) {
		submits = proto_open(b, EVENT_SUBMITS);
		for (int64_t i = 0; i < n && i < FAN; i++)
			proto_uint(b, 1, first_flow(s->call) + (uint64_t)i);
		proto_close(b, submits);
		return;
	}
	for (int64_t i = 0; i < n && i < FAN; i++)
		proto_fixed64(b, EVENT_FLOW, first_flow(s->call) + (uint64_t)i);
}

#define WAIT_FLOW ((uint64_t)1 << 61) /* ids of other flows are below */

/* flows to operations of other streams, which wait for this one */
__attribute__((noinline)) static void
add_flows_to_waiters(struct text *b, const struct sink_slice *s)
{
	for (unsigned i = 0; i < s->waiters; i++)
		proto_fixed64(b, EVENT_FLOW, WAIT_FLOW + s->waited + i);
}

#define RANK_FLOW ((uint64_t)1 << 60) /* ids of flows of calls are below */

__attribute__((noinline)) static void
add_rank_flows(struct text *b, const struct rank_ends *r)
{
	for (unsigned i = 0; i < r->from_count; i++)
		proto_fixed64(b, EVENT_FLOW, RANK_FLOW + r->from + i);
	for (unsigned i = 0; i < r->to_count; i++)
		proto_fixed64(b, EVENT_FLOW, RANK_FLOW + r->to + i);
}

static void
add_flow_to(struct text *b, uint64_t flow, bool ends)
{
	proto_fixed64(b, ends ? EVENT_FLOW_ENDS : EVENT_FLOW, flow);
}

/* a flow may come before the slice to which it leads */
static void
add_waiting_flow(
    struct perfetto_trace *t, struct text *b, const struct sink_slice *s)
{
	uint64_t *flow = map_find(&t->flows, s->track->number, (uint64_t)s->ts);

	if (flow == NULL)
		return;
	add_flow_to(b, *flow >> 1, (*flow & ENDS) != 0);
	map_remove(&t->flows, s->track->number, (uint64_t)s->ts);
}

static void
open_stage(struct perfetto_trace *t, const struct sink_slice *s)
{
	uint64_t *flow = map_find(&t->flows, s->track->number, (uint64_t)s->ts);

	t->slice.is_stage = true;
	t->slice.flow = flow != NULL ? *flow >> 1 : 0;
	if (flow != NULL)
		map_remove(&t->flows, s->track->number, (uint64_t)s->ts);
	t->slice.packet = packets_open(&t->packets, s->ts);
	stages_open(&t->stages, s);
}

/* the number of a category that is none of the fixed ones */
__attribute__((noinline)) static uint32_t
own_category(struct packets *p, const struct event *ev)
{
	struct text decoded = {0};
	struct span name = ev->kind_name;
	uint32_t number;

	if (ev->kind != KIND_UNKNOWN)
		name = event_str(ev, KEY_api, &decoded);
	else if (name.len == 0)
		name = SPAN("unknown");
	number = packets_intern(p, LIST_CATEGORY, name);
	text_free(&decoded);
	return number;
}

static inline uint32_t
category_number(struct packets *p, const struct event *ev)
{
	size_t category = category_of(ev);

	return category < CATEGORIES ? (uint32_t)category + 1
				     : own_category(p, ev);
}

/* put the packet of a slice up to the arguments; returns the end */
static inline char *
open_slice(struct perfetto_trace *t, const struct sink_slice *s)
{
	const struct packet_prefix *prefix = &t->prefixes[s->track->number];
	uint32_t type = category_number(&t->packets, s->event);
	struct text *b = &t->packets.out->buf;
	char *q = text_reserve(b, PACKETS_HEAD + sizeof(prefix->begin) +
				      PROTO_VARINT_MAX +
				      perfetto_args_room(s->event));

	t->slice.packet = b->len + PACKETS_LENGTH + 1;
	q = packets_put_head(&t->packets, q, s->ts);
	t->slice.event = (size_t)(q - b->p) + AT_LENGTH + 1;
	memcpy(q, prefix->begin, sizeof(prefix->begin));
	if (s->dur < 0)
		q[AT_TYPE] = TYPE_INSTANT;
	return proto_put(q + prefix->begin_len, type);
}

/* Perfetto gives slices with one correlation id one colour */
static void
add_color(struct perfetto_trace *t, struct text *b, const struct sink_slice *s)
{
	const struct color *color = colors_find(t->colors, s->name, s->event);
	unsigned rgb, at;

	if (color == NULL)
		return;
	rgb = color->rgb;
	at = (rgb ^ rgb >> 8 ^ rgb >> 16) % TRACE_HUES;
	if (!t->hue[at].known || t->hue[at].rgb != rgb) {
		t->hue[at].known = true;
		t->hue[at].rgb = rgb;
		t->hue[at].is_grey = !hue_id(rgb, t->hue[at].id);
	}
	if (!t->hue[at].is_grey)
		proto_uint(b, EVENT_CORRELATION,
		    packets_intern(
			&t->packets, LIST_COLOR, span_of(t->hue[at].id)));
}

/* ends must stand before a slice that starts at their time */
__attribute__((noinline)) static void
write_ends_before(struct perfetto_trace *t, const struct sink_slice *s)
{
	struct packet_prefix *prefix = &t->prefixes[s->track->number];

	write_late_ends(
	    t, prefix, s->ts < prefix->ends.latest ? INT64_MAX : s->ts);
}

/*
 * The keys that are arguments.  A slice on a processor that a switch does not
 * end says that the thread is on it, and an instant there which switch it was.
 */
static struct keyset
keys_of(const struct perfetto_trace *t, const struct sink_slice *s)
{
	struct keyset keys =
	    args_keys(s, &t->prefixes[s->track->number].left_out);

	if (s->event->kind == KIND_sched && event_has(s->event, KEY_on) &&
	    (s->dur < 0 || event_true(s->event, KEY_on)))
		keyset_add(&keys, KEY_on);
	return keys;
}

static void
write_slice(void *arg, const struct sink_slice *s)
{
	struct perfetto_trace *t = arg;
	struct text *b = &t->packets.out->buf;
	struct recent_slot *home = packets_name_home(&t->packets, s->name);

	finish_slice(t);
	if (t->with_profile && s->event->kind == KIND_sample)
		profile_sample(&t->profile, s->event, s->ts);
	if (t->with_late_ends)
		write_ends_before(t, s);
	t->slice.is_open = true;
	t->slice.is_stage = false;
	t->slice.track = s->track->number;
	t->slice.ts = s->ts;
	t->slice.dur = s->dur;
	if (t->with_stages && s->track->kind == ROW_STREAM) {
		open_stage(t, s);
		return;
	}
	perfetto_args_add(t->args, open_slice(t, s), s->event, keys_of(t, s));
	if (s->call != 0)
		add_flows_from(t, b, s);
	if (s->waiters > 0)
		add_flows_to_waiters(b, s);
	if ((s->ranks.from_count | s->ranks.to_count) != 0)
		add_rank_flows(b, &s->ranks);
	if (t->flows.count > 0)
		add_waiting_flow(t, b, s);
	if (t->colors != NULL)
		add_color(t, b, s);
	if (s->name.len > NAME_MAX)
		proto_string(b, EVENT_NAME, s->name);
	else
		proto_uint(b, EVENT_NAME_NUMBER,
		    packets_name(&t->packets, home, s->name));
}

/* ---- values and flows ---- */

static void
write_value(void *arg, const struct sink_value *v)
{
	struct perfetto_trace *t = arg;
	struct text *b = &t->packets.out->buf;
	uint64_t track;
	size_t packet, event;
	int64_t number;
	char *copy;

	finish_slice(t);
	track = describe_counter(&t->describe, v);
	packet = packets_open(&t->packets, v->ts);
	event = proto_open(b, PACKET_TRACK_EVENT);
	proto_uint(b, EVENT_TYPE, TYPE_COUNTER);
	proto_uint(b, EVENT_TRACK, track);
	if (json_int(v->number, &number))
		proto_uint(b, EVENT_COUNTER, (uint64_t)number);
	else {
		copy = mem_copy(v->number.p, v->number.len);
		proto_double(b, EVENT_DOUBLE_COUNTER, strtod(copy, NULL));
		free(copy);
	}
	proto_close(b, event);
	packets_close(&t->packets, packet);
	packets_check(&t->packets);
}

/* True if the flow has no id of its own: an id belongs to one stage. */
static bool
leads_nowhere(const struct perfetto_trace *t, const struct sink_flow *a)
{
	return t->with_stages && a->to->kind == ROW_STREAM &&
	       (a->nth == SINK_LATER || a->nth >= FAN);
}

/* the flows of a recording; ids of other flows are below */
#define ARROW_FLOW ((uint64_t)1 << 62)

static bool
write_arrow_end(void *arg, const struct sink_end *e)
{
	struct perfetto_trace *t = arg;

	finish_slice(t);
	return late_ends_arrow(&t->prefixes[e->track->number].ends, e->start,
	    e->end, ARROW_FLOW + e->arrow);
}

static void
write_flow(void *arg, const struct sink_flow *a)
{
	struct perfetto_trace *t = arg;
	bool ends = a->nth >= 0 && a->nth < FAN - 1;
	uint64_t id = first_flow(a->call);

	if (a->name.len > 0)
		return; /* its ends have all */
	if (a->call == 0) {
		/* its slice is the last one */
		add_flow_to(&t->packets.out->buf, WAIT_FLOW + a->waited, true);
		return;
	}
	if (leads_nowhere(t, a))
		return;
	if (a->nth >= 0)
		id += (uint64_t)(ends ? a->nth : FAN - 1);
	if (t->slice.is_open && t->slice.track == a->to->number &&
	    t->slice.ts == a->to_ts && t->slice.is_stage)
		t->slice.flow = id;
	else if (t->slice.is_open && t->slice.track == a->to->number &&
		 t->slice.ts == a->to_ts)
		add_flow_to(&t->packets.out->buf, id, ends);
	else
		*map_get(&t->flows, a->to->number, (uint64_t)a->to_ts) =
		    id << 1 | ends;
}

/* ---- the file ---- */

/* True if the section is of Chrome's format, which has arrows. */
static bool
may_have_arrows(const struct event *trace)
{
	return event_is(trace, KEY_source, SPAN("kineto")) ||
	       event_is(trace, KEY_source, SPAN("chrome"));
}

static void
open_section(void *arg, const struct event *ev)
{
	struct perfetto_trace *t = arg;

	finish_ends(t, INT64_MAX);
	t->with_late_ends = may_have_arrows(ev);
	map_clear(&t->flows);
	if (t->begun)
		describe_section(&t->describe);
}

/* ends that wait for arrows wait on: the order of packets is that of records,
   whenever these come */
static void
flush_slice(void *arg)
{
	finish_slice(arg);
}

static void
finish_trace(void *arg, bool cut)
{
	struct perfetto_trace *t = arg;

	finish_ends(t, INT64_MAX);
	if (!t->begun && !cut)
		begin_trace(t, SINK_NO_UTC);
}

const struct sink perfetto_trace_sink = {
    .begin = begin_trace,
    .group = write_group,
    .track = write_track,
    .place = write_place,
    .slice = write_slice,
    .value = write_value,
    .flow = write_flow,
    .end = write_arrow_end,
    .section = open_section,
    .flush = flush_slice,
    .finish = finish_trace,
};

void
perfetto_trace_init(
    struct perfetto_trace *t, struct output *out, const struct names *names)
{
	packets_init(&t->packets, out);
	t->args = perfetto_args_new(&t->packets, names);
	t->describe.packets = &t->packets;
	t->describe.names = names;
	t->stages.packets = &t->packets;
	t->stages.names = names;
	t->profile.packets = &t->packets;
	t->profile.names = names;
	t->profile.args = t->args;
}

void
perfetto_trace_free(struct perfetto_trace *t)
{
	packets_free(&t->packets);
	describe_free(&t->describe);
	perfetto_args_free(t->args);
	stages_free(&t->stages);
	profile_free(&t->profile);
	map_free(&t->flows);
	for (size_t i = 0; i < t->prefix_count; i++)
		late_ends_free(&t->prefixes[i].ends);
	free(t->prefixes);
	if (t->colors != NULL)
		colors_free(t->colors);
}
