/* graph_survey.c - which capture is replayed by which launch of a graph */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/hash.h"
#include "tq/io/note.h"
#include "tq/join/join_keys.h"
#include "tq/line/json.h"
#include "tq/line/record_args.h"
#include "tq/names/api_call.h"

#include "graph_alignment.h"
#include "graph_survey.h"

/* what a call adds to a capture */
enum captured {
	CAPTURED_NOTHING,
	CAPTURED_KERNEL,
	CAPTURED_COPY,
	CAPTURED_NODE
};

struct graph_call {
	struct graph_symbol symbol; /* 0: unknown */
	uint64_t grid;              /* a hash, 0: unknown */
	enum captured what;
	uint32_t label;
};

enum { NAME_OF_COPY = 2 }; /* names of kernels are odd */

/* how well a capture fits */
enum fit { FIT_NONE, FIT_COUNT, FIT_NAMES, FIT_LOST };

struct candidate {
	uint32_t capture;
	uint32_t fit;
};

/* ---- keys ---- */

static struct keyset wanted[KIND_COUNT + 1];

const struct keyset *
graph_survey_keys(void)
{
	static const enum key more[] = {KEY_name, KEY_sym, KEY_grid, KEY_block,
	    KEY_stream, KEY_category, KEY_args, KEY_id, KEY_demangled,
	    KEY_NONE};

	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		keyset_add_all(&wanted[k], join_keys_read(k));
		keyset_add_all(&wanted[k], more);
	}
	return wanted;
}

/* ---- sums ---- */

static void
add_to_sums(struct graph_sums *s, const struct graph_call *call, uint64_t place)
{
	const uint64_t odd = 0xd6e8feb86659fd93u;
	uint64_t kind = call->what == CAPTURED_KERNEL ? 1 : 2;
	uint64_t at = hash_mix(place + 1, odd);

	s->count++;
	s->kinds += hash_mix(at ^ kind, odd);
	s->names += hash_mix(at ^ call->symbol.name ^ kind, odd);
	s->grids += hash_mix(at ^ call->symbol.name ^ call->grid ^ kind, odd);
}

static uint64_t
hash_grid(struct span grid, struct span block)
{
	return grid.len == 0 || block.len == 0
		   ? 0
		   : hash_text(grid) * 3 + hash_text(block) + 1;
}

/*
 * A name without what differs from one shape to another: arguments of
 * templates, numbers, and all parameters of a kernel of Tensile.
 */
static struct span
family_of(struct text *t, struct span name)
{
	const struct span tensile = SPAN("Cijk_");
	size_t from = (size_t)(name.p - t->p), to, end;
	bool number = false;

	if (span_begins(name, SPAN("void ")))
		from += 5;
	end = (size_t)(name.p - t->p) + name.len;
	if (span_begins(name, tensile)) { /* Cijk_Ailk_Bljk */
		size_t bars = 0;

		for (size_t i = from; i < end; i++)
			if (t->p[i] == '_' && ++bars == 3)
				end = i;
	}
	to = from;
	for (size_t i = from; i < end && t->p[i] != '<'; i++) {
		char c = t->p[i];
		bool digit = c >= '0' && c <= '9';

		if (!digit || !number)
			t->p[to++] = digit ? '#' : c;
		number = digit;
	}
	return (struct span){t->p + from, to - from};
}

static struct graph_symbol
symbol_of(struct graph_survey *s, struct span json)
{
	struct graph_symbol symbol = {0, 0};
	struct span name;

	s->name.len = 0;
	if (json.len < 2 || *json.p != '"')
		return symbol;
	json_decode(&s->name, json);
	name = span_trimmed(text_span(&s->name));
	if (name.len == 0)
		return symbol;
	symbol.name = symbol.like = hash_text(name) | 1;
	if (s->loose)
		symbol.like = hash_text(family_of(&s->name, name)) | 1;
	return symbol;
}

/* ---- captures ---- */

static enum captured
captured_by(struct named_call call)
{
	if (call.about == API_HOST_FUNCTION)
		return CAPTURED_NODE;
	switch (call.role) {
	case API_LAUNCH:
		return CAPTURED_KERNEL;
	case API_COPY:
	case API_FILL:
		return call.async && call.about != API_PREFETCH
			   ? CAPTURED_COPY
			   : CAPTURED_NOTHING;
	case API_ALLOC_ASYNC:
		return CAPTURED_NODE;
	case API_FREE:
		return call.async ? CAPTURED_NODE : CAPTURED_NOTHING;
	default:
		return CAPTURED_NOTHING;
	}
}

static uint64_t
process_of(struct graph_survey *s, const struct event *ev)
{
	return map_number(&s->processes, (uint64_t)s->section,
	    (uint64_t)event_int(ev, KEY_pid, NO_ID));
}

static struct graph_window *
window_of(struct graph_survey *s, const struct event *ev)
{
	bool fresh;
	struct graph_window *w = keyed_get(&s->windows, process_of(s, ev),
	    (uint64_t)event_int(ev, KEY_tid, NO_ID), &fresh);

	if (fresh)
		*w = (struct graph_window){0};
	return w;
}

