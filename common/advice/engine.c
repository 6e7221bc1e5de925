/* engine.c - each rule gets its records, and the time that it may claim */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/account/cpu_samples.h"
#include "tq/base/array.h"
#include "tq/base/lower_bound.h"
#include "tq/base/time.h"
#include "tq/base/wide.h"
#include "tq/line/json.h"
#include "tq/names/api_call.h"
#include "tq/names/model.h"

#include "tq/advice/engine.h"

/* ns: a call that waits this soon after a copy's call waits for the copy */
enum { FOLLOWS = 100000 };

/* ---- rules ---- */

/* The rules with this claim. */
static uint64_t
claiming(const struct engine *e, enum rule_claim claim)
{
	return e->claims[claim];
}

/* The longest pieces, longest first; of equal ones the first. */
static void
add_evidence(struct evidence *best, const struct evidence *v)
{
	size_t at = EVIDENCE;

	while (at > 0 &&
	       (best[at - 1].dur < v->dur ||
		   (best[at - 1].dur == v->dur && best[at - 1].ts > v->ts)))
		at--;
	if (at == EVIDENCE)
		return;
	memmove(&best[at + 1], &best[at], (EVIDENCE - 1 - at) * sizeof(*v));
	best[at] = *v;
}

/* The value that a record got of a key; 0 if it has none. */
static int64_t
derived_value(const struct event *ev, struct span key)
{
	int number = derived_number(key);
	int64_t v;

	if (number >= 0 && ev->extra != NULL &&
	    (ev->extra->has >> number & 1) != 0)
		return ev->extra->value[number];

	for (size_t i = ev->unknown_count; i-- > 0;)
		if (span_eq(ev->unknown[i].key, key) &&
		    json_int(ev->unknown[i].value, &v))
			return v;
	return 0;
}

/* A record costs time, which its rule does not claim. */
static void
add_cost(struct engine *e, size_t rule, const struct event *ev)
{
	const struct span cost = e->rules->all[rule].cost;
	int64_t ns = derived_value(ev, cost);
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	struct evidence v = {.section = e->derived.section,
	    .ts = event_int(ev, KEY_ts, 0),
	    .dur = ns,
	    .pid = pid,
	    .device =
		span_eq(cost, SPAN("imbalance")) ? e->derived.slowest : NO_ID,
	    .tid = NO_ID,
	    .corr = NO_ID,
	    .bytes = NO_ID};
	struct rule_cost *c;
	bool fresh;

	if (ns <= 0)
		return;
	e->scratch.len = 0;
	if (e->derived.busy_symbol > 0) {
		v.ts = e->derived.busy_from;
		json_decode(&e->scratch,
		    model_symbol_at(ev->model, e->derived.busy_symbol)->name);
		v.what = intern_get(&e->texts, text_span(&e->scratch));
	} else
		v.what =
		    intern_get(&e->texts, event_str(ev, KEY_name, &e->scratch));
	c = keyed_get(&e->costs,
	    (uint64_t)model_process(ev) * RULES_MOST + rule, (uint64_t)v.device,
	    &fresh);
	if (fresh)
		*c = (struct rule_cost){.rule = rule,
		    .section = v.section,
		    .pid = pid,
		    .device = v.device};
	c->ns = time_end(c->ns, ns);
	c->count++;
	add_evidence(c->best, &v);
}

/* A call that asks a device, how often in a row. */
static void
count_polls(struct engine *e, uint64_t rules)
{
	int64_t polls = e->derived.extra.value[DERIVED_POLLS];

	for (uint64_t left = rules; left != 0; left &= left - 1) {
		struct rule_tally *t = &e->match.tally[__builtin_ctzll(left)];

		t->polls = t->polls > polls ? t->polls : polls;
	}
}

/* The rules that match the record, of those that it may concern. */
static uint64_t
match_rules(
    struct engine *e, const struct rules_held *held, const struct event *ev)
{
	uint64_t mask = rule_match_record(&e->match, held, &e->derived, ev);

	if ((e->derived.has >> DERIVED_POLLS & 1) != 0)
		count_polls(e, mask);
	for (uint64_t left = mask & e->with_cost; left != 0; left &= left - 1)
		add_cost(e, (size_t)__builtin_ctzll(left), ev);
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

		if (o->device >= e->pieces.device_count ||
		    o->end > e->pieces.devices[o->device].now)
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

/* The rank that the operation waits for. */
static uint32_t
describe_awaited(struct engine *e)
{
	e->scratch.len = 0;
	job_add_rank(&e->derived.survey->ranks.job, e->derived.wait->awaited,
	    &e->scratch);
	return intern_get(&e->texts, text_span(&e->scratch));
}

/* Operations of rules that name what they match. */
static void
count_what(struct engine *e, uint64_t mask, size_t device, uint32_t what,
    int64_t ns, int64_t count)
{
	for (uint64_t left = mask & e->with_what; left != 0; left &= left - 1) {
		size_t rule = (size_t)__builtin_ctzll(left);
		uint64_t key = (uint64_t)rule << 32 | what;
		struct rule_what *w;
		bool fresh;

		if (e->whats.count == WHATS_MOST &&
		    keyed_find(&e->whats, key, device) == NULL)
			continue;
		w = keyed_get(&e->whats, key, device, &fresh);
		if (fresh)
			*w = (struct rule_what){
			    .rule = rule, .device = device, .what = what};
		w->ns = time_end(w->ns, ns);
		w->count = time_end(w->count, count);
	}
}

/* The rules that may claim a part of the operation's time. */
static void
add_nested(struct engine *e, struct operation_info *o, const struct event *ev)
{
	const struct derived *d = &e->derived;
	uint64_t excess = o->mask & claiming(e, CLAIM_EXCESS);

	nested_claims_add(&o->nested,
	    (struct nested_claim){o->mask & claiming(e, CLAIM_SLACK_SMS),
		INT64_MIN, d->sms - d->blocks, d->sms, true});
	nested_claims_add(&o->nested,
	    (struct nested_claim){o->mask & claiming(e, CLAIM_SLACK_WAVES),
		INT64_MIN, d->places - d->blocks, d->places, true});
	nested_claims_add(&o->nested,
	    (struct nested_claim){o->mask & claiming(e, CLAIM_SLACK_RATE),
		INT64_MIN, d->best_rate - d->rate, d->best_rate, false});
	if (d->wait != NULL)
		nested_claims_add(&o->nested,
		    (struct nested_claim){
			.mask = o->mask & claiming(e, CLAIM_LATE),
			.from = INT64_MIN,
			.part = 1,
			.whole = 1,
			.cut = true,
			.until =
			    time_end(event_int(ev, KEY_ts, 0), d->wait->wait)});
	for (size_t i = 0; excess != 0 && i < e->rules->matching; i++)
		if (excess >> i & 1)
			nested_claims_add(&o->nested,
			    (struct nested_claim){(uint64_t)1 << i,
				excess_from(&e->survey->excess, i, ev), 1, 1,
				false});
}

static uint64_t
add_operation(struct engine *e, const struct event *ev, uint64_t mask)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	uint64_t number = e->operation_next++;
	struct operation_info *o;

	if (e->operation_count == e->operation_cap)
		drop_operations(e);
	o = &e->operations[e->operation_count++];
	*o = (struct operation_info){.number = number,
	    .ts = ts,
	    .end = end == INT64_MAX ? ts : end,
	    .corr = event_int(ev, KEY_corr, NO_ID),
	    .device = device_pieces_device(&e->pieces, ev),
	    .mask = mask,
	    .bytes = event_int(ev, KEY_bytes, NO_ID),
	    .what =
		e->derived.wait != NULL && (mask & claiming(e, CLAIM_LATE)) != 0
		    ? describe_awaited(e)
		    : describe(e, ev),
	    .limit = e->derived.limit};
	add_nested(e, o, ev);
	count_what(e, mask, e->section_first + o->device, o->what, 0, 1);
	for (uint64_t m = mask; m != 0; m &= m - 1) {
		struct rule_tally *t = &e->match.tally[__builtin_ctzll(m)];

		t->dur = time_end(t->dur, event_int(ev, KEY_dur, 0));
	}
	return number;
}

/* ---- rows ---- */

/* time of a device that rules may claim */
struct row_piece {
	size_t device; /* in engine.devices */
	enum account_part part;
	uint64_t mask;
	int64_t ts, ns;
};

