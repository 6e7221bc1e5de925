/* summary.c - what tq-capture prints at the end of a capture */

#include <err.h>
#include <inttypes.h>

#include "tq/show/amount.h"

#include "sample_method.h"
#include "summary.h"

static void
print(struct text *t)
{
	text_add_char(t, '\0');
	warnx("%s", t->p);
	t->len = 0;
}

static void
print_events(const struct capture *c, struct text *t)
{
	int64_t lines = 0, bytes = 0, late = 0;

	for (size_t i = 0; i < c->outputs.count; i++) {
		lines += c->outputs.all[i]->earlier + c->outputs.all[i]->lines;
		bytes += c->outputs.all[i]->bytes;
		if (!c->outputs.all[i]->live)
			late += c->outputs.all[i]->late;
	}
	text_printf(t, "%" PRId64 " record%s (", lines, lines == 1 ? "" : "s");
	amount_size(t, bytes);
	if (c->options.attach != 0)
		text_printf(
		    t, ") of process %" PRId64 " in ", c->options.attach);
	else
		text_printf(t, ") of %zu process%s in ", c->count,
		    c->count == 1 ? "" : "es");
	amount_time(t, clock_now(&c->clock));
	print(t);
	if (late > 0) {
		text_printf(t,
		    "%" PRId64 " records came too late to be in order: "
		    "put the stream through tq-extract",
		    late);
		print(t);
	}
}

static void
print_losses(const struct capture *c, struct text *t)
{
	int64_t lost[LOSSES] = {0}, garbage = 0, written = 0, salvaged = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct captured_process *p = c->processes[i];

		for (int k = 0; k < LOSSES; k++)
			lost[k] += p->lost[k];
		garbage += p->lines.garbage;
		salvaged += p->salvaged;
	}
	for (size_t i = 0; i < c->outputs.count; i++)
		written += c->outputs.all[i]->lost;
	for (int k = 0; k < LOSSES; k++)
		if (lost[k] > 0)
			text_printf(t, "%s%" PRId64 " of %s (%s)",
			    t->len > 0 ? ", " : "lost: ", lost[k],
			    captured_process_loss_what((enum arena_loss_kind)k),
			    captured_process_loss_reason(
				(enum arena_loss_kind)k));
	if (written > 0)
		text_printf(t, "%s%" PRId64 " lines (could not be kept)",
		    t->len > 0 ? ", " : "lost: ", written);
	if (garbage > 0)
		text_printf(t, "%s%" PRId64 " chunks overwritten by a program",
		    t->len > 0 ? ", " : "lost: ", garbage);
	if (t->len > 0)
		print(t);
	if (salvaged > 0) {
		text_printf(t,
		    "%" PRId64 " records were found in buffers that CUPTI had "
		    "when %s",
		    salvaged,
		    c->options.attach != 0 ? "the attachment ended"
					   : "its process died");
		print(t);
	}
}

/* names of counts end with the s of their plural */
static void
add_count(struct text *t, int64_t n, const char *names)
{
	text_printf(
	    t, ", %" PRId64 " %.*s ", n, (int)strlen(names) - (n == 1), names);
}

static void
print_cost(const struct capture *c, struct text *t)
{
	double total = 0, busy = 0, cupti = 0, blocked = 0, kinds[COUNTS] = {0};
	int64_t counts[COUNTS] = {0}, short_calls = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct captured_process *p = c->processes[i];

		total += cost_total(&c->cost, p);
		busy += (double)p->busy;
		cupti += p->lines.overhead;
		blocked += (double)p->blocked;
		short_calls += p->short_calls;
		for (int k = 0; k < COUNTS; k++) {
			counts[k] += p->lines.counts[k];
			kinds[k] += cost_of(
			    &c->cost, (enum count_kind)k, p->lines.counts[k]);
		}
	}
	total += cost_of_short(&c->cost, short_calls);
	if (total == 0)
		return;
	text_add_str(t, "it cost the programs about ");
	amount_time(t, (int64_t)total);
	for (int k = 0; k < COUNTS; k++)
		if (kinds[k] > 0) {
			add_count(t, counts[k], lines_count_names[k]);
			amount_time(t, (int64_t)kinds[k]);
		}
	if (short_calls > 0) {
		text_printf(t, ", %" PRId64 " " COST_SHORT " ", short_calls);
		amount_time(t, (int64_t)cost_of_short(&c->cost, short_calls));
	}
	if (busy > 0) {
		text_add_str(t, ", buffers of CUPTI ");
		amount_time(t, (int64_t)busy);
	}
	if (cupti > 0) {
		text_add_str(t, "; CUPTI itself tells of ");
		amount_time(t, (int64_t)cupti);
	}
	if (blocked > 0) {
		text_add_str(t, "; they waited for space for ");
		amount_time(t, (int64_t)blocked);
	}
	print(t);
}

/* append a name, and before it what separates it from one that is there */
static void
add_name(struct text *t, bool wanted, const char *between, const char *name)
{
	if (wanted)
		text_printf(t, "%s%s", t->len > 0 ? between : "", name);
}

