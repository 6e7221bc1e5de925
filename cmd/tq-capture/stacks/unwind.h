/*
 * unwind.h - the callers of a function, from registers and a copy of the stack
 */
#ifndef TQ_CAPTURE_UNWIND_H
#define TQ_CAPTURE_UNWIND_H

#include "code_map.h"

enum { UNWIND_FRAMES = 512 };

/* registers of a thread, and the bytes of its stack from sp on */
struct unwind_input {
	uint64_t pc, sp, bp;
	struct span stack;
};

/* why the last frame is the last one */
enum unwind_end {
	UNWIND_WHOLE,     /* it has no caller */
	UNWIND_TRUNCATED, /* the copy of the stack ended, or there are too many
			   */
	UNWIND_LOST       /* its caller is unknown */
};

struct unwind_frames {
	uint64_t pcs[UNWIND_FRAMES]; /* leaf first; of callers, the address of
					the call */
	size_t count;
	enum unwind_end end;
	bool strange; /* the map has no code at one of them */
};

/* A stack of its leaf alone. */
static inline void
unwind_leaf(struct unwind_frames *f, uint64_t pc)
{
	f->pcs[0] = pc;
	f->count = 1;
	f->end = UNWIND_WHOLE;
	f->strange = false;
}

/* Reads the tables of modules as they are needed. */
void unwind_stack(struct unwind_frames *f, const struct code_map *map,
    const struct unwind_input *in);

#endif