static struct enclosing *
around(struct graph_survey *s, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);

	return project_enter(&s->project, event_int(ev, KEY_pid, NO_ID),
	    event_int(ev, KEY_tid, NO_ID), ts, time_end(ts, 1));
}

/* ranges of profilers around a call, as numbers; 0: none */
struct frames {
	uint64_t outermost, innermost;
	bool in_capture; /* the innermost is the range of captures */
};

static uint64_t
number_of(struct graph_survey *s, const struct event *ev, const struct range *r)
{
	return map_number(&s->processes,
	    process_of(s, ev) << 32 |
		(uint64_t)(uint32_t)event_int(ev, KEY_tid, NO_ID),
	    (uint64_t)r->ts ^ (uint64_t)1 << 63);
}

static struct frames
frames_of(
    struct graph_survey *s, const struct event *ev, const struct enclosing *e)
{
	struct range *const *ranges = NULL;
	size_t count = project_ranges(&s->project, e, &ranges);
	struct frames f = {0};

	for (size_t i = 0; i < count; i++) {
		if (!graph_label_is_frame(ranges[i]))
			continue;
		f.innermost = number_of(s, ev, ranges[i]);
		f.in_capture = graph_label_is_capture(ranges[i]);
		if (f.outermost == 0)
			f.outermost = f.innermost;
	}
	return f;
}

static struct frames
frames_around(struct graph_survey *s, const struct event *ev)
{
	struct enclosing *e = around(s, ev);
	struct frames f = frames_of(s, ev, e);

	project_leave(&s->project, e);
	return f;
}

static void
begin_capture(struct graph_survey *s, const struct event *ev)
{
	struct graph_window *w = window_of(s, ev);
	struct frames f = frames_around(s, ev);

	w->count = 0;
	w->until = INT64_MIN;
	w->open = true;
	w->group = f.innermost;
	w->in_range = f.in_capture;
}

/* a call without its label */
static struct graph_call
make_call(struct graph_survey *s, const struct event *ev, enum captured what)
{
	static const char *const names[] = {"kernel", "grid", "block"};
	struct graph_call call = {.what = what, .symbol = {0, NAME_OF_COPY}};
	struct span args[3];

	if (what != CAPTURED_KERNEL)
		return call;
	record_args_find(ev, names, 3, args, &s->scratch);
	call.symbol = symbol_of(s, args[0]);
	call.grid = hash_grid(args[1], args[2]);
	return call;
}

static void
capture_call(struct graph_survey *s, struct graph_window *w,
    const struct event *ev, enum captured what)
{
	struct graph_call *call;
	struct enclosing *e;
	int64_t ts = event_int(ev, KEY_ts, 0);

	if (ts < w->until)
		return;
	w->until = event_end(ev, ts);
	call = array_add(&w->calls, &w->count, &w->cap);
	*call = make_call(s, ev, what);
	e = around(s, ev);
	call->label = graph_label_get(&s->labels, &s->project, e);
	project_leave(&s->project, e);
}

/* the operations of the capture but for the last ones */
static struct graph_sums
sum_up(const struct graph_window *w, size_t ops, bool dense)
{
	struct graph_sums sums = {0};

	for (size_t i = 0; i < w->count && sums.count < ops; i++)
		if (w->calls[i].what != CAPTURED_NODE)
			add_to_sums(
			    &sums, &w->calls[i], dense ? sums.count : i);
	return sums;
}

static void
keep_labels(struct graph_survey *s, const struct graph_window *w, bool all)
{
	for (size_t i = 0; i < w->count; i++)
		if (all || w->calls[i].what != CAPTURED_NODE)
			*array_add(&s->calls, &s->call_count, &s->call_cap) =
			    w->calls[i].label;
}

/* ---- launches in the ranges of captures, and in steps ---- */

static struct graph_window *
program_of(struct graph_survey *s, const struct event *ev, uint64_t range)
{
	uint64_t process = process_of(s, ev);
	bool fresh;
	struct graph_window *w = keyed_get(&s->programs,
	    range != 0 ? range : process,
	    range != 0 ? 0 : 1 + (uint64_t)event_int(ev, KEY_tid, 0), &fresh);

	if (fresh)
		*w = (struct graph_window){
		    .process = s->foreign ? 0 : process,
		    .until = INT64_MIN,
		};
	return w;
}

/* captured calls stand between those that are not */
static void
add_captured(struct graph_survey *s, const struct event *ev,
    const struct graph_window *capture)
{
	struct graph_window *w = program_of(s, ev, capture->group);

	w->complete = true;
	for (size_t i = 0; i < capture->count; i++)
		*array_add(&w->calls, &w->count, &w->cap) = capture->calls[i];
}

/* A kernel whose call has no name gets it of the operation, if it may. */
static void
add_launched(struct graph_survey *s, const struct event *ev,
    struct graph_window *w, const struct graph_call *call, bool pending)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	bool unnamed = call->what == CAPTURED_KERNEL && call->symbol.name == 0;

	if (ts < w->until || (unnamed && !pending))
		return;
	w->until = event_end(ev, ts);
	if (unnamed)
		*map_get(&s->pending, process_of(s, ev),
		    (uint64_t)event_int(ev, KEY_corr, NO_ID)) =
		    (uint64_t)(w - s->programs.all) << 32 | w->count;
	*array_add(&w->calls, &w->count, &w->cap) = *call;
}

