/* recording_facts.c - facts about the recording in a stream */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tq/account/sm_clock.h"
#include "tq/base/time.h"
#include "tq/line/json.h"
#include "tq/names/model.h"

#include "recording_facts.h"

/* ---- memory ---- */

static void
add_memory(struct recording_facts *f, const struct event *ev)
{
	uint64_t pid = (uint64_t)event_int(ev, KEY_pid, NO_ID), address = 0;
	int64_t bytes = event_int(ev, KEY_bytes, 0);
	const uint64_t *held;

	if (!event_has(ev, KEY_op) || !event_has(ev, KEY_device) || bytes < 0)
		return;
	f->allocates = true;
	if (event_has(ev, KEY_address))
		address = event_address(ev);
	if (event_is(ev, KEY_op, SPAN("alloc"))) {
		f->memory = time_end(f->memory, bytes);
		if (address != 0)
			*map_get(&f->bytes, pid, address) = (uint64_t)bytes;
	} else if (event_is(ev, KEY_op, SPAN("free"))) {
		held = map_find(&f->bytes, pid, address);
		if (address != 0) /* one from before the stream has none */
			bytes = held != NULL ? (int64_t)*held : 0;
		map_remove(&f->bytes, pid, address);
		f->memory -= bytes < f->memory ? bytes : f->memory;
	}
	if (f->peak < f->memory)
		f->peak = f->memory;
}

/* ---- clocks ---- */

enum { CLOCK_MOST = 1 << 16 }; /* MHz; a faster one is no clock */

static void
add_counter_definition(struct recording_facts *f, const struct event *ev)
{
	if (sm_clock_is(ev) && event_has(ev, KEY_id))
		*map_get(&f->clocks, (uint64_t)event_int(ev, KEY_id, 0), 0) = 1;
}

static void
add_counter(struct recording_facts *f, const struct event *ev)
{
	double mhz;

	if (f->clocks.count == 0 || !event_has(ev, KEY_value) ||
	    map_find(&f->clocks, (uint64_t)event_int(ev, KEY_counter, NO_ID),
		0) == NULL)
		return;
	mhz = strtod(ev->value[KEY_value].p, NULL);
	if (mhz >= 0.5 && mhz < CLOCK_MOST)
		++*map_get(&f->clock, (uint64_t)(mhz + 0.5), 0);
}

/* The median in MHz; 0: there is none. */
static int64_t
median_clock(const struct recording_facts *f)
{
	uint64_t all = 0, sum = 0;

	for (uint64_t mhz = 1; mhz <= CLOCK_MOST && f->clock.count > 0; mhz++) {
		const uint64_t *n = map_find(&f->clock, mhz, 0);

		all += n != NULL ? *n : 0;
	}
	for (uint64_t mhz = 1; mhz <= CLOCK_MOST && all > 0; mhz++) {
		const uint64_t *n = map_find(&f->clock, mhz, 0);

		sum += n != NULL ? *n : 0;
		if (sum >= all - all / 2)
			return (int64_t)mhz;
	}
	return 0;
}

/* ---- versions ---- */

enum { VERSIONS = 16, VERSION_TEXT = 256 };

/* Members of the args of a trace that are versions of drivers and libraries. */
static void
add_versions(struct account_draft *r, struct span args)
{
	struct text key = {0}, name = {0}, text = {0};
	struct span value;
	struct json j;
	int count = 0;

	json_open(&j, args);
	while (count < VERSIONS && json_next(&j, &key, &value)) {
		if (memmem(key.p, key.len, "version", 7) == NULL ||
		    value.len > VERSION_TEXT || key.len > VERSION_TEXT ||
		    *value.p == '{' || *value.p == '[')
			continue;
		name.len = text.len = 0;
		text_add_str(&name, "version.");
		text_add_span(&name, text_span(&key));
		text_add_char(&name, '\0');
		if (*value.p == '"')
			json_decode(&text, value);
		else
			text_add_span(&text, value);
		account_draft_fact(r, name.p, text_span(&text));
		count++;
	}
	text_free(&key);
	text_free(&name);
	text_free(&text);
}

/* ---- records ---- */

static void
add_trace(struct account_draft *r, const struct event *ev)
{
	static const enum key keys[] = {KEY_source, KEY_producer, KEY_schema,
	    KEY_origin_utc_ns, KEY_origin_clock, KEY_os, KEY_command, KEY_clock,
	    KEY_host, KEY_mode};
	struct text t = {0};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (!event_has(ev, keys[i]))
			continue;
		t.len = 0;
		account_draft_fact(
		    r, schema_keys[keys[i]].name, event_str(ev, keys[i], &t));
	}
	if (event_has(ev, KEY_args))
		add_versions(r, ev->value[KEY_args]);
	text_free(&t);
}

static void
add_device(struct recording_facts *f, const struct event *ev)
{
	bool fresh;

	if (event_has(ev, KEY_sms))
		*numbered_get(&f->sms, model_device(ev), &fresh) =
		    event_int(ev, KEY_sms, 0);
}

