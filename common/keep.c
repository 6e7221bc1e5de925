/* keep.c - records that are needed later */

#include <stdlib.h>

#include "tq/keep.h"
#include "tq/mem.h"

enum { LARGE = 1 << 16 }; /* memory that is not kept for other records */

struct kept {
	struct kept *next;
	enum kind kind;
	struct keyset has;
	bool simple; /* all that was found stands in the line */
	bool plain;
	uint64_t shape;
	struct text text; /* where the value of each key in has is; the line */
	size_t line;      /* its place there */
};

/* in the line */
struct place {
	uint32_t at, len;
};

static size_t
count(const struct keyset *s)
{
	return (size_t)(__builtin_popcountll(s->bits[0]) +
			__builtin_popcountll(s->bits[1]));
}

/* false where something stands elsewhere, or cannot be kept like this */
static bool
add_places(struct text *t, const struct event *ev)
{
	char *p = text_reserve(t, count(&ev->has) * sizeof(struct place));

	if (ev->unknown_count > 0 || ev->line.len > UINT32_MAX ||
	    ev->kind_name.p != ev->value[KEY_kind].p + 1)
		return false;
	for (size_t i = 0; i < 2; i++) {
		const struct span *value = &ev->value[i * 64];

		for (uint64_t bits = ev->has.bits[i]; bits != 0;
		     bits &= bits - 1, p += sizeof(struct place)) {
			struct span v = value[__builtin_ctzll(bits)];
			uintptr_t at = (uintptr_t)v.p - (uintptr_t)ev->line.p;
			struct place place = {(uint32_t)at, (uint32_t)v.len};

			if (at >= ev->line.len)
				return false;
			memcpy(p, &place, sizeof(place));
		}
	}
	t->len = (size_t)(p - t->p);
	return true;
}

struct kept *
keep_record(struct keep *k, const struct event *ev)
{
	static const char padding[EVENT_PADDING];
	struct kept *r = k->unused;

	if (r != NULL)
		k->unused = r->next;
	else
		r = mem_alloc(sizeof(*r));
	if (r->text.cap > LARGE)
		text_free(&r->text);
	r->next = NULL;
	r->kind = ev->kind;
	r->has = ev->has;
	r->plain = ev->plain;
	r->shape = ev->shape;
	r->text.len = 0;
	r->simple = add_places(&r->text, ev);
	r->line = r->text.len;
	text_add_span(&r->text, ev->line);
	text_add(&r->text, padding, sizeof(padding));
	return r;
}

const struct event *
kept_event(const struct kept *r, struct event *ev)
{
	const char *p = r->text.p, *line = p + r->line;

	ev->line = (struct span){line, r->text.len - r->line - EVENT_PADDING};
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
	for (size_t i = 0; i < 2; i++) {
		struct span *value = &ev->value[i * 64];

		for (uint64_t bits = r->has.bits[i]; bits != 0;
		     bits &= bits - 1, p += sizeof(struct place)) {
			struct place place;

			memcpy(&place, p, sizeof(place));
			value[__builtin_ctzll(bits)] =
			    (struct span){line + place.at, place.len};
		}
	}
	ev->kind_name = (struct span){
	    ev->value[KEY_kind].p + 1, ev->value[KEY_kind].len - 2};
	ev->unknown_count = 0;
	ev->error = NULL;
	return ev;
}

void
keep_drop(struct keep *k, struct kept *r)
{
	r->next = k->unused;
	k->unused = r;
}

void
kept_free(struct kept *r)
{
	if (r != NULL)
		text_free(&r->text);
	free(r);
}

void
keep_free(struct keep *k)
{
	struct kept_list unused = {k->unused, NULL};

	kept_free_list(&unused);
	k->unused = NULL;
}

/* ---- lists ---- */

void
kept_add(struct kept_list *list, struct kept *r)
{
	kept_join(list, &(struct kept_list){r, r});
}

void
kept_join(struct kept_list *list, const struct kept_list *other)
{
	if (other->first == NULL)
		return;
	if (list->first == NULL)
		list->first = other->first;
	else
		list->last->next = other->first;
	list->last = other->last;
}

struct kept *
kept_take(struct kept_list *list)
{
	struct kept *r = list->first;

	if (r != NULL)
		list->first = r->next;
	return r;
}

void
kept_free_list(struct kept_list *list)
{
	struct kept *r;

	while ((r = kept_take(list)) != NULL)
		kept_free(r);
}
