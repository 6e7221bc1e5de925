/* stack_lines.c - stacks as definitions */

#include "stack_lines.h"

int64_t
stack_lines_id(struct stack_lines *s, struct out_stream *o, uint32_t stack)
{
	uint64_t *done;

	if (stack == INTERN_NONE)
		return 0;
	done = map_get(&s->defined, o->id, stack);
	if (*done == 0) {
		*done = 1;
		s->scratch.len = 0;
		stack_names_json(&s->names, stack, &s->scratch);
		emit_open(&o->line, KIND_stack);
		emit_int(&o->line, KEY_id, (int64_t)stack + 1);
		emit_json(&o->line, KEY_frames, text_span(&s->scratch));
		emit_close(&o->line);
		out_stream_define(o);
	}
	return (int64_t)stack + 1;
}

int64_t
stack_lines_unwind(struct stack_lines *s, struct out_stream *o,
    const struct code_map *code, const struct unwind_input *in)
{
	unwind_stack(&s->frames, code, in);
	return stack_lines_id(
	    s, o, stack_names_number(&s->names, code, &s->frames));
}

void
stack_lines_free(struct stack_lines *s)
{
	stack_names_free(&s->names);
	map_free(&s->defined);
	text_free(&s->scratch);
}