/* Time of the group one-time. */
static void
count_once(struct engine_device *d, const struct row_piece *p)
{
	int64_t whole = time_between(d->from, d->to);
	int64_t at = time_between(d->from, time_end(p->ts, p->ns));
	size_t bin = whole > 0 ? (size_t)((wide)at * START_BINS / whole) : 0;

	bin = bin < START_BINS ? bin : START_BINS - 1;
	d->once[bin] = time_end(d->once[bin], p->ns);
}

/* The index of its row, which counts it. */
static size_t
count_piece(struct engine *e, const struct row_piece *p)
{
	struct claim_row *row;
	bool fresh;

	row = keyed_get(&e->rows, p->mask,
	    (uint64_t)p->device * ACCOUNT_PARTS + p->part, &fresh);
	if (fresh)
		*row = (struct claim_row){
		    .device = p->device, .part = p->part, .mask = p->mask};
	row->ns = time_end(row->ns, p->ns);
	row->count++;
	if ((p->mask & e->once) != 0)
		count_once(&e->devices[p->device], p);
	return (size_t)(row - e->rows.all);
}

/* True if the piece is evidence of its row: one of the longest. */
static bool
is_evidence(const struct engine *e, size_t row, const struct row_piece *p)
{
	const struct evidence *last = &e->rows.all[row].best[EVIDENCE - 1];

	return last->dur < p->ns || (last->dur == p->ns && last->ts > p->ts);
}

static void
keep_evidence(
    struct engine *e, size_t row, const struct row_piece *p, struct evidence v)
{
	const struct engine_device *d = &e->devices[p->device];

	v.section = e->derived.section;
	v.ts = p->ts;
	v.dur = p->ns;
	v.pid = d->pid;
	v.device = d->device;
	v.tid = d->tid;
	add_evidence(e->rows.all[row].best, &v);
}

/* what an idle piece is of: a gap, which e->gap is, or the step of a thread */
typedef uint32_t describe_idle(
    struct engine *e, const struct host_step *step, uint32_t place);

/* True if one cut goes on where the other ends, with its claims, and no claim
   is of one place alone. */
static bool
goes_on(const struct idle_cut *a, const struct idle_cut *b)
{
	return a->mask == b->mask && a->end == b->ts &&
	       (a->place == b->place || (!a->claimed && !b->claimed));
}

/* The cuts that make a piece. */
static size_t
count_piece_cuts(const struct idle_cut *cuts, size_t count)
{
	size_t n = 1;

	while (n < count && goes_on(&cuts[n - 1], &cuts[n]) &&
	       cuts[n - 1].dry == cuts[n].dry)
		n++;
	return n;
}

/* Add the places of the cuts; the one of the longest. */
static uint32_t
add_places(
    struct engine *e, size_t row, const struct idle_cut *cuts, size_t count)
{
	int64_t most = 0;
	uint32_t place = 0;

	for (size_t i = 0; i < count; i++) {
		int64_t ns = time_between(cuts[i].ts, cuts[i].end);

		host_places_add(&e->places, row, cuts[i].place, ns);
		if (ns > most) {
			most = ns;
			place = cuts[i].place;
		}
	}
	return place;
}

/* The pieces of idle time in e->cuts or a copy, each with the rules of mask. */
static void
add_cuts(struct engine *e, struct row_piece p, const struct idle_cut *cuts,
    size_t count, int64_t corr, const struct dry_wait *wait, describe_idle *say,
    const struct host_step *step)
{
	const uint64_t mask = p.mask;
	struct row_piece whole = p; /* pieces that go on: one to be shown */
	int64_t most = 0;
	uint32_t place_of_most = 0;

	for (size_t i = 0, n; i < count; i += n) {
		uint32_t place;
		size_t row;

		n = count_piece_cuts(&cuts[i], count - i);
		p.mask = mask | cuts[i].mask;
		p.ts = cuts[i].ts;
		if ((p.ns = time_between(p.ts, cuts[i + n - 1].end)) == 0)
			continue;
		row = count_piece(e, &p);
		place = add_places(e, row, &cuts[i], n);
		if (wait != NULL && cuts[i].dry)
			dry_waits_add(&e->dry, row, *wait, p.ns);
		if (most == 0)
			whole = p;
		whole.ns = time_between(whole.ts, cuts[i + n - 1].end);
		if (p.ns > most) {
			most = p.ns;
			place_of_most = place;
		}
		if (i + n < count && goes_on(&cuts[i + n - 1], &cuts[i + n]) &&
		    cuts[i + n].ts < cuts[i + n].end)
			continue;
		most = 0;
		if (is_evidence(e, row, &whole))
			keep_evidence(e, row, &whole,
			    (struct evidence){.corr = corr,
				.bytes = NO_ID,
				.what = say(e, step, place_of_most)});
	}
}

/* The first step of the device's process, as far as it is a step. */
static void
find_first_step(const struct engine *e, struct engine_device *d, uint32_t of)
{
	const struct process_steps *p = survey_find_by_step(e->survey, of);
	const struct survey_steps *steps = survey_find_steps(e->survey, of);

	d->second = INT64_MIN;
	if (!survey_has_steps(e->survey, of) || p == NULL || p->median == 0 ||
	    p->all[0].number != 0 || steps->second == NO_ID)
		return;
	d->second = steps->second;
	d->first_left = time_between(
	    time_end(p->median, time_between(p->all[0].ts, d->from)),
	    p->all[0].length);
}

/* A device of the section, and all before it in pieces. */
static void
add_devices(struct engine *e, size_t index)
{
	while (e->device_count <= e->section_first + index) {
		const struct device_lane *d = device_pieces_lane(
		    &e->pieces, e->device_count - e->section_first);
		const struct survey_device *s =
		    survey_find_device(e->survey, d->number);

		*array_add(&e->devices, &e->device_count, &e->device_cap) =
		    (struct engine_device){.section = e->derived.section,
			.number = d->number,
			.pid = d->pid,
			.device = d->device,
			.tid = NO_ID,
			.from = s != NULL ? s->first : INT64_MAX,
			.to = s != NULL ? s->until : INT64_MIN};
		find_first_step(
		    e, &e->devices[e->device_count - 1], d->process);
	}
}

/* ns of the piece in which no other kernel runs. */
static int64_t
time_alone(const struct engine *e, const struct piece *p)
{
	int64_t other = device_pieces_others_end(
	    &e->pieces.devices[p->device], p->operation);

	return time_between(other > p->ts ? other : p->ts, p->end);
}

/* exposed time of an operation that is divided */
struct exposed_piece {
	struct engine *e;
	const struct piece *piece;
	struct evidence evidence;
};

/* What rules may claim of the time of an operation. */
static void
bound_work(struct engine *e, struct host_bound *b, uint64_t mask, int64_t ns)
{
	for (uint64_t left = mask & e->with_gain; left != 0; left &= left - 1) {
		size_t rule = (size_t)__builtin_ctzll(left);

		host_bound_work(b, left & -left,
		    (int64_t)((wide)ns * e->rules->all[rule].gain / PPM));
	}
	host_bound_work(b, mask & e->bounded & ~e->with_gain, ns);
}

static void
add_exposed_part(void *arg, uint64_t mask, int64_t ns)
{
	const struct exposed_piece *x = arg;
	const struct row_piece p = {
	    .device = x->e->section_first + x->piece->device,
	    .part = x->piece->part,
	    .mask = mask,
	    .ts = x->piece->ts,
	    .ns = ns};

	if (ns <= 0)
		return;
	keep_evidence(x->e, count_piece(x->e, &p), &p, x->evidence);
	count_what(x->e, mask, p.device, x->evidence.what, ns, 0);
	bound_work(x->e, &x->e->devices[p.device].bound, mask, ns);
}

static void
count_exposed(struct engine *e, const struct operation_info *o, int64_t ns)
{
	for (uint64_t m = o->mask; m != 0; m &= m - 1) {
		struct rule_tally *t = &e->match.tally[__builtin_ctzll(m)];

		t->exposed = time_end(t->exposed, ns);
		t->limits[o->limit] = time_end(t->limits[o->limit], ns);
	}
}

