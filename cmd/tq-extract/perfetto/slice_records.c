/* slice_records.c - the records that events of a trace become */

#include <inttypes.h>

#include "perfetto_words.h"
#include "slice_records.h"
#include "tq/base/array.h"
#include "tq/base/cpp_name.h"
#include "tq/line/json.h"

/* a record, while its values are gathered */
struct made_slice {
	struct pftrace *p;
	const struct drawn_slice *slice;
	struct described_track *track;
	enum kind kind;
	int64_t ts, dur;
	struct keyset may_have, has;
	struct span value[KEY_COUNT]; /* JSON */
	struct region *texts;
	struct text *args;
	int64_t begin_ns, end_ns; /* of rocprofv3 */
	struct span symbol;
};

/* the keys that records of a kind may have */
static const struct keyset *
keys_of_kind(enum kind kind)
{
	static struct keyset keys[KIND_COUNT];

	if (keyset_is_empty(&keys[kind]))
		keys[kind] = schema_keys_of(kind);
	return &keys[kind];
}

/* ---- values ---- */

/* the first value counts */
static void
set(struct made_slice *m, enum key key, struct span json)
{
	if (keyset_has(&m->has, key) || !keyset_has(&m->may_have, key))
		return;
	keyset_add(&m->has, key);
	m->value[key] = region_copy(m->texts, json);
}

static void
set_int(struct made_slice *m, enum key key, int64_t v)
{
	char digits[TEXT_INT_MAX];

	if (v != NO_ID)
		set(m, key,
		    (struct span){
			digits, (size_t)(text_digits_int(digits, v) - digits)});
}

static void
set_str(struct made_slice *m, enum key key, struct span s)
{
	struct text json = {0};

	text_add_json(&json, s.p, s.len);
	set(m, key, text_span(&json));
	text_free(&json);
}

static bool
is_integer(struct span json)
{
	int64_t v;

	return json.len > 0 && *json.p != '"' && json_int(json, &v);
}

static bool
are_integers(struct span json)
{
	for (size_t i = 0; i < json.len; i++)
		if (strchr("[]-,0123456789", json.p[i]) == NULL)
			return false;
	return json.len > 2 && *json.p == '[';
}

/* is the value one of the type of the key? */
static bool
fits(enum key key, struct span json)
{
	switch (schema_keys[key].type) {
	case TYPE_INT:
		return is_integer(json);
	case TYPE_STR:
		return json.len > 0 && *json.p == '"';
	case TYPE_BOOL:
		return span_eq(json, SPAN("true")) ||
		       span_eq(json, SPAN("false"));
	case TYPE_INTS:
		return are_integers(json);
	case TYPE_STRS:
		return json.len > 0 && *json.p == '[';
	case TYPE_NUM:
		return json.len > 0 &&
		       (*json.p == '-' || (*json.p >= '0' && *json.p <= '9'));
	default:
		return false;
	}
}

static void
add_other(struct made_slice *m, struct span key, struct span value)
{
	if (m->args->len > 0)
		text_add_char(m->args, ',');
	text_add_json(m->args, key.p, key.len);
	text_add_char(m->args, ':');
	text_add_span(m->args, value);
}

/* times in the trace, beside the slice's own */
static bool
take_time(struct made_slice *m, struct span key, struct span value)
{
	int64_t v;

	if (!is_integer(value) || !json_int(value, &v))
		return false;
	if (m->p->extensions.ours) {
		if (span_eq(key, SPAN("dur")))
			m->dur = v;
		return span_eq(key, SPAN("dur"));
	}
	if (span_eq(key, SPAN("begin_ns")))
		m->begin_ns = v;
	else if (span_eq(key, SPAN("end_ns")))
		m->end_ns = v;
	else
		return m->begin_ns != NO_ID && m->end_ns != NO_ID &&
		       span_eq(key, SPAN("delta_ns")) &&
		       v == m->end_ns - m->begin_ns;
	return true;
}

