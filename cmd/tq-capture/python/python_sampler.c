/* python_sampler.c - samples of Python become lines */

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tq/base/array.h"

#include "python_sampler.h"
#include "python_thread.h"
#include "remote_python.h"

int
python_sampler_try(void)
{
	char from = 1, to = 0;
	const struct remote_piece piece = {
	    (uint64_t)(uintptr_t)&from, &to, sizeof(to)};

	return remote_python_read(getpid(), &piece, 1) ? 0 : errno;
}

bool
python_sampler_may_read(pid_t pid)
{
	struct remote_python python;

	return remote_python_find(&python, pid) != REMOTE_DENIED;
}

void
python_sampler_start(struct python_sampler *s, int64_t hz, pid_t root,
    struct outputs *to, struct stack_lines *stacks)
{
	s->to = to;
	s->stacks = stacks;
	s->thread = python_thread_start(hz, to->clock, root);
}

/* ---- records ---- */

static int64_t
stack_of(struct python_sampler *s, struct out_stream *o, const uint32_t *frames,
    size_t count)
{
	uint32_t numbers[1024];

	for (size_t i = 0; i < count; i++)
		numbers[i] = s->frames[frames[i]];
	return stack_lines_id(
	    s->stacks, o, stack_names_of(&s->stacks->names, numbers, count));
}

static void
write_sample(struct python_sampler *s, struct out_stream *o,
    const struct python_sample *p, const uint32_t *frames)
{
	int64_t ts = clock_ns(s->to->clock, p->ticks);
	int64_t stack = stack_of(s, o, frames, p->frames);

	outputs_name_thread(s->to, o, p->pid, p->tid);
	out_stream_begin(o, KIND_sample, LINE_EVENT, 0, 0);
	emit_int(&o->line, KEY_ts, ts);
	emit_int(&o->line, KEY_pid, p->pid);
	emit_int(&o->line, KEY_tid, p->tid);
	emit_str(&o->line, KEY_state,
	    p->running ? SPAN("Running") : SPAN("Interruptible"));
	emit_int(&o->line, KEY_stack, stack);
	emit_str(&o->line, KEY_what, SPAN("python"));
	if (p->count > 1)
		emit_int(&o->line, KEY_count, p->count);
	out_stream_put(o, ts, 0);
}

static void
take_names(struct python_sampler *s, const struct python_batch *b)
{
	for (size_t i = 0; i < b->name_count; i++)
		*array_add(&s->frames, &s->frame_count, &s->frame_cap) =
		    stack_names_frame(&s->stacks->names, span_of(b->names[i]));
}

static void
write_notes(struct python_sampler *s, const struct python_batch *b)
{
	for (size_t i = 0; i < b->note_count; i++) {
		warnx("%s", b->notes[i]);
		for (size_t k = 0; k < s->to->count; k++)
			out_stream_note(s->to->all[k], clock_now(s->to->clock),
			    b->notes[i], "");
	}
}

static void
write_lost(struct python_sampler *s, const char *reason, int64_t *count)
{
	for (size_t i = 0; *count > 0 && i < s->to->count; i++)
		out_stream_lost(s->to->all[i], clock_now(s->to->clock), 0,
		    NO_ID, &(struct lost_records){reason, "sample", *count});
	*count = 0;
}

int64_t
python_sampler_write(struct python_sampler *s,
    struct captured_process *const *targets, size_t count)
{
	struct python_batch b;
	size_t at = 0;

	if (s->thread == NULL)
		return INT64_MAX;
	python_thread_take(s->thread, &b);
	take_names(s, &b);
	for (size_t i = 0; i < b.count; i++) {
		const struct python_sample *p = &b.samples[i];
		struct out_stream *o =
		    outputs_of_process(s->to, p->pid, targets, count);

		if (o != NULL)
			write_sample(s, o, p, b.frames + at);
		else
			s->homeless++;
		at += p->frames;
	}
	write_notes(s, &b);
	s->torn += b.torn;
	s->lost += b.lost;
	python_thread_release(&b);
	return b.until - s->to->clock->origin;
}

void
python_sampler_stop(struct python_sampler *s)
{
	if (s->thread != NULL)
		python_thread_stop(s->thread);
}

void
python_sampler_report(struct python_sampler *s)
{
	write_lost(s, "the stack changed while it was read", &s->torn);
	write_lost(s, "the launcher was late", &s->lost);
}

void
python_sampler_free(struct python_sampler *s)
{
	python_thread_free(s->thread);
	free(s->frames);
}
