/*
 * stack_names.h - addresses of code become frames with names, and equal stacks
 * of frames have one number
 */
#ifndef TQ_CAPTURE_STACK_NAMES_H
#define TQ_CAPTURE_STACK_NAMES_H

#include "stacks/unwind.h"

#include "tq/base/intern.h"

/* memory grows with the number of distinct frames, sources and stacks */
struct stack_names {
	struct modules modules;
	struct map by_address; /* (module + 1, address) -> frame + 1 */
	struct map by_source;  /* the same -> source + 2; 1: it has none */
	struct intern frames;  /* JSON strings */
	struct intern stacks;  /* numbers of frames, four bytes each */
	struct intern sources; /* "hang.c:12" */
	struct text scratch;
};

/*
 * The number of a stack, from 0; frames of our own libraries are not in it.
 * INTERN_NONE: no frame is left.
 */
uint32_t stack_names_number(struct stack_names *n, const struct code_map *map,
    const struct unwind_frames *f);

/*
 * Leave out the frames at the leaf without a name that a function with one, of
 * the same module, called: from glibc 2.41 on the system call of read() is in a
 * function of its own, which has no name where the C library is stripped.
 */
void stack_names_cut_leaf(struct unwind_frames *f, const struct code_map *map);

/*
 * The symbol of the function of the leaf's module that another module called;
 * NULL: unknown.
 */
const char *stack_names_entry(
    const struct unwind_frames *f, const struct code_map *map);

/* The number of a frame with that text. */
uint32_t stack_names_frame(struct stack_names *n, struct span text);

/* The number of the stack of these frames; INTERN_NONE: there are none. */
uint32_t stack_names_of(
    struct stack_names *n, const uint32_t *frames, size_t count);

/* Append the frames of a stack as a JSON array. */
void stack_names_json(
    const struct stack_names *n, uint32_t stack, struct text *to);

/*
 * "hang.c:12", the line of the source of the innermost function that is not of
 * the system's libraries; "": unknown.  Good until the next call.
 */
struct span stack_names_source(struct stack_names *n,
    const struct code_map *map, const struct unwind_frames *f);

void stack_names_free(struct stack_names *n);

#endif
