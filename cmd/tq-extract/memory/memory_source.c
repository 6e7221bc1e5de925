/*
 * memory_source.c - the raw timeline of PyTorch's memory profiler becomes a
 * section
 *
 * It is an array of events [time, action, bytes, category].  The sum of all
 * bytes so far is the memory in use.
 */

#include <stdlib.h>

#include "operand.h"
#include "source.h"
#include "write/sorted_section.h"

struct memory {
	struct sorted_section section; /* first: see sorted_section.h */
	struct value_reader reader;
	int64_t scale; /* ns of a time; 0: none is known yet */
	bool utc;
};

enum { TIME, ACTION, BYTES, CATEGORY, COLUMNS };

enum { PREEXISTING = 1, CREATE, INCREMENT_VERSION, DESTROY, ACTIONS };

static const char *const actions[ACTIONS] = {[PREEXISTING] = "PREEXISTING",
    [CREATE] = "CREATE",
    [INCREMENT_VERSION] = "INCREMENT_VERSION",
    [DESTROY] = "DESTROY"};

/* a number behind the last one means none */
static const char *const categories[] = {"PARAMETER", "OPTIMIZER_STATE",
    "INPUT", "TEMPORARY", "ACTIVATION", "GRADIENT", "AUTOGRAD_DETAIL"};

enum { CATEGORIES = sizeof(categories) / sizeof(categories[0]) };

/* times since 1970: the least in ns, and in us */
#define LEAST_NS ((int64_t)100000000000000000)
#define LEAST_US ((int64_t)100000000000000)

static bool
detect(const struct source_input *in)
{
	struct span start = lenient_start(operand_head(in->from));
	struct lenient l = {start.p + start.len, false};
	const char *p;

	if (start.len == 0 || *start.p != '[')
		return false;
	p = lenient_space(&l, start.p + 1);
	if (p == l.end || *p != '[')
		return false;
	p = lenient_space(&l, p + 1);
	return p < l.end && (*p == '-' || (*p >= '0' && *p <= '9'));
}

/* ns; all times of a file have the unit of the first */
static bool
time_of(struct memory *m, int64_t time, int64_t *ts)
{
	if (time < 0) {
		*ts = SORTED_AT_ORIGIN; /* it was there before */
		return true;
	}
	if (m->scale == 0) {
		m->utc = time >= LEAST_US;
		m->scale = time >= LEAST_US && time < LEAST_NS ? 1000 : 1;
	}
	return !__builtin_mul_overflow(time, m->scale, ts);
}

static void
make_record(struct memory *m, const int64_t v[COLUMNS], int64_t ts)
{
	struct sorted_records *h = &m->section.records;
	bool moves = v[ACTION] == INCREMENT_VERSION;
	struct text t = {0};

	sorted_section_begin(&m->section, KIND_alloc, ts, NO_ID);
	sorted_records_int(
	    h, KEY_bytes, v[BYTES] < 0 ? 0 - v[BYTES] : v[BYTES]);
	sorted_records_str(h, KEY_op,
	    moves          ? SPAN("recategorize")
	    : v[BYTES] < 0 ? SPAN("free")
			   : SPAN("alloc"));
	sorted_records_str(h, KEY_pool, SPAN("torch"));
	text_printf(&t, "\"action\":\"%s\"", actions[v[ACTION]]);
	if (v[CATEGORY] >= 0 && v[CATEGORY] < CATEGORIES)
		text_printf(
		    &t, ",\"category\":\"%s\"", categories[v[CATEGORY]]);
	if (moves) { /* out of a category, or into one */
		text_add_str(&t, ",\"size\":");
		text_add_int(&t, v[BYTES]);
	}
	sorted_records_args(h, text_span(&t));
	text_free(&t);
	sorted_section_end(&m->section);
}

static void
take_event(struct memory *m, struct span event)
{
	struct event_counts *counts = &m->section.counts;
	int64_t v[COLUMNS], ts;
	struct span element;
	const char *at = NULL;
	int n = 0;

	while (n < COLUMNS && lenient_element(event, &at, &element) &&
	       lenient_int(element, &v[n]))
		n++;
	if (n < COLUMNS || v[ACTION] < PREEXISTING || v[ACTION] >= ACTIONS ||
	    v[BYTES] == INT64_MIN) {
		event_counts_begin(counts, SPAN("?"));
		event_counts_lose(counts,
		    n < COLUMNS ? EVENT_LOST_NO_VALUE : EVENT_LOST_NO_TYPE);
		return;
	}
	event_counts_begin(counts, span_of(actions[v[ACTION]]));
	if (time_of(m, v[TIME], &ts))
		make_record(m, v, ts);
	else
		event_counts_lose(counts, EVENT_LOST_NO_TIME);
}

static void *
open_memory(const struct source_input *in)
{
	struct memory *m = mem_alloc(sizeof(*m));
	enum value_item item = VALUE_CUT;
	struct span event;

	sorted_section_open(&m->section, &memory_source, in);
	value_reader_open(&m->reader, in->from);
	value_reader_skip_mark(&m->reader);
	if (value_reader_skip(&m->reader, '['))
		while ((item = value_reader_element(&m->reader, &event)) ==
		       VALUE_WHOLE)
			take_event(m, event);
	if (item == VALUE_CUT)
		sorted_section_cut(&m->section, m->reader.offset,
		    value_reader_error(&m->reader));
	return m;
}

static void
definitions(void *memory)
{
	const struct memory *m = memory;

	sorted_section_trace(&m->section,
	    &(struct trace_record){
		.origin_utc = m->utc ? &m->section.records.first : NULL});
}

static void
close_memory(void *memory)
{
	struct memory *m = memory;

	value_reader_close(&m->reader);
	sorted_section_free(&m->section);
	free(m);
}

const struct source memory_source = {
    .name = "memory",
    .about = "PyTorch: export_memory_timeline, raw (.raw.json.gz)",
    .detect = detect,
    .open = open_memory,
    .definitions = definitions,
    .count = sorted_section_count,
    .records = sorted_section_records,
    .check = sorted_section_check,
    .close = close_memory,
};
