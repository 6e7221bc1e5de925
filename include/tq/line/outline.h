/*
 * outline.h - where the members of a line are, for a reader that need not look
 * for them.
 *
 * The program that writes a line, or has read it, knows its outline: the kind,
 * the keys in their order, and how long each member is.  A line that has an
 * outline is canonical ASCII without an escape, as event.plain says; only its
 * integers may be longer.
 */
#ifndef TQ_LINE_OUTLINE_H
#define TQ_LINE_OUTLINE_H

#include "tq/base/plain.h"
#include "tq/line/schema.h"

enum {
	OUTLINE_MEMBERS = 44, /* behind the kind, at most */
	OUTLINE_ROOM = 48,    /* the same, whole vectors of 16 bytes */
	OUTLINE_SHAPES = 4096,
	OUTLINE_KINDS = KIND_COUNT /* the shapes 1 to OUTLINE_KINDS */
};

struct outline {
	uint16_t shape; /* 0: nothing is known of the line */
	uint16_t bytes; /* of the line but for its last brace */
	unsigned char len[OUTLINE_ROOM]; /* of ,"key":value */
};

/*
 * A kind and keys in their order.  Shape 1 + KIND_x has the kind alone, and any
 * other is its parent's and one more key.
 */
struct outline_shape {
	enum kind kind;
	enum key key; /* the last one, or KEY_NONE */
	uint16_t parent;
	uint16_t child;    /* its first, or 0 */
	uint16_t recent;   /* the child that was asked for last, or 0 */
	uint16_t next;     /* the next child of its parent, or 0 */
	size_t opening;    /* bytes of {"kind":"..." */
	size_t count;      /* of keys */
	struct keyset has; /* them, and kind */
	unsigned char keys[OUTLINE_MEMBERS];
	unsigned char before[OUTLINE_MEMBERS]; /* bytes of ,"key": */
	/* of a member: the fewest bytes, and the most that are plain; behind
	   the last one 0 and UINT8_MAX */
	unsigned char least[OUTLINE_ROOM], most[OUTLINE_ROOM];
};

/* All shapes of the process, by their number. */
extern struct outline_shape *outline_shapes[OUTLINE_SHAPES];
extern uint16_t outline_shape_count; /* the number of the last one */

/* The shape with one more key; 0 if there is no room for it. */
uint16_t outline_shape_with(uint16_t shape, enum key key);

/*
 * The same, for a process whose threads read; none of them may be one that
 * writes while another one reads.
 */
uint16_t outline_shape_locked(uint16_t shape, enum key key);

/*
 * The outlines of lines that one piece of code writes: any of these members, in
 * this order.
 */
enum { OUTLINE_PLAN_SHAPES = 16 };

struct outline_plan {
	enum kind kind;
	size_t count;
	unsigned char keys[OUTLINE_MEMBERS];
	unsigned char one[OUTLINE_ROOM]; /* for each member 1, then zeros */
	uint16_t shape;                  /* of a line that has all of them */
	/* of others, by a bit for each member that they lack */
	struct outline_part {
		uint64_t lacks;
		uint16_t shape;
		unsigned char count, members[OUTLINE_MEMBERS]; /* of the plan */
	} parts[OUTLINE_PLAN_SHAPES];
};

/* count keys; false, and no plan, where these are too many or no keys */
bool outline_plan_set(struct outline_plan *x, enum kind kind,
    const unsigned char *keys, size_t count);

/*
 * o->len has the bytes of each member of the plan, 0 of one that is not there:
 * leave these out, and set the shape.
 */
static inline void outline_finish(struct outline *o, struct outline_plan *x);
void outline_leave_out(
    struct outline *o, struct outline_plan *x, uint64_t lacks);

/* The line has one more member, which takes len bytes: none if len is 0. */
static inline void
outline_add(struct outline *o, enum key key, size_t len)
{
	const struct outline_shape *s;

	if (len == 0 || o->shape == 0)
		return;
	s = outline_shapes[o->shape];
	if (len > UINT8_MAX || s->count == OUTLINE_MEMBERS) {
		o->shape = 0;
		return;
	}
	o->len[s->count] = (unsigned char)len;
	o->bytes = (uint16_t)(o->bytes + len);
	o->shape = s->recent != 0 && outline_shapes[s->recent]->key == key
		       ? s->recent
		       : outline_shape_with(o->shape, key);
}

static inline void
outline_finish(struct outline *o, struct outline_plan *x)
{
	uint64_t lacks = 0;

	for (size_t i = 0; i < x->count; i += PLAIN_BLOCK) {
		const char *len = (const char *)o->len + i;

		lacks |= plain_bits((plain_block)(plain_load(len) == 0) &
				    plain_load((const char *)x->one + i))
			 << i;
	}
	o->shape = x->shape;
	if (lacks != 0)
		outline_leave_out(o, x, lacks);
}

#endif
