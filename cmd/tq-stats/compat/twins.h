/*
 * twins.h - ranges that nsys loses.
 *
 * Of ranges with equal times each is the parent of another in nsys, so that it
 * never gets to them from the top: they have no depth, nor have the ranges
 * within them.
 */
#ifndef TWINS_H
#define TWINS_H

struct tree;

/* Mark the ranges that are lost by the depth -1; all have their parents. */
void twins_lose(struct tree *t);

#endif