static void
launched_call(
    struct graph_survey *s, const struct event *ev, enum captured what)
{
	struct enclosing *e;
	struct graph_call call;
	struct graph_window *w;
	struct frames f;

	if (what == CAPTURED_NODE)
		return;
	e = around(s, ev);
	f = frames_of(s, ev, e);
	if (f.in_capture || s->eager) {
		call = make_call(s, ev, what);
		call.label = graph_label_get(&s->labels, &s->project, e);
	}
	project_leave(&s->project, e);
	if (f.in_capture)
		add_launched(
		    s, ev, program_of(s, ev, f.innermost), &call, false);
	if (s->eager && !f.in_capture) {
		w = program_of(s, ev, f.outermost);
		w->complete = true;
		add_launched(s, ev, w, &call, true);
	}
}

/* the operation of a call that has no name */
static void
name_pending(
    struct graph_survey *s, const struct event *ev, struct graph_symbol symbol)
{
	uint64_t process = process_of(s, ev);
	uint64_t corr = (uint64_t)event_int(ev, KEY_corr, NO_ID);
	const uint64_t *at = map_find(&s->pending, process, corr);

	if (at == NULL)
		return;
	s->programs.all[*at >> 32].calls[(uint32_t)*at].symbol = symbol;
	map_remove(&s->pending, process, corr);
}

static void
add_source(struct graph_survey *s, uint64_t process,
    const struct graph_call *calls, size_t count)
{
	struct graph_resemblance *r = &s->resemblance;

	graph_resemblance_source(r, process);
	for (size_t i = 0; i < count; i++)
		if (calls[i].what != CAPTURED_NODE && calls[i].symbol.like != 0)
			graph_resemblance_call(
			    r, calls[i].symbol.like, calls[i].label);
	graph_resemblance_end(r);
}

static void
end_programs(struct graph_survey *s)
{
	for (size_t i = 0; i < s->programs.count; i++) {
		struct graph_window *w = &s->programs.all[i];

		if (w->complete)
			add_source(s, w->process, w->calls, w->count);
		free(w->calls);
	}
	keyed_clear(&s->programs);
	map_clear(&s->pending);
}

/* ---- the end of a capture ---- */

/* captures of one range that other ones stand between have no order */
static void
part_groups(struct graph_survey *s, struct graph_capture *c)
{
	size_t n = s->capture_count;
	uint64_t group = c->group;

	if (group == 0 || n == 0 || s->captures[n - 1].group == group)
		return;
	for (size_t i = 0; i < n; i++)
		if (s->captures[i].group == group)
			s->captures[i].group = c->group = 0;
}

static void
end_capture(struct graph_survey *s, const struct event *ev)
{
	struct graph_window *w = window_of(s, ev);
	struct graph_capture c = {.named = true, .sized = true};

	if (!w->open || w->count == 0) {
		w->open = false;
		return;
	}
	c.process = s->foreign ? 0 : process_of(s, ev);
	c.group = w->group;
	c.items = w->count;
	c.first = s->call_count;
	for (size_t i = 0; i < w->count; i++) {
		c.ops += w->calls[i].what != CAPTURED_NODE;
		if (w->calls[i].what == CAPTURED_KERNEL) {
			c.named = c.named && w->calls[i].symbol.name != 0;
			c.sized = c.sized && w->calls[i].grid != 0;
		}
	}
	keep_labels(s, w, true);
	c.first_op = c.ops == c.items ? c.first : s->call_count;
	if (c.ops < c.items)
		keep_labels(s, w, false);
	for (size_t k = 0; k <= GRAPH_LOST && k <= c.ops; k++) {
		c.all[k] = sum_up(w, c.ops - k, false);
		c.dense[k] = sum_up(w, c.ops - k, true);
	}
	if (c.named)
		add_source(s, c.process, w->calls, w->count);
	if (c.named && w->in_range)
		add_captured(s, ev, w);
	part_groups(s, &c);
	*array_add(&s->captures, &s->capture_count, &s->capture_cap) = c;
	w->open = false;
}

/* ---- launches ---- */

static void
launch(struct graph_survey *s, const struct event *ev)
{
	bool fresh;
	uint64_t process = process_of(s, ev);
	struct graph_launch *l;

	if (!event_has(ev, KEY_corr))
		return;
	l = keyed_get(&s->launches, process,
	    (uint64_t)event_int(ev, KEY_corr, NO_ID), &fresh);
	if (fresh)
		*l = (struct graph_launch){.process = process,
		    .graph = NO_ID,
		    .stream = NO_ID,
		    .sized = true,
		    .group = frames_around(s, ev).outermost};
}

static struct graph_launch *
launch_of(struct graph_survey *s, int64_t pid, int64_t corr)
{
	return keyed_find(&s->launches,
	    map_number(&s->processes, (uint64_t)s->section, (uint64_t)pid),
	    (uint64_t)corr);
}