/* a key of tq, or one that other traces have */
static enum key
key_of(const struct made_slice *m, struct span *name)
{
	if (!m->p->extensions.ours)
		return perfetto_words_key(*name);
	if (span_eq(*name, SPAN("correlation")))
		return KEY_corr;
	if (span_eq(*name, SPAN("shared_mem_static")) ||
	    span_eq(*name, SPAN("shared_mem_dynamic")) ||
	    span_eq(*name, SPAN("registers_per_thread")))
		return perfetto_words_key(*name);
	if (span_begins(*name, SPAN("args."))) {
		name->p += 5;
		name->len -= 5;
		return KEY_NONE;
	}
	return schema_key(name->p, name->len);
}

static void
take_arg(struct made_slice *m, struct span name, struct span value, bool typed)
{
	enum key key;

	if (take_time(m, name, value))
		return;
	key = key_of(m, &name);
	/* tq-perfetto types all integers but these: another one is of args */
	if (m->p->extensions.ours && !typed && key != KEY_NONE &&
	    key != KEY_sym && key != KEY_stack &&
	    schema_keys[key].type == TYPE_INT)
		key = KEY_NONE;
	if (key == KEY_args && *value.p == '{' && value.len > 2) {
		/* of a render stage: all of them */
		if (m->args->len > 0)
			text_add_char(m->args, ',');
		text_add(m->args, value.p + 1, value.len - 2);
		return;
	}
	if (m->kind == KIND_kernel && key == KEY_demangled) {
		m->symbol = region_copy(m->texts, value);
		return;
	}
	if (key != KEY_NONE && key != KEY_ts && key != KEY_dur &&
	    keyset_has(&m->may_have, key) && !keyset_has(&m->has, key) &&
	    fits(key, value)) {
		if (key == KEY_open)
			m->dur = NEVER_ENDED;
		set(m, key, value);
		return;
	}
	add_other(m, name, value);
}

/* those of the end of a slice count before those of its begin */
static void
take_args(struct made_slice *m)
{
	const struct drawn_slice *s = m->slice;
	struct span args = {NULL, 0}, key, value;
	struct intern keys = {0};
	bool typed;

	if (s->end.len > 0)
		args = event_line_args(s->end);
	while (event_line_arg(&args, &key, &value, &typed)) {
		intern_get(&keys, key);
		take_arg(m, key, value, typed);
	}
	args = event_line_args(s->line);
	while (event_line_arg(&args, &key, &value, &typed))
		if (keys.count == 0 || intern_find(&keys, key) == INTERN_NONE)
			take_arg(m, key, value, typed);
	intern_free(&keys);
}

/* ---- the kind of a slice ---- */

static bool
has_arg(struct span line, struct span name)
{
	struct span args = event_line_args(line), key, value;
	bool typed;

	while (event_line_arg(&args, &key, &value, &typed))
		if (span_eq(key, name))
			return true;
	return false;
}

static enum kind
kind_of(const struct pftrace *p, const struct drawn_slice *s,
    const struct perfetto_word **word)
{
	struct span category = event_line_category(s->line);
	enum kind kind;

	*word = NULL;
	if (p->extensions.ours) {
		kind = perfetto_words_our_category(category);
		if (kind != KIND_UNKNOWN)
			return kind;
		if (has_arg(s->line, SPAN("api")))
			return KIND_api;
	} else {
		*word = perfetto_words_category(category);
		/* an instant has no duration */
		if (*word != NULL && s->dur != NO_ID)
			return (*word)->kind;
	}
	return s->dur == NO_ID ? KIND_mark : KIND_range;
}

/* tq-perfetto gives slices of these kinds a name; their records have none */
static bool
is_named(const struct made_slice *m)
{
	switch (m->kind) {
	case KIND_memcpy:
	case KIND_memset:
	case KIND_sync:
	case KIND_graph:
	case KIND_alloc:
	case KIND_sample:
	case KIND_sched:
	case KIND_lost:
	case KIND_diagnostic:
		return false;
	default:
		return true;
	}
}

