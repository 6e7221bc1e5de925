/* rank_points.c - the communication of one rank */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tq/base/array.h"
#include "tq/io/emit.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"
#include "tq/line/json.h"

#include "rank_points.h"

enum { POINTS_OF_RECORD = 1000 };

/* Times and numbers beyond these are of no clock, and of no communicator. */
static const int64_t TIME_MOST = INT64_C(1) << 60;

/* ---- sequences ---- */

static struct rank_sequence *
add_sequence(struct rank_points *p, struct span comm, int64_t stream)
{
	struct rank_sequence *s = array_add(&p->all, &p->count, &p->cap);

	*s = (struct rank_sequence){
	    .stream = stream, .members = NO_ID, .me = NO_ID};
	if (comm.len > 0)
		s->comm = mem_copy(comm.p, comm.len);
	return s;
}

static struct rank_sequence *
sequence_of(struct rank_points *p, struct span comm, int64_t stream)
{
	for (size_t i = 0; i < p->count; i++) {
		struct rank_sequence *s = &p->all[i];

		if (comm.len > 0
			? s->comm != NULL && span_eq(span_of(s->comm), comm)
			: s->comm == NULL && s->stream == stream)
			return s;
	}
	return add_sequence(p, comm, stream);
}

static void
add_point(struct rank_sequence *s, const struct point *p)
{
	*array_add(&s->all, &s->count, &s->cap) = *p;
}

static void
see_time(struct rank_points *p, int64_t from, int64_t to)
{
	if (p->first == NO_ID || from < p->first)
		p->first = from;
	if (p->last == NO_ID || to > p->last)
		p->last = to;
}

/* ---- the stream of a rank ---- */

/* numbers that do not follow each other are no numbers of operations */
static void
take_number(struct rank_sequence *s, const struct rank_operation *op)
{
	if (op->number < 0 || op->number > TIME_MOST) {
		s->absolute = false;
		return;
	}
	if (s->count == 0) {
		s->first = op->number;
		s->absolute = true;
	} else if (s->absolute && op->number != s->first + (int64_t)s->count) {
		s->absolute = false;
		s->first = 0;
	}
}

static bool
is_time(int64_t t)
{
	return t >= -TIME_MOST && t <= TIME_MOST;
}

static void
take_operation(struct rank_points *p, const struct rank_operation *op)
{
	int64_t stream =
	    (int64_t)((uint64_t)op->device << 32 ^ (uint64_t)op->stream);
	struct rank_sequence *s = sequence_of(p, op->comm, stream);

	take_number(s, op);
	if (op->members != NO_ID)
		s->members = op->members;
	if (op->me != NO_ID)
		s->me = op->me;
	add_point(s, &(struct point){.start = op->ts,
			 .end = time_end(op->ts, op->dur),
			 .bytes = op->bytes,
			 .peer = operation_rank(op->peer),
			 .kind = (uint8_t)op->kind});
}

/* ---- a section of points ---- */

/* columns of args, an element for each operation */
#define COLUMN_WORDS "which|sizes|peers|gaps|durs"

enum column { WHICH, SIZES, PEERS, GAPS, DURS, COLUMNS };

struct columns {
	struct json_integers values[COLUMNS]; /* kept from record to record */
	unsigned there;                       /* a bit each */
	bool odd; /* one of them is no array of integers */
	uint8_t kinds[OPERATION_KINDS];
	size_t kind_count;
	struct text comm; /* empty: unknown */
	int64_t stream, members, me, first;
	bool absolute;
};

static void
take_names(struct columns *c, struct span names)
{
	struct text name = {0};
	struct span value;
	struct json j;

	json_open_array(&j, names);
	while (
	    json_next_element(&j, &value) && c->kind_count < OPERATION_KINDS) {
		enum operation_kind kind;

		name.len = 0;
		if (*value.p == '"')
			json_decode(&name, value);
		kind = operation_kind_of(text_span(&name));
		c->kinds[c->kind_count++] =
		    (uint8_t)(kind < OPERATION_KINDS ? kind
						     : OPERATION_UNKNOWN);
	}
	text_free(&name);
}

static void
take_member(struct columns *c, const char *key, struct span value)
{
	static const char *const numbers[] = {
	    "stream", "members", "me", "first"};
	int64_t *const to[] = {&c->stream, &c->members, &c->me, &c->first};
	int64_t v;

	if (strcmp(key, "names") == 0 && *value.p == '[')
		take_names(c, value);
	else if (strcmp(key, "comm") == 0 && *value.p == '"')
		json_decode(&c->comm, value);
	else if (strcmp(key, "absolute") == 0)
		c->absolute = *value.p == 't';
	for (size_t i = 0; i < sizeof(to) / sizeof(*to); i++)
		if (strcmp(key, numbers[i]) == 0 && json_int(value, &v))
			*to[i] = v;
}