/* the names of a kernel; of a copy that it is one */
static struct graph_symbol
operation_symbol(struct graph_survey *s, const struct event *ev)
{
	const struct graph_symbol *known;

	if (ev->kind != KIND_kernel)
		return (struct graph_symbol){0, NAME_OF_COPY};
	known =
	    keyed_find(&s->symbols, (uint64_t)event_int(ev, KEY_sym, NO_ID), 0);
	return event_has(ev, KEY_sym) && known != NULL
		   ? *known
		   : symbol_of(s, ev->value[KEY_name]);
}

static void
add_operation(
    struct graph_survey *s, struct graph_launch *l, const struct event *ev)
{
	struct graph_call call = {.what = CAPTURED_COPY};
	int64_t node = event_int(ev, KEY_graph_node, NO_ID);
	int64_t stream = event_int(ev, KEY_stream, NO_ID);

	if (ev->kind == KIND_kernel) {
		call.what = CAPTURED_KERNEL;
		call.symbol = operation_symbol(s, ev);
		if (event_has(ev, KEY_grid) && event_has(ev, KEY_block))
			call.grid = hash_grid(
			    ev->value[KEY_grid], ev->value[KEY_block]);
		l->sized &= call.grid != 0;
	}
	if (l->sums.count == 0) {
		l->by_node = node != NO_ID;
		l->stream = stream;
		l->graph = event_int(ev, KEY_graph,
		    node != NO_ID ? (int64_t)((uint64_t)node >> 32) : NO_ID);
	}
	l->mixed |= l->by_node != (node != NO_ID) ||
		    (!l->by_node && l->stream != stream);
	add_to_sums(&l->sums, &call,
	    l->by_node ? (uint64_t)node & UINT32_MAX : l->sums.count);
}

static void
operation(struct graph_survey *s, const struct event *ev)
{
	struct graph_launch *l = NULL;

	if (!event_has(ev, KEY_corr))
		return;
	if (!s->foreign && s->launches.count > 0)
		l = launch_of(s, event_int(ev, KEY_pid, NO_ID),
		    event_int(ev, KEY_corr, NO_ID));
	if (l != NULL)
		add_operation(s, l, ev);
	else if (s->pending.count > 0)
		name_pending(s, ev, operation_symbol(s, ev));
}

static void
define_symbol(struct graph_survey *s, const struct event *ev)
{
	enum key k = event_has(ev, KEY_demangled) ? KEY_demangled : KEY_name;
	bool fresh;

	if (event_has(ev, KEY_id) && event_has(ev, k))
		*keyed_get(&s->symbols, (uint64_t)event_int(ev, KEY_id, 0), 0,
		    &fresh) = symbol_of(s, ev->value[k]);
}

static void
api_call(struct graph_survey *s, const struct event *ev)
{
	struct named_call call = api_call_of_event(ev);
	enum captured what;
	struct graph_window *w;

	if (call.role == API_GRAPH_LAUNCH) {
		if (!s->foreign)
			launch(s, ev);
	} else if (call.about == API_CAPTURE_BEGIN)
		begin_capture(s, ev);
	else if (call.about == API_CAPTURE_END)
		end_capture(s, ev);
	else if ((what = captured_by(call)) == CAPTURED_NOTHING)
		return;
	else if (s->windows.count > 0 && (w = window_of(s, ev))->open)
		capture_call(s, w, ev, what);
	else
		launched_call(s, ev, what);
}

/* ---- records ---- */

static void
leave_section(struct graph_survey *s)
{
	project_clear(&s->project);
	keyed_clear(&s->symbols);
	s->section++;
}

void
graph_survey_event(struct graph_survey *s, const struct event *ev)
{
	if (ev->kind == KIND_trace)
		leave_section(s);
	if (event_has(ev, KEY_ts) && !schema_follows(ev->kind))
		project_expire(&s->project, event_int(ev, KEY_ts, 0));
	switch (ev->kind) {
	case KIND_symbol:
		define_symbol(s, ev);
		break;
	case KIND_range:
		project_add(&s->project, ev, event_int(ev, KEY_ts, 0), 0);
		break;
	case KIND_api:
		api_call(s, ev);
		break;
	case KIND_kernel:
	case KIND_memcpy:
	case KIND_memset:
		operation(s, ev);
		break;
	default:
		break;
	}
}

static void
free_windows(struct graph_survey *s)
{
	for (size_t i = 0; i < s->windows.count; i++)
		free(s->windows.all[i].calls);
	keyed_clear(&s->windows);
}

void
graph_survey_next(struct graph_survey *s, bool foreign, bool eager)
{
	leave_section(s);
	free_windows(s);
	end_programs(s);
	s->foreign = foreign;
	s->eager = eager;
	if (!foreign)
		s->section = 0;
}

/* ---- decisions ---- */

static enum fit
fit_of(const struct graph_capture *c, const struct graph_launch *l)
{
	const struct graph_sums *sums = l->by_node ? c->all : c->dense;

	if (l->mixed || (c->process != 0 && c->process != l->process))
		return FIT_NONE;
	for (size_t k = 0; k <= GRAPH_LOST && k < c->ops; k++) {
		if (sums[k].count != l->sums.count)
			continue;
		if (!c->named)
			return k == 0 && sums[0].kinds == l->sums.kinds
				   ? FIT_COUNT
				   : FIT_NONE;
		if (sums[k].names != l->sums.names ||
		    (c->sized && l->sized && sums[k].grids != l->sums.grids))
			return FIT_NONE;
		return k == 0 ? FIT_NAMES : FIT_LOST;
	}
	return FIT_NONE;
}

