/* engine.c - each rule gets its records, and the time that it may claim */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/account/gap_record.h"
#include "tq/base/array.h"
#include "tq/base/lower_bound.h"
#include "tq/base/time.h"

#include "tq/advice/engine.h"

__extension__ typedef __int128 engine_wide;

/* ns: a call that waits this soon after a copy's call waits for the copy */
enum { FOLLOWS = 100000 };

/* ---- rules ---- */

/* The rules with this claim. */
static uint64_t
claiming(const struct engine *e, enum rule_claim claim)
{
	return e->claims[__builtin_ctz(claim)];
}

static bool
condition_asks(const struct rule_condition *c, enum kind k)
{
	return expr_of_kind(c->what, k) != EXPR_FALSE ||
	       (c->all != NULL && expr_of_kind(c->all, k) != EXPR_FALSE);
}

/* May the rule need a record of this kind? */
static bool
rule_asks(const struct rule *r, enum kind k)
{
	if (expr_of_kind(r->when, k) != EXPR_FALSE)
		return true;
	for (size_t i = 0; i < r->also_count; i++)
		if (condition_asks(&r->also[i], k))
			return true;
	for (size_t i = 0; i < r->second_count; i++)
		if (condition_asks(&r->second[i], k))
			return true;
	return false;
}

static void
count_condition(struct engine *e, const struct rule_condition *c,
    const struct event *ev, int64_t *what, int64_t *all)
{
	if (expr_match(c->what, ev, &e->symbols, &e->error))
		*what = time_end(*what,
		    c->of == CONDITION_TIME ? event_int(ev, KEY_dur, 0) : 1);
	if (c->all != NULL && expr_match(c->all, ev, &e->symbols, &e->error))
		++*all;
}

/* The rules that match the record. */
static uint64_t
match_rules(struct engine *e, const struct event *ev)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < e->rules->count; i++) {
		const struct rule *r = &e->rules->all[i];
		struct rule_tally *t = &e->tally[i];

		if (!e->asks[ev->kind][i])
			continue;
		if (expr_match(r->when, ev, &e->symbols, &e->error)) {
			mask |= (uint64_t)1 << i;
			t->matched++;
		}
		for (size_t c = 0; c < r->also_count; c++)
			count_condition(e, &r->also[c], ev, &t->also[c].what,
			    &t->also[c].all);
		for (size_t c = 0; c < r->second_count; c++)
			count_condition(e, &r->second[c], ev,
			    &t->second[c].what, &t->second[c].all);
	}
	return mask;
}

/* ---- operations ---- */

/* Drop the operations that are over, but for the last one. */
static void
drop_operations(struct engine *e)
{
	size_t n = 0;

	for (size_t i = 0; i < e->operation_count; i++) {
		const struct operation_info *o = &e->operations[i];

		if (o->device >= e->pieces.devices.count ||
		    o->end > e->pieces.devices.all[o->device].now)
			e->operations[n++] = *o;
	}
	e->operation_count = n;
	if (n * 2 >= e->operation_cap)
		e->operations = mem_resize(e->operations,
		    e->operation_cap = e->operation_cap * 2 + 64,
		    sizeof(*e->operations));
}

static struct operation_info *
find_operation(const struct engine *e, uint64_t number)
{
	size_t i;

	LOWER_BOUND(i, 0, e->operation_count, e->operations[i].number < number);
	return i < e->operation_count && e->operations[i].number == number
		   ? &e->operations[i]
		   : NULL;
}

/* The name of an operation, or the direction of a copy. */
static uint32_t
describe(struct engine *e, const struct event *ev)
{
	enum key k = ev->kind == KIND_memcpy ? KEY_copy : KEY_name;

	e->scratch.len = 0;
	if (ev->kind == KIND_memset)
		return intern_get(&e->texts, SPAN("fill"));
	return intern_get(&e->texts, event_str(ev, k, &e->scratch));
}

static uint64_t
add_operation(struct engine *e, const struct event *ev, uint64_t mask)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	uint64_t number = e->operation_next++;

	if (e->operation_count == e->operation_cap)
		drop_operations(e);
	e->operations[e->operation_count++] =
	    (struct operation_info){.number = number,
		.end = end == INT64_MAX ? ts : end,
		.corr = event_int(ev, KEY_corr, NO_ID),
		.device = pieces_device(&e->pieces, ev),
		.mask = mask,
		.blocks = e->derived.blocks,
		.sms = e->derived.sms,
		.bytes = event_int(ev, KEY_bytes, NO_ID),
		.what = describe(e, ev)};
	return number;
}

