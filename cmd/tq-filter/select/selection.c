/* selection.c - the selections by the keys of a record itself */

#include <stdlib.h>

#include "selection.h"

void
selection_init(struct selection *s)
{
	*s = (struct selection){.min_dur = NO_ID,
	    .depth = NO_ID,
	    .choices = {{KEY_device}, {KEY_stream}, {KEY_pid}, {KEY_tid}},
	    .ranks = {KEY_rank}};
}

bool
selection_given(const struct selection *s)
{
	for (size_t i = 0; i < SELECTION_CHOICES; i++)
		if (s->choices[i].count > 0)
			return true;
	return s->expr != NULL || s->ranks.count > 0 || s->min_dur != NO_ID;
}

bool
selection_all(const struct selection *s)
{
	for (enum kind k = 0; s->expr != NULL && k <= KIND_COUNT; k++)
		if (expr_of_kind(s->expr, k) != EXPR_TRUE)
			return false;
	for (size_t i = 0; i < SELECTION_CHOICES; i++)
		if (s->choices[i].count > 0)
			return false;
	return s->kinds == 0 && s->ranks.count == 0 && s->min_dur == NO_ID &&
	       s->depth == NO_ID;
}

static bool
chosen_kind(const struct selection *s, enum kind kind)
{
	return s->kinds == 0 ||
	       (kind < KIND_COUNT && (s->kinds >> kind & 1) != 0);
}

bool
selection_none(const struct selection *s, enum kind kind)
{
	return !chosen_kind(s, kind) ||
	       (s->expr != NULL && expr_of_kind(s->expr, kind) == EXPR_FALSE);
}

static bool
has_depth(enum kind kind)
{
	return kind == KIND_range || kind == KIND_gpu_range;
}

void
selection_keys(const struct selection *s, struct keyset *want)
{
	if (s->expr != NULL)
		expr_keys(s->expr, want);
	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		if (!chosen_kind(s, k))
			continue;
		for (size_t i = 0; i < SELECTION_CHOICES; i++)
			if (s->choices[i].count > 0)
				keyset_add(&want[k], s->choices[i].key);
		if (s->ranks.count > 0)
			keyset_add(&want[k], KEY_pid);
		if (s->min_dur != NO_ID)
			keyset_add(&want[k], KEY_dur);
		if (s->depth != NO_ID && has_depth(k))
			keyset_add(&want[k], KEY_depth);
	}
}

static void
ask_for(void *absent, enum key key, int64_t id)
{
	absent_ask(absent, key, id);
}

static void
ask_for_choice(struct absent *a, const struct choice *c)
{
	for (size_t i = 0; i < c->count; i++)
		absent_ask(a, c->key, c->ids[i]);
}

void
selection_begin(struct selection *s)
{
	if (s->expr != NULL)
		expr_integers(s->expr, ask_for, &s->absent);
	for (size_t i = 0; i < SELECTION_CHOICES; i++)
		ask_for_choice(&s->absent, &s->choices[i]);
	ask_for_choice(&s->absent, &s->ranks);
}

static bool
is_one_of(const struct choice *c, const struct event *ev)
{
	int64_t id = event_int(ev, c->key, 0);

	if (!event_has(ev, c->key))
		return false;
	for (size_t i = 0; i < c->count; i++)
		if (c->ids[i] == id)
			return true;
	return false;
}

void
selection_trace(struct selection *s, const struct event *ev)
{
	map_clear(&s->processes);
	s->section_of_rank = is_one_of(&s->ranks, ev);
	absent_note(&s->absent, ev);
}

void
selection_definition(struct selection *s, const struct event *ev)
{
	absent_note(&s->absent, ev);
	if (ev->kind == KIND_process && is_one_of(&s->ranks, ev))
		*map_get(&s->processes, (uint64_t)event_int(ev, KEY_pid, NO_ID),
		    0) = 1;
}

bool
selection_allows(
    const struct selection *s, const struct event *ev, int64_t depth)
{
	if (!chosen_kind(s, ev->kind))
		return false;
	return s->depth == NO_ID || !has_depth(ev->kind) ||
	       event_int(ev, KEY_depth, depth) <= s->depth;
}

static bool
matches(struct selection *s, const struct event *ev,
    const struct expr_symbols *symbols)
{
	for (size_t i = 0; i < SELECTION_CHOICES; i++)
		if (s->choices[i].count > 0 && !is_one_of(&s->choices[i], ev))
			return false;
	if (s->ranks.count > 0 && !s->section_of_rank &&
	    map_find(&s->processes, (uint64_t)event_int(ev, KEY_pid, NO_ID),
		0) == NULL)
		return false;
	if (s->min_dur != NO_ID &&
	    (!event_has(ev, KEY_dur) || event_int(ev, KEY_dur, 0) < s->min_dur))
		return false;
	return s->expr == NULL || expr_match(s->expr, ev, symbols, &s->error);
}

bool
selection_matches(struct selection *s, const struct event *ev,
    const struct expr_symbols *symbols)
{
	bool yes = matches(s, ev, symbols);

	if (s->absent.watching && !yes)
		absent_note(&s->absent, ev);
	s->absent.watching &= !yes;
	return yes;
}

bool
selection_names_definition(const struct selection *s, enum kind kind)
{
	if (s->kinds != 0)
		return chosen_kind(s, kind);
	return s->expr != NULL && expr_asks(s->expr, KEY_kind);
}

void
selection_free(struct selection *s)
{
	expr_free(s->expr);
	for (size_t i = 0; i < SELECTION_CHOICES; i++)
		free(s->choices[i].ids);
	free(s->ranks.ids);
	map_free(&s->processes);
	absent_free(&s->absent);
}
