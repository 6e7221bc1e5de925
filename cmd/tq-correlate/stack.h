/*
 * stack.h - ranges in order of their start: those of a thread that are open,
 * or those of them that can be parents.
 */
#ifndef STACK_H
#define STACK_H

#include <stddef.h>
#include <stdint.h>

struct range;

struct slot {
	struct range *range;
	int64_t within; /* first end of this range and all before it */
};

/* {0} is an empty one; of equal starts the longer comes first */
struct stack {
	struct slot *slots;
	size_t count, cap;
};

void stack_free(struct stack *s);
void stack_add(struct stack *s, struct range *r);
void stack_remove(struct stack *s, const struct range *r);

/*
 * The range that encloses r with the least slack before and behind it; of
 * equal ones the younger.  NULL if there is none.  Where ranges nest this
 * looks at the top, where they cross at as many as cross.
 */
struct range *stack_parent(const struct stack *s, const struct range *r);

#endif