/* ---- rows ---- */

/* A row's longest pieces, longest first; of equal ones the first. */
static void
add_evidence(struct claim_row *row, const struct evidence *v)
{
	size_t at = EVIDENCE;

	while (at > 0 && row->best[at - 1].dur < v->dur)
		at--;
	if (at == EVIDENCE)
		return;
	memmove(&row->best[at + 1], &row->best[at],
	    (EVIDENCE - 1 - at) * sizeof(*v));
	row->best[at] = *v;
}

static void
add_row(struct engine *e, const struct piece *p, uint64_t mask, int64_t ns,
    struct evidence *v)
{
	size_t device = e->section_first + p->device;
	struct claim_row *row;
	bool fresh;

	if (ns <= 0)
		return;
	row = keyed_get(
	    &e->rows, mask, (uint64_t)device * ACCOUNT_PARTS + p->part, &fresh);
	if (fresh)
		*row = (struct claim_row){
		    .device = device, .part = p->part, .mask = mask};
	row->ns = time_end(row->ns, ns);
	row->count++;
	v->dur = ns;
	v->pid = e->devices[device].pid;
	v->device = e->devices[device].device;
	add_evidence(row, v);
}

/* A device of the section, and all before it in pieces. */
static void
add_devices(struct engine *e, size_t index)
{
	while (e->device_count <= e->section_first + index) {
		const struct part_device *d =
		    &e->pieces.devices.all[e->device_count - e->section_first];

		*array_add(&e->devices, &e->device_count, &e->device_cap) =
		    (struct engine_device){.pid = d->pid, .device = d->device};
	}
}

/* ns of the piece in which no other kernel runs. */
static int64_t
time_alone(const struct engine *e, const struct piece *p)
{
	const struct part_device *d = &e->pieces.devices.all[p->device];
	int64_t from = p->ts;

	for (size_t i = 0; i < d->count; i++)
		if (&d->running[i] != p->operation &&
		    d->running[i].group != DEVICE_COPY &&
		    d->running[i].end > from)
			from = d->running[i].end;
	return time_between(from, p->end);
}

static void
add_exposed(struct engine *e, const struct piece *p)
{
	const struct operation_info *o = find_operation(e, p->operation->tag);
	int64_t ns = time_between(p->ts, p->end), free_sms;
	uint64_t slack = claiming(e, CLAIM_SLACK), mask;
	struct evidence v = {.ts = p->ts, .corr = NO_ID};

	if (o == NULL)
		return;
	v.corr = o->corr;
	v.bytes = o->bytes;
	v.what = o->what;
	mask = o->mask & (claiming(e, CLAIM_EXPOSED) | claiming(e, CLAIM_NONE));
	slack &= o->mask;
	if (slack != 0 && o->sms > o->blocks) {
		free_sms = (int64_t)((engine_wide)time_alone(e, p) *
				     (o->sms - o->blocks) / o->sms);
		add_row(e, p, mask | slack, free_sms, &v);
		ns -= free_sms;
	}
	add_row(e, p, mask, ns, &v);
}

/* ---- idle time ---- */

/* a piece of idle time that is cut */
struct idle_piece {
	struct engine *e;
	const struct piece *piece;
	uint64_t mask;
	uint32_t what;
};

static void
add_cut(void *arg, struct host_span span)
{
	struct idle_piece *x = arg;
	struct evidence v = {.ts = span.ts,
	    .corr = event_int(x->piece->ev, KEY_corr, NO_ID),
	    .bytes = NO_ID,
	    .what = x->what};

	add_row(x->e, x->piece, x->mask | span.mask,
	    time_between(span.ts, span.end), &v);
}