static struct span
candidates(const struct graph_survey *s, uint32_t set)
{
	return intern_text(&s->sets, set);
}

static size_t
candidate_count(struct span set)
{
	return set.len / sizeof(struct candidate);
}

static struct candidate
candidate_at(struct span set, size_t i)
{
	struct candidate c;

	memcpy(&c, set.p + i * sizeof(c), sizeof(c));
	return c;
}

/* a capture without names is nothing beside one with names */
static void
drop_counts(struct text *t)
{
	struct span all = text_span(t);
	size_t n = candidate_count(all), kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct candidate c = candidate_at(all, i);

		if (c.fit == FIT_COUNT)
			continue;
		memcpy(t->p + kept * sizeof(c), &c, sizeof(c));
		kept++;
	}
	if (kept > 0)
		t->len = kept * sizeof(struct candidate);
}

static void
find_candidates(struct graph_survey *s, struct graph_launch *l)
{
	struct text *t = &s->scratch;

	t->len = 0;
	for (size_t i = 0; i < s->capture_count && l->sums.count > 0; i++) {
		struct candidate c = {
		    (uint32_t)i, (uint32_t)fit_of(&s->captures[i], l)};

		if (c.fit != FIT_NONE)
			text_add(t, (const char *)&c, sizeof(c));
	}
	drop_counts(t);
	l->set = intern_get(&s->sets, text_span(t));
}

static bool
is_candidate(const struct graph_survey *s, uint32_t set, size_t capture)
{
	struct span all = candidates(s, set);

	for (size_t i = 0; i < candidate_count(all); i++)
		if (candidate_at(all, i).capture == capture)
			return true;
	return false;
}

/* what is left of a set of the captures that are marked */
static uint32_t
restricted(struct graph_survey *s, uint32_t set, const size_t *starts,
    size_t count, size_t place)
{
	struct span all = candidates(s, set);
	struct text *t = &s->scratch;

	t->len = 0;
	for (size_t i = 0; i < candidate_count(all); i++) {
		struct candidate c = candidate_at(all, i);

		for (size_t k = 0; k < count; k++)
			if (c.capture == starts[k] + place) {
				text_add(t, (const char *)&c, sizeof(c));
				break;
			}
	}
	return intern_get(&s->sets, text_span(t));
}

/* the captures from one on that are of its group */
static size_t
group_length(const struct graph_survey *s, size_t start)
{
	size_t i = start + 1;

	while (i < s->capture_count && s->captures[start].group != 0 &&
	       s->captures[i].group == s->captures[start].group &&
	       s->captures[i].process == s->captures[start].process)
		i++;
	return i - start;
}

static bool
group_fits(const struct graph_survey *s, size_t start, const size_t *launches,
    size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!is_candidate(
			s, s->launches.all[launches[i]].set, start + i))
			return false;
	return true;
}

/* launches of one group, in order: the captures of which groups they may be */
static void
order_group(struct graph_survey *s, const size_t *launches, size_t count)
{
	size_t *starts = NULL, fits = 0, cap = 0;

	for (size_t i = 0; i < s->capture_count;) {
		size_t length = group_length(s, i);

		if (length == count && group_fits(s, i, launches, count))
			*array_add(&starts, &fits, &cap) = i;
		i += length;
	}
	for (size_t i = 0; i < count && fits > 0; i++) {
		struct graph_launch *l = &s->launches.all[launches[i]];

		l->set = restricted(s, l->set, starts, fits, i);
	}
	free(starts);
}

struct grouped_launch {
	uint64_t group;
	size_t launch;
};

static int
compare_grouped(const void *x, const void *y)
{
	const struct grouped_launch *a = x, *b = y;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return (a->launch > b->launch) - (a->launch < b->launch);
}

/* launches with operations stand in order of their calls */
static void
order_launches(struct graph_survey *s)
{
	size_t n = s->launches.count, count;
	struct grouped_launch *all = mem_resize(NULL, n + 1, sizeof(*all));
	size_t *group = mem_resize(NULL, n + 1, sizeof(*group));

	for (size_t i = 0; i < n; i++)
		all[i] = (struct grouped_launch){s->launches.all[i].group, i};
	qsort(all, n, sizeof(*all), compare_grouped);
	for (size_t i = 0; i < n; i += count) {
		for (count = 0;
		     i + count < n && all[i + count].group == all[i].group;
		     count++)
			group[count] = all[i + count].launch;
		if (count > 1 && all[i].group != 0)
			order_group(s, group, count);
	}
	free(group);
	free(all);
}

static int
compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* the distinct graphs that a process launches, by id */
static int64_t *
graphs_of(const struct graph_survey *s, uint64_t process, size_t *count)
{
	int64_t *ids = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < s->launches.count; i++)
		if (s->launches.all[i].process == process &&
		    s->launches.all[i].graph != NO_ID)
			*array_add(&ids, &n, &cap) = s->launches.all[i].graph;
	if (n > 0)
		qsort(ids, n, sizeof(*ids), compare_ids);
	*count = 0;
	for (size_t i = 0; i < n; i++)
		if (i == 0 || ids[i] != ids[i - 1])
			ids[(*count)++] = ids[i];
	return ids;
}

