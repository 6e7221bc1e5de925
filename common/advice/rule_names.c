/* rule_names.c - which rules a record may concern, by what repeats of it */

#include <stdlib.h>
#include <string.h>

#include "tq/base/hash.h"
#include "tq/base/mem.h"
#include "tq/names/api_call.h"
#include "tq/names/model.h"

#include "tq/advice/rule_names.h"

/* ---- by the kind ---- */

static bool
may_be(const struct expr *e, enum kind kind)
{
	return e != NULL && expr_of_kind(e, kind) != EXPR_FALSE;
}

static bool
any_may_be(const struct rule_condition *all, size_t count, enum kind kind)
{
	for (size_t i = 0; i < count; i++)
		if (may_be(all[i].what, kind) || may_be(all[i].all, kind))
			return true;
	return false;
}

static uint64_t
rules_of_kind(const struct rules *rules, enum kind kind)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < rules->matching; i++) {
		const struct rule *r = &rules->all[i];

		if (may_be(r->when, kind) ||
		    any_may_be(r->also, r->also_count, kind) ||
		    any_may_be(r->second, r->second_count, kind))
			mask |= (uint64_t)1 << i;
	}
	return mask;
}

static bool
any_asks_digits(const struct rules *rules, uint64_t mask)
{
	for (; mask != 0; mask &= mask - 1)
		if (rules->all[__builtin_ctzll(mask)].asks_digits)
			return true;
	return false;
}

void
rule_names_open(struct rule_names *n, const struct rules *rules)
{
	n->rules = rules;
	for (size_t i = 0; i < rules->matching; i++)
		if (rules->all[i].also_count + rules->all[i].second_count > 0)
			n->counting |= (uint64_t)1 << i;
	for (size_t k = 0; k <= KIND_COUNT; k++) {
		n->kinds[k] = rules_of_kind(rules, (enum kind)k);
		/* what a call does is known by its name as it is */
		n->folds[k] =
		    k != KIND_api && !any_asks_digits(rules, n->kinds[k]);
	}
}

/* ---- by the name ---- */

/* The key beside the name that repeats, too. */
static enum key
second_key(enum kind k)
{
	return k == KIND_kernel ? KEY_category
	       : k == KIND_gap  ? KEY_cause
				: KEY_NONE;
}

static bool
any_may_hold(const struct rule_condition *all, size_t count,
    const struct event *ev, const struct keyset *known, const char **error)
{
	for (size_t i = 0; i < count; i++)
		if ((all[i].what != NULL && expr_of_keys(all[i].what, ev, known,
						error) != EXPR_FALSE) ||
		    (all[i].all != NULL && expr_of_keys(all[i].all, ev, known,
					       error) != EXPR_FALSE))
			return true;
	return false;
}

static struct rules_held
find_rules(
    const struct rule_names *n, const struct event *ev, const char **error)
{
	enum key second = second_key(ev->kind);
	struct keyset keys = {0}, *known = &keys;
	struct rules_held held = {0};

	keyset_add(known, KEY_name);
	if (second != KEY_NONE)
		keyset_add(known, second);
	for (uint64_t left = n->kinds[ev->kind]; left != 0; left &= left - 1) {
		const struct rule *r = &n->rules->all[__builtin_ctzll(left)];
		enum expr_answer a = expr_of_keys(r->when, ev, known, error);
		uint64_t bit = left & -left;

		held.always |= a == EXPR_TRUE ? bit : 0;
		held.maybe |= a == EXPR_DEPENDS ? bit : 0;
		if ((n->counting & bit) != 0 &&
		    (any_may_hold(r->also, r->also_count, ev, known, error) ||
			any_may_hold(
			    r->second, r->second_count, ev, known, error)))
			held.counts |= bit;
	}
	return held;
}

/* The same, where its name decides the key .role of rules, too: nothing else
   outside of the schema. */
static struct rules_held
find(const struct rule_names *n, const struct event *ev, const char **error)
{
	struct event *named = event_memo(ev);
	struct event_member *unknown = ev->unknown;
	size_t count = ev->unknown_count;
	enum api_role role = api_call_of_event(ev).role;
	struct event_member key = {SPAN("role"), api_call_role(role)};
	struct rules_held held;

	named->unknown = &key;
	named->unknown_count = ev->kind == KIND_api && event_has(ev, KEY_name);
	held = find_rules(n, ev, error);
	named->unknown = unknown;
	named->unknown_count = count;
	return held;
}