static void
put_our_words(struct made_slice *m, struct span name)
{
	if (is_named(m) && !span_eq(name, SPAN("(no name)")))
		set_str(m, KEY_name, name);
}

/* the kind by the category and the track */
static void
put_words(
    struct made_slice *m, const struct perfetto_word *word, struct span name)
{
	struct span category = event_line_category(m->slice->line);

	set_str(
	    m, KEY_name, m->kind == KIND_kernel ? cpp_name_base(name) : name);
	if (word != NULL && word->key != KEY_NONE)
		set_str(m, word->key, span_of(word->value));
	if (word == NULL && category.len > 0)
		set_str(m, KEY_category, category);
	if (m->kind == KIND_range) {
		set_int(m, KEY_id, ++m->p->ranges);
		set_str(m, KEY_mode, SPAN("push"));
	}
	if (m->kind == KIND_memcpy && perfetto_words_copy(name).len > 0)
		set_str(m, KEY_copy, perfetto_words_copy(name));
	if (m->kind == KIND_kernel && m->symbol.len == 0) {
		struct text json = {0};

		text_add_json(&json, name.p, name.len);
		m->symbol = region_copy(m->texts, text_span(&json));
		text_free(&json);
	}
}

/* ---- what records refer to ---- */

static void
put_symbol(struct made_slice *m)
{
	struct pftrace *p = m->p;
	struct text full = {0};
	uint32_t n;

	if (m->symbol.len == 0)
		return;
	json_decode(&full, m->symbol);
	n = intern_get(&p->symbols, text_span(&full));
	if (n == p->symbol_count)
		*array_add(&p->symbol_of, &p->symbol_count, &p->symbol_cap) =
		    (struct pftrace_symbol){region_copy(&p->texts,
			keyset_has(&m->has, KEY_name) ? m->value[KEY_name]
						      : m->symbol)};
	set_int(m, KEY_sym, (int64_t)n + 1);
	text_free(&full);
}

static int64_t
number_of(const struct made_slice *m, enum key key)
{
	int64_t v;

	return keyset_has(&m->has, key) && json_int(m->value[key], &v) ? v
								       : NO_ID;
}

/* "stream 20 nccl (non-blocking)" is a stream with a name and flags */
static void
learn_stream(struct made_slice *m)
{
	struct pftrace *p = m->p;
	struct span name = m->track->name, flags = {NULL, 0};
	struct pftrace_stream s = {number_of(m, KEY_pid),
	    number_of(m, KEY_device), number_of(m, KEY_context),
	    number_of(m, KEY_stream), {NULL, 0}, {NULL, 0}};
	const char *open;
	uint64_t path;
	bool fresh;

	if (schema_role(m->kind) != ROLE_WORK || s.stream == NO_ID)
		return;
	path =
	    map_number(&p->stream_paths, (uint64_t)s.pid, (uint64_t)s.device);
	path = map_number(&p->stream_paths, path, (uint64_t)s.context);
	if (keyed_find(&p->streams, path, (uint64_t)s.stream) != NULL)
		return;
	if (span_begins(name, SPAN("stream "))) {
		name.p += 7;
		name.len -= 7;
		while (name.len > 0 && *name.p >= '0' && *name.p <= '9')
			name.p++, name.len--;
		open = memrchr(name.p, '(', name.len);
		if (open != NULL && name.p[name.len - 1] == ')') {
			flags = (struct span){
			    open + 1, (size_t)(name.p + name.len - open - 2)};
			name.len = (size_t)(open - name.p);
		}
		while (name.len > 0 && *name.p == ' ')
			name.p++, name.len--;
		while (name.len > 0 && name.p[name.len - 1] == ' ')
			name.len--;
		s.name = region_copy(&p->texts, name);
		s.flags = region_copy(&p->texts, flags);
	}
	*keyed_get(&p->streams, path, (uint64_t)s.stream, &fresh) = s;
}

/* ---- records ---- */

