/*
 * samples.c - functions: the functions that samples of processors found
 *
 * A function is a frame without its line.  A sample counts for the innermost
 * function itself, and in total once for each function of its stack.
 */

#include <stdlib.h>

#include "tq/account/cpu_samples.h"
#include "tq/base/keyed.h"

#include "samples.h"
#include "sums.h"
#include "tq/show/col.h"

enum { FUNCTION, PROCESS, THREAD };

struct functions {
	struct cpu_samples samples;
	KEYED(struct group *) functions; /* (frame, by), of the section */
};

static bool
is_by(const struct report *r, const char *by)
{
	return r->more != NULL && strcmp(r->more, by) == 0;
}

/* ---- the stream ---- */

static void
functions_event(struct report *r, const struct event *ev)
{
	struct functions *s = r->state;

	cpu_samples_event(&s->samples, ev);
}

/* The group of a function; by: of these samples, or NULL if none is asked. */
static struct group *
group_of(
    struct report *r, struct span function, const struct sampled_thread *by)
{
	r->key.len = 0;
	groups_part(&r->key, function);
	if (by != NULL)
		sums_process_part(r, by->pid);
	if (by != NULL && is_by(r, "thread"))
		sums_thread_part(r, by->pid, by->tid);
	return groups_get(&r->groups, text_span(&r->key));
}

static struct group *
function_of(struct report *r, uint32_t frame, const struct sampled_thread *by)
{
	struct functions *s = r->state;
	struct text name = {0};
	bool fresh;
	struct group **g = keyed_get(&s->functions, frame,
	    by == NULL            ? 0
	    : is_by(r, "process") ? (uint64_t)by->pid
				  : (uint64_t)(by - s->samples.threads.all),
	    &fresh);

	if (!fresh)
		return *g;
	cpu_samples_add_function(&name, names_frame(r->names, frame));
	if (name.len == 0)
		text_add_str(&name, "[no name]");
	*g = group_of(r, text_span(&name), by);
	text_free(&name);
	return *g;
}

static void
add_self(struct group *g, const struct cpu_sample *x)
{
	groups_number(g, SAMPLES_SELF, x->count);
	groups_number(g, SAMPLES_SELF_NS, x->ns);
	groups_number(g, SAMPLES_SELF_EVENTS, x->events);
	groups_number(g, SAMPLES_TIMED, x->timed);
	groups_number(g, SAMPLES_METERED, x->metered);
}

static void
add_total(struct group *g, const struct cpu_sample *x)
{
	groups_number(g, SAMPLES_TOTAL, x->count);
	groups_number(g, SAMPLES_TOTAL_NS, x->ns);
	groups_number(g, SAMPLES_TOTAL_EVENTS, x->events);
}

/*
 * Groups have no intervals here: busy_end is the number of the last stack that
 * counts in the total, so that recursion counts once.
 */
static void
add_stack(struct report *r, const struct cpu_sample *x, int64_t stack)
{
	struct functions *s = r->state;
	const struct sampled_thread *by =
	    r->more != NULL ? &s->samples.threads.all[x->thread] : NULL;
	const uint32_t *frames = NULL;
	size_t count = cpu_samples_frames(&s->samples, r->names, x, &frames);

	if (count == 0) {
		struct group *g = group_of(r, SPAN("[no stack]"), by);

		add_self(g, x);
		add_total(g, x);
		return;
	}
	add_self(function_of(r, frames[0], by), x);
	for (size_t i = 0; i < count; i++) {
		struct group *g = function_of(r, frames[i], by);

		if (g->busy_end == stack)
			continue;
		g->busy_end = stack;
		add_total(g, x);
	}
}

static void
functions_section_end(struct report *r)
{
	struct functions *s = r->state;

	cpu_samples_end(&s->samples);
	for (size_t i = 0; i < s->samples.all.count; i++)
		if (cpu_samples_counts(&s->samples, &s->samples.all.all[i]))
			add_stack(r, &s->samples.all.all[i], (int64_t)i);
	cpu_samples_clear(&s->samples);
	keyed_clear(&s->functions);
}