int64_t
recording_facts_sms(const struct recording_facts *f, const struct event *ev)
{
	const int64_t *sms = numbered_find(&f->sms, model_device(ev));

	if (sms == NULL) /* of all processes */
		sms = numbered_find(&f->sms, model_device_of(ev->model, NO_ID,
						 event_int(ev, KEY_device, 0)));
	return sms != NULL ? *sms : NO_ID;
}

static void
note_record(struct noted_record *r, const struct event *ev)
{
	*r = (struct noted_record){.kind = ev->kind,
	    .ts = event_int(ev, KEY_ts, 0),
	    .dur = event_int(ev, KEY_dur, NO_ID),
	    .pid = event_int(ev, KEY_pid, NO_ID)};
}

/* members that distinguish a record from records of another recording */
static void
set_record(
    struct account_draft *r, const char *name, const struct noted_record *of)
{
	struct text t = {0};

	text_printf(&t, "%s %" PRId64,
	    of->kind < KIND_COUNT ? schema_kinds[of->kind].name : "?", of->ts);
	if (of->dur != NO_ID)
		text_printf(&t, " dur %" PRId64, of->dur);
	if (of->pid != NO_ID)
		text_printf(&t, " pid %" PRId64, of->pid);
	account_draft_fact(r, name, text_span(&t));
	text_free(&t);
}

static void
add_times(struct recording_facts *f, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (!f->any || f->first > ts) {
		f->first = ts;
		note_record(&f->first_record, ev);
	}
	if (end == INT64_MAX)
		end = ts;
	if (!f->any || f->last < end) {
		f->last = end;
		note_record(&f->last_record, ev);
	}
	f->any = true;
}

void
recording_facts_event(
    struct recording_facts *f, struct account_draft *r, const struct event *ev)
{
	evidence_event(&f->evidence, ev);
	f->counts[ev->kind]++;
	if (event_has(ev, KEY_ts))
		add_times(f, ev);
	switch (ev->kind) {
	case KIND_trace:
		add_trace(r, ev);
		break;
	case KIND_device:
		add_device(f, ev);
		break;
	case KIND_alloc:
		add_memory(f, ev);
		break;
	case KIND_counterdef:
		add_counter_definition(f, ev);
		break;
	case KIND_counter:
		add_counter(f, ev);
		break;
	case KIND_diagnostic:
		f->errors += event_is(ev, KEY_severity, SPAN("error"));
		break;
	default:
		f->calls_known += schema_role(ev->kind) == ROLE_WORK &&
				  event_has(ev, KEY_api_ts);
	}
}

void
recording_facts_section_end(struct recording_facts *f)
{
	numbered_clear(&f->sms);
	map_clear(&f->bytes);
	map_clear(&f->clocks);
	f->memory = 0;
}

/* "evidence.failed-calls" and its like, and what they take away. */
static void
set_evidence(struct recording_facts *f, struct account_draft *r)
{
	struct recording_evidence *x = &f->evidence;
	struct text name = {0};

	evidence_finish(x);
	account_draft_fact_int(r, "lost", x->lost);
	account_draft_fact_int(r, "evidence", evidence_takes_any(x));
	for (size_t i = 0; i < x->fact_count; i++) {
		name.len = 0;
		text_printf(
		    &name, "evidence.%s", evidence_name(x->facts[i].check));
		text_add_char(&name, '\0');
		account_draft_fact(r, name.p, x->facts[i].title);
	}
	text_free(&name);
}

void
recording_facts_finish(struct recording_facts *f, struct account_draft *r)
{
	struct text name = {0};

	account_draft_fact_int(r, "first", f->first);
	account_draft_fact_int(r, "last", f->last);
	set_evidence(f, r);
	account_draft_fact_int(r, "errors", f->errors);
	account_draft_fact_int(r, "truncated", f->truncated);
	account_draft_fact_int(r, "overhead", r->sums.overhead);
	account_draft_fact_int(r, "calls.known", f->calls_known);
	if (f->clock.count > 0)
		account_draft_fact_int(r, "clock.sm", median_clock(f));
	if (f->any) {
		set_record(r, "first.record", &f->first_record);
		set_record(r, "last.record", &f->last_record);
	}
	for (enum kind k = 0; k < KIND_COUNT; k++) {
		if (f->counts[k] == 0)
			continue;
		name.len = 0;
		text_add_str(&name, "count.");
		text_add_str(&name, schema_kinds[k].name);
		text_add_char(&name, '\0');
		account_draft_fact_int(r, name.p, f->counts[k]);
	}
	text_free(&name);
	r->memory_peak = f->allocates ? f->peak : NO_ID;
	recording_facts_free(f);
}

void
recording_facts_free(struct recording_facts *f)
{
	evidence_free(&f->evidence);
	numbered_free(&f->sms);
	map_free(&f->bytes);
	map_free(&f->clocks);
	map_free(&f->clock);
	*f = (struct recording_facts){0};
}