static void
add_exposed(struct engine *e, const struct piece *p)
{
	const struct operation_info *o =
	    find_operation(e, p->operation->tag.number);
	struct exposed_piece x = {.e = e, .piece = p};

	if (o == NULL)
		return;
	x.evidence = (struct evidence){
	    .corr = o->corr, .bytes = o->bytes, .what = o->what};
	count_exposed(e, o, time_between(p->ts, p->end));
	nested_claims_divide(&o->nested, p->ts, p->end,
	    o->nested.count > 0 ? time_alone(e, p) : 0,
	    o->mask & (claiming(e, CLAIM_EXPOSED) | claiming(e, CLAIM_NONE)),
	    add_exposed_part, &x);
}

/* ---- idle time ---- */

/* The steps of the record's process, as far as they are steps; or NULL. */
static const struct process_steps *
steps_of(const struct engine *e, const struct event *ev)
{
	uint32_t process = model_process(ev);

	return survey_has_steps(e->survey, process)
		   ? survey_find_by_step(e->survey, process)
		   : NULL;
}

/* The place of a range with that name, of e->host. */
static uint32_t
range_place(struct engine *e, uint32_t name)
{
	bool fresh;
	uint32_t *place;

	if (name == 0)
		return 0;
	place = numbered_get(&e->range_places, name, &fresh);
	if (fresh) {
		e->scratch.len = 0;
		json_decode(&e->scratch, host_time_json(&e->host, name));
		*place = host_places_range(&e->places, text_span(&e->scratch));
	}
	return *place;
}

/* True if the thread launches, for another device: host, too. */
static bool
is_launch(const struct host_stretch *s)
{
	return s->cause == IDLE_CALL && s->thing.place == 0;
}

/* The place of time of a thread: its call, or of time of the host its range. */
static uint32_t
place_of(struct engine *e, const struct host_stretch *s)
{
	return s->thing.place > 0 || e->cause != IDLE_HOST
		   ? s->thing.place
		   : range_place(e, s->range);
}

/* The place of time in a queue: what the operation waits for. */
static uint32_t
queue_place(struct engine *e)
{
	if (e->wait == NULL)
		return 0;
	e->scratch.len = 0;
	event_waits_text(&e->scratch, e->wait);
	return host_places_named(&e->places, text_span(&e->scratch));
}

/* True if a rule claims the place; time after the launch is of no call. */
static bool
claims_place(const struct engine *e, const struct claim_piece *piece,
    const struct host_stretch *s)
{
	return piece->claimed &&
	       (s->ts < e->gap_launched || piece->mask[SPAN_ANY] != 0);
}

/* The place of time that no rule claims: of an operation that had been launched
   what it waited for, else what the thread did. */
static uint32_t
place_of_unclaimed(struct engine *e, const struct host_stretch *s)
{
	if (s->ts < e->gap_launched)
		return place_of(e, s);
	return e->cause == IDLE_QUEUE ? queue_place(e) : 0;
}

/* The place of a cut: the one that is claimed, or else; of a wait with what ran
   last. */
static uint32_t
place_of_cut(struct engine *e, const struct claim_piece *piece,
    const struct host_stretch *s)
{
	uint32_t place = piece->place;

	if (place == HOST_NOWHERE)
		return 0;
	if (!claims_place(e, piece, s))
		place = place_of_unclaimed(e, s);
	return e->cause == IDLE_SYNC && e->last > 0
		   ? host_places_after(&e->places, place,
			 gaps_host_call_name(&e->pieces.lanes.host, e->last))
		   : place;
}

/* What the thread did, as far as the operation leaves that open; a range that
   began before the gap says nothing of it. */
static enum idle_cause
cause_in_gap(const struct engine *e, const struct host_stretch *s,
    const struct claim_piece *piece)
{
	bool call = idle_cause_is_call(s->cause) && !is_launch(s);

	if (e->cause == IDLE_LAUNCH && s->ts >= e->gap_launched)
		return IDLE_QUEUE;
	if (e->cause != IDLE_HOST)
		return e->cause;
	if (!call && piece->mask[SPAN_CALL] != 0)
		return IDLE_CALL;
	if (s->cause != IDLE_RANGE && !is_launch(s))
		return s->cause;
	return s->range > 0 && s->since >= e->gap_from ? IDLE_RANGE : IDLE_HOST;
}

/* The rules that may claim time of that cause. */
static uint64_t
rules_of(const struct engine *e, const struct claim_piece *piece,
    enum idle_cause cause)
{
	uint64_t mask = piece->mask[SPAN_ANY];

	if (!idle_cause_is_host(e->cause) && e->cause != IDLE_SYNC)
		return mask;
	mask |= piece->mask[SPAN_CALL];
	if (!idle_cause_is_call(cause))
		mask |= piece->mask[SPAN_OS];
	return cause == IDLE_SYNC ? mask : mask | piece->mask[SPAN_RANGE];
}

/* What the thread did from then on, up to the end or to when the operation is
   in a queue. */
static struct host_stretch
next_stretch(const struct engine *e, int64_t from, int64_t end)
{
	if (from < e->gap_launched && e->gap_launched < end)
		end = e->gap_launched;
	return host_time_next(e->line, from, end);
}

/* Cut time in which no claim changes by what the thread did. */
static void
add_piece(void *engine, const struct claim_piece *piece)
{
	struct engine *e = engine;
	int64_t from = piece->ts;

	while (from < piece->end) {
		const struct host_stretch s = next_stretch(e, from, piece->end);
		struct idle_cut cut = {.ts = from,
		    .end = s.end,
		    .cause = cause_in_gap(e, &s, piece),
		    .place = place_of_cut(e, piece, &s),
		    .claimed = claims_place(e, piece, &s)};

		cut.mask = rules_of(e, piece, cut.cause);
		*array_add(&e->cuts, &e->cut_count, &e->cut_cap) = cut;
		from = s.end;
	}
}

/* Cut idle time of a thread, whose line e->line is, and whose gap or step
 * begins at since. */
static void
cut_time(struct engine *e, const struct idle_cut *whole, uint32_t thread,
    uint32_t any, int64_t since)
{
	e->cut_count = 0;
	e->thread = thread;
	e->cause = whole->cause;
	e->gap_from = since;
	claim_spans_cut(
	    &e->over, thread, any, whole->ts, whole->end, add_piece, e);
}

/* What a gap was: its cause, and the call in which the host was, or in which it
   began. */
static uint32_t
describe_gap(struct engine *e, const struct host_step *none, uint32_t place)
{
	struct span in = host_places_text(&e->places, place, PLACE_NAME);
	struct text *t = &e->scratch;
	struct span cause;

	(void)none;
	t->len = 0;
	text_reserve(t, 256);
	cause = event_str(&e->gap.event, KEY_cause, t);
	text_add_str(t, "gap: ");
	text_add_span(t, cause);
	if (in.len > 0) {
		text_add_str(
		    t, span_eq(cause, SPAN("queue")) ? ", behind " : ", in ");
		text_add_span(t, in);
	} else if (e->began > 0) {
		text_add_str(t, ", began in ");
		json_decode(t, host_time_json(&e->host, e->began));
	}
	return intern_get(&e->texts, text_span(t));
}

/* The rules that match a gap, which e->gap is, are known. */
static void
settle_gap(struct engine *e, const struct idle_claim *x, int64_t run)
{
	struct rules_held held =
	    rule_names_get(&e->survey->names, &e->gap.event, &e->match.error);
	uint64_t mask;

	if (e->survey->asks_runs)
		derived_add_run(&e->derived, &e->gap.event, run);
	mask = match_rules(e, &held, &e->gap.event) & claiming(e, CLAIM_GAPS);
	for (uint64_t left = mask; left != 0; left &= left - 1) {
		struct rule_tally *t = &e->match.tally[__builtin_ctzll(left)];

		t->gaps += t->gap_ends != x->gap_ends;
		t->gap_ends = x->gap_ends;
		if (t->longest < x->gap)
			t->longest = x->gap;
	}
	mask |= x->mask;
	e->began = x->began;
	add_cuts(e,
	    (struct row_piece){
		.device = x->device, .part = x->part, .mask = mask},
	    x->cuts, x->cut_count, x->corr, &x->wait, describe_gap, NULL);
}

/* Make the held gap the record at hand again. */
static void
read_held(struct engine *e, struct held_gap *g)
{
	held_gaps_read(g, &e->gap.event, &e->derived.extra);
	derived_again(&e->derived);
}

