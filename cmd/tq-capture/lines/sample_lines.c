/* sample_lines.c - samples that timers in a program take become lines */

#include "lines.h"

enum { PAUSE_LEAST = 10000000, PAUSE_MOST = 1280000000 }; /* ns */

/*
 * The frames of a stack.  If one is of code that the process has mapped since
 * it recorded its mappings, read them from /proc; rarely, once that does not
 * help.
 */
static void
unwind(struct lines *l, const struct unwind_input *in)
{
	struct unwind_frames *f = &l->stacks->frames;
	struct code_look *look = &l->code_look;
	int64_t now;

	unwind_stack(f, &l->code, in);
	if (!f->strange || (now = clock_now(l->clock)) < look->next)
		return;
	code_map_add_process(&l->code, &l->stacks->names.modules, l->pid);
	unwind_stack(f, &l->code, in);
	if (!f->strange || look->pause == 0)
		look->pause = PAUSE_LEAST;
	else if (look->pause < PAUSE_MOST)
		look->pause *= 2;
	look->next = now + look->pause;
}

int64_t
sample_lines_stack(struct lines *l, const struct record_parts *x)
{
	struct osrt_stack s;

	if (x->blob.len < sizeof(s))
		return 0;
	memcpy(&s, x->blob.p, sizeof(s));
	unwind(
	    l, &(struct unwind_input){.pc = s.pc,
		   .sp = s.sp,
		   .bp = s.bp,
		   .stack = {x->blob.p + sizeof(s), x->blob.len - sizeof(s)}});
	return stack_lines_frames(l->stacks, l->out, l->pid, &l->code);
}

int
sample_lines_record(
    struct lines *l, const struct chunk *c, const struct record *r)
{
	const struct record_sample *s = (const struct record_sample *)r;
	int64_t ts = clock_ns(l->clock, r->ticks), stack;
	int32_t tid = lines_thread(l, c)->tid;
	struct record_parts x;
	struct output *o;

	if (!record_parts_parse(&x, r, sizeof(*s)))
		return LINES_GARBAGE;
	stack = sample_lines_stack(l, &x);
	o = lines_begin(l, KIND_sample, ts, DUR_NONE, tid);
	emit_int(o, KEY_cpu, s->cpu);
	emit_str(o, KEY_state, SPAN("Running"));
	if (stack > 0)
		emit_int(o, KEY_stack, stack);
	if (s->count > 1)
		emit_int(o, KEY_count, s->count);
	lines_put(l, ts, 0);
	return 1;
}