static void
reset_columns(struct columns *c)
{
	c->there = 0;
	c->odd = false;
	c->kind_count = 0;
	c->comm.len = 0;
	c->stream = c->first = 0;
	c->members = c->me = NO_ID;
	c->absolute = false;
}

/* false: a column is missing */
static bool
read_columns(struct columns *c, const struct event *ev)
{
	struct text key = {0};
	struct span value;
	struct json j;

	reset_columns(c);
	if (!event_has(ev, KEY_args))
		return false;
	json_open(&j, ev->value[KEY_args]);
	while (json_next_key(&j, &key)) {
		int column;

		text_add_char(&key, '\0');
		column = opts_word(COLUMN_WORDS, key.p);
		if (column >= 0) {
			c->odd |= !json_take_integers(&j, &c->values[column]);
			c->there |= 1U << column;
		} else if (json_take(&j, &value)) {
			take_member(c, key.p, value);
		}
	}
	text_free(&key);
	return c->there == (1U << COLUMNS) - 1;
}

/* True if all columns are of integers, and have one length. */
static bool
are_even(const struct columns *c)
{
	if (c->odd)
		return false;
	for (int i = 1; i < COLUMNS; i++)
		if (c->values[i].count != c->values[0].count)
			return false;
	return true;
}

static void
free_columns(struct columns *c)
{
	for (int i = 0; i < COLUMNS; i++)
		free(c->values[i].all);
	text_free(&c->comm);
}

/* the point of a row; the end of the one before is at; false: there is none */
static bool
point_of(const struct columns *c, size_t row, int64_t at, struct point *p)
{
	int64_t v[COLUMNS];

	for (int i = 0; i < COLUMNS; i++)
		v[i] = c->values[i].all[row];
	if (v[WHICH] < 0 || (size_t)v[WHICH] >= c->kind_count || v[DURS] < 0 ||
	    !is_time(at) || __builtin_add_overflow(at, v[GAPS], &p->start) ||
	    __builtin_add_overflow(p->start, v[DURS], &p->end) ||
	    !is_time(p->start) || !is_time(p->end))
		return false;
	p->kind = c->kinds[v[WHICH]];
	p->bytes = v[SIZES] >= 0 ? v[SIZES] : NO_ID;
	p->peer = operation_rank(v[PEERS]);
	return true;
}

/* the sequence that the columns go on with */
static struct rank_sequence *
begin_points(struct rank_points *p, const struct columns *c, struct reader *in)
{
	struct rank_sequence *s =
	    sequence_of(p, text_span(&c->comm), c->stream);

	if (s->count == 0) {
		s->first = c->first;
		s->absolute = c->absolute;
		s->members = c->members;
		s->me = c->me;
	} else if (c->first != s->first + (int64_t)s->count) {
		errx(TQ_FAIL, "%s:%zu: points that do not follow those before",
		    in->in.name, in->in.lineno);
	}
	return s;
}

static void
take_points(struct rank_points *p, struct reader *in, struct columns *c)
{
	struct rank_sequence *s;
	int64_t at = event_int(&in->event, KEY_ts, 0);

	if (!read_columns(c, &in->event) || c->first < 0 ||
	    c->first > TIME_MOST)
		errx(TQ_FAIL, "%s:%zu: points without all of their columns",
		    in->in.name, in->in.lineno);
	s = begin_points(p, c, in);
	for (size_t i = 0; i < c->values[0].count || !are_even(c); i++) {
		struct point point;

		if (!are_even(c) || !point_of(c, i, at, &point))
			errx(TQ_FAIL,
			    "%s:%zu: points with columns that do not agree",
			    in->in.name, in->in.lineno);
		add_point(s, &point);
		see_time(p, point.start, point.end);
		at = point.end;
	}
}

/* of points only which communicator they are of, which stands first */
static void
take_heads(struct rank_points *p, const struct event *ev, struct columns *c)
{
	struct text key = {0};
	struct span value;
	struct json j;

	reset_columns(c);
	if (!event_has(ev, KEY_args))
		return;
	json_open(&j, ev->value[KEY_args]);
	while (json_next_key(&j, &key)) {
		text_add_char(&key, '\0');
		if (opts_word(COLUMN_WORDS, key.p) >= 0 ||
		    !json_take(&j, &value))
			break;
		take_member(c, key.p, value);
	}
	text_free(&key);
	sequence_of(p, text_span(&c->comm), c->stream);
}