/* of a process, which captures there are by their order */
struct graph_order {
	int64_t *ids;
	size_t count;
	size_t *captures;
	size_t capture_count, cap;
	bool alone; /* one capture, and one sequence of all launches */
};

static void
find_order(
    const struct graph_survey *s, uint64_t process, struct graph_order *o)
{
	const struct graph_sums *sums = NULL;

	*o = (struct graph_order){0};
	o->ids = graphs_of(s, process, &o->count);
	for (size_t i = 0; i < s->capture_count; i++)
		if (s->captures[i].process == 0 ||
		    s->captures[i].process == process)
			*array_add(&o->captures, &o->capture_count, &o->cap) =
			    i;
	o->alone = o->capture_count == 1;
	for (size_t i = 0; i < s->launches.count; i++) {
		const struct graph_launch *l = &s->launches.all[i];

		if (l->process != process || l->sums.count == 0)
			continue;
		o->alone &= sums == NULL || (sums->names == l->sums.names &&
						sums->count == l->sums.count);
		sums = &l->sums;
	}
}

/* the only capture that the order of ids allows, or NO_CAPTURE */
enum { NO_CAPTURE = -1 };

static int64_t
capture_by_order(const struct graph_order *o, const struct graph_launch *l)
{
	if (o->alone)
		return (int64_t)o->captures[0];
	for (size_t i = 0; i < o->count && o->count == o->capture_count; i++)
		if (o->ids[i] == l->graph)
			return (int64_t)o->captures[i];
	return NO_CAPTURE;
}

/* ---- answers ---- */

static uint32_t
label_at(const struct graph_survey *s, size_t capture, size_t op)
{
	return s->calls[s->captures[capture].first_op + op];
}

static bool
all_agree(const struct graph_survey *s, struct span set, size_t ops)
{
	size_t first = candidate_at(set, 0).capture;

	for (size_t i = 1; i < candidate_count(set); i++)
		for (size_t k = 0; k < ops; k++)
			if (label_at(s, candidate_at(set, i).capture, k) !=
			    label_at(s, first, k))
				return false;
	return true;
}

/* the labels that are made of those of all captures of a set */
static void
add_common(struct graph_survey *s, struct graph_answer *a, struct span set,
    const struct graph_launch *l)
{
	size_t first = candidate_at(set, 0).capture;
	size_t from =
	    l->by_node ? s->captures[first].first : s->captures[first].first_op;
	size_t n = l->by_node ? s->captures[first].items : l->sums.count;

	a->first = a->first_op = s->call_count;
	for (size_t k = 0; k < n; k++) {
		uint32_t label = s->calls[from + k];

		for (size_t i = 1; i < candidate_count(set); i++) {
			const struct graph_capture *c =
			    &s->captures[candidate_at(set, i).capture];
			size_t at = (l->by_node ? c->first : c->first_op) + k;

			label =
			    graph_label_common(&s->labels, label, s->calls[at]);
		}
		*array_add(&s->calls, &s->call_count, &s->call_cap) = label;
	}
}

static bool
same_items(const struct graph_survey *s, struct span set)
{
	for (size_t i = 1; i < candidate_count(set); i++)
		if (s->captures[candidate_at(set, i).capture].items !=
		    s->captures[candidate_at(set, 0).capture].items)
			return false;
	return true;
}

enum proof {
	PROOF_ORDINAL,
	PROOF_SEQUENCE,
	PROOF_ORDER,
	PROOF_COMMON,
	PROOF_ALIGNED,
	PROOFS
};
static const struct span proofs[PROOFS] = {
    {"\"ordinal\"", 9},
    {"\"sequence\"", 10},
    {"\"order\"", 7},
    {"\"common\"", 8},
    {"\"aligned\"", 9},
};

static void
answer(struct graph_survey *s, struct graph_launch *l, uint32_t set,
    enum proof proof)
{
	struct span all = candidates(s, set);
	struct candidate c = candidate_at(all, 0);
	struct graph_answer *a;
	bool fresh;

	if (candidate_count(all) > 1 && !all_agree(s, all, l->sums.count)) {
		if (l->by_node && !same_items(s, all))
			return;
		proof = PROOF_COMMON;
	}
	a = keyed_get(
	    &s->answers, set, (uint64_t)proof << 1 | l->by_node, &fresh);
	if (fresh) {
		*a =
		    (struct graph_answer){.first = s->captures[c.capture].first,
			.first_op = s->captures[c.capture].first_op,
			.proof = proofs[proof],
			.common = proof == PROOF_COMMON,
			.lost = c.fit == FIT_LOST};
		if (proof == PROOF_COMMON)
			add_common(s, a, all, l);
	}
	l->answer = (size_t)(a - s->answers.all) + 1;
}

