/* nvtx_counters.c - counters of NVTX become definitions and values */

#include <math.h>

#include "lines.h"
#include "nvtx_counters.h"
#include "payload_fields.h"

/*
 * nvtxCounterBatch_t.flags (nvToolsExtCounters.h): instead of a time for each
 * sample there are the first time and the interval, or the interval and the
 * last time.
 */
#define TIMES_FIRST (UINT64_C(1) << 32)
#define TIMES_LAST (UINT64_C(2) << 32)

/* a counter, or a group of counters, as the program defined it */
struct counter_def {
	uint32_t domain;
	uint64_t id, schema;
	struct span name, unit;
};

struct counter_value {
	double v;
	int64_t integer; /* the same, if it is one */
	bool is_integer;
};

static void
find_counter(
    struct counter_def *c, const struct lines *l, uint32_t domain, uint64_t id)
{
	const struct named_id *n =
	    dictionary_find(&l->names, RECORD_COUNTERDEF, domain, id);
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

/* the id of a counter (entry 0), or of an entry of its group; defined once */
static int64_t
counter_id(struct lines *l, const struct counter_def *c, size_t entry,
    struct span member, struct span unit)
{
	struct output *o = &l->out->line;
	uint64_t *at =
	    map_get(&l->counters, (uint64_t)c->domain << 32 | entry, c->id);
	struct text name = {0};

	if (*at != 0)
		return (int64_t)*at;
	*at = (uint64_t)++l->ids->counters;
	text_add_span(&name, c->name);
	if (member.len > 0) {
		text_add_char(&name, '.');
		text_add_span(&name, member);
	}
	emit_open(o, KIND_counterdef);
	emit_str(o, KEY_name, text_span(&name));
	emit_int(o, KEY_id, (int64_t)*at);
	if (unit.len > 0)
		emit_str(o, KEY_unit, unit);
	out_stream_define(l->out);
	text_free(&name);
	return (int64_t)*at;
}

/* returns how many values: 0 if it is not a number */
static int
write_value(struct lines *l, int64_t ts, int64_t id, struct counter_value v)
{
	struct output *o;

	if (!v.is_integer && isnan(v.v))
		return 0;
	o = out_stream_begin(l->out, KIND_counter, LINE_EVENT, l->process, 0);
	emit_int(o, KEY_ts, ts);
	emit_int(o, KEY_pid, l->pid);
	emit_int(o, KEY_counter, id);
	emit_key(o, KEY_value);
	if (v.is_integer)
		text_add_int(&o->buf, v.integer);
	else
		text_add_double(&o->buf, v.v);
	lines_put(l, ts, 0);
	return 1;
}

static bool
read_value(uint64_t type, struct span data, struct counter_value *v)
{
	if (!payload_fields_number(type, data, &v->v, &v->integer))
		return false;
	v->is_integer = v->integer != 0 || v->v == 0;
	return true;
}

/* one sample: a value, or a group of them by a schema */
static int
write_sample(
    struct lines *l, const struct counter_def *c, int64_t ts, struct span data)
{
	struct schema_walk w;
	struct schema_field e;
	struct counter_value v;
	size_t entry = 1;
	int count = 0;

	if (read_value(c->schema, data, &v))
		return write_value(l, ts,
		    counter_id(l, c, 0, (struct span){NULL, 0}, c->unit), v);
	if (!payload_fields_begin(&w, &l->names, c->domain, c->schema))
		return 0;
	for (; payload_fields_next(&w, &e); entry++) {
		struct span rest;

		if (e.place > data.len)
			continue;
		rest = (struct span){data.p + e.place, data.len - e.place};
		if (!read_value(e.type, rest, &v))
			continue;
		count += write_value(l, ts,
		    counter_id(
			l, c, entry, e.name, e.unit.len > 0 ? e.unit : c->unit),
		    v);
	}
	return count;
}

/* the time of sample i of a batch */
static int64_t
sample_time(const struct clock *clock, struct span times, uint64_t flags,
    size_t i, size_t samples)
{
	uint64_t t[2] = {0, 0};

	if (flags & (TIMES_FIRST | TIMES_LAST)) {
		memcpy(t, times.p, times.len < 16 ? times.len : 16);
		return clock_ns(clock, (flags & TIMES_LAST) != 0
					   ? t[0] - t[1] * (samples - 1 - i)
					   : t[0] + t[1] * i);
	}
	if (times.len >= (i + 1) * 8)
		memcpy(t, times.p + i * 8, 8);
	return clock_ns(clock, t[0]);
}

static int
write_batch(struct lines *l, const struct counter_def *c, int64_t now,
    struct record_cursor *at)
{
	uint64_t flags = cursor_number(at), bytes = cursor_number(at);
	uint64_t time_bytes = cursor_number(at);
	struct span samples = cursor_bytes(at, bytes);
	struct span times = cursor_bytes(at, time_bytes);
	uint64_t size = payload_fields_size(&l->names, c->domain, c->schema);
	size_t n = size > 0 ? samples.len / size : 0;
	int count = 0;

	for (size_t i = 0; at->ok && i < n; i++)
		count += write_sample(l, c,
		    times.len > 0 ? sample_time(l->clock, times, flags, i, n)
				  : now,
		    (struct span){samples.p + i * size, size});
	return count;
}

int
nvtx_counters_record(
    struct lines *l, const struct record *r, const struct record_parts *x)
{
	int64_t ts = clock_ns(l->clock, r->ticks);
	struct record_cursor at = {x->blob.p, x->blob.len, true};
	uint64_t form = cursor_number(&at), bits;
	struct counter_value v = {.is_integer = form == COUNTER_I64};
	struct counter_def c;
	struct span data;

	find_counter(&c, l, r->domain, x->id);
	switch (form) {
	case COUNTER_I64:
	case COUNTER_F64:
		bits = cursor_number(&at);
		if (!at.ok)
			return 0;
		memcpy(&v.v, &bits, sizeof(v.v));
		v.integer = (int64_t)bits;
		return write_value(l, ts,
		    counter_id(l, &c, 0, (struct span){NULL, 0}, c.unit), v);
	case COUNTER_RAW:
		data = cursor_text(&at);
		return at.ok ? write_sample(l, &c, ts, data) : 0;
	case COUNTER_BATCH:
		return write_batch(l, &c, ts, &at);
	default:
		return 0; /* the program's reason why there is no sample */
	}
}