/* ---- reading ---- */

/* the times of the recording that the points are of */
static void
take_extent(struct rank_points *p, const struct event *ev)
{
	struct text key = {0};
	struct span value;
	struct json j;
	int64_t v;

	if (!event_has(ev, KEY_args))
		return;
	json_open(&j, ev->value[KEY_args]);
	while (json_next(&j, &key, &value)) {
		if (!json_int(value, &v))
			continue;
		if (span_eq(text_span(&key), SPAN("first record")))
			p->first = v;
		if (span_eq(text_span(&key), SPAN("last record")))
			p->last = v;
	}
	text_free(&key);
}

static void
take_trace(struct rank_points *p, const struct event *ev)
{
	struct text t = {0};
	struct span s;

	p->rank = event_int(ev, KEY_rank, NO_ID);
	s = event_str(ev, KEY_host, &t);
	if (s.len > 0 && p->host == NULL)
		p->host = mem_copy(s.p, s.len);
	t.len = 0;
	s = event_str(ev, KEY_origin_utc_ns, &t);
	if (s.len == 0 || !json_int(s, &p->utc))
		p->utc = NO_ID;
	text_free(&t);
	take_extent(p, ev);
}

/* a rank, or a host, that only a process has */
static void
take_process(struct rank_points *p, const struct event *ev)
{
	struct text t = {0};
	struct span s = event_str(ev, KEY_host, &t);

	if (p->rank == NO_ID)
		p->rank = event_int(ev, KEY_rank, NO_ID);
	if (p->host == NULL && s.len > 0)
		p->host = mem_copy(s.p, s.len);
	text_free(&t);
}

static void
take_event(struct rank_points *p, struct reader *in, struct operation_reader *o,
    struct columns *c, bool heads)
{
	const struct event *ev = &in->event;
	struct rank_operation op;
	int64_t ts;

	if (ev->kind == KIND_points) {
		if (heads)
			take_heads(p, ev, c);
		else
			take_points(p, in, c);
		return;
	}
	if (ev->kind == KIND_process)
		take_process(p, ev);
	if (!event_has(ev, KEY_ts))
		return;
	ts = event_int(ev, KEY_ts, 0);
	see_time(p, ts,
	    event_has(ev, KEY_dur) ? time_end(ts, event_int(ev, KEY_dur, 0))
				   : ts);
	if (!operation_event(o, ev, &op))
		return;
	if (!is_time(op.ts) || !is_time(time_end(op.ts, op.dur)))
		errx(TQ_FAIL,
		    "%s:%zu: operation outside the range its clock covers",
		    in->in.name, in->in.lineno);
	take_operation(p, &op);
}

void
rank_points_keys(struct keyset want[])
{
	static const enum key of_trace[] = {
	    KEY_rank, KEY_host, KEY_origin_utc_ns, KEY_args};

	for (int k = 0; k <= KIND_COUNT; k++) {
		keyset_add(&want[k], KEY_ts);
		keyset_add(&want[k], KEY_dur);
	}
	operation_keys(want);
	keyset_add(&want[KIND_points], KEY_args);
	for (size_t i = 0; i < sizeof(of_trace) / sizeof(*of_trace); i++) {
		keyset_add(&want[KIND_trace], of_trace[i]);
		keyset_add(&want[KIND_process], of_trace[i]);
	}
}

bool
rank_points_read(
    struct rank_points *p, struct reader *in, bool heads, bool begun)
{
	struct operation_reader o = {0};
	struct columns c = {0};
	bool another = false;

	*p = (struct rank_points){
	    .rank = NO_ID, .utc = NO_ID, .first = NO_ID, .last = NO_ID};
	if (begun)
		take_trace(p, &in->event);
	while (!another && reader_next(in)) {
		enum kind kind = in->event.kind;

		if (kind == KIND_trace && begun)
			another = true;
		else if (kind == KIND_trace)
			take_trace(p, &in->event);
		else if (kind != KIND_end)
			take_event(p, in, &o, &c, heads);
		begun |= kind == KIND_trace;
	}
	operation_free(&o);
	free_columns(&c);
	return another;
}

/* ---- writing ---- */

static void
add_ints(struct text *t, const char *name, const int64_t *all, size_t n)
{
	text_printf(t, ",\"%s\":[", name);
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			text_add_char(t, ',');
		text_add_int(t, all[i]);
	}
	text_add_char(t, ']');
}

