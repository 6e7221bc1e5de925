/*
 * stack_lines.h - stacks as definitions: one number for equal stacks of the
 * whole capture, whoever took them
 */
#ifndef TQ_CAPTURE_STACK_LINES_H
#define TQ_CAPTURE_STACK_LINES_H

#include "samples/stack_names.h"

#include "out_stream.h"

/* {0} is empty; memory grows with the number of distinct stacks */
struct stack_lines {
	struct stack_names names;
	struct map defined; /* (output, stack) -> 1 */
	struct map told;    /* (output and pid, stack) -> address of its leaf */
	struct map modules; /* (output and pid, module) -> its address + 1 */
	struct unwind_frames frames;
	struct text scratch;
};

/*
 * The id of a stack in the outputs, of stack_names_number; 0: it has none.
 * Defines it in o if that has not been done.
 */
int64_t stack_lines_id(
    struct stack_lines *s, struct out_stream *o, uint32_t stack);

/* The same of s->frames, of a process with that code; its modules are defined,
   too. */
int64_t stack_lines_frames(struct stack_lines *s, struct out_stream *o, int pid,
    const struct code_map *code);

void stack_lines_free(struct stack_lines *s);

#endif