static void
write_record(struct made_slice *m)
{
	struct sorted_records *h = &m->p->section.records;

	sorted_records_begin(
	    h, &(struct sorted_record){m->kind, m->ts, m->dur});
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (keyset_has(&m->has, (enum key)i))
			sorted_records_json(h, (enum key)i, m->value[i]);
	sorted_records_args(h, text_span(m->args));
	sorted_records_end(h);
}

/*
 * A slice on a processor begins with a switch, and ends with one unless an
 * argument says that the thread is on it; an instant is one of either.
 */
static int64_t
write_switches(struct made_slice *m)
{
	bool ends = m->dur != NO_ID && m->dur != NEVER_ENDED &&
		    !keyset_has(&m->has, KEY_on);
	int64_t end = ends ? time_end(m->ts, m->dur) : 0;

	m->dur = NO_ID;
	if (ends) {
		m->ts = end;
		set(m, KEY_on, SPAN("false"));
		write_record(m);
		m->ts = m->slice->ts;
		keyset_remove(&m->has, KEY_on);
		keyset_remove(&m->has, KEY_state);
		keyset_remove(&m->has, KEY_reason);
	}
	set(m, KEY_on, SPAN("true"));
	write_record(m);
	return ends ? 2 : 1;
}

/* an arrow, unless it repeats correlation ids */
static int64_t
write_flows(struct made_slice *m)
{
	struct sorted_records *h = &m->p->section.records;
	struct span flows = event_line_flows(m->slice->line);
	char digits[TEXT_INT_MAX];
	int64_t written = 0;

	if (m->p->extensions.ours || keyset_has(&m->has, KEY_corr))
		return 0;
	for (; flows.len > 0; written++) {
		struct event_line_flow f;
		uint64_t *seen;

		memcpy(&f, flows.p, sizeof(f));
		flows.p += sizeof(f);
		flows.len -= sizeof(f);
		seen = map_get(&m->p->flows, f.id, 0);
		sorted_records_begin(
		    h, &(struct sorted_record){KIND_flow, m->ts, NO_ID});
		sorted_records_int(h, KEY_pid, number_of(m, KEY_pid));
		sorted_records_int(h, KEY_tid, number_of(m, KEY_tid));
		sorted_records_str(
		    h, KEY_name, event_line_name(m->slice->line));
		sorted_records_str(h, KEY_flow,
		    (struct span){
			digits, (size_t)(text_digits(digits, f.id) - digits)});
		sorted_records_str(h, KEY_phase,
		    f.ends       ? SPAN("f")
		    : *seen == 0 ? SPAN("s")
				 : SPAN("t"));
		sorted_records_end(h);
		*seen = !f.ends;
	}
	return written;
}

/* the ids that the track has, where the arguments have none */
static void
put_ids(struct made_slice *m)
{
	const struct described_track *k = m->track;
	/* a mark is of a device only if no thread has it */
	bool device = keyset_has(&m->may_have, KEY_device) &&
		      (m->kind != KIND_mark || k->thread == NO_ID);

	set_int(m, KEY_pid, k->process);
	if (device && !m->p->extensions.ours)
		set_int(m, KEY_pid, m->p->tracks.only_process);
	if (!device)
		set_int(m, KEY_tid, k->thread);
	if (!device || m->p->extensions.ours)
		return;
	set_int(m, KEY_device, k->device);
	set_int(m, KEY_stream, k->stream != NO_ID ? k->stream : k->queue);
	set_int(m, KEY_queue, k->queue);
}

/* rocprofv3 moves slices that overlap, and has their times in args */
static void
correct_time(struct made_slice *m)
{
	if (m->begin_ns == NO_ID || m->end_ns < m->begin_ns || m->dur < 0 ||
	    m->dur == NEVER_ENDED || m->begin_ns > time_end(m->ts, m->dur) ||
	    m->end_ns < m->ts)
		return;
	m->ts = m->begin_ns;
	m->dur = time_between(m->begin_ns, m->end_ns);
}