/* the kinds of some points, and which of them each is */
static void
add_kinds(struct text *t, const struct point *all, size_t n)
{
	int64_t index[OPERATION_KINDS], which[POINTS_OF_RECORD];
	int64_t count = 0;

	for (int k = 0; k < OPERATION_KINDS; k++)
		index[k] = -1;
	text_add_str(t, ",\"names\":[");
	for (size_t i = 0; i < n; i++) {
		if (index[all[i].kind] < 0) {
			struct span word =
			    operation_word((enum operation_kind)all[i].kind);

			text_add_str(t, count > 0 ? ",\"" : "\"");
			text_add_span(t, word);
			text_add_char(t, '"');
			index[all[i].kind] = count++;
		}
		which[i] = index[all[i].kind];
	}
	text_add_char(t, ']');
	add_ints(t, "which", which, n);
}

static void
add_columns(struct text *t, const struct point *all, size_t n)
{
	int64_t columns[COLUMNS][POINTS_OF_RECORD];

	for (size_t i = 0; i < n; i++) {
		columns[SIZES][i] = all[i].bytes != NO_ID ? all[i].bytes : -1;
		columns[PEERS][i] = all[i].peer;
		columns[GAPS][i] = i > 0 ? all[i].start - all[i - 1].end : 0;
		columns[DURS][i] = all[i].end - all[i].start;
	}
	add_ints(t, "sizes", columns[SIZES], n);
	add_ints(t, "peers", columns[PEERS], n);
	add_ints(t, "gaps", columns[GAPS], n);
	add_ints(t, "durs", columns[DURS], n);
}

static void
write_record(
    struct output *o, const struct rank_sequence *s, size_t from, size_t n)
{
	struct text *t = &o->buf;

	emit_open(o, KIND_points);
	emit_int(o, KEY_ts, s->all[from].start);
	emit_key(o, KEY_args);
	if (s->comm == NULL) {
		text_printf(t, "{\"stream\":%" PRId64, s->stream);
	} else {
		text_add_str(t, "{\"comm\":");
		text_add_json(t, s->comm, strlen(s->comm));
	}
	if (s->members != NO_ID)
		text_printf(t, ",\"members\":%" PRId64, s->members);
	if (s->me != NO_ID)
		text_printf(t, ",\"me\":%" PRId64, s->me);
	text_printf(t, ",\"first\":%" PRId64, s->first + (int64_t)from);
	if (s->absolute)
		text_add_str(t, ",\"absolute\":true");
	add_kinds(t, s->all + from, n);
	add_columns(t, s->all + from, n);
	text_add_char(t, '}');
	emit_close(o);
}

/* of all sequences, the record that begins first and is not written yet */
static const struct rank_sequence *
next_record(const struct rank_points *p, const size_t *done)
{
	const struct rank_sequence *next = NULL;
	int64_t ts = 0;

	for (size_t i = 0; i < p->count; i++) {
		const struct rank_sequence *s = &p->all[i];

		if (done[i] < s->count &&
		    (next == NULL || s->all[done[i]].start < ts)) {
			next = s;
			ts = s->all[done[i]].start;
		}
	}
	return next;
}

void
rank_points_write(const struct rank_points *p, struct output *o)
{
	size_t *done = mem_alloc((p->count + 1) * sizeof(*done));
	const struct rank_sequence *s;

	emit_open(o, KIND_trace);
	emit_int(o, KEY_version, EMIT_VERSION);
	emit_str(o, KEY_source, SPAN("tq-align"));
	if (p->utc != NO_ID) {
		emit_key(o, KEY_origin_utc_ns);
		text_printf(&o->buf, "\"%" PRId64 "\"", p->utc);
	}
	if (p->host != NULL)
		emit_str(o, KEY_host, span_of(p->host));
	if (p->rank != NO_ID)
		emit_int(o, KEY_rank, p->rank);
	if (p->first != NO_ID) {
		emit_key(o, KEY_args);
		text_printf(&o->buf,
		    "{\"first record\":%" PRId64 ",\"last record\":%" PRId64
		    "}",
		    p->first, p->last);
	}
	emit_close(o);
	o->lines = 0;
	while ((s = next_record(p, done)) != NULL) {
		size_t *from = &done[s - p->all];
		size_t n = s->count - *from < POINTS_OF_RECORD
			       ? s->count - *from
			       : POINTS_OF_RECORD;

		write_record(o, s, *from, n);
		*from += n;
	}
	emit_open(o, KIND_end);
	emit_int(o, KEY_events, o->lines);
	emit_close(o);
	free(done);
}

void
rank_points_free(struct rank_points *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free(p->all[i].comm);
		free(p->all[i].all);
	}
	free(p->all);
	free(p->host);
	*p = (struct rank_points){0};
}
