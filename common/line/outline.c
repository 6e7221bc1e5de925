/* outline.c - the shapes of lines */

#include <pthread.h>
#include <string.h>

#include "tq/base/mem.h"
#include "tq/line/event.h"
#include "tq/line/outline.h"

enum { OPENING = sizeof("{\"kind\":\"\"") - 1, BEFORE = sizeof(",\"\":") - 1 };

/* what event.plain says of the lengths of values */
enum { BRACKETS = 2 };

#define KEY(id, type, unit, redact, doc) \
	_Static_assert( \
	    sizeof(#id) - 1 + BEFORE + EVENT_PLAIN_DIGITS + BRACKETS < \
		UINT8_MAX, \
	    "most");
#include "tq/events.def"
_Static_assert(KEY_COUNT < UINT8_MAX, "a key is a byte");

struct outline_shape *outline_shapes[OUTLINE_SHAPES];
uint16_t outline_shape_count;

static struct outline_shape kinds[KIND_COUNT];

__attribute__((constructor)) static void
add_kinds(void)
{
	for (enum kind k = 0; k < KIND_COUNT; k++) {
		struct outline_shape *s = &kinds[k];

		s->kind = k;
		s->key = KEY_NONE;
		s->opening = OPENING + schema_kinds[k].len;
		memset(s->most, UINT8_MAX, sizeof(s->most));
		keyset_add(&s->has, KEY_kind);
		outline_shapes[++outline_shape_count] = s;
	}
}

/* so that a value has its first and last byte, whatever stands there */
static unsigned char
least(enum key key, unsigned char before)
{
	enum type type = schema_keys[key].type;

	return (unsigned char)(before + (type == TYPE_INT || type == TYPE_NUM
						? 1
						: BRACKETS));
}

static unsigned char
most_plain(enum key key, unsigned char before)
{
	switch (schema_keys[key].type) {
	case TYPE_INT:
		return (unsigned char)(before + EVENT_PLAIN_DIGITS);
	case TYPE_INTS:
		return (unsigned char)(before + EVENT_PLAIN_DIGITS + BRACKETS);
	default:
		return UINT8_MAX;
	}
}

static uint16_t
add_shape(uint16_t parent, enum key key)
{
	struct outline_shape *p = outline_shapes[parent], *s;

	if (p->count == OUTLINE_MEMBERS || keyset_has(&p->has, key) ||
	    outline_shape_count + 1 == OUTLINE_SHAPES)
		return 0;
	s = mem_alloc(sizeof(*s));
	*s = *p;
	s->key = key;
	s->parent = parent;
	s->child = s->recent = 0;
	s->keys[s->count] = (unsigned char)key;
	s->before[s->count] = (unsigned char)(BEFORE + schema_keys[key].len);
	s->least[s->count] = least(key, s->before[s->count]);
	s->most[s->count] = most_plain(key, s->before[s->count]);
	s->count++;
	keyset_add(&s->has, key);
	s->next = p->child;
	outline_shapes[outline_shape_count + 1] = s;
	p->child = ++outline_shape_count;
	return p->child;
}

uint16_t
outline_shape_with(uint16_t shape, enum key key)
{
	struct outline_shape *s = outline_shapes[shape];
	uint16_t child = s->child;

	while (child != 0 && outline_shapes[child]->key != key)
		child = outline_shapes[child]->next;
	if (child == 0)
		child = add_shape(shape, key);
	s->recent = child;
	return child;
}

uint16_t
outline_shape_locked(uint16_t shape, enum key key)
{
	static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
	uint16_t number;

	pthread_mutex_lock(&adding);
	number = outline_shape_with(shape, key);
	pthread_mutex_unlock(&adding);
	return number;
}

/* ---- plans ---- */

static void
set_part(
    const struct outline_plan *x, struct outline_part *part, uint64_t lacks)
{
	part->lacks = lacks;
	part->shape = (uint16_t)(1 + x->kind);
	part->count = 0;
	for (size_t i = 0; i < x->count && part->shape != 0; i++) {
		if ((lacks >> i & 1) != 0)
			continue;
		part->members[part->count++] = (unsigned char)i;
		part->shape =
		    outline_shape_with(part->shape, (enum key)x->keys[i]);
	}
}

bool
outline_plan_set(struct outline_plan *x, enum kind kind,
    const unsigned char *keys, size_t count)
{
	*x = (struct outline_plan){.kind = kind};
	for (size_t i = 0; i < count; i++)
		if (count > OUTLINE_MEMBERS || keys[i] >= KEY_COUNT)
			return false;
	x->count = count;
	memcpy(x->keys, keys, count);
	memset(x->one, 1, count);
	set_part(x, &x->parts[0], 0);
	x->shape = x->parts[0].shape;
	return true;
}

void
outline_leave_out(struct outline *o, struct outline_plan *x, uint64_t lacks)
{
	struct outline_part *part =
	    &x->parts[(lacks * 0x9e3779b97f4a7c15u) >> 60];

	_Static_assert(OUTLINE_PLAN_SHAPES == 1 << 4, "the hash has four bits");
	if (part->lacks != lacks)
		set_part(x, part, lacks);
	for (size_t i = 0; i < part->count; i++)
		o->len[i] = o->len[part->members[i]];
	o->shape = part->shape;
}