/* Settle the gaps of a stream about which its launches have decided. */
static void
settle_held(struct engine *e, size_t stream)
{
	struct held_gap *g;
	int64_t run;

	while ((g = held_gaps_first(&e->held, stream)) != NULL &&
	       (run = runs_length(&e->survey->runs, stream, g->launch)) >= 0) {
		read_held(e, g);
		settle_gap(e, &g->claim, run);
		held_gaps_drop(&e->held, stream);
	}
}

/* When the call that launched the operation returned. */
static int64_t
launched_at(const struct event *ev)
{
	return time_end(
	    event_int(ev, KEY_api_ts, 0), event_int(ev, KEY_api_dur, 0));
}

/* True if the thread waited for a device in the gap, up to the piece's end:
   before it launched what ends the gap. */
static bool
has_waited(const struct engine *e, const struct piece *p)
{
	const struct device_lane *d = device_pieces_lane(&e->pieces, p->device);

	return event_has(p->ev, KEY_tid) &&
	       (!event_has(p->ev, KEY_api_ts) ||
		   launched_at(p->ev) > d->until) &&
	       gaps_host_waited(&e->pieces.lanes.host, model_thread(p->ev),
		   d->until, p->end) > 0;
}

/* ns of an idle time of the cause launch after its call: in a queue. */
static int64_t
queued_of(const struct piece *p)
{
	int64_t end;

	if (p->part != PART_LAUNCH || !event_has(p->ev, KEY_api_ts))
		return 0;
	end = launched_at(p->ev);
	return end < p->end ? time_between(end > p->ts ? end : p->ts, p->end)
			    : 0;
}

/* From when on the operation is in a queue; INT64_MAX: it is in none. */
static int64_t
queued_from(const struct piece *p)
{
	bool queued = p->part == PART_NEXT || p->part == PART_QUEUE ||
		      queued_of(p) >= IDLE_QUEUED;

	return queued ? launched_at(p->ev) : INT64_MAX;
}

/* Make the record of the gap, e->gap.  waited: see has_waited(). */
static void
make_gap(struct engine *e, const struct piece *p, bool waited)
{
	gap_record_make(&e->gap, &e->pieces, p, &e->gap_keys);
	derived_add(&e->derived, &e->gap.event);
	derived_add_launch(&e->derived, &e->gap.event, waited, p->first_use,
	    model_is_of_graph(p->ev), queued_of(p));
}

/* The rules of which a matched call is one in which the gap began: what the
   host does next, without a name, is theirs. */
static uint64_t
rules_after(const struct engine *e, const struct piece *p)
{
	const struct device_lane *d = device_pieces_lane(&e->pieces, p->device);

	return event_has(p->ev, KEY_tid)
		   ? claim_spans_at(&e->after, model_thread(p->ev), d->until)
		   : 0;
}

/* Join pieces that rules do not tell apart. */
static void
join_cuts(struct engine *e)
{
	size_t n = 0;

	for (size_t i = 0; i < e->cut_count; i++) {
		struct idle_cut *last = n > 0 ? &e->cuts[n - 1] : NULL;

		if (last != NULL && last->mask == e->cuts[i].mask &&
		    last->place == e->cuts[i].place &&
		    last->claimed == e->cuts[i].claimed &&
		    last->dry == e->cuts[i].dry)
			last->end = e->cuts[i].end;
		else
			e->cuts[n++] = e->cuts[i];
	}
	e->cut_count = n;
}

/* Cut one of e->cuts in two, behind ns of it. */
static void
split_cut(struct engine *e, size_t i, int64_t ns)
{
	struct idle_cut rest = e->cuts[i];

	rest.ts = e->cuts[i].end = time_end(rest.ts, ns);
	array_add(&e->cuts, &e->cut_count, &e->cut_cap);
	memmove(&e->cuts[i + 2], &e->cuts[i + 1],
	    (e->cut_count - i - 2) * sizeof(rest));
	e->cuts[i + 1] = rest;
}

/* Give rules, or a wait if dry, as much of such cuts as is left. */
static void
spend(struct engine *e, int64_t *left, bool (*is)(const struct idle_cut *cut),
    uint64_t rules, bool dry)
{
	for (size_t i = 0; *left > 0 && i < e->cut_count; i++) {
		int64_t ns = time_between(e->cuts[i].ts, e->cuts[i].end);

		if (!is(&e->cuts[i]))
			continue;
		if (ns > *left)
			split_cut(e, i, ns = *left);
		*left -= ns;
		e->cuts[i].mask |= rules;
		e->cuts[i].dry |= dry;
	}
}

static bool
is_any(const struct idle_cut *cut)
{
	(void)cut;
	return true;
}

/* without a name, and launches */
static bool
is_unnamed(const struct idle_cut *cut)
{
	return cut->cause == IDLE_HOST || cut->cause == IDLE_LAUNCH;
}

static bool
is_of_host(const struct idle_cut *cut)
{
	return is_unnamed(cut) || idle_cause_is_host(cut->cause);
}

static bool
is_unnamed_or_range(const struct idle_cut *cut)
{
	return is_unnamed(cut) || cut->cause == IDLE_RANGE;
}

/* As much as the thread was in records of rules since its launch before is
   theirs. */
static void
claim_since(struct engine *e, int64_t launch)
{
	for (uint64_t left = claiming(e, CLAIM_SINCE); left != 0;
	     left &= left - 1) {
		int64_t *ns = between_launches_find(&e->between, e->thread,
		    (size_t)__builtin_ctzll(left), launch);

		if (ns != NULL)
			spend(e, ns, is_unnamed_or_range, left & -left, false);
	}
}

/* Where the thread was when the gap began. */
static struct host_stretch
find_begin(const struct engine *e, const struct piece *p)
{
	int64_t at = device_pieces_lane(&e->pieces, p->device)->until;

	return host_time_next(e->line, at, time_end(at, 1));
}

/* The wait of the thread in which the gap began, if it began in one. */
static struct dry_wait
find_dry_wait(
    struct engine *e, const struct piece *p, const struct host_stretch *begin)
{
	const struct process_steps *steps = steps_of(e, p->ev);
	int64_t from = begin->ts, to = begin->end;
	struct dry_wait w = {0};

	if (!idle_cause_is_call(begin->cause) ||
	    !gaps_host_wait(
		&e->pieces.lanes.host, model_thread(p->ev), &from, &to) ||
	    from != begin->ts)
		return w;
	e->scratch.len = 0;
	json_decode(&e->scratch, host_time_json(&e->host, begin->thing.name));
	w.call = 1 + intern_get(&e->texts, text_span(&e->scratch));
	w.range = range_place(e, begin->range);
	w.ends_step =
	    steps != NULL && steps->tid == event_int(p->ev, KEY_tid, NO_ID) &&
	    dry_waits_end_step(&e->devices[e->section_first + p->device].dry,
		steps, from, event_int(p->ev, KEY_api_ts, NO_ID));
	return w;
}

static int
by_begin(const void *pa, const void *pb)
{
	const struct idle_cut *a = pa, *b = pb;

	if (a->ts != b->ts)
		return a->ts > b->ts ? 1 : -1;
	return (a->end > b->end) - (a->end < b->end);
}

/* Time of the host without a name has that of the functions in which samples
   found its thread. */
static void
name_by_samples(struct engine *e)
{
	size_t count = e->cut_count, n = 0;

	for (size_t i = 0; i < count; i++) {
		struct idle_cut c = e->cuts[i], rest = c;

		if (c.cause != IDLE_HOST || c.place > 0 || c.claimed)
			continue;
		/* behind the others, which keeps them in place; then sorted */
		while (rest.ts < c.end) {
			struct idle_cut part = rest;

			sampled_places_next(&e->samples, e->thread, rest.ts,
			    c.end, &part.end, &part.place);
			rest.ts = part.end;
			*array_add(&e->cuts, &e->cut_count, &e->cut_cap) = part;
		}
		e->cuts[i].end = e->cuts[i].ts;
		n++;
	}
	if (n > 0)
		qsort(e->cuts, e->cut_count, sizeof(*e->cuts), by_begin);
}

