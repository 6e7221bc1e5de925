/*
 * stack.h - ranges in order of their start: those of a thread that are open,
 * or those of them that can be parents.
 *
 * Ranges that nest come and go at the top.  One that goes from far below
 * leaves an empty slot, so that ranges which cross cost little as well; within
 * and reach still count it, until most slots are empty and they are closed up.
 */
#ifndef STACK_H
#define STACK_H

#include <stddef.h>
#include <stdint.h>

struct range;

struct slot {
	struct range *range; /* or NULL; the top slot is not empty */
	int64_t ts;
	int64_t within, reach; /* first and last end, of this and all below */
};

/* {0} is an empty one; of equal starts the longer is below */
struct stack {
	struct slot *slots;
	size_t count, cap;
	size_t empty; /* of count */
};

void stack_free(struct stack *s);
void stack_add(struct stack *s, struct range *r);
void stack_remove(struct stack *s, const struct range *r);

/*
 * The range that encloses r with the least slack before and behind it; of
 * equal ones the younger.  NULL if there is none.
 */
struct range *stack_parent(const struct stack *s, const struct range *r);

#endif