static enum fit
best_fit(struct span set)
{
	enum fit best = FIT_NONE;

	for (size_t i = 0; i < candidate_count(set); i++)
		if (candidate_at(set, i).fit > best)
			best = (enum fit)candidate_at(set, i).fit;
	return best;
}

static void
decide_by_count(
    struct graph_survey *s, struct graph_launch *l, const struct graph_order *o)
{
	int64_t capture = capture_by_order(o, l);
	size_t start = (size_t)capture;

	if (capture != NO_CAPTURE && is_candidate(s, l->set, start))
		answer(
		    s, l, restricted(s, l->set, &start, 1, 0), PROOF_ORDINAL);
}

/* ---- launches that no capture fits ---- */

static void
add_unmatched(struct graph_survey *s)
{
	for (size_t i = 0; i < s->launches.count; i++) {
		struct graph_launch *l = &s->launches.all[i];
		struct graph_unmatched *u;
		bool fresh;

		if (l->answer != 0 || l->sums.count == 0 || l->mixed)
			continue;
		u = keyed_get(&s->unmatched, l->process,
		    hash_mix(l->sums.names ^ l->sums.count, l->sums.kinds | 1),
		    &fresh);
		if (fresh)
			*u = (struct graph_unmatched){
			    .ops = {.process = l->process}, .launch = i};
		l->target = (size_t)(u - s->unmatched.all) + 1;
	}
}

static void
collect_operation(struct graph_survey *s, const struct event *ev)
{
	struct graph_launch *l;
	struct graph_unmatched *u;
	int64_t node = event_int(ev, KEY_graph_node, NO_ID);

	if (!event_has(ev, KEY_corr) ||
	    (l = launch_of(s, event_int(ev, KEY_pid, NO_ID),
		 event_int(ev, KEY_corr, NO_ID))) == NULL ||
	    l->target == 0)
		return;
	u = &s->unmatched.all[l->target - 1];
	if (&s->launches.all[u->launch] == l)
		graph_resemblance_operation(&s->resemblance, &u->ops,
		    l->by_node ? (int64_t)((uint64_t)node & UINT32_MAX)
			       : (int64_t)u->ops.count,
		    operation_symbol(s, ev).like);
}

void
graph_survey_collect(struct graph_survey *s, const struct event *ev)
{
	if (ev->kind == KIND_trace)
		leave_section(s);
	else if (ev->kind == KIND_symbol)
		define_symbol(s, ev);
	else if (ev->kind == KIND_kernel || ev->kind == KIND_memcpy ||
		 ev->kind == KIND_memset)
		collect_operation(s, ev);
}

/* the labels of operations by their place, as those of a capture */
static size_t
answer_alike(struct graph_survey *s, size_t unmatched)
{
	const struct graph_target *t = &s->unmatched.all[unmatched].ops;
	struct graph_answer *a;
	bool fresh;
	size_t first = s->call_count;

	for (size_t i = 0; i < t->count; i++) {
		while (s->call_count < first + (size_t)t->ops[i].place)
			*array_add(&s->calls, &s->call_count, &s->call_cap) =
			    GRAPH_ALIGNMENT_NONE;
		*array_add(&s->calls, &s->call_count, &s->call_cap) =
		    t->ops[i].label;
	}
	a = keyed_get(
	    &s->answers, (uint64_t)1 << 32 | unmatched, PROOF_ALIGNED, &fresh);
	*a = (struct graph_answer){
	    .first = first, .first_op = first, .proof = proofs[PROOF_ALIGNED]};
	return (size_t)(a - s->answers.all) + 1;
}

/* nodes are mostly as many as operations, or a few more */
static bool
is_dense(const struct graph_target *t)
{
	enum { FEW = 16, SOME = 4096 };

	return t->ops[t->count - 1].place < (int64_t)(t->count * FEW + SOME);
}

void
graph_survey_compare(struct graph_survey *s)
{
	size_t *answers =
	    mem_resize(NULL, s->unmatched.count + 1, sizeof(*answers));

	for (size_t i = 0; i < s->unmatched.count; i++) {
		struct graph_target *t = &s->unmatched.all[i].ops;

		answers[i] = 0;
		if (t->count == 0)
			continue;
		if (graph_resemblance_find(
			&s->resemblance, t, &s->labels, s->percent) &&
		    is_dense(t)) {
			answers[i] = answer_alike(s, i);
		} else if (s->best_of == 0 ||
			   t->alike * s->best_of > s->best * t->count) {
			s->best = t->alike;
			s->best_of = t->count;
		}
	}
	for (size_t i = 0; i < s->launches.count; i++)
		if (s->launches.all[i].target != 0)
			s->launches.all[i].answer =
			    answers[s->launches.all[i].target - 1];
	free(answers);
	graph_survey_rewind(s);
}

void
graph_survey_refusal(const struct graph_survey *s)
{
	if (s->resemblance.long_ops > 0)
		note("a graph of %zu operations is not compared with %zu "
		     "calls: more than 64 M pairs",
		    s->resemblance.long_ops, s->resemblance.long_calls);
	if (s->best_of > 0)
		note("graph launches resemble no capture (best: %zu %% of the "
		     "names)",
		    s->best * 100 / s->best_of);
}

