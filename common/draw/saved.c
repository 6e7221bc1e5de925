/* saved.c - records that are needed later */

#include <stdlib.h>

#include "saved.h"
#include "tq/base/mem.h"

enum { LARGE = 1 << 16 }; /* memory that is not kept for other records */

struct saved_event {
	struct saved_event *next;
	struct drawn_time drawn;
	enum kind kind;
	uint32_t line; /* its place in the text */
	struct keyset has;
	uint64_t shape;
	struct text text; /* where the value of each key in has is; the line */
	bool simple;      /* all that was found stands in the line */
	bool plain;
};

/* in the line */
struct value_place {
	uint32_t at, len;
};

/*
 * Where the values of 64 keys are, those of bits; returns the end of the
 * places, NULL where something stands elsewhere.
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

/* of all values; NULL as well where the record cannot be kept like this */
static struct value_place *
places_of(struct value_place *p, const struct event *ev)
{
	const struct span *value = ev->value;
	const struct keyset *has = &ev->has;

	if (ev->unknown_count > 0 || ev->line.len > UINT32_MAX ||
	    ev->kind_name.p != value[KEY_kind].p + 1)
		return NULL;
	p = find_places(p, value, has->bits[0], ev->line);
	return p == NULL ? p
			 : find_places(p, value + 64, has->bits[1], ev->line);
}

/* from what was dropped, if there is something */
static struct saved_event *
get_memory(struct saved_pool *k)
{
	struct saved_event *r = k->unused;

	if (r == NULL)
		return mem_alloc(sizeof(*r));
	k->unused = r->next;
	r->next = NULL;
	if (r->text.cap > LARGE)
		text_free(&r->text);
	return r;
}

static char *
put(char *p, const void *bytes, size_t n)
{
	memcpy(p, bytes, n);
	return p + n;
}

struct saved_event *
saved_new(struct saved_pool *k, const struct event *ev,
    const struct drawn_time *drawn)
{
	struct saved_event *r = get_memory(k);
	struct value_place places[KEY_COUNT], *end = places_of(places, ev);
	char *p;

	if (drawn != NULL)
		r->drawn = *drawn;
	r->kind = ev->kind;
	r->has = ev->has;
	r->plain = ev->plain;
	r->shape = ev->shape;
	r->simple = end != NULL;
	r->line = r->simple ? (uint32_t)((char *)end - (char *)places) : 0;
	r->text.len = 0;
	p = text_reserve(&r->text, r->line + ev->line.len + EVENT_PADDING);
	p = put(p, places, r->line);
	p = put(p, ev->line.p, ev->line.len);
	memset(p, 0, EVENT_PADDING);
	text_end(&r->text, p);
	return r;
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
saved_restore(const struct saved_event *r, struct event *ev)
{
	const char *places = r->text.p, *line = places + r->line;

	ev->line = (struct span){line, r->text.len - r->line};
	if (!r->simple) {
		/* it could be parsed before */
		event_parse(ev, ev->line, NULL);
		ev->shape = 0; /* another event counted */
		return ev;
	}
	ev->kind = r->kind;
	ev->has = r->has;
	ev->plain = r->plain;
	ev->shape = r->shape;
	places = set_values(ev->value, r->has.bits[0], places, line);
	set_values(ev->value + 64, r->has.bits[1], places, line);
	ev->kind_name = (struct span){
	    ev->value[KEY_kind].p + 1, ev->value[KEY_kind].len - 2};
	ev->unknown_count = 0;
	ev->error = NULL;
	return ev;
}

const struct drawn_time *
saved_time(const struct saved_event *r)
{
	return &r->drawn;
}

void
saved_drop(struct saved_pool *k, struct saved_event *r)
{
	r->next = k->unused;
	k->unused = r;
}

void
saved_free(struct saved_event *r)
{
	if (r != NULL)
		text_free(&r->text);
	free(r);
}

void
saved_free_pool(struct saved_pool *k)
{
	struct saved_list unused = {k->unused, NULL};

	saved_free_list(&unused);
	k->unused = NULL;
}

/* ---- lists ---- */

void
saved_append(struct saved_list *list, struct saved_event *r)
{
	saved_join(list, &(struct saved_list){r, r});
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
	struct saved_event *r = list->first;

	if (r != NULL)
		list->first = r->next;
	return r;
}

void
saved_free_list(struct saved_list *list)
{
	struct saved_event *r;

	while ((r = saved_take(list)) != NULL)
		saved_free(r);
}
