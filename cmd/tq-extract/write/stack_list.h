/* stack_list.h - call stacks of a section, each defined once */
#ifndef STACK_LIST_H
#define STACK_LIST_H

#include "tq/base/intern.h"
#include "tq/io/output.h"

/* {0} is empty */
struct stack_list {
	struct intern all;   /* frames, members of JSON arrays */
	struct text current; /* the one that is begun */
};

void stack_list_begin(struct stack_list *s);

/* Add a frame, the leaf first. */
void stack_list_add(struct stack_list *s, struct span frame);

/* The id of the stack, from 1; NO_ID if it has no frame. */
int64_t stack_list_end(struct stack_list *s);

/* Write the definitions of all stacks. */
void stack_list_write(const struct stack_list *s, struct output *o);

void stack_list_free(struct stack_list *s);

#endif