/* The rules that match the gap as a record; *what says what it was. */
static uint64_t
match_gap(struct engine *e, const struct piece *p, uint32_t *what)
{
	struct text *t = &e->scratch;
	struct span cause, call;

	e->gap_line.len = 0;
	gap_record_add(&e->gap_line, &e->pieces, p);
	text_reserve(&e->gap_line, EVENT_PADDING);
	*what = intern_get(&e->texts, SPAN("gap"));
	if (!event_parse(&e->gap, text_span(&e->gap_line), NULL))
		return 0;
	t->len = 0;
	text_reserve(t, 256);
	cause = event_str(&e->gap, KEY_cause, t);
	text_add_str(t, "gap: ");
	text_add_span(t, cause);
	if (event_has(&e->gap, KEY_wait)) {
		struct text name = {0};

		call = event_str(&e->gap, KEY_wait, &name);
		text_add_str(t, ", began in ");
		text_add_span(t, call);
		text_free(&name);
	}
	*what = intern_get(&e->texts, text_span(t));
	derived_add(&e->derived, &e->gap);
	return match_rules(e, &e->gap) & claiming(e, CLAIM_GAPS);
}

static void
add_gap(struct engine *e, const struct piece *p)
{
	const struct part_device *d = &e->pieces.devices.all[p->device];
	const struct operation_info *o = find_operation(e, p->tag);
	int64_t tid = event_int(p->ev, KEY_tid, NO_ID);
	struct idle_piece x = {.e = e, .piece = p};

	x.mask = match_gap(e, p, &x.what);
	if (tid != NO_ID)
		x.mask |= host_spans_at(&e->after, d->pid, tid, d->until) &
			  claiming(e, CLAIM_AFTER);
	if (o != NULL)
		x.mask |= o->mask & claiming(e, CLAIM_BY);
	host_spans_cut(&e->over, d->pid, tid,
	    (struct host_span){p->ts, p->end, 0}, add_cut, &x);
}

static void
piece_seen(void *engine, const struct piece *p)
{
	struct engine *e = engine;
	struct engine_device *d;
	int64_t ns = time_between(p->ts, p->end);

	add_devices(e, p->device);
	d = &e->devices[e->section_first + p->device];
	if (p->operation == NULL && !gap_record_is(&e->pieces, p))
		return;
	d->wall = time_end(d->wall, ns);
	d->parts[p->part] = time_end(d->parts[p->part], ns);
	if (p->operation != NULL)
		add_exposed(e, p);
	else
		add_gap(e, p);
}

/* ---- records ---- */

/* The earliest time at which a gap of the process may have begun. */
static int64_t
oldest_gap(const struct engine *e, int64_t pid, int64_t now)
{
	for (size_t i = 0; i < e->pieces.devices.count; i++) {
		const struct part_device *d = &e->pieces.devices.all[i];

		if (d->pid == pid && d->until < now)
			now = d->until;
	}
	return now;
}

/* The host is in the call of an operation, and then waits for it. */
static void
add_call_span(struct engine *e, const struct event *ev, uint64_t mask)
{
	int64_t ts = event_int(ev, KEY_api_ts, NO_ID);
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t tid = event_int(ev, KEY_tid, NO_ID);
	int64_t end = time_end(ts, event_int(ev, KEY_api_dur, 0));
	int64_t oldest = oldest_gap(e, pid, event_int(ev, KEY_ts, 0));
	struct host_span call = {ts, end, mask & claiming(e, CLAIM_AFTER)};
	struct span name = ev->value[KEY_api_name];
	const struct host_span *wait;

	if (call.mask == 0 || ts == NO_ID)
		return;
	host_spans_add(&e->after, pid, tid, call, oldest);
	if (!event_has(ev, KEY_api_name) ||
	    memmem(name.p, name.len, "Async", 5) == NULL)
		return;
	host_spans_add(&e->asynchronous, pid, tid, call, oldest);
	wait =
	    host_spans_begun(&e->waits, pid, tid, end, time_end(end, FOLLOWS));
	if (wait != NULL)
		host_spans_add(&e->after, pid, tid,
		    (struct host_span){wait->ts, wait->end, call.mask}, oldest);
}

/* A call that waits, perhaps for the operation of the call before it. */
static void
add_wait(struct engine *e, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t tid = event_int(ev, KEY_tid, NO_ID);
	struct host_span span = {ts, event_end(ev, ts), 0};
	int64_t oldest = oldest_gap(e, pid, ts);

	host_spans_add(&e->waits, pid, tid, span, oldest);
	span.mask =
	    host_spans_ended(&e->asynchronous, pid, tid, ts - FOLLOWS, ts);
	if (span.mask != 0)
		host_spans_add(&e->after, pid, tid, span, oldest);
}

