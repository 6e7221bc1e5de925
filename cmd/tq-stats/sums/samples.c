/*
 * samples.c - sample_sum: the functions that samples of processors found
 *
 * A function is a frame without its line.  A sample counts for the innermost
 * function itself, and in total once for each function of its stack.
 */

#include <stdlib.h>

#include "tq/base/keyed.h"

#include "samples.h"
#include "sums.h"
#include "tq/show/col.h"

/* the samples of a stack; id: NO_ID of samples that have none */
struct sampled_stack {
	int64_t id, count;
};

struct samples {
	KEYED(struct sampled_stack) stacks; /* of the section */
	KEYED(struct group *) functions;    /* by frame, of the section */
};

static void
sample_event(struct report *r, const struct event *ev)
{
	struct samples *s = r->state;
	int64_t id = event_int(ev, KEY_stack, NO_ID);
	int64_t count = event_int(ev, KEY_count, 1);
	struct sampled_stack *stack;
	bool fresh;

	/* where a thread waits stands for no time */
	if (ev->kind != KIND_sample || count <= 0)
		return;
	stack = keyed_get(&s->stacks, (uint64_t)id, 0, &fresh);
	if (fresh)
		*stack = (struct sampled_stack){.id = id};
	if (__builtin_add_overflow(stack->count, count, &stack->count))
		stack->count = INT64_MAX;
}

/* The function of a frame: "f (x.py)" of "f (x.py:12)". */
static void
add_function(struct text *t, struct span frame)
{
	size_t n = frame.len;

	if (n > 0 && frame.p[n - 1] == ')')
		n--;
	while (n > 0 && frame.p[n - 1] >= '0' && frame.p[n - 1] <= '9')
		n--;
	if (n <= 1 || n + 1 >= frame.len || frame.p[n - 1] != ':' ||
	    frame.p[frame.len - 1] != ')') {
		text_add_span(t, frame);
		return;
	}
	text_add(t, frame.p, n - 1);
	text_add_char(t, ')');
}

static struct group *
group_of(struct report *r, struct span function)
{
	r->key.len = 0;
	groups_part(&r->key, function);
	return groups_get(&r->groups, text_span(&r->key));
}

static struct group *
function_of(struct report *r, uint32_t frame)
{
	struct samples *s = r->state;
	bool fresh;
	struct group **g = keyed_get(&s->functions, frame, 0, &fresh);

	if (!fresh)
		return *g;
	r->scratch.len = 0;
	add_function(&r->scratch, names_frame(r->names, frame));
	if (r->scratch.len == 0)
		text_add_str(&r->scratch, "[no name]");
	return *g = group_of(r, text_span(&r->scratch));
}

/*
 * Groups have no intervals here: busy_end is the number of the last stack that
 * counts in the total, so that recursion counts once.
 */
static void
add_stack(struct report *r, const struct sampled_stack *of, int64_t stack)
{
	const uint32_t *frames = NULL;
	size_t count =
	    of->id != NO_ID ? names_stack(r->names, of->id, &frames) : 0;

	if (count == 0) {
		struct group *g = group_of(r, SPAN("[no stack]"));

		groups_number(g, SAMPLES_SELF, of->count);
		groups_number(g, SAMPLES_TOTAL, of->count);
		return;
	}
	groups_number(function_of(r, frames[0]), SAMPLES_SELF, of->count);
	for (size_t i = 0; i < count; i++) {
		struct group *g = function_of(r, frames[i]);

		if (g->busy_end == stack)
			continue;
		g->busy_end = stack;
		groups_number(g, SAMPLES_TOTAL, of->count);
	}
}

static void
sample_section_end(struct report *r)
{
	struct samples *s = r->state;

	for (size_t i = 0; i < s->stacks.count; i++)
		add_stack(r, &s->stacks.all[i], (int64_t)i);
	keyed_clear(&s->stacks);
	keyed_clear(&s->functions);
}

int
samples_by_self(const void *pa, const void *pb)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;

	for (size_t i = SAMPLES_SELF; i < SAMPLES_NUMBERS; i++)
		if (a->numbers[i] != b->numbers[i])
			return a->numbers[i] > b->numbers[i] ? -1 : 1;
	return span_cmp(a->key, b->key);
}

static void
sample_row(struct table *t, const struct group *g, dist_wide all)
{
	col_share(t, "Self", g->numbers[SAMPLES_SELF], all);
	col_int(t, "Self", UNIT_NONE, g->numbers[SAMPLES_SELF]);
	col_share(t, "Total", g->numbers[SAMPLES_TOTAL], all);
	col_int(t, "Total", UNIT_NONE, g->numbers[SAMPLES_TOTAL]);
	col_text(t, "Function", groups_key(g, 0));
}

static void
sample_table(struct report *r, struct table *t)
{
	struct groups *gs = &r->groups;
	dist_wide all = 0;

	for (size_t i = 0; i < gs->count; i++)
		all += gs->all[i]->numbers[SAMPLES_SELF];
	groups_sort(gs, samples_by_self);
	col_heading(t, sample_row, groups_empty(gs), 0);
	for (size_t i = 0; i < gs->count; i++)
		sample_row(t, gs->all[i], all);
}

static void
sample_close(struct report *r)
{
	struct samples *s = r->state;

	keyed_free(&s->stacks);
	keyed_free(&s->functions);
}

const struct report_kind samples_reports[] = {
    {.name = "sample_sum",
	.title = "Functions in Samples of Processors",
	.missing = "no sample in the stream",
	.kinds = KINDS(sample),
	.keys = KEYS(KEY_stack, KEY_count),
	.stacks = true,
	.size = sizeof(struct samples),
	.event = sample_event,
	.section_end = sample_section_end,
	.table = sample_table,
	.close = sample_close,
	.sum = SUM(KEY_count, .numbers = SAMPLES_NUMBERS)},
    {0},
};