static void
functions_open(struct report *r)
{
	struct functions *s = r->state;

	s->samples.which = cpu_samples_word(r->arg);
}

/* ---- the table ---- */

static dist_wide
sum_of(const struct groups *gs, size_t number)
{
	dist_wide sum = 0;

	for (size_t i = 0; i < gs->count; i++)
		sum += gs->all[i]->numbers[number];
	return sum;
}

size_t
samples_basis(const struct groups *gs)
{
	dist_wide all = sum_of(gs, SAMPLES_SELF);

	if (sum_of(gs, SAMPLES_TIMED) == all)
		return SAMPLES_SELF_NS;
	return sum_of(gs, SAMPLES_METERED) == all ? SAMPLES_SELF_EVENTS
						  : SAMPLES_SELF;
}

static int
compare(const void *pa, const void *pb, void *basis)
{
	const struct group *a = *(struct group *const *)pa;
	const struct group *b = *(struct group *const *)pb;
	const size_t *self = basis;

	for (size_t i = *self; i < *self + 2; i++)
		if (a->numbers[i] != b->numbers[i])
			return a->numbers[i] > b->numbers[i] ? -1 : 1;
	return span_cmp(a->key, b->key);
}

void
samples_sort(struct groups *gs, size_t basis)
{
	if (gs->count > 1)
		qsort_r(gs->all, gs->count, sizeof(struct group *), compare,
		    &basis);
}

/* what the rows of a table have in common */
struct functions_rows {
	const struct report *report;
	size_t basis; /* of shares */
	dist_wide all;
};

static void
functions_row(
    struct table *t, const struct group *g, const struct functions_rows *of)
{
	const int64_t *n = g->numbers;
	bool timed = of->basis == SAMPLES_SELF_NS;

	col_share(t, "Self", n[of->basis], of->all);
	col_int(t, "Self", UNIT_NONE, n[SAMPLES_SELF]);
	col_int_if(t, "Self Time", UNIT_TIME, timed, n[SAMPLES_SELF_NS]);
	col_share(t, "Total", n[of->basis + 1], of->all);
	col_int(t, "Total", UNIT_NONE, n[SAMPLES_TOTAL]);
	col_int_if(t, "Total Time", UNIT_TIME, timed, n[SAMPLES_TOTAL_NS]);
	if (of->report->more != NULL)
		col_text(t, "Process", groups_key(g, PROCESS));
	if (is_by(of->report, "thread"))
		col_text(t, "Thread", groups_key(g, THREAD));
	col_text(t, "Function", groups_key(g, FUNCTION));
}

static void
functions_table(struct report *r, struct table *t)
{
	struct groups *gs = &r->groups;
	struct functions_rows of = {r, samples_basis(gs), 0};

	of.all = sum_of(gs, of.basis);
	samples_sort(gs, of.basis);
	col_heading(t, functions_row, groups_empty(gs), &of);
	for (size_t i = 0; i < gs->count; i++)
		functions_row(t, gs->all[i], &of);
}

static void
functions_close(struct report *r)
{
	struct functions *s = r->state;

	cpu_samples_free(&s->samples);
	keyed_free(&s->functions);
}

const struct report_kind samples_reports[] = {
    {.name = "functions",
	.question = ASKS_HOST,
	.rows = KINDS(sample),
	.old = "sample_sum",
	.title = "Functions in Samples of Processors",
	.args = "native|python|all",
	.more = "process|thread",
	.profiled = "folded:samples",
	.missing = "no sample of a running thread in the stream",
	.kinds = KINDS(trace) | KINDS(sample),
	.keys = cpu_samples_keys,
	.stacks = true,
	.size = sizeof(struct functions),
	.open = functions_open,
	.event = functions_event,
	.section_end = functions_section_end,
	.table = functions_table,
	.close = functions_close,
	.sum = SUM(KEY_count, .numbers = SAMPLES_NUMBERS)},
    {0},
};
