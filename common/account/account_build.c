/* account_build.c - the account of each recording of a stream */

#include <stdlib.h>

#include "tq/account/account_build.h"
#include "tq/account/step_index.h"
#include "tq/base/time.h"
#include "tq/evidence/overhead.h"
#include "tq/names/model.h"

#include "account_order.h"
#include "host_work.h"
#include "recording_facts.h"
#include "work_units.h"

/* ranges whose paths are held, beside open ones */
enum { HELD_RANGES = 1 << 14 };

struct range_path {
	int64_t id, end;
	uint32_t path;
};

struct account_build {
	const struct account_units *units;
	const struct names *names;
	struct accounts *accounts;
	const char *error;

	enum account_by by; /* of the section */
	int64_t rank;       /* the same, or NO_ID */
	struct device_pieces pieces;
	struct work_units work;
	struct step_index index;         /* units of processes */
	KEYED(struct range_path) ranges; /* of the section, by id */
	struct text scratch;

	/* of the recording */
	bool recording_open, section_open;
	struct account_draft ledger;
	struct recording_facts facts;
	struct host_work host; /* until there is an operation */
	bool on_device;
	struct text name;
	KEYED(bool) ranks;
};

/* ---- ranges and their paths ---- */

/* Drop the older half of the ranges that are over. */
static void
forget_ranges(struct account_build *b, int64_t now)
{
	struct range_path *all = b->ranges.all;
	size_t count = b->ranges.count, n = 0;
	bool fresh;

	for (size_t i = 0; i < count; i++)
		if (i > count / 2 || all[i].end >= now)
			all[n++] = all[i];
	map_clear(&b->ranges.map);
	b->ranges.count = 0;
	for (size_t i = 0; i < n; i++) {
		struct range_path range = all[i];

		*keyed_get(&b->ranges, (uint64_t)range.id, 0, &fresh) = range;
	}
}

static uint32_t
range_path(const struct account_build *b, const struct event *ev, enum key k)
{
	const struct range_path *r;

	if (!event_has(ev, k))
		return INTERN_NONE;
	r = keyed_find(&b->ranges, (uint64_t)event_int(ev, k, 0), 0);
	return r != NULL ? r->path : INTERN_NONE;
}

static uint32_t
operation_path(struct account_build *b, const struct event *ev)
{
	if (event_has(ev, KEY_path))
		return account_draft_path(&b->ledger, ev->value[KEY_path]);
	return range_path(b, ev, KEY_range);
}

/* The path of a range, which the operations launched in it have, too; *deep: it
   is that of the range around it. */
static uint32_t
add_path(struct account_build *b, const struct event *ev, int64_t ts,
    int64_t end, bool *deep)
{
	struct range_path r = {event_int(ev, KEY_id, NO_ID), end, 0};
	bool fresh;

	b->scratch.len = 0;
	r.path =
	    account_draft_inner_path(&b->ledger, range_path(b, ev, KEY_parent),
		event_str(ev, KEY_name, &b->scratch), deep);
	if (r.id == NO_ID)
		return r.path;
	if (b->ranges.count >= 2 * HELD_RANGES &&
	    b->ranges.count == b->ranges.cap)
		forget_ranges(b, ts);
	*keyed_get(&b->ranges, (uint64_t)r.id, 0, &fresh) = r;
	return r.path;
}

/* ---- units ---- */

static void
set_units(struct account_build *b, enum account_by by)
{
	b->by = by;
	step_index_clear(&b->index);
	work_units_restart(
	    &b->work, by == ACCOUNT_BY_STEP || by == ACCOUNT_BY_RANGE);
	b->host.by_units = b->work.by_process;
}

static bool
is_match(struct account_build *b, enum pattern_result result)
{
	switch (result) {
	case PATTERN_YES:
		return true;
	case PATTERN_NO:
		return false;
	case PATTERN_GAVE_UP:
		b->error = "a regular expression took too many steps";
	}
	return false;
}

static bool
is_unit(struct account_build *b, const struct event *ev)
{
	if (b->units->by != ACCOUNT_BY_STEP && b->units->by != ACCOUNT_BY_RANGE)
		return false;
	if (!event_has(ev, KEY_dur) || event_true(ev, KEY_open) ||
	    event_true(ev, KEY_cut))
		return false;
	return is_match(
	    b, range_spec_match_event(&b->units->spec, ev, &b->scratch, NULL));
}

