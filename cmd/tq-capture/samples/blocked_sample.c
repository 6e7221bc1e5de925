/* blocked_sample.c - where a thread waits, as a line */

#include <unistd.h>

#include "blocked_sample.h"

bool
blocked_sample_take(struct blocked_sample *b, const struct clock *clock)
{
	struct thread_call after;
	int fd = thread_look_open(b->pid, b->tid);
	bool waits;

	if (fd < 0)
		return false;
	waits = thread_look_read(&b->call, fd);
	if (waits) {
		b->ts = clock_now(clock);
		b->stack_size = thread_look_stack(&b->call, b->tid, b->stack);
		waits = thread_look_read(&after, fd) &&
			thread_look_same(&b->call, &after);
	}
	close(fd);
	return waits;
}

void
blocked_sample_write(const struct blocked_sample *b, struct stack_lines *stacks,
    struct out_stream *o, const struct code_map *code, bool callers)
{
	/* the register of frames is not known: functions that need it end it */
	const struct unwind_input in = {.pc = b->call.pc,
	    .sp = b->call.sp,
	    .stack = {b->stack, b->stack_size}};
	int64_t stack;

	if (callers) {
		unwind_stack(&stacks->frames, code, &in);
		stack_names_cut_leaf(&stacks->frames, code);
	} else {
		unwind_leaf(&stacks->frames, in.pc);
	}
	stack = stack_lines_frames(stacks, o, b->pid, code);
	out_stream_begin(o, KIND_sample, LINE_EVENT, 0, 0);
	emit_int(&o->line, KEY_ts, b->ts);
	emit_int(&o->line, KEY_pid, b->pid);
	emit_int(&o->line, KEY_tid, b->tid);
	emit_str(&o->line, KEY_state, SPAN("Interruptible"));
	if (stack > 0)
		emit_int(&o->line, KEY_stack, stack);
	emit_int(&o->line, KEY_count, 0);
	out_stream_put(o, b->ts, 0);
}