/* Cut the gap by what its thread did in it. */
static void
cut_gap(struct engine *e, const struct piece *p, int64_t launch, bool dry)
{
	const struct device_lane *d = device_pieces_lane(&e->pieces, p->device);
	struct dry_device *x = &e->devices[e->section_first + p->device].dry;
	uint64_t after = rules_after(e, p);

	e->last = d->last;
	e->gap_launched = queued_from(p);
	cut_time(e,
	    &(struct idle_cut){.ts = p->ts, .end = p->end, .cause = p->cause},
	    model_thread(p->ev), model_any_thread(p->ev), d->until);
	if (p->cause == IDLE_HOST && e->samples.threads.count > 0)
		name_by_samples(e);
	/* as far as work of the device before the wait could hide it */
	if (after != 0)
		spend(e, &x->left[DRY_UNNAMED], is_unnamed, after, false);
	if (dry)
		spend(e, &x->left[DRY_HOST], is_of_host, 0, true);
	if (e->between.lines.count > 0)
		claim_since(e, launch);
	join_cuts(e);
}

/* Step 0 has its idle time as far as it takes longer than the median. */
static void
claim_first_step(struct engine *e, struct engine_device *d, int64_t launch)
{
	uint64_t rules = claiming(e, CLAIM_FIRST_STEP);

	if (rules == 0 || launch >= d->second)
		return;
	spend(e, &d->first_left, is_any, rules, false);
}

/* What rules that claim time of operations may claim of the gap, too. */
static void
bound_idle(struct engine *e, struct host_bound *b, uint64_t by)
{
	for (size_t i = 0; i < e->cut_count; i++)
		host_bound_idle(b, (by | e->cuts[i].mask) & e->bounded,
		    time_between(e->cuts[i].ts, e->cuts[i].end));
}

static void
add_gap(struct engine *e, const struct piece *p)
{
	const struct operation_info *o = find_operation(e, p->tag.number);
	struct engine_device *d = &e->devices[e->section_first + p->device];
	const int64_t launch =
	    event_int(p->ev, KEY_api_ts, event_int(p->ev, KEY_ts, 0));
	const bool waited = has_waited(e, p);
	struct host_stretch begin;
	int64_t run = 0;
	struct idle_claim x = {.device = e->section_first + p->device,
	    .part = p->part,
	    .ts = p->ts,
	    .end = p->end,
	    .gap_ends = event_int(p->ev, KEY_ts, 0),
	    .corr = event_int(p->ev, KEY_corr, NO_ID)};

	x.gap = time_between(
	    device_pieces_lane(&e->pieces, p->device)->until, x.gap_ends);
	make_gap(e, p, waited);
	e->line = host_time_line(&e->host, model_thread(p->ev), p->end);
	begin = find_begin(e, p);
	x.began = p->part != PART_NEXT && p->part != PART_QUEUE &&
			  (idle_cause_is_call(begin.cause) ||
			      idle_cause_is_os(begin.cause))
		      ? begin.thing.name
		      : 0;
	if (o != NULL && p->part != PART_HOST && p->part != PART_SYNC)
		x.mask |= o->mask & claiming(e, CLAIM_BY);
	if (waited)
		x.wait = find_dry_wait(e, p, &begin);
	cut_gap(e, p, launch, x.wait.call != 0);
	bound_idle(e, &d->bound, x.mask);
	claim_first_step(e, d, launch);
	if (launch >= d->dry.until)
		dry_waits_launch(&d->dry, steps_of(e, p->ev), launch);
	x.cuts = e->cuts;
	x.cut_count = e->cut_count;
	if (e->survey->asks_runs && e->launch >= 0)
		run = runs_length(&e->survey->runs, e->stream, e->launch);
	if (run < 0)
		held_gaps_add(&e->held, e->stream,
		    (struct held_gap){.launch = e->launch, .claim = x},
		    &e->gap.event);
	else
		settle_gap(e, &x, run);
}

static void
piece_seen(void *engine, const struct piece *whole)
{
	struct engine *e = engine;
	struct engine_device *d;
	struct piece piece = *whole, *p = &piece;
	int64_t ns;

	add_devices(e, p->device);
	d = &e->devices[e->section_first + p->device];
	if (p->ts < d->from)
		p->ts = d->from;
	if (p->end > d->to)
		p->end = d->to;
	ns = time_between(p->ts, p->end);
	if (ns == 0 || (p->operation == NULL && !gap_record_is(&e->pieces, p)))
		return;
	d->wall = time_end(d->wall, ns);
	d->parts[p->part] = time_end(d->parts[p->part], ns);
	if (queued_of(whole) >= IDLE_QUEUED)
		d->queued = time_end(d->queued, queued_of(p));
	if (p->operation != NULL) {
		dry_waits_work(&d->dry, ns);
		add_exposed(e, p);
	} else
		add_gap(e, p);
}

/* ---- steps, where no device works ---- */

/* The thread, of which there was no step before. */
static size_t
add_thread(struct engine *e, const struct host_step *s)
{
	struct engine_device *d =
	    array_add(&e->devices, &e->device_count, &e->device_cap);

	*d = (struct engine_device){.section = e->derived.section,
	    .pid = s->pid,
	    .device = NO_ID,
	    .tid = s->tid};
	survey_scope(e->survey, d->section, s->process, &d->from, &d->to);
	return e->device_count - 1;
}

/* "step 3, in read" */
static uint32_t
describe_step(struct engine *e, const struct host_step *s, uint32_t place)
{
	struct span in = host_places_text(&e->places, place, PLACE_NAME);

	e->scratch.len = 0;
	text_add_span(&e->scratch, text_span(&s->name));
	text_add_str(&e->scratch, in.len > 0 ? ", in " : "");
	text_add_span(&e->scratch, in);
	return intern_get(&e->texts, text_span(&e->scratch));
}

/* The step until then, as far as it is looked at, is idle time of its thread.
 */
static void
settle_step(struct engine *e, struct host_step *s, int64_t until)
{
	int64_t from, to, ns;
	struct engine_device *d;

	survey_scope(e->survey, e->derived.section, s->process, &from, &to);
	from = s->ts > from ? s->ts : from;
	to = until < to ? until : to;
	if ((ns = time_between(from, to)) == 0)
		return;
	if (s->device == SIZE_MAX)
		s->device = add_thread(e, s);
	e->step_count += !s->counted;
	s->counted = true;
	d = &e->devices[s->device];
	d->wall = time_end(d->wall, ns);
	d->parts[PART_HOST] = time_end(d->parts[PART_HOST], ns);
	e->host_since = from;
	e->line = host_time_line(&e->host, s->thread, to);
	e->gap_launched = INT64_MAX;
	cut_time(e, &(struct idle_cut){.ts = from, .end = to}, s->thread,
	    s->any, from);
	add_cuts(e, (struct row_piece){.device = s->device, .part = PART_HOST},
	    e->cuts, e->cut_count, NO_ID, NULL, describe_step, s);
}

/* One that was never closed lasts until the last record. */
static void
settle_steps(struct engine *e, int64_t now)
{
	struct host_step *s;

	while ((s = host_steps_ended(&e->steps, now)) != NULL)
		settle_step(e, s, s->end < INT64_MAX ? s->end : e->latest);
}

/* The begin of a step is settled before it ends, so that its records are not
   held. */
static void
settle_begin(struct engine *e, uint32_t thread, int64_t now)
{
	struct host_step *s = host_steps_open(&e->steps, thread);

	if (s != NULL && s->ts < now) {
		settle_step(e, s, now);
		s->ts = now;
	}
	claim_spans_forget(&e->over, thread, now);
}

/* A range that is a step: one within another of its thread is a part of that,
   unless that was never closed. */
static void
begin_step(struct engine *e, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct host_step *s = host_steps_thread(&e->steps, ev);
	struct span name;

	if (s->open && s->end < INT64_MAX)
		return;
	if (s->open)
		settle_step(e, s, ts);
	s->name.len = e->scratch.len = 0;
	name = event_str(ev, KEY_name, &e->scratch);
	text_add_span(&s->name, name);
	host_steps_begin(&e->steps, s, ts, event_end(ev, ts));
}

/* A record where no device works. */
static void
add_step(struct engine *e, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	settle_steps(e, ts);
	if (end == INT64_MAX)
		end = ts;
	if (e->latest < end)
		e->latest = end;
	if (ev->kind == KIND_range && event_has(ev, KEY_tid) &&
	    event_has(ev, KEY_name) && survey_is_step(e->survey, ev) &&
	    survey_has_steps(e->survey, model_process(ev)))
		begin_step(e, ev);
}