/* A unit within another of its thread is a part of that. */
static void
open_unit(
    struct account_build *b, const struct event *ev, int64_t ts, int64_t end)
{
	const struct range_spec *spec = &b->units->spec;
	int64_t pid = event_int(ev, KEY_pid, NO_ID), number;
	struct unit_group *g;

	if (b->by == ACCOUNT_BY_SPAN) { /* as long as there was none */
		set_units(b, ACCOUNT_BY_STEP);
		host_work_restart(&b->host, true);
	}
	if (range_spec_is_part(&b->work.ends, (uint64_t)pid,
		(uint64_t)event_int(ev, KEY_tid, NO_ID), end))
		return;
	g = work_units_group(&b->work, model_process(ev), 0);
	number = g->starts++;
	if (number < spec->first || number > spec->last)
		return;
	step_index_add(&b->index, ev, ts, end, g->count);
	work_units_open(&b->work, g, ts, end, number);
	if (!b->on_device)
		host_work_unit(&b->host, ev, number);
	if (b->by == ACCOUNT_BY_STEP && number == 0)
		g->first = g->count;
}

/* True if a unit begins with this operation. */
static bool
begins_unit(
    struct account_build *b, struct unit_group *g, const struct event *ev)
{
	switch (b->by) {
	case ACCOUNT_BY_KERNEL:
		b->scratch.len = 0;
		if (ev->kind != KIND_kernel ||
		    !is_match(
			b, range_spec_match(&b->units->spec,
			       event_str(ev, KEY_name, &b->scratch), SPAN(""))))
			return false;
		break;
	case ACCOUNT_BY_GRAPH:
		if (ev->kind != KIND_graph)
			return false;
		break;
	case ACCOUNT_BY_SPAN:
	case ACCOUNT_BY_LAUNCH:
		return g->count == 0;
	default:
		return false;
	}
	return g->starts++ % b->units->every == 0;
}

/* ---- operations ---- */

static void
piece_seen(void *build, const struct piece *p)
{
	struct account_build *b = build;

	work_units_piece(&b->work, p);
}

/* The device of an operation, in the recording and with its units. */
static size_t
find_device(struct account_build *b, const struct event *ev)
{
	size_t index = device_pieces_device(&b->pieces, ev);
	const struct device_lane *p = device_pieces_lane(&b->pieces, index);
	struct account_device *d;
	uint32_t device;

	if (index < b->work.device_count)
		return index;
	d = account_draft_device(&b->ledger, b->names, p, &device);
	if (d->rank == NO_ID) /* the process has none */
		d->rank = b->rank;
	d->sms = recording_facts_sms(&b->facts, ev);
	work_units_device(&b->work, index, device);
	return index;
}

static struct unit_launch
describe_launch(struct account_build *b, const struct event *ev, int64_t ts,
    int64_t end, enum device_class group, uint32_t device)
{
	struct account_draft *r = &b->ledger;
	uint32_t row = account_draft_row(r, b->names, ev, group);

	return (struct unit_launch){.thread = model_thread(ev),
	    .ts = ts,
	    .end = end,
	    .bytes = event_int(ev, KEY_bytes, 0),
	    .of = {.on = account_draft_row_on(r, row, device),
		.detail = account_draft_detail(r, row, ev) + 1,
		.path = operation_path(b, ev) + 1},
	    .unit = step_index_find(&b->index, ev) + 1};
}

static void
add_operation(
    struct account_build *b, const struct event *ev, int64_t ts, int64_t end)
{
	enum device_class group;
	struct unit_group *g;
	struct unit_launch l;
	size_t device;

	if (!device_time_class(ev, &group))
		return;
	if (!b->pieces.any) /* the section begins with it */
		b->pieces.lanes.begin = ts;
	if (!b->on_device)
		host_work_free(&b->host);
	b->on_device = true;
	device = find_device(b, ev);
	l = describe_launch(
	    b, ev, ts, end, group, b->work.devices[device].device);
	device_pieces_event(&b->pieces, ev, work_units_tag(&l.of, l.unit));
	g = &b->work.groups.all[b->work.devices[device].group - 1];
	if (begins_unit(b, g, ev))
		work_units_cut(&b->work, g, device, ts, true);
	work_units_launch(&b->work, device, &l);
}

/* ---- the host ---- */

