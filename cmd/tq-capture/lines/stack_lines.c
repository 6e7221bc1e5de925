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
		out_stream_define(o);
	}
	return (int64_t)stack + 1;
}

/* ---- modules ---- */

static void
write_module(
    struct out_stream *o, int pid, const struct module *m, uint64_t address)
{
	emit_open(&o->line, KIND_module);
	emit_int(&o->line, KEY_pid, pid);
	emit_str(&o->line, KEY_name, span_of(m->path));
	emit_key(&o->line, KEY_address);
	text_add_char(&o->line.buf, '"');
	text_add_hex(&o->line.buf, address);
	text_add_char(&o->line.buf, '"');
	if (m->build[0] != '\0')
		emit_str(&o->line, KEY_build, span_of(m->build));
	out_stream_define(o);
}

/* after an exec it may be elsewhere */
static void
define_module(struct stack_lines *s, struct out_stream *o, int pid,
    const struct code_area *area)
{
	uint64_t address = area->start - area->offset;
	uint64_t *done = map_get(
	    &s->modules, o->id << 32 | (uint32_t)pid, area->module->number);

	if (*done == address + 1)
		return;
	*done = address + 1;
	module_read(area->module);
	write_module(o, pid, area->module, address);
}

/* Those of a stack that was seen, with its leaf where it is, are known. */
static void
define_modules(struct stack_lines *s, struct out_stream *o, int pid,
    const struct code_map *code, uint32_t stack)
{
	const struct unwind_frames *f = &s->frames;
	const struct code_area *leaf = code_map_find(code, f->pcs[0]);
	uint64_t *told = map_get(&s->told, o->id << 32 | (uint32_t)pid, stack);
	uint64_t at = leaf != NULL ? leaf->start - leaf->offset + 1 : 1;

	if (*told == at)
		return;
	*told = at;
	for (size_t i = 0; i < f->count; i++) {
		const struct code_area *area = code_map_find(code, f->pcs[i]);

		if (area != NULL && module_has_code(area->module) &&
		    !area->module->ours)
			define_module(s, o, pid, area);
	}
}

/* ---- stacks of native code ---- */

int64_t
stack_lines_frames(struct stack_lines *s, struct out_stream *o, int pid,
    const struct code_map *code)
{
	uint32_t stack = stack_names_number(&s->names, code, &s->frames);

	if (stack != INTERN_NONE)
		define_modules(s, o, pid, code, stack);
	return stack_lines_id(s, o, stack);
}

void
stack_lines_free(struct stack_lines *s)
{
	stack_names_free(&s->names);
	map_free(&s->defined);
	map_free(&s->told);
	map_free(&s->modules);
	text_free(&s->scratch);
}
