/* rule_match.c - which rules match a record, and what they count */

#include <stdlib.h>

#include "tq/advice/rule_match.h"
#include "tq/base/array.h"
#include "tq/base/time.h"

/* ---- what is known before the first record ---- */

/* As many bounds as there is room for: the rest is for the condition itself. */
static void
add_need(void *needs, const struct expr_need *need)
{
	struct rule_needs *n = needs;
	int key = derived_number(need->key);

	if (key < 0)
		return;
	n->keys |= (uint64_t)1 << key;
	n->truths |= need->is_true ? (uint64_t)1 << key : 0;
	if ((need->from == INT64_MIN && need->to == INT64_MAX) ||
	    n->bound_count == RULE_BOUNDS)
		return;
	n->bounds[n->bound_count++] =
	    (struct rule_bound){(unsigned char)key, need->from, need->to};
}

/* A condition of a rule: it may read names that only definitions have. */
static void
add_condition(struct rule_match *m, const struct expr *e)
{
	if (e != NULL)
		m->asks_symbols |=
		    expr_asks(e, KEY_demangled) || expr_asks(e, KEY_mangled);
}

/* Count what the expression is true of, in records of all kinds. */
static void
add_counter(struct rule_match *m, const struct rule_counter *c)
{
	add_condition(m, c->expr);
	for (size_t k = 0; c->expr != NULL && k <= KIND_COUNT; k++) {
		struct rule_kind *kind = &m->kinds[k];
		enum expr_answer a = expr_of_kind(c->expr, (enum kind)k);
		struct rule_counter *added;

		if (a == EXPR_FALSE)
			continue;
		added = array_add(
		    &kind->counters, &kind->counter_count, &kind->counter_cap);
		*added = *c;
		added->always = a == EXPR_TRUE;
	}
}

static void
add_counters(struct rule_match *m, size_t rule,
    const struct rule_condition *all, size_t count, struct rule_counts *counts)
{
	uint64_t bit = (uint64_t)1 << rule;

	for (size_t i = 0; i < count; i++) {
		const struct rule_condition *c = &all[i];

		add_counter(m, &(struct rule_counter){.rule = bit,
				   .expr = c->what,
				   .count = &counts[i].what,
				   .time = c->of == CONDITION_TIME});
		add_counter(m,
		    &(struct rule_counter){
			.rule = bit, .expr = c->all, .count = &counts[i].all});
	}
}

void
rule_match_open(struct rule_match *m, const struct rules *rules)
{
	m->rules = rules;
	m->symbols.with_mangled = true;
	m->tally = mem_alloc((rules->count + 1) * sizeof(*m->tally));
	for (size_t i = 0; i < rules->matching; i++) {
		const struct rule *r = &rules->all[i];

		add_condition(m, r->when);
		for (size_t k = 0; r->when != NULL && k <= KIND_COUNT; k++)
			expr_needs(r->when, (enum kind)k, add_need,
			    &m->kinds[k].needs[i]);
		add_counters(m, i, r->also, r->also_count, m->tally[i].also);
		add_counters(
		    m, i, r->second, r->second_count, m->tally[i].second);
	}
}

/* ---- definitions ---- */

void
rule_match_section(struct rule_match *m)
{
	names_reset(&m->symbols);
}

void
rule_match_define(struct rule_match *m, const struct event *symbol)
{
	if (m->asks_symbols)
		names_define(&m->symbols, symbol);
}

/* ---- a record ---- */

/* Of such rules those for which the record has the keys: the same as for the
   last record of its kind that had these keys. */
static uint64_t
with_keys(struct rule_kind *kind, const struct derived *d, uint64_t rules)
{
	uint64_t can = 0;

	if (kind->last.maybe == rules && kind->last.has == d->has &&
	    kind->last.is_false == d->is_false)
		return kind->last.can;
	for (uint64_t left = rules; left != 0; left &= left - 1) {
		const struct rule_needs *n =
		    &kind->needs[__builtin_ctzll(left)];

		if ((n->keys & ~d->has) == 0 && (n->truths & d->is_false) == 0)
			can |= left & -left;
	}
	kind->last.maybe = rules;
	kind->last.has = d->has;
	kind->last.is_false = d->is_false;
	kind->last.can = can;
	return can;
}

/* True if the keys of the record, which it has, are within bounds. */
static inline bool
in_bounds(const struct rule_needs *n, const struct derived *d)
{
	for (size_t i = 0; i < n->bound_count; i++) {
		const struct rule_bound *b = &n->bounds[i];
		int64_t v = d->extra.value[b->key];

		if (v < b->from || v > b->to)
			return false;
	}
	return true;
}

static bool
matches(
    struct rule_match *m, const struct expr *condition, const struct event *ev)
{
	const struct expr_symbols symbols = {names_find_symbol, &m->symbols};

	return expr_match(condition, ev, &symbols, &m->error);
}

static void
count_conditions(struct rule_match *m, uint64_t rules, const struct event *ev)
{
	const struct rule_kind *kind = &m->kinds[ev->kind];

	for (size_t i = 0; rules != 0 && i < kind->counter_count; i++) {
		const struct rule_counter *c = &kind->counters[i];

		if ((c->rule & rules) != 0 &&
		    (c->always || matches(m, c->expr, ev)))
			*c->count = time_end(
			    *c->count, c->time ? event_int(ev, KEY_dur, 0) : 1);
	}
}

uint64_t
rule_match_record(struct rule_match *m, const struct rules_held *held,
    const struct derived *d, const struct event *ev)
{
	struct rule_kind *kind = &m->kinds[ev->kind];
	uint64_t mask = held->always;

	for (uint64_t left = with_keys(kind, d, held->maybe); left != 0;
	     left &= left - 1) {
		size_t i = (size_t)__builtin_ctzll(left);

		if (in_bounds(&kind->needs[i], d) &&
		    matches(m, m->rules->all[i].when, ev))
			mask |= left & -left;
	}
	for (uint64_t left = mask; left != 0; left &= left - 1)
		m->tally[__builtin_ctzll(left)].matched++;
	count_conditions(m, held->counts, ev);
	return mask;
}

int64_t
rule_match_count(const struct rule_match *m, size_t rule)
{
	const struct rule_tally *t = &m->tally[rule];

	return m->rules->all[rule].waited ? t->waited : t->matched;
}

void
rule_match_free(struct rule_match *m)
{
	for (size_t k = 0; k <= KIND_COUNT; k++)
		free(m->kinds[k].counters);
	free(m->tally);
	names_free(&m->symbols);
}