static void
add_call(struct account_build *b, const struct event *ev, int64_t ts)
{
	int64_t dur = event_int(ev, KEY_dur, 0);
	bool overhead = ev->kind == KIND_overhead;
	uint32_t call = INTERN_NONE;
	struct unit_sums *sums;
	size_t next = 0;

	if (overhead && overhead_of_event(ev) != OVERHEAD_PROFILER)
		return;
	while ((sums = work_units_of(&b->work, model_process(ev), ts, &next)) !=
	       NULL) {
		struct call_sum *c;

		if (overhead) {
			unit_sums_overhead(sums, ts, time_end(ts, dur));
			continue;
		}
		if (call == INTERN_NONE)
			call = account_draft_call(&b->ledger, ev);
		c = unit_sums_call(sums, call);
		c->n++;
		c->dur = time_end(c->dur, dur);
	}
}

static void
add_range(
    struct account_build *b, const struct event *ev, int64_t ts, int64_t end)
{
	bool deep;
	uint32_t path = add_path(b, ev, ts, end, &deep);
	struct unit_sums *sums;
	size_t next = 0;

	if (is_unit(b, ev))
		open_unit(b, ev, ts, end);
	while (!deep && (sums = work_units_of(
			     &b->work, model_process(ev), ts, &next)) != NULL) {
		struct account_path *p = unit_sums_path(sums, path);

		p->n++;
		p->dur = time_end(p->dur, event_int(ev, KEY_dur, 0));
	}
}

/* ---- sections and recordings ---- */

/* The recording is over, and becomes an account. */
static void
end_recording(struct account_build *b)
{
	struct account *a;

	if (!b->recording_open)
		return;
	host_work_finish(&b->host, &b->ledger);
	b->on_device = false;
	recording_facts_finish(&b->facts, &b->ledger);
	a = account_order_account(&b->ledger);
	a->by = b->by;
	a->name = region_copy(&a->region, text_span(&b->name));
	a->per = region_copy(&a->region,
	    span_of(b->by == b->units->by ? b->units->per
					  : account_by_name(b->by)));
	a->correlated = account_fact_int(a, "calls.known", 0) > 0;
	*array_add(&b->accounts->all, &b->accounts->count, &b->accounts->cap) =
	    a;
	account_draft_free(&b->ledger);
	keyed_clear(&b->ranks);
	b->recording_open = false;
}

/* The time of the section's devices. */
static void
describe_devices(struct account_build *b)
{
	for (size_t i = 0; i < b->work.device_count; i++) {
		const struct device_lane *p = device_pieces_lane(&b->pieces, i);
		struct account_device *d =
		    &b->ledger.devices.all[b->work.devices[i].device];

		d->ops = p->ops;
		d->first = p->first;
		d->until = p->until;
	}
}

/* Spans end with the last operation of their device. */
static void
end_spans(struct account_build *b)
{
	for (size_t i = 0; i < b->work.device_count; i++) {
		struct unit_group *g =
		    &b->work.groups.all[b->work.devices[i].group - 1];
		int64_t until = device_pieces_lane(&b->pieces, i)->until;

		device_pieces_advance(&b->pieces, i, until);
		if (g->open_count > 0)
			work_units_cut(&b->work, g, i, until, false);
	}
}

void
account_build_section_end(struct account_build *b, bool complete)
{
	if (!b->section_open)
		return;
	b->section_open = false;
	b->facts.truncated |= !complete;
	work_units_end_open(&b->work, b->pieces.last);
	device_pieces_end_open(&b->pieces);
	describe_devices(b);
	if (b->by == ACCOUNT_BY_SPAN || b->by == ACCOUNT_BY_LAUNCH)
		end_spans(b);
	work_units_end_groups(&b->work);
	device_pieces_section_end(&b->pieces);
	work_units_section_end(&b->work);
	account_draft_section_end(&b->ledger);
	recording_facts_section_end(&b->facts);
	host_work_section_end(&b->host, b->names);
	keyed_clear(&b->ranges);
	step_index_clear(&b->index);
}

/* A section with another rank is a part of the recording. */
static void
begin_section(struct account_build *b, const struct event *ev, const char *name)
{
	bool fresh = false;

	account_build_section_end(b, false);
	b->rank =
	    ev->kind == KIND_trace ? event_int(ev, KEY_rank, NO_ID) : NO_ID;
	if (ev->kind == KIND_trace && event_has(ev, KEY_rank))
		*keyed_get(&b->ranks, (uint64_t)event_int(ev, KEY_rank, 0), 0,
		    &fresh) = true;
	if (!fresh || b->ranks.count == 1) {
		end_recording(b);
		if (ev->kind == KIND_trace && event_has(ev, KEY_rank))
			*keyed_get(&b->ranks,
			    (uint64_t)event_int(ev, KEY_rank, 0), 0, &fresh) =
			    true;
	}
	if (!b->recording_open) {
		b->name.len = 0;
		text_add_str(&b->name, name);
	}
	b->recording_open = b->section_open = true;
	set_units(b, b->units->or_span ? ACCOUNT_BY_SPAN : b->units->by);
}

