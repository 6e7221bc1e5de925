/*
 * outlines.h - the shapes of lines that a process knows which just began: for
 * tests that are the writer of parcels and their reader.
 */
#ifndef OUTLINES_H
#define OUTLINES_H

#include <stdlib.h>

#include "tq/line/outline.h"

/* Nothing that has a number of a shape may be used behind this. */
static inline void
outlines_forget(void)
{
	for (; outline_shape_count > OUTLINE_KINDS; outline_shape_count--) {
		free(outline_shapes[outline_shape_count]);
		outline_shapes[outline_shape_count] = NULL;
	}
	for (size_t i = 1; i <= OUTLINE_KINDS; i++)
		outline_shapes[i]->child = outline_shapes[i]->recent = 0;
}

/* The line has a kind, and no member behind it yet. */
static inline void
outlines_begin(struct outline *o, enum kind kind)
{
	o->shape = (uint16_t)(1 + kind);
	o->bytes = (uint16_t)outline_shapes[o->shape]->opening;
}

#endif