/* what options limit calls to: there may be others */
static void
add_limits(const struct capture_options *o, struct text *t)
{
	if (o->ranks != NULL)
		text_add_str(t, " in a process of --ranks");
	if ((o->on & ARENA_NVTX) && o->domains.count > 0)
		text_add_str(t, o->domains.exclude
				    ? " outside of --nvtx-domain-exclude"
				    : " in a domain of --nvtx-domain-include");
}

/* the kinds of events that were asked for, as those that there are none of */
static void
add_kinds(const struct capture_options *o, struct text *t)
{
	uint32_t on = o->on;
	struct text calls = {0};

	add_name(&calls, (on & ARENA_CUDA) != 0, " or ", "CUDA");
	add_name(&calls, (on & ARENA_NVTX) != 0, " or ", "NVTX");
	add_name(&calls, (on & ARENA_MPI) != 0, " or ", "MPI");
	add_name(&calls, (on & ARENA_NCCL) != 0, " or ", "NCCL");
	add_name(&calls, (on & ARENA_GIL) != 0, " or ", "the GIL");
	add_name(&calls, (on & ARENA_OSRT) != 0, " or ",
	    "the C library, as long as --osrt-threshold");
	if (calls.len > 0)
		text_printf(t, "no call of %.*s", (int)calls.len, calls.p);
	if (calls.len > 0)
		add_limits(o, t);
	text_free(&calls);
	if (on & ARENA_PRELOADED)
		text_add_str(t, ", in a process with the library");
	add_name(t, o->samples, ", ", "no sample of a processor");
	add_name(t, o->switches, ", ", "no context switch");
	add_name(t, o->python_samples, ", ", "no stack of Python");
	add_name(t, o->counters != 0, ", ", "no value of a counter");
}

/* the options that record something of most programs, and are not there */
static void
add_ways(const struct capture *c, struct text *t)
{
	const struct capture_options *o = &c->options;
	bool preloads = c->loader == PROGRAM_LOADER_OTHER;
	/* else timers take samples, for which the library is loaded */
	bool samples = preloads || sample_method_try(&(struct perf_wish){
				       .hz = o->sample_hz}) == 0;

	add_name(t, preloads && !(o->on & ARENA_OSRT), ", ",
	    "-t osrt records OS calls");
	add_name(t, !o->samples && samples, ", ",
	    "-s process-tree records where processor time goes");
	add_name(t, !samples && o->counters == 0, ", ",
	    "--counters=cpu records how much processor time goes");
	add_name(t, !o->python_samples, ", ",
	    "--python-sampling=true records stacks of Python programs");
}

static bool
is_nothing(const struct capture *c)
{
	return c->options.attach == 0 &&
	       c->options.focus.trigger == FOCUS_ALWAYS && capture_is_empty(c);
}

/* the part of the time that was recorded, and the options that record more;
   these record no other processes and no other times */
static void
add_time(const struct capture *c, struct text *kinds, struct text *ways)
{
	const struct capture_options *o = &c->options;

	if (o->focus.delay > 0)
		text_add_str(kinds, " after --delay");
	if (o->focus.duration > 0)
		text_add_str(kinds, " within --duration");
	if (o->focus.delay <= 0 && o->focus.duration <= 0 && o->ranks == NULL)
		add_ways(c, ways);
}

/* why there is no event, and what asks for some that each program has */
static void
print_nothing(const struct capture *c, struct text *t)
{
	struct text kinds = {0}, ways = {0};

	if (!is_nothing(c) || c->refused > 0)
		return;
	add_kinds(&c->options, &kinds);
	add_name(&kinds, kinds.len == 0, "", "nothing was asked for");
	add_time(c, &kinds, &ways);
	text_printf(t, "nothing was recorded: %.*s", (int)kinds.len, kinds.p);
	if (c->no_cupti)
		text_add_str(t, "; this build records no CUDA");
	if (c->loader != PROGRAM_LOADER_OTHER)
		text_printf(t, "; %s %s", c->options.command[0],
		    c->loader == PROGRAM_LOADER_NONE
			? "is linked statically: no library is loaded"
			: "is of musl, which loads no library of ours");
	if (ways.len > 0)
		text_printf(t, "; %.*s", (int)ways.len, ways.p);
	text_free(&kinds);
	text_free(&ways);
	print(t);
}

static void
print_refused(const struct capture *c, struct text *t)
{
	if (c->refused == 0)
		return;
	if (is_nothing(c))
		text_add_str(t, "nothing was recorded: ");
	text_printf(t, "%zu process%s events are lost", c->refused,
	    c->refused == 1 ? " was not captured: its"
			    : "es were not captured: their");
	print(t);
}

static void
print_file(const struct capture *c, struct text *t)
{
	if (!c->options.chosen)
		return;
	text_printf(t, "the stream is in %s: tq stats %s", c->options.file,
	    c->options.file);
	print(t);
}

void
summary_print(const struct capture *c)
{
	struct text t = {0};

	print_events(c, &t);
	print_file(c, &t);
	print_nothing(c, &t);
	print_refused(c, &t);
	print_losses(c, &t);
	print_cost(c, &t);
	text_free(&t);
}