void
account_build_event(
    struct account_build *b, const struct event *ev, const char *name)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (ev->kind == KIND_trace || !b->section_open)
		begin_section(b, ev, name);
	recording_facts_event(&b->facts, &b->ledger, ev);
	if (ev->kind == KIND_trace && !b->on_device)
		host_work_event(&b->host, ev);
	if (!event_has(ev, KEY_ts))
		return;
	work_units_close(&b->work, ts);
	switch (ev->kind) {
	case KIND_kernel:
	case KIND_memcpy:
	case KIND_memset:
	case KIND_graph:
		add_operation(b, ev, ts, end);
		break;
	case KIND_range:
		device_pieces_event(&b->pieces, ev, (struct part_tag){0});
		add_range(b, ev, ts, end);
		break;
	default:
		device_pieces_event(&b->pieces, ev, (struct part_tag){0});
		if (ev->kind == KIND_api || ev->kind == KIND_osrt ||
		    ev->kind == KIND_overhead)
			add_call(b, ev, ts);
	}
	if (!b->on_device)
		host_work_event(&b->host, ev);
}

void
account_build_finish(struct account_build *b)
{
	account_build_section_end(b, false);
	end_recording(b);
}

const char *
account_build_error(const struct account_build *b)
{
	return b->error;
}

/* ---- the life of it ---- */

void
account_build_keys(struct keyset *want)
{
	static const enum key keys[] = {
	    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name, KEY_open, KEY_NONE};
	static const enum key work[] = {KEY_device, KEY_category, KEY_sym,
	    KEY_grid, KEY_block, KEY_copy, KEY_src, KEY_dst, KEY_bytes,
	    KEY_api_ts, KEY_api_dur, KEY_range, KEY_path, KEY_graph_node,
	    KEY_NONE};
	static const enum key range[] = {
	    KEY_id, KEY_parent, KEY_domain, KEY_cut, KEY_mode, KEY_NONE};
	static const enum key alloc[] = {
	    KEY_op, KEY_device, KEY_bytes, KEY_address, KEY_NONE};

	for (size_t i = 0; i < schema_row_count; i++) {
		const struct schema_row *row = &schema_rows[i];

		if (row->key == KEY_NONE)
			keyset_add_all(&want[row->kind], keys);
	}
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (schema_role(k) == ROLE_WORK)
			keyset_add_all(&want[k], work);
		else if (schema_role(k) == ROLE_DEF ||
			 schema_role(k) == ROLE_FRAME)
			want[k] = keyset_all();
	keyset_add_all(&want[KIND_range], range);
	keyset_add_all(&want[KIND_alloc], alloc);
	keyset_add_all(&want[KIND_sample], cpu_samples_keys);
	keyset_add(&want[KIND_counter], KEY_counter);
	keyset_add(&want[KIND_counter], KEY_value);
	keyset_add(&want[KIND_overhead], KEY_what);
	keyset_add(&want[KIND_diagnostic], KEY_severity);
	idle_cuts_keys(want);
	evidence_keys(want);
}

struct account_build *
account_build_new(const struct account_units *units, const struct names *names,
    struct accounts *all)
{
	struct account_build *b = mem_alloc(sizeof(*b));

	b->units = units;
	b->names = names;
	b->accounts = all;
	b->pieces.piece = piece_seen;
	b->pieces.arg = b;
	b->pieces.causes = true;
	device_pieces_open(&b->pieces);
	b->work.pieces = &b->pieces;
	b->work.ledger = &b->ledger;
	b->work.next_end = UNIT_OPEN;
	return b;
}

void
account_build_free(struct account_build *b)
{
	device_pieces_free(&b->pieces);
	work_units_free(&b->work);
	step_index_free(&b->index);
	keyed_free(&b->ranges);
	account_draft_free(&b->ledger);
	recording_facts_free(&b->facts);
	host_work_free(&b->host);
	text_free(&b->scratch);
	text_free(&b->name);
	keyed_free(&b->ranks);
	free(b);
}
