/* summary.c - what tq-capture prints at the end of a capture */

#include <err.h>
#include <inttypes.h>

#include "tq/show/amount.h"

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
	text_printf(t, "%" PRId64 " records (", lines);
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

static void
print_cost(const struct capture *c, struct text *t)
{
	double total = 0, busy = 0, cupti = 0, blocked = 0, kinds[COUNTS] = {0};
	int64_t counts[COUNTS] = {0};

	for (size_t i = 0; i < c->count; i++) {
		const struct captured_process *p = c->processes[i];

		total += cost_total(&c->cost, p);
		busy += (double)p->busy;
		cupti += p->lines.overhead;
		blocked += (double)p->blocked;
		for (int k = 0; k < COUNTS; k++) {
			counts[k] += p->lines.counts[k];
			kinds[k] += cost_of(
			    &c->cost, (enum count_kind)k, p->lines.counts[k]);
		}
	}
	if (total == 0)
		return;
	text_add_str(t, "it cost the programs about ");
	amount_time(t, (int64_t)total);
	for (int k = 0; k < COUNTS; k++)
		if (kinds[k] > 0) {
			text_printf(t, ", %" PRId64 " %s ", counts[k],
			    lines_count_names[k]);
			amount_time(t, (int64_t)kinds[k]);
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

/* " or NAME" for a kind that was asked for */
static void
add_kind(struct text *t, bool asked, const char *name)
{
	if (asked)
		text_printf(t, "%s%s", t->len > 0 ? " or " : "", name);
}

/* why there is no event, and what asks for some that each program has */
static void
print_nothing(const struct capture *c, struct text *t)
{
	uint32_t on = c->options.on;
	struct text kinds = {0};

	if (!capture_is_empty(c))
		return;
	add_kind(&kinds, (on & ARENA_CUDA) != 0, "CUDA");
	add_kind(&kinds, (on & ARENA_NVTX) != 0, "NVTX");
	add_kind(&kinds, (on & ARENA_MPI) != 0, "MPI");
	add_kind(&kinds, (on & ARENA_NCCL) != 0, "NCCL");
	add_kind(&kinds, (on & ARENA_GIL) != 0, "the GIL");
	add_kind(&kinds, (on & ARENA_OSRT) != 0,
	    "the C library, as long as --osrt-threshold");
	text_add_str(t, "nothing was recorded: ");
	if (kinds.len > 0)
		text_printf(t, "no call of %.*s", (int)kinds.len, kinds.p);
	else
		text_add_str(t, "nothing was asked for");
	if (on & ARENA_PRELOADED)
		text_add_str(t, ", in a process with the library");
	if (c->no_cupti)
		text_add_str(t, "; this build records no CUDA");
	if (!(on & ARENA_PRELOADED))
		text_add_str(t,
		    "; -t osrt records OS calls, -s process-tree where "
		    "processor time goes, --python-sampling=true where "
		    "Python is");
	text_free(&kinds);
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
	print_losses(c, &t);
	print_cost(c, &t);
	text_free(&t);
}
