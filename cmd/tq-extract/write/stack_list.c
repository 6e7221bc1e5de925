/* stack_list.c - call stacks of a section */

#include "stack_list.h"
#include "definition_writer.h"
#include "tq/base/time.h"

void
stack_list_begin(struct stack_list *s)
{
	s->current.len = 0;
}

void
stack_list_add(struct stack_list *s, struct span frame)
{
	if (s->current.len > 0)
		text_add_char(&s->current, ',');
	text_add_json(&s->current, frame.p, frame.len);
}

int64_t
stack_list_end(struct stack_list *s)
{
	if (s->current.len == 0)
		return NO_ID;
	return (int64_t)intern_get(&s->all, text_span(&s->current)) + 1;
}

void
stack_list_write(const struct stack_list *s, struct output *o)
{
	for (size_t i = 0; i < s->all.count; i++)
		definition_writer_stack(
		    o, (int64_t)i + 1, intern_text(&s->all, (uint32_t)i));
}

void
stack_list_free(struct stack_list *s)
{
	intern_free(&s->all);
	text_free(&s->current);
}