/* ---- records ---- */

/* The earliest time at which a gap of the process, or where no device works the
   step of the thread, may have begun. */
static int64_t
oldest_gap(const struct engine *e, const struct event *ev, uint32_t thread,
    int64_t now)
{
	if (!engine_has_devices(e)) {
		const struct host_step *s = host_steps_open(&e->steps, thread);

		if (thread == model_any_thread(ev))
			return host_steps_oldest(
			    &e->steps, model_process(ev), now);
		return s != NULL ? s->ts : now;
	}
	for (size_t i = 0; i < e->pieces.device_count; i++) {
		const struct device_lane *d = device_pieces_lane(&e->pieces, i);

		if (d->process == model_process(ev) && d->until < now)
			now = d->until;
	}
	return now;
}

/* The thread is in a record: its time is of the rules of span.mask, and what
   the host does next of the rules of after. */
static void
add_span(struct engine *e, uint32_t thread, struct claim_span span,
    uint64_t after, int64_t oldest)
{
	uint64_t over = span.mask & claiming(e, CLAIM_OVER);

	span.mask = after & claiming(e, CLAIM_AFTER);
	if (span.mask != 0)
		claim_spans_add(&e->after, thread, span, oldest);
	span.mask = over;
	if (over != 0)
		claim_spans_add(&e->over, thread, span, oldest);
}

/* True if the step of the call ends with it: what the host does then it would
   do without that call, too. */
static bool
ends_step(const struct engine *e, const struct event *ev, int64_t call)
{
	const struct process_steps *steps = steps_of(e, ev);

	return steps != NULL && steps_end_with(steps, call);
}

/* What the thread does in the record; a step is no name of it. */
static enum idle_cause
cause_of_record(const struct engine *e, const struct event *ev)
{
	const struct process_steps *steps =
	    ev->kind == KIND_range ? steps_of(e, ev) : NULL;

	return steps != NULL && steps_has(steps, ev) ? IDLE_HOST
						     : idle_cause_of(ev);
}

static void
count_waited(struct engine *e, uint64_t rules)
{
	for (uint64_t left = rules; left != 0; left &= left - 1)
		e->match.tally[__builtin_ctzll(left)].waited++;
}

/* True if the call of the operation returns when that is done. */
static bool
waits_in_call(const struct event *ev, int64_t end, bool async)
{
	int64_t ts = event_int(ev, KEY_ts, 0);

	return end >= event_end(ev, ts) ||
	       (ev->kind != KIND_kernel && event_has(ev, KEY_api_name) &&
		   !async) ||
	       (event_is(ev, KEY_copy, SPAN("DtoH")) &&
		   event_is(ev, KEY_dst, SPAN("Pageable")));
}

/* The host is in the call of an operation, and then waits for it. */
static void
add_call_span(struct engine *e, const struct event *ev, uint64_t mask)
{
	int64_t ts = event_int(ev, KEY_api_ts, NO_ID);
	uint32_t thread = model_thread(ev);
	int64_t end = time_end(ts, event_int(ev, KEY_api_dur, 0));
	int64_t oldest = oldest_gap(e, ev, thread, event_int(ev, KEY_ts, 0));
	struct claim_span call = {.ts = ts,
	    .end = end,
	    .sort = SPAN_CALL,
	    .mask =
		mask & (claiming(e, CLAIM_AFTER) | claiming(e, CLAIM_OVER))};
	const struct claim_span *wait;
	uint64_t after;
	bool async;

	if ((call.mask | (mask & e->waited)) == 0 || ts == NO_ID)
		return;
	after = ends_step(e, ev, ts) ? 0 : call.mask;
	add_span(e, thread, call, after, oldest);
	async = event_has(ev, KEY_api_name) &&
		api_call_of(ev->value[KEY_api_name]).async;
	wait = async ? claim_spans_begun(
			   &e->waits, thread, end, time_end(end, FOLLOWS))
		     : NULL;
	if (wait != NULL || waits_in_call(ev, end, async))
		count_waited(e, mask & e->waited);
	else
		call.uncounted = mask & e->waited;
	if (!async)
		return;
	claim_spans_add(&e->asynchronous, thread, call, oldest);
	if (wait == NULL)
		return;
	call.ts = wait->ts;
	call.end = wait->end;
	add_span(e, thread, call, after, oldest);
}

/* A call that waits, perhaps for the operation of the call before it. */
static void
add_wait(struct engine *e, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	uint32_t thread = model_thread(ev);
	struct claim_span span = {
	    .ts = ts, .end = event_end(ev, ts), .sort = SPAN_CALL};
	int64_t oldest = oldest_gap(e, ev, thread, ts), from;
	uint64_t counted;

	claim_spans_add(&e->waits, thread, span, oldest);
	if (__builtin_sub_overflow(ts, (int64_t)FOLLOWS, &from))
		from = INT64_MIN;
	span.mask = claim_spans_ended(&e->asynchronous, thread, from, ts);
	while ((counted = claim_spans_take_uncounted(
		    &e->asynchronous, thread, from, ts)) != 0)
		count_waited(e, counted);
	if (span.mask != 0)
		add_span(e, thread, span, ends_step(e, ev, ts) ? 0 : span.mask,
		    oldest);
}

/* A record of the thread is one that such rules matched, a launch or a wait. */
static void
add_between(struct engine *e, const struct event *ev, uint32_t thread,
    const struct claim_span *span, enum idle_cause cause)
{
	const uint64_t rules = claiming(e, CLAIM_SINCE);

	for (uint64_t left = span->mask & rules; left != 0; left &= left - 1)
		between_launches_add(&e->between, thread,
		    (size_t)__builtin_ctzll(left), span->ts, span->end);
	if (ev->kind != KIND_api || e->between.lines.count == 0)
		return;
	if (cause == IDLE_SYNC)
		between_launches_wait(&e->between, thread, rules, span->end);
	else if (cause == IDLE_HOST) /* it launches */
		between_launches_launch(
		    &e->between, thread, rules, span->ts, span->end);
}

/* What the thread does; where no device works only what gives time of a step a
   place: ranges, and what is claimed. */
static void
add_host_time(struct engine *e, const struct event *ev, enum idle_cause cause,
    uint64_t mask)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	bool call = ev->kind == KIND_api || ev->kind == KIND_osrt;

	if (ev->kind == KIND_overhead ||
	    (ev->kind == KIND_range && cause == IDLE_HOST))
		return;
	if (!engine_has_devices(e)) {
		if (mask == 0 && ev->kind != KIND_range)
			return;
		e->host_since = oldest_gap(e, ev, model_thread(ev), ts);
	}
	host_time_add(&e->host, ev, ts, event_end(ev, ts),
	    call && cause != IDLE_HOST ? host_places_number(&e->places, ev)
				       : 0);
}

/* Time of a thread that rules claim: of a processor that it has again, what was
   before. */
static struct claim_span
span_of_record(const struct event *ev, enum idle_cause cause, uint64_t mask)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct claim_span span = {.ts = ts,
	    .end = event_end(ev, ts),
	    .mask = mask,
	    .sort = claim_spans_sort(cause)};

	if (ev->kind == KIND_sched) {
		span.end = ts;
		span.ts -= derived_value(ev, SPAN("off"));
	}
	return span;
}

/* A sample of a thread that runs while a device is idle. */
static void
add_sample(struct engine *e, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), oldest;
	uint32_t thread = model_thread(ev);
	struct text t = {0};

	if (!engine_has_devices(e) || !event_has(ev, KEY_stack) ||
	    cpu_samples_state_of(ev) != CPU_SAMPLES_RUNNING ||
	    (oldest = oldest_gap(e, ev, thread, ts)) == ts ||
	    !sampled_places_counts(
		&e->samples, thread, cpu_samples_is_python(ev)))
		return;
	cpu_samples_add_function(&t, names_innermost(&e->places.names, ev));
	if (t.len > 0) {
		text_add_str(&t, " by samples");
		sampled_places_add(&e->samples, thread,
		    (struct sampled_place){
			ts, host_places_named(&e->places, text_span(&t))},
		    oldest);
	}
	text_free(&t);
}

