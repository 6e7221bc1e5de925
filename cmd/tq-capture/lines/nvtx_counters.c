/* counters.c - the counters of NVTX, as definitions and values */

#include <math.h>

#include "nvtx_counters.h"
#include "payload_fields.h"

/*
 * nvtxCounterBatch_t.flags (nvToolsExtCounters.h): the times are not one for
 * each sample, but the first and the interval, or the interval and the last.
 */
#define TIMES_FIRST (UINT64_C(1) << 32)
#define TIMES_LAST (UINT64_C(2) << 32)

/* an id of counterdef: of a counter, or of an entry of its group */
static int64_t
define(const struct source *from, uint32_t domain, uint64_t counter,
    size_t entry, struct span group, struct span member, struct span unit)
{
	struct output *o = &from->out->line;
	uint64_t *at =
	    map_get(from->counters, (uint64_t)domain << 32 | entry, counter);
	struct text name = {0};

	if (*at != 0)
		return (int64_t)*at;
	*at = (uint64_t)++ * from->counter_ids;
	text_add_span(&name, group);
	if (member.len > 0) {
		text_add_char(&name, '.');
		text_add_span(&name, member);
	}
	emit_open(o, KIND_counterdef);
	emit_str(o, KEY_name, text_span(&name));
	emit_int(o, KEY_id, (int64_t)*at);
	if (unit.len > 0)
		emit_str(o, KEY_unit, unit);
	emit_close(o);
	out_stream_define(from->out);
	text_free(&name);
	return (int64_t)*at;
}

/* exact where it is an integer; returns how many values: 0 where it is none */
static int
write_value(const struct source *from, int64_t ts, int64_t id, bool integer,
    int64_t exact, double v)
{
	struct output *o = &from->out->line;

	if (!integer && isnan(v))
		return 0;
	out_stream_begin(from->out, LINE_EVENT, from->process, 0);
	emit_open(o, KIND_counter);
	emit_int(o, KEY_ts, ts);
	emit_int(o, KEY_pid, from->pid);
	emit_int(o, KEY_counter, id);
	emit_key(o, KEY_value);
	if (integer)
		text_add_int(&o->buf, exact);
	else
		text_add_double(&o->buf, v);
	emit_close(o);
	out_stream_put(from->out, ts, 0);
	return 1;
}

/* what a program said of a counter */
struct counter_def {
	uint32_t domain;
	uint64_t id, schema;
	struct span name, unit;
};

static void
find(struct counter_def *c, const struct source *from, uint32_t domain,
    uint64_t id)
{
	const struct named_id *n =
	    dictionary_find(from->names, RECORD_COUNTERDEF, domain, id);
	struct record_cursor at;

	*c = (struct counter_def){
	    .domain = domain, .id = id, .name = SPAN("counter")};
	if (n == NULL)
		return;
	at = (struct record_cursor){n->blob.p, n->blob.len, true};
	c->name = n->text;
	c->schema = cursor_number(&at);
	for (int i = 0; i < 4; i++)
		cursor_number(&at); /* scope, flags, numerator, denominator */
	c->unit = cursor_text(&at);
}

/* one sample, which is a value or a group of them */
static int
take_sample(const struct counter_def *c, const struct source *from, int64_t ts,
    struct span data)
{
	struct schema_walk w;
	struct schema_field e;
	int64_t exact;
	size_t entry = 1;
	int count = 0;
	double v;

	if (payload_fields_number(c->schema, data, &v, &exact)) {
		return write_value(from, ts,
		    define(from, c->domain, c->id, 0, c->name,
			(struct span){NULL, 0}, c->unit),
		    exact != 0 || v == 0, exact, v);
	}
	if (!payload_fields_begin(&w, from->names, c->domain, c->schema))
		return 0;
	for (; payload_fields_next(&w, &e); entry++) {
		struct span rest;

		if (e.place > data.len)
			continue;
		rest = (struct span){data.p + e.place, data.len - e.place};
		if (!payload_fields_number(e.type, rest, &v, &exact))
			continue;
		count += write_value(from, ts,
		    define(from, c->domain, c->id, entry, c->name, e.name,
			e.unit.len > 0 ? e.unit : c->unit),
		    exact != 0 || v == 0, exact, v);
	}
	return count;
}

static int64_t
time_of(const struct source *from, struct span times, uint64_t flags, size_t i,
    size_t samples)
{
	uint64_t t[2] = {0, 0};

	if (flags & (TIMES_FIRST | TIMES_LAST)) {
		memcpy(t, times.p, times.len < 16 ? times.len : 16);
		return clock_ns(from->clock,
		    (flags & TIMES_LAST) != 0 ? t[0] - t[1] * (samples - 1 - i)
					      : t[0] + t[1] * i);
	}
	if (times.len >= (i + 1) * 8)
		memcpy(t, times.p + i * 8, 8);
	return clock_ns(from->clock, t[0]);
}

static int
take_batch(const struct counter_def *c, const struct source *from, int64_t now,
    struct record_cursor *at)
{
	uint64_t flags = cursor_number(at), bytes = cursor_number(at);
	uint64_t time_bytes = cursor_number(at);
	struct span samples = cursor_bytes(at, bytes);
	struct span times = cursor_bytes(at, time_bytes);
	uint64_t size = payload_fields_size(from->names, c->domain, c->schema);
	size_t n = size > 0 ? samples.len / size : 0;
	int count = 0;

	for (size_t i = 0; at->ok && i < n; i++)
		count += take_sample(c, from,
		    times.len > 0 ? time_of(from, times, flags, i, n) : now,
		    (struct span){samples.p + i * size, size});
	return count;
}

int
nvtx_counters_record(const struct source *from, const struct record *rec,
    const struct record_parts *x)
{
	int64_t ts = clock_ns(from->clock, rec->ticks);
	struct record_cursor at = {x->blob.p, x->blob.len, true};
	uint64_t form = cursor_number(&at), bits;
	struct counter_def c;
	struct span data;
	double v = 0;

	find(&c, from, rec->domain, x->id);
	switch (form) {
	case COUNTER_I64:
	case COUNTER_F64:
		bits = cursor_number(&at);
		if (!at.ok)
			return 0;
		memcpy(&v, &bits, sizeof(v));
		return write_value(from, ts,
		    define(from, c.domain, c.id, 0, c.name,
			(struct span){NULL, 0}, c.unit),
		    form == COUNTER_I64, (int64_t)bits, v);
	case COUNTER_RAW:
		data = cursor_text(&at);
		return at.ok ? take_sample(&c, from, ts, data) : 0;
	case COUNTER_BATCH:
		return take_batch(&c, from, ts, &at);
	default:
		return 0; /* a sample that says that there is none */
	}
}