/* The host is in a record that rules matched. */
static void
add_spans(struct engine *e, const struct event *ev, uint64_t mask)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t tid = event_int(ev, KEY_tid, NO_ID);
	int64_t oldest = oldest_gap(e, pid, ts);
	struct host_span span = {ts, event_end(ev, ts), 0};

	span.mask = mask & claiming(e, CLAIM_AFTER);
	if (span.mask != 0 && ev->kind == KIND_api)
		host_spans_add(&e->after, pid, tid, span, oldest);
	span.mask = mask & claiming(e, CLAIM_OVER);
	if (span.mask != 0)
		host_spans_add(&e->over, pid,
		    ev->kind == KIND_overhead ? NO_ID : tid, span, oldest);
}

void
engine_event(struct engine *e, struct event *ev)
{
	uint64_t mask, tag = 0;
	enum device_class c;

	if (ev->kind == KIND_gap) /* made here, from what it summarises */
		return;
	derived_add(&e->derived, ev);
	mask = match_rules(e, ev);
	if (!event_has(ev, KEY_ts))
		return;
	if (device_time_class(ev, &c)) {
		e->ops++;
		add_call_span(e, ev, mask);
		tag = add_operation(e, ev, mask);
	} else if (mask != 0)
		add_spans(e, ev, mask);
	if (ev->kind == KIND_api && event_has(ev, KEY_name) &&
	    waits_by_name(ev->value[KEY_name]))
		add_wait(e, ev);
	pieces_event(&e->pieces, ev, tag);
}

/* ---- the whole ---- */

void
engine_open(struct engine *e)
{
	for (size_t i = 0; i < e->rules->count; i++) {
		const struct rule *r = &e->rules->all[i];

		for (unsigned c = 0; c < 7; c++)
			if (r->claims >> c & 1)
				e->claims[c] |= (uint64_t)1 << i;
		for (size_t k = 0; k <= KIND_COUNT; k++)
			e->asks[k][i] = rule_asks(r, (enum kind)k);
	}
	e->tally = mem_alloc((e->rules->count + 1) * sizeof(*e->tally));
	e->derived.survey = e->survey;
	e->pieces.piece = piece_seen;
	e->pieces.arg = e;
	e->pieces.calls = true;
	pieces_open(&e->pieces);
}

static void
rule_keys(const struct rule *r, struct keyset *want)
{
	expr_keys(r->when, want);
	for (size_t i = 0; i < r->also_count; i++) {
		expr_keys(r->also[i].what, want);
		if (r->also[i].all != NULL)
			expr_keys(r->also[i].all, want);
	}
	for (size_t i = 0; i < r->second_count; i++) {
		expr_keys(r->second[i].what, want);
		if (r->second[i].all != NULL)
			expr_keys(r->second[i].all, want);
	}
}

void
engine_keys(const struct engine *e, struct keyset *want)
{
	static const enum key keys[] = {KEY_kind, KEY_ts, KEY_dur, KEY_pid,
	    KEY_tid, KEY_corr, KEY_name, KEY_open, KEY_NONE};
	static const enum key work[] = {KEY_device, KEY_category, KEY_grid,
	    KEY_block, KEY_bytes, KEY_copy, KEY_src, KEY_dst, KEY_api_ts,
	    KEY_api_dur, KEY_api_name, KEY_range, KEY_path, KEY_NONE};

	for (size_t k = 0; k <= KIND_COUNT; k++) {
		keyset_add_all(&want[k], keys);
		if (schema_role((enum kind)k) == ROLE_WORK)
			keyset_add_all(&want[k], work);
	}
	for (size_t i = 0; i < e->rules->count; i++)
		rule_keys(&e->rules->all[i], want);
}

void
engine_section(struct engine *e)
{
	derived_section(&e->derived);
	e->section_first = e->device_count;
}

void
engine_section_end(struct engine *e)
{
	pieces_section_end(&e->pieces);
	host_spans_reset(&e->after);
	host_spans_reset(&e->over);
	host_spans_reset(&e->asynchronous);
	host_spans_reset(&e->waits);
	e->operation_count = 0;
}

void
engine_free(struct engine *e)
{
	free(e->tally);
	derived_free(&e->derived);
	pieces_free(&e->pieces);
	host_spans_free(&e->after);
	host_spans_free(&e->over);
	host_spans_free(&e->asynchronous);
	host_spans_free(&e->waits);
	free(e->operations);
	free(e->devices);
	keyed_free(&e->rows);
	intern_free(&e->texts);
	event_free(&e->gap);
	text_free(&e->gap_line);
	text_free(&e->scratch);
}
