/*
 * self_folded.c - stacks as flamegraph.pl and speedscope read them: a line for
 * each, "outer;inner NUMBER"; of ranges and operations in nanoseconds, of
 * threads and frames in samples
 */

#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/base/mem.h"

#include "sums/cuda.h"
#include "self.h"

/* its line, in scratch first, which is empty */
static struct group *
line_of(struct self_folded *s, const struct nvtx_names *names, uint32_t outer,
    uint32_t inner)
{
	struct span in = nvtx_name_text(&s->inner, inner);
	struct group *g;
	struct text key = {0};

	text_add_span(&s->scratch, nvtx_name_text(names, outer));
	if (s->scratch.len > 0 && in.len > 0)
		text_add_char(&s->scratch, ';');
	text_add_span(&s->scratch, in);
	groups_part(&key, text_span(&s->scratch));
	g = groups_get(&s->groups, text_span(&key));
	text_free(&key);
	return g;
}

/* n more of (outer, inner); names: of outer */
static void
add(struct self_folded *s, const struct nvtx_names *names, uint32_t outer,
    uint32_t inner, int64_t n)
{
	uint64_t *slot = map_get(&s->lines, outer, inner);

	s->scratch.len = 0;
	if (*slot == 0)
		*slot = (uint64_t)(uintptr_t)line_of(s, names, outer, inner);
	groups_number((struct group *)(uintptr_t)*slot, 0, n);
}

/* ---- operations ---- */

static uint32_t
name_of(struct self_folded *s, const struct event *ev)
{
	struct text name = {0};
	struct span raw;
	uint32_t number;

	s->scratch.len = 0;
	raw = ev->kind == KIND_kernel || event_has(ev, KEY_name)
		  ? event_str(ev, KEY_name, &s->scratch)
		  : cuda_operation_name(ev, &s->scratch);
	self_add_folded(&name, raw);
	number = nvtx_name(&s->inner, text_span(&name));
	text_free(&name);
	return number;
}

void
folded_event(struct report *r, const struct event *ev)
{
	struct self_folded *s = r->state;
	struct self_op *op = self_ops_add(&s->ops, ev);

	if (op != NULL)
		op->name = name_of(s, ev);
}

void
folded_section_end(struct report *r)
{
	struct self_folded *s = r->state;

	for (size_t i = 0; i < s->ops.count; i++) {
		const struct self_op *op = &s->ops.all[i];

		add(s, &s->ops.places, self_ops_place(&s->ops, op), op->name,
		    op->dur);
	}
	self_ops_reset(&s->ops);
}

/* ---- samples ---- */

/* the frames of a stack, outermost first; they come the other way round */
static void
define(struct self_folded *s, const struct event *ev)
{
	struct text names = {0}, path = {0};
	size_t *ends = NULL, n = 0, cap = 0;
	struct json j;
	struct span name;

	if (!event_has(ev, KEY_frames))
		return;
	json_open_array(&j, ev->value[KEY_frames]);
	while (json_next_element(&j, &name)) {
		s->scratch.len = 0;
		json_decode(&s->scratch, name);
		self_add_folded(&names, text_span(&s->scratch));
		if (n == cap) {
			cap = cap * 2 + 64;
			ends = mem_resize(ends, cap, sizeof(*ends));
		}
		ends[n++] = names.len;
	}
	for (size_t i = n; i > 0; i--) {
		size_t start = i > 1 ? ends[i - 2] : 0;

		text_add_str(&path, i < n ? ";" : "");
		text_add(&path, names.p + start, ends[i - 1] - start);
	}
	*map_get(&s->stacks, (uint64_t)event_int(ev, KEY_id, NO_ID), 0) =
	    1 + (uint64_t)nvtx_name(&s->inner, text_span(&path));
	free(ends);
	text_free(&names);
	text_free(&path);
}

static void
samples_event(struct report *r, const struct event *ev)
{
	struct self_folded *s = r->state;
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t tid = event_int(ev, KEY_tid, NO_ID);
	const uint64_t *stack;
	struct span name;
	uint32_t thread;

	if (ev->kind == KIND_stack)
		define(s, ev);
	if (ev->kind != KIND_sample)
		return;
	name = known_thread(r->known, pid, tid);
	s->scratch.len = 0;
	if (name.len > 0)
		self_add_folded(&s->scratch, name);
	else if (tid != NO_ID)
		text_printf(&s->scratch, "thread %lld", (long long)tid);
	else
		text_add_str(&s->scratch, "[no thread]");
	thread = nvtx_name(&s->threads, text_span(&s->scratch));
	stack =
	    map_find(&s->stacks, (uint64_t)event_int(ev, KEY_stack, NO_ID), 0);
	add(s, &s->threads, thread,
	    stack != NULL ? (uint32_t)*stack - 1
			  : nvtx_name(&s->inner, SPAN("")),
	    1);
}

static void
samples_section_end(struct report *r)
{
	struct self_folded *s = r->state;

	map_clear(&s->stacks);
}

/* ---- lines ---- */

static bool
write_lines(struct self_folded *s, struct output *o)
{
	groups_sort(&s->groups);
	for (size_t i = 0; i < s->groups.count; i++) {
		const struct group *g = s->groups.all[i];

		text_add_span(&o->buf, groups_key(g, 0));
		text_add_char(&o->buf, ' ');
		text_add_int(&o->buf, g->numbers[0]);
		text_add_char(&o->buf, '\n');
		output_check(o);
	}
	return s->groups.count > 0;
}

bool
folded_text(struct report *r, struct output *o)
{
	struct self_folded *s = r->state;

	return (s->ops.correlated || r->correlated) && write_lines(s, o);
}

static bool
samples_text(struct report *r, struct output *o)
{
	return write_lines(r->state, o);
}

struct groups *
folded_groups(const struct report *r)
{
	return &((struct self_folded *)r->state)->groups;
}

/* ---- the report ---- */

void
folded_close(struct report *r)
{
	struct self_folded *s = r->state;

	self_ops_free(&s->ops);
	nvtx_names_free(&s->threads);
	nvtx_names_free(&s->inner);
	map_free(&s->stacks);
	map_free(&s->lines);
	groups_free(&s->groups);
	text_free(&s->scratch);
}

static const enum key samples_keys[] = {KEY_pid, KEY_tid, KEY_stack, KEY_NONE};

/* What samples are folded by does not come from tq-correlate. */
static const struct report_kind samples = {
    .name = "folded",
    .title = "Folded Stacks of Samples",
    .missing = "no sample in the stream",
    .kinds = KINDS(stack) | KINDS(sample),
    .keys = samples_keys,
    .size = sizeof(struct self_folded),
    .event = samples_event,
    .section_end = samples_section_end,
    .text = samples_text,
    .close = folded_close,
    .groups = folded_groups,
};

void
folded_open(struct report *r)
{
	struct self_folded *s = r->state;

	s->ops.style = (struct self_style){.separator = ";", .folded = true};
	s->groups.numbers = 1;
	if (r->arg != NULL)
		r->kind = &samples;
}