bool
graph_survey_decide(struct graph_survey *s)
{
	uint32_t *before =
	    mem_resize(NULL, s->launches.count + 1, sizeof(*before));
	KEYED(struct graph_order) orders = {0}; /* by process */

	end_programs(s);
	for (size_t i = 0; i < s->launches.count; i++) {
		find_candidates(s, &s->launches.all[i]);
		before[i] = s->launches.all[i].set;
	}
	order_launches(s);
	for (size_t i = 0; i < s->launches.count; i++) {
		struct graph_launch *l = &s->launches.all[i];
		enum fit fit = best_fit(candidates(s, l->set));

		if (fit == FIT_COUNT) {
			bool fresh;
			struct graph_order *o =
			    keyed_get(&orders, l->process, 0, &fresh);

			if (fresh)
				find_order(s, l->process, o);
			decide_by_count(s, l, o);
		} else if (fit != FIT_NONE)
			answer(s, l, l->set,
			    l->set != before[i] ? PROOF_ORDER : PROOF_SEQUENCE);
	}
	for (size_t i = 0; i < orders.count; i++) {
		free(orders.all[i].ids);
		free(orders.all[i].captures);
	}
	keyed_free(&orders);
	free(before);
	if (s->resemblance.source_count > 0)
		add_unmatched(s);
	return s->unmatched.count > 0;
}

void
graph_survey_rewind(struct graph_survey *s)
{
	leave_section(s);
	s->section = 0;
}

void
graph_survey_annotate(struct graph_survey *s, int64_t node,
    struct span operator, struct span module, struct span shapes)
{
	*map_get(&s->annotated, (uint64_t)node, 0) =
	    1 + (uint64_t)graph_label_of(&s->labels, operator, module, shapes);
}

bool
graph_survey_annotation(
    struct graph_survey *s, int64_t node, struct graph_name *name)
{
	const uint64_t *label =
	    node == NO_ID ? NULL : map_find(&s->annotated, (uint64_t)node, 0);

	if (label == NULL)
		return false;
	s->used_annotation = true;
	name->label = s->labels.all[*label - 1];
	name->index = (int64_t)((uint64_t)node & UINT32_MAX);
	name->proof = SPAN("\"node\"");
	return true;
}

bool
graph_survey_find(struct graph_survey *s, int64_t pid, int64_t corr,
    int64_t node, struct graph_name *name, bool *common)
{
	struct graph_launch *l = launch_of(s, pid, corr);
	struct graph_answer *a;
	size_t place;
	uint32_t label;

	*common = false;
	if (l == NULL || l->answer == 0)
		return false;
	place = (size_t)(l->by_node ? (int64_t)((uint64_t)node & UINT32_MAX)
				    : l->next++);
	a = &s->answers.all[l->answer - 1];
	if ((l->by_node ? a->first : a->first_op) + place >= s->call_count)
		return false; /* the input changed */
	label = s->calls[(l->by_node ? a->first : a->first_op) + place];
	if (label >= s->labels.count)
		return false; /* alignments differ in it, or none has it */
	name->label = s->labels.all[label];
	name->index = (int64_t)place;
	name->proof = a->proof;
	*common = a->common;
	a->used = true;
	return true;
}

static void
describe_proof(struct text *t, struct span proof, bool *any)
{
	text_add_str(t, *any ? ", " : " (");
	text_add(t, proof.p + 1, proof.len - 2);
	*any = true;
}

void
graph_survey_describe(const struct graph_survey *s, struct text *t)
{
	bool found[PROOFS] = {false}, lost = false, any = false;

	for (size_t i = 0; i < s->answers.count; i++) {
		const struct graph_answer *a = &s->answers.all[i];

		lost |= a->used && a->lost;
		for (size_t k = 0; k < PROOFS; k++)
			found[k] |= a->used && a->proof.p == proofs[k].p;
	}
	if (s->used_annotation)
		describe_proof(t, SPAN("\"node\""), &any);
	for (size_t k = 0; k < PROOFS; k++)
		if (found[k])
			describe_proof(t, proofs[k], &any);
	text_add_str(t, any ? ")" : "");
	if (lost)
		text_add_str(
		    t, "; the last operations of launches are not recorded");
}

/* ---- life ---- */

void
graph_survey_open(struct graph_survey *s)
{
	s->to = &s->silent;
	s->project.out = &s->to;
	s->project.silent = s->project.shapes = true;
	s->project.expiry = EXPIRY_EMPTY;
}

void
graph_survey_free(struct graph_survey *s)
{
	project_free(&s->project);
	free_windows(s);
	keyed_free(&s->windows);
	graph_label_free(&s->labels);
	map_free(&s->processes);
	map_free(&s->annotated);
	keyed_free(&s->symbols);
	end_programs(s);
	keyed_free(&s->programs);
	map_free(&s->pending);
	graph_resemblance_free(&s->resemblance);
	for (size_t i = 0; i < s->unmatched.count; i++)
		free(s->unmatched.all[i].ops.ops);
	keyed_free(&s->unmatched);
	free(s->captures);
	free(s->calls);
	keyed_free(&s->launches);
	intern_free(&s->sets);
	keyed_free(&s->answers);
	text_free(&s->scratch);
	text_free(&s->name);
}