/* A record of the host, which rules of mask matched, or which is a cause. */
static void
add_spans(struct engine *e, const struct event *ev, uint64_t mask)
{
	int64_t ts = event_int(ev, KEY_ts, 0), oldest;
	uint32_t thread =
	    ev->kind == KIND_overhead /* all threads wait for it */
		? model_any_thread(ev)
		: model_thread(ev);
	enum idle_cause cause = cause_of_record(e, ev);
	struct claim_span span = span_of_record(ev, cause, mask);

	add_between(e, ev, thread, &span, cause);
	mask &= claiming(e, CLAIM_OVER) |
		(ev->kind == KIND_api ? claiming(e, CLAIM_AFTER) : 0);
	span.mask = mask;
	add_host_time(e, ev, cause, mask);
	if (ev->kind == KIND_api && cause == IDLE_SYNC)
		add_wait(e, ev);
	if (mask == 0)
		return;
	span.place = ev->kind == KIND_overhead
			 ? HOST_NOWHERE
			 : host_places_number(&e->places, ev);
	if (!engine_has_devices(e) && claim_spans_are_many(&e->over, thread))
		settle_begin(e, thread, ts);
	oldest = oldest_gap(e, ev, thread, ts);
	add_span(e, thread, span, ev->kind == KIND_api ? mask : 0, oldest);
}

/* ---- the host as the bound ---- */

/* an operation that starts */
struct bound_start {
	bool bounds;
	size_t device; /* in engine.devices */
	uint32_t thread;
	int64_t ts, launch, called; /* called: the launch returned */
	int64_t until;              /* see device_lane.until */
};

/* True if nothing that was recorded since its last launch says what the thread
   did when the device ran dry. */
static bool
pauses(struct engine *e, uint32_t thread, int64_t called, int64_t until)
{
	const struct host_line *line =
	    host_time_line(&e->host, thread, time_end(until, 1));
	struct host_stretch s = host_time_next(line, until, time_end(until, 1));

	return s.cause == IDLE_HOST ||
	       (s.cause == IDLE_RANGE && s.since < called);
}

/* ns that the thread waited between its last launch and this one, while the
   device worked. */
static int64_t
waited_of(
    struct engine *e, const struct bound_start *s, struct host_bound_thread *t)
{
	const struct device_waits *w =
	    gaps_host_waits(&e->pieces.lanes.host, s->thread);
	int64_t ns = 0;

	if (w != NULL && w->count > 0 && w->all[w->count - 1].to > t->ts) {
		int64_t worked = s->launch < s->until ? s->launch : s->until;

		if (t->ts == INT64_MIN) /* since the device works */
			t->waited = waits_before(w, e->devices[s->device].from);
		ns = (int64_t)(waits_before(w, worked) - t->waited);
		t->waited = waits_before(w, s->launch);
	}
	if (t->ts != INT64_MIN && s->until < s->launch &&
	    time_between(t->called, s->until) >= HOST_BOUND_PAUSE &&
	    e->devices[s->device].bound.most > 0 &&
	    pauses(e, s->thread, t->called, s->until))
		ns = time_between(t->called, s->until);
	return ns > t->blocked ? ns : t->blocked;
}

/* The operation that was added last starts: all before it has been handed
   out. */
static struct bound_start
bound_before(struct engine *e, const struct event *ev)
{
	const struct operation_info *o = &e->operations[e->operation_count - 1];
	struct bound_start s = {
	    .device = e->section_first + o->device, .ts = o->ts};
	struct host_bound_thread *t;
	int64_t end = o->end;

	if (e->bounded == 0 || !event_has(ev, KEY_api_ts) ||
	    !event_has(ev, KEY_tid))
		return s;
	s.until = device_pieces_lane(&e->pieces, o->device)->until;
	device_pieces_advance(&e->pieces, o->device, s.ts);
	if (s.device >= e->device_count)
		return s;
	s.bounds = s.ts >= s.until; /* else others run */
	s.thread = model_thread(ev);
	s.launch = event_int(ev, KEY_api_ts, 0);
	s.called = launched_at(ev);
	t = host_bound_launch(&e->devices[s.device].bound, s.thread);
	if (s.launch <= t->ts)
		return s;
	host_bound_wait(&e->devices[s.device].bound, waited_of(e, &s, t));
	t->ts = s.launch;
	t->called = s.called;
	t->blocked = end <= s.called ? time_between(s.launch, end) : 0;
	return s;
}

/*
 * The operation has started, and ended an idle time.  It could start when its
 * launch had returned; where that lasts longer, as one that waits for it, when
 * that began.
 */
static void
bound_after(
    const struct engine *e, const struct event *ev, const struct bound_start *s)
{
	int64_t slack =
	    time_between(s->called <= s->ts ? s->called : s->launch, s->ts);
	int64_t call = time_between(s->launch, s->called);
	struct host_bound *b;

	if (!s->bounds)
		return;
	b = &e->devices[s->device].bound;
	if (call >= HOST_BOUND_FULL && slack >= IDLE_QUEUED &&
	    ev->kind == KIND_kernel && !e->pieces.first_use)
		host_bound_wait(b, call); /* the queue was full */
	host_bound_start(b, slack);
}

/* The operation is a launch, which may belong to a run. */
static void
add_launch(struct engine *e, const struct event *ev)
{
	const struct derived *d = &e->derived;
	struct runs *r = &e->survey->runs;

	if (!e->survey->asks_runs || d->device == SIZE_MAX)
		return;
	e->stream = runs_add(r, ev, d->steady_from);
	e->launch = runs_last(r, e->stream);
}

/* True if the operation, or the record of the host, is looked at. */
static bool
in_scope(struct engine *e, const struct event *ev, bool operation)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	uint32_t process = model_process(ev);
	struct engine_scope *s = &e->scope;

	if (!event_has(ev, KEY_ts))
		return true;
	if (operation) {
		const struct survey_device *d =
		    survey_find_device(e->survey, model_device(ev));

		/* without steps one that takes no time may be the last */
		return d != NULL && d->first <= ts &&
		       (ts < d->until || ts == d->first ||
			   (ts == d->until &&
			       !survey_has_steps(e->survey, process)));
	}
	if (s->process != process) {
		survey_scope(
		    e->survey, e->derived.section, process, &s->from, &s->to);
		s->process = process;
	}
	return ts < s->to && (s->from <= ts || s->from < event_end(ev, ts));
}

static void
define_symbol(struct engine *e, const struct event *ev)
{
	derived_define(&e->derived, ev);
	rule_match_define(&e->match, ev);
}

void
engine_event(struct engine *e, struct event *ev)
{
	struct rules_held held;
	uint64_t mask = 0, tag = 0;
	enum device_class c;
	bool operation, counts;
	struct bound_start start = {0};

	e->launch = -1;
	if (ev->kind == KIND_gap) /* made here, from what it summarises */
		return;
	if (ev->kind == KIND_stack)
		host_places_define(&e->places, ev);
	else if (ev->kind == KIND_symbol)
		define_symbol(e, ev);
	else if (ev->kind == KIND_api && event_has(ev, KEY_ts))
		derived_call(&e->derived, ev);
	held = rule_names_get(&e->survey->names, ev, &e->match.error);
	operation = device_time_class(ev, &c);
	if (operation || rules_held_any(&held)) {
		e->derived.is_watched =
		    (held.maybe & e->survey->asks_launches) != 0;
		if (operation || (held.maybe | held.counts) != 0)
			derived_add(&e->derived, ev);
		counts = in_scope(e, ev, operation);
		mask = counts ? match_rules(e, &held, ev) : 0;
		e->ops += operation && counts;
	}
	if (!event_has(ev, KEY_ts))
		return;
	if (!engine_has_devices(e))
		add_step(e, ev);
	if (ev->kind == KIND_api && e->survey->asks_runs)
		runs_call(&e->survey->runs, ev);
	if (operation) {
		add_call_span(e, ev, mask);
		tag = add_operation(e, ev, mask);
		e->wait = event_waits_of(&e->event_waits, ev);
		add_launch(e, ev);
		start = bound_before(e, ev);
	} else if (ev->kind == KIND_sample)
		add_sample(e, ev);
	else {
		if (ev->kind == KIND_sync)
			event_waits_add(&e->event_waits, ev);
		add_spans(e, ev, mask);
	}
	device_pieces_event(&e->pieces, ev, (struct part_tag){tag});
	bound_after(e, ev, &start);
	if (e->launch >= 0)
		settle_held(e, e->stream);
}