/* Eight bytes at once: a digit is 0x30 to 0x39, and 0x30 without its low bits.
 */
static uint64_t
fold_eight(uint64_t bytes)
{
	const uint64_t each = UINT64_MAX / 255;
	uint64_t from_0 = bytes ^ each * '0';
	uint64_t other =
	    (((from_0 & each * 0x7f) + each * (0x80 - 10)) | from_0) &
	    each * 0x80;

	return bytes & ~((other ^ each * 0x80) / 0x80 * 0x0f);
}

/* The name with each digit as 0, so that numbered names are one; but as it is
   where rules tell digits apart, or an escape has some. */
static struct span
fold_digits(struct rule_names *n, enum kind kind, struct span name)
{
	char *p;

	if (!n->folds[kind] || name.len == 0 || name.len > RULE_NAME_BYTES ||
	    memchr(name.p, '\\', name.len) != NULL)
		return name;
	n->folded.len = 0;
	p = text_reserve(&n->folded, name.len + 7);
	for (size_t i = 0; i < name.len; i += 8) {
		uint64_t eight = 0;
		size_t left = name.len - i;

		memcpy(&eight, name.p + i, left < 8 ? left : 8);
		eight = fold_eight(eight);
		memcpy(p + i, &eight, 8);
	}
	n->folded.len = name.len;
	return text_span(&n->folded);
}

/* Its place, or NULL: nowhere. */
static struct rule_name *
find_place(struct rule_names *n, enum kind kind, struct span name)
{
	if (name.len > RULE_NAME_BYTES)
		return NULL;
	if (n->all == NULL)
		n->all = mem_alloc(RULE_NAMES * sizeof(*n->all));
	return &n->all[(hash_text(name) + kind) % RULE_NAMES];
}

/* The name, and behind it on a line of its own the second key, if it has one.
 */
static struct span
join_keys(struct rule_names *n, const struct event *ev)
{
	enum key second = second_key(ev->kind);
	struct span name =
	    event_has(ev, KEY_name) ? ev->value[KEY_name] : SPAN("");

	if (second == KEY_NONE || !event_has(ev, second))
		return name;
	n->joined.len = 0;
	text_add_span(&n->joined, name);
	text_add_char(&n->joined, '\n');
	text_add_span(&n->joined, ev->value[second]);
	return text_span(&n->joined);
}

/* What was found for its name, or is found now. */
static struct rules_held
get_named(struct rule_names *n, const struct event *ev, const char **error)
{
	struct span name = fold_digits(n, ev->kind, join_keys(n, ev));
	struct rule_name *x = find_place(n, ev->kind, name);

	if (x == NULL)
		return find(n, ev, error);
	if (x->set && x->kind == ev->kind && span_eq(text_span(&x->name), name))
		return x->held;
	x->held = find(n, ev, error);
	x->kind = ev->kind;
	x->set = true;
	x->name.len = 0;
	text_add_span(&x->name, name);
	return x->held;
}

struct rules_held
rule_names_get(struct rule_names *n, const struct event *ev, const char **error)
{
	struct rules_held *held;
	bool fresh;

	if (n->kinds[ev->kind] == 0)
		return (struct rules_held){0};
	if (ev->kind == KIND_api)
		held = numbered_get(&n->calls, model_symbol(ev), &fresh);
	else if (ev->kind == KIND_kernel && !event_has(ev, KEY_category))
		held = numbered_get(&n->kernels, model_symbol(ev), &fresh);
	else
		return get_named(n, ev, error);
	if (fresh)
		*held = get_named(n, ev, error);
	return *held;
}

void
rule_names_free(struct rule_names *n)
{
	for (size_t i = 0; n->all != NULL && i < RULE_NAMES; i++)
		text_free(&n->all[i].name);
	free(n->all);
	text_free(&n->folded);
	text_free(&n->joined);
	numbered_free(&n->calls);
	numbered_free(&n->kernels);
}
