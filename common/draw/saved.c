/* saved.c - copies of records */

#include <stdlib.h>

#include "saved.h"
#include "tq/base/mem.h"

enum { LARGE = 1 << 16 }; /* bytes of a text that is not used again */

struct saved_event {
	struct saved_event *next;
	struct drawn_time drawn;
	enum kind kind;
	uint32_t line; /* where it begins in the text */
	struct keyset has;
	uint64_t shape;
	struct text text; /* places of the values of has; the line */
	bool simple;      /* all values stand in the line */
	bool plain;
};

/* in the line */
struct value_place {
	uint32_t at, len;
};

/*
 * Put the places of the values of bits, which are 64 keys; returns their end,
 * NULL if a value stands elsewhere.
 */
static inline struct value_place *
find_places(struct value_place *p, const struct span *value, uint64_t bits,
    struct span line)
{
	for (; bits != 0; bits &= bits - 1) {
		const struct span *v = &value[__builtin_ctzll(bits)];
		uintptr_t at = (uintptr_t)v->p - (uintptr_t)line.p;

		if (at >= line.len)
			return NULL;
		*p++ = (struct value_place){(uint32_t)at, (uint32_t)v->len};
	}
	return p;
}

/* likewise all places; NULL if the record is not that simple */
static struct value_place *
find_all_places(struct value_place *p, const struct event *ev)
{
	const struct span *value = ev->value;
	const struct keyset *has = &ev->has;

	if (ev->unknown_count > 0 || ev->line.len > UINT32_MAX ||
	    ev->kind_name.p != value[KEY_kind].p + 1)
		return NULL;
	for (size_t i = 0; i < KEYSET_WORDS && p != NULL; i++)
		p = find_places(p, value + i * 64, has->bits[i], ev->line);
	return p;
}

/* dropped ones are used again */
static struct saved_event *
get_memory(struct saved_pool *pool)
{
	struct saved_event *e = pool->unused;

	if (e == NULL)
		return mem_alloc(sizeof(*e));
	pool->unused = e->next;
	e->next = NULL;
	if (e->text.cap > LARGE)
		text_free(&e->text);
	return e;
}

static char *
put_bytes(char *p, const void *bytes, size_t n)
{
	memcpy(p, bytes, n);
	return p + n;
}

struct saved_event *
saved_new(struct saved_pool *pool, const struct event *ev,
    const struct drawn_time *drawn)
{
	struct saved_event *e = get_memory(pool);
	struct value_place places[KEY_COUNT],
	    *end = find_all_places(places, ev);
	char *p;

	if (drawn != NULL)
		e->drawn = *drawn;
	e->kind = ev->kind;
	e->has = ev->has;
	e->plain = ev->plain;
	e->shape = ev->shape;
	e->simple = end != NULL;
	e->line = e->simple ? (uint32_t)((char *)end - (char *)places) : 0;
	e->text.len = 0;
	p = text_reserve(&e->text, e->line + ev->line.len + EVENT_PADDING);
	p = put_bytes(p, places, e->line);
	p = put_bytes(p, ev->line.p, ev->line.len);
	memset(p, 0, EVENT_PADDING);
	text_end(&e->text, p);
	return e;
}

static inline const char *
set_values(
    struct span *value, uint64_t bits, const char *places, const char *line)
{
	for (; bits != 0; bits &= bits - 1) {
		struct value_place place;

		memcpy(&place, places, sizeof(place));
		value[__builtin_ctzll(bits)] =
		    (struct span){line + place.at, place.len};
		places += sizeof(place);
	}
	return places;
}

const struct event *
saved_restore(const struct saved_event *e, struct event *ev)
{
	const char *places = e->text.p, *line = places + e->line;

	ev->line = (struct span){line, e->text.len - e->line};
	if (!e->simple) {
		/* which cannot fail: it was an event before */
		event_parse(ev, ev->line, NULL);
		ev->shape = 0; /* its number would be one of another event */
		return ev;
	}
	ev->kind = e->kind;
	ev->has = e->has;
	ev->plain = e->plain;
	ev->shape = e->shape;
	ev->memo = (struct event_memo){0};
	for (size_t i = 0; i < KEYSET_WORDS; i++)
		places = set_values(
		    ev->value + i * 64, e->has.bits[i], places, line);
	ev->kind_name = (struct span){
	    ev->value[KEY_kind].p + 1, ev->value[KEY_kind].len - 2};
	ev->unknown_count = 0;
	ev->extra = NULL;
	ev->error = NULL;
	return ev;
}

const struct drawn_time *
saved_time(const struct saved_event *e)
{
	return &e->drawn;
}

void
saved_drop(struct saved_pool *pool, struct saved_event *e)
{
	e->next = pool->unused;
	pool->unused = e;
}

void
saved_free(struct saved_event *e)
{
	if (e != NULL)
		text_free(&e->text);
	free(e);
}

void
saved_free_pool(struct saved_pool *pool)
{
	struct saved_list unused = {pool->unused, NULL};

	saved_free_list(&unused);
	pool->unused = NULL;
}

/* ---- lists ---- */

void
saved_append(struct saved_list *list, struct saved_event *e)
{
	saved_join(list, &(struct saved_list){e, e});
}

void
saved_join(struct saved_list *list, const struct saved_list *other)
{
	if (other->first == NULL)
		return;
	if (list->first == NULL)
		list->first = other->first;
	else
		list->last->next = other->first;
	list->last = other->last;
}

struct saved_event *
saved_take(struct saved_list *list)
{
	struct saved_event *e = list->first;

	if (e != NULL)
		list->first = e->next;
	return e;
}

void
saved_free_list(struct saved_list *list)
{
	struct saved_event *e;

	while ((e = saved_take(list)) != NULL)
		saved_free(e);
}