/* ---- the whole ---- */

/* while the keys of rules are added that the schema does not have */
struct unknown_keys {
	struct engine *e;
	struct keyset *want;
};

static void
take_unknown(void *arg, enum kind k, struct span key)
{
	struct unknown_keys *x = arg;

	if (derived_ask(&x->e->derived, k, key))
		return;
	/* bits that no key has: all keys are looked for */
	x->want[k] = keyset_all();
}

static void
condition_keys(struct unknown_keys *x, const struct rule_condition *c)
{
	if (c->what != NULL)
		expr_known_keys(c->what, x->want, take_unknown, x);
	if (c->all != NULL)
		expr_known_keys(c->all, x->want, take_unknown, x);
}

/* The keys of records that the rule needs. */
static void
rule_keys(struct engine *e, const struct rule *r, struct keyset *want)
{
	struct unknown_keys x = {e, want};

	if (r->when == NULL)
		return;
	expr_known_keys(r->when, want, take_unknown, &x);
	for (size_t k = 0; r->cost.len > 0 && k <= KIND_COUNT; k++)
		if (expr_of_kind(r->when, (enum kind)k) != EXPR_FALSE)
			derived_ask(&e->derived, (enum kind)k, r->cost);
	for (size_t i = 0; i < r->also_count; i++)
		condition_keys(&x, &r->also[i]);
	for (size_t i = 0; i < r->second_count; i++)
		condition_keys(&x, &r->second[i]);
}

void
engine_open(struct engine *e)
{
	static const enum key gap_keys[] = {KEY_kind, KEY_ts, KEY_dur, KEY_pid,
	    KEY_device, KEY_cause, KEY_NONE};
	struct keyset want[KIND_COUNT + 1] = {0};

	for (size_t i = 0; i < e->rules->matching; i++) {
		const struct rule *r = &e->rules->all[i];

		for (unsigned c = 0; c < CLAIM_COUNT; c++)
			if (r->claims >> c & 1)
				e->claims[c] |= (uint64_t)1 << i;
		if (r->cost.len > 0)
			e->with_cost |= (uint64_t)1 << i;
		if (r->waited)
			e->waited |= (uint64_t)1 << i;
		if (memmem(r->title.p, r->title.len, "{what}", 6) != NULL)
			e->with_what |= (uint64_t)1 << i;
		if (rule_claims_work(r))
			e->bounded |= (uint64_t)1 << i;
		if (rule_claims_work(r) && r->gain > 0)
			e->with_gain |= (uint64_t)1 << i;
		if (r->once && r->confidence != RULE_HINT)
			e->once |= (uint64_t)1 << i;
		rule_keys(e, r, want);
	}
	e->gap_keys = want[KIND_gap];
	keyset_add_all(&e->gap_keys, gap_keys);
	rule_match_open(&e->match, e->rules);
	e->derived.survey = e->survey;
	e->steps = HOST_STEPS_EMPTY;
	e->pieces.piece = piece_seen;
	e->pieces.arg = e;
	e->pieces.calls = keyset_has(&e->gap_keys, KEY_host) ||
			  keyset_has(&e->gap_keys, KEY_wait);
	device_pieces_open(&e->pieces);
}

/* True if rules or the account of time read such records. */
static bool
reads_kind(const struct engine *e, enum kind k)
{
	return e->survey->names.kinds[k] != 0 || schema_role(k) == ROLE_WORK ||
	       k == KIND_api || k == KIND_osrt || k == KIND_overhead;
}

void
engine_keys(struct engine *e, struct keyset *want)
{
	static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid,
	    KEY_corr, KEY_name, KEY_open, KEY_NONE};
	static const enum key sample[] = {
	    KEY_ts, KEY_pid, KEY_tid, KEY_state, KEY_what, KEY_stack, KEY_NONE};
	static const enum key places[] = {KEY_file, KEY_stack, KEY_NONE};
	static const enum key sync[] = {KEY_ts, KEY_pid, KEY_device,
	    KEY_context, KEY_stream, KEY_sync, KEY_event, KEY_wait_stream,
	    KEY_wait_context, KEY_NONE};
	static const enum key work[] = {KEY_device, KEY_context, KEY_stream,
	    KEY_category, KEY_sym, KEY_graph, KEY_graph_node, KEY_grid,
	    KEY_block, KEY_regs, KEY_smem, KEY_smem_static, KEY_smem_dynamic,
	    KEY_bytes, KEY_copy, KEY_src, KEY_dst, KEY_api_ts, KEY_api_dur,
	    KEY_api_name, KEY_range, KEY_path, KEY_NONE};

	for (size_t k = 0; k <= KIND_COUNT; k++) {
		keyset_add(&want[k], KEY_kind);
		if (reads_kind(e, (enum kind)k))
			keyset_add_all(&want[k], keys);
		if (schema_role((enum kind)k) == ROLE_WORK)
			keyset_add_all(&want[k], work);
	}
	keyset_add_all(&want[KIND_osrt], places);
	keyset_add_all(&want[KIND_sync], sync);
	keyset_add_all(&want[KIND_range], keys);
	keyset_add_all(&want[KIND_range], places);
	keyset_add(&want[KIND_range], KEY_domain);
	keyset_add(&want[KIND_overhead], KEY_what);
	keyset_add(&want[KIND_stack], KEY_id);
	keyset_add(&want[KIND_stack], KEY_frames);
	keyset_add(&want[KIND_symbol], KEY_id);
	keyset_add(&want[KIND_symbol], KEY_demangled);
	if (e->match.asks_symbols)
		keyset_add(&want[KIND_symbol], KEY_mangled);
	keyset_add(&want[KIND_sched], KEY_on);
	keyset_add(&want[KIND_sched], KEY_state);
	keyset_add(&want[KIND_sched], KEY_reason);
	keyset_add_all(&want[KIND_sample], sample);
	for (size_t i = 0; i < e->rules->matching; i++)
		rule_keys(e, &e->rules->all[i], want);
}

/* No step is open that began before. */
static int64_t
steps_since(const void *engine, int64_t pid)
{
	const struct engine *e = engine;

	(void)pid;
	return e->host_since;
}

void
engine_section(struct engine *e)
{
	const struct gaps_host *host = &e->pieces.lanes.host;
	bool devices = engine_has_devices(e);

	e->host.since = devices ? host->since : steps_since;
	e->host.of = devices ? host->lanes : e;
	derived_section(&e->derived);
	rule_match_section(&e->match);
	e->section_first = e->device_count;
	e->latest = INT64_MIN;
}

void
engine_section_end(struct engine *e)
{
	settle_steps(e, INT64_MAX);
	device_pieces_section_end(&e->pieces);
	runs_break(&e->survey->runs);
	for (size_t i = 0; i < e->held.count; i++)
		settle_held(e, i);
	between_launches_reset(&e->between);
	claim_spans_reset(&e->after);
	claim_spans_reset(&e->over);
	claim_spans_reset(&e->asynchronous);
	claim_spans_reset(&e->waits);
	host_time_reset(&e->host);
	event_waits_reset(&e->event_waits);
	host_steps_reset(&e->steps);
	host_places_reset(&e->places);
	sampled_places_reset(&e->samples);
	e->operation_count = 0;
}

void
engine_free(struct engine *e)
{
	rule_match_free(&e->match);
	derived_free(&e->derived);
	device_pieces_free(&e->pieces);
	between_launches_free(&e->between);
	claim_spans_free(&e->after);
	claim_spans_free(&e->over);
	claim_spans_free(&e->asynchronous);
	claim_spans_free(&e->waits);
	host_time_free(&e->host);
	event_waits_free(&e->event_waits);
	numbered_free(&e->range_places);
	free(e->operations);
	for (size_t i = 0; i < e->device_count; i++)
		host_bound_free(&e->devices[i].bound);
	free(e->devices);
	keyed_free(&e->rows);
	host_steps_free(&e->steps);
	host_places_free(&e->places);
	sampled_places_free(&e->samples);
	keyed_free(&e->costs);
	keyed_free(&e->whats);
	dry_waits_free(&e->dry);
	held_gaps_free(&e->held);
	free(e->cuts);
	intern_free(&e->texts);
	gap_record_free(&e->gap);
	text_free(&e->scratch);
}