int64_t
slice_records_make(struct pftrace *p, const struct drawn_slice *s)
{
	struct event_line head = event_line_head(s->line);
	struct made_slice m = {.p = p,
	    .slice = s,
	    .texts = &p->scratch,
	    .args = &p->args,
	    .track = described_tracks_find(&p->tracks, head.track),
	    .ts = s->ts,
	    .dur = s->dur,
	    .begin_ns = NO_ID,
	    .end_ns = NO_ID};
	const struct perfetto_word *word;
	int64_t records = 1;

	m.kind = kind_of(p, s, &word);
	m.may_have = *keys_of_kind(m.kind);
	p->args.len = 0;
	take_args(&m);
	set_int(&m, KEY_pid, head.pid);
	set_int(&m, KEY_stack, head.stack);
	put_ids(&m);
	if (p->extensions.ours)
		put_our_words(&m, event_line_name(s->line));
	else
		put_words(&m, word, event_line_name(s->line));
	correct_time(&m);
	/* an instant that is drawn as a slice */
	if (p->extensions.ours && m.kind != KIND_sched &&
	    !keyset_has(&m.may_have, KEY_dur))
		m.dur = NO_ID;
	if (p->extensions.ours && m.dur == 0 && m.kind == KIND_sync &&
	    keyset_has(&m.has, KEY_sync) &&
	    span_eq(m.value[KEY_sync], SPAN("\"event record\"")))
		m.dur = NO_ID;
	if (m.dur == NEVER_ENDED)
		set(&m, KEY_open, SPAN("true"));
	put_symbol(&m);
	learn_stream(&m);
	if (m.kind == KIND_sched)
		records = write_switches(&m);
	else
		write_record(&m);
	records += write_flows(&m);
	region_reset(&p->scratch, (struct region_mark){0});
	return records;
}

/* ---- counters ---- */

/* the name without its unit: the number of a counter */
static uint32_t
counter_of(struct pftrace *p, struct described_track *k)
{
	struct span name = k->name, unit = k->unit;
	uint32_t n;

	if (unit.len > 0 && name.len > unit.len + 3 &&
	    span_ends(name, SPAN("]"))) {
		struct span inner = {name.p, name.len - 1};

		if (span_ends(inner, unit) &&
		    inner.p[inner.len - unit.len - 1] == '[')
			name.len -= unit.len + 3;
	}
	n = intern_get(&p->counters, name);
	if (n == p->unit_count)
		*array_add(&p->units, &p->unit_count, &p->unit_cap) = unit;
	return n;
}

/* tq-perfetto sums up allocations, which are records themselves */
static bool
is_sum(const struct pftrace *p, const struct described_track *k)
{
	return p->extensions.ours && span_begins(k->name, SPAN("memory")) &&
	       span_eq(k->unit, SPAN("bytes"));
}

int64_t
slice_records_value(struct pftrace *p, int64_t ts, struct span line)
{
	struct event_line head = event_line_head(line);
	struct described_track *k =
	    described_tracks_find(&p->tracks, head.track);
	struct sorted_records *h = &p->section.records;
	struct text value = {0};
	int64_t v = head.integer;

	if (is_sum(p, k))
		return 0;
	if (k->distances) {
		k->value += head.is_real ? head.real : (double)v;
		head.real = k->value;
		head.is_real = true;
	}
	if (head.is_real)
		text_add_double(&value, head.real * (double)k->multiplier);
	else if (!__builtin_mul_overflow(v, k->multiplier, &v))
		text_add_int(&value, v);
	else
		text_add_double(
		    &value, (double)head.integer * (double)k->multiplier);
	sorted_records_begin(
	    h, &(struct sorted_record){KIND_counter, ts, NO_ID});
	sorted_records_int(h, KEY_pid, k->process);
	sorted_records_int(h, KEY_device, k->device);
	sorted_records_int(h, KEY_counter, (int64_t)counter_of(p, k) + 1);
	sorted_records_json(h, KEY_value, text_span(&value));
	sorted_records_end(h);
	text_free(&value);
	return 1;
}
