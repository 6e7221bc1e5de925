/*
 * tag.c - categories of kernels
 *
 *	file = { line }
 *	line = [ "#" TEXT | category blank { blank } condition ] [ CR ] LF
 */

#include <stdlib.h>

#include "tq/ask/rule_lines.h"
#include "tq/base/array.h"
#include "tq/base/map.h"

#include "tag.h"

enum {
	REMEMBERED = 1 << 16,      /* categories, then all are forgotten */
	REMEMBERED_BYTES = 1 << 24 /* the same, of their names */
};

struct tag_rule {
	char *category; /* as JSON */
	struct expr *condition;
};

/* the rule of the kernels of a symbol and name */
struct tag_answer {
	bool has_sym;
	int64_t sym;
	size_t at, len;    /* of its name in tag.names */
	size_t rule;       /* tag.count: none */
	const char *error; /* as for expr_match */
};

struct tag {
	struct rule_lines lines; /* conditions may borrow from them */
	struct tag_rule *rules;
	size_t count, cap;

	bool by_name;   /* the rules need no keys but names */
	struct map map; /* (sym, hash of name) -> category + 1 */
	struct tag_answer *answers;
	size_t answer_count, answer_cap;
	struct text names;
};

/* ---- the rules ---- */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static size_t
category_length(struct span s)
{
	size_t n = 0;

	for (; n < s.len; n++) {
		char c = s.p[n];

		if ((c < '0' || c > '9') && (c < 'A' || c > 'Z') &&
		    (c < 'a' || c > 'z') && memchr("_.-", c, 3) == NULL)
			break;
	}
	return n;
}

/* true if the condition needs more than the name and the symbol */
static bool
needs_more(const struct expr *e)
{
	static const enum key names[] = {
	    KEY_kind, KEY_name, KEY_sym, KEY_demangled, KEY_mangled};
	struct keyset want[KIND_COUNT + 1] = {0};
	struct keyset *k = &want[KIND_kernel];

	expr_keys(e, want);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		keyset_remove(k, names[i]);
	return !keyset_is_empty(k);
}

static void
add_rule(struct tag *t, struct span line)
{
	struct expr_error error;
	struct text category = {0};
	struct tag_rule r;
	size_t n;

	n = category_length(line);
	if (n == 0 || (n < line.len && !is_blank(line.p[n])))
		rule_lines_fail(&t->lines, "expected a category, of letters, "
					   "digits, '_', '.' and '-'");
	text_add_char(&category, '"');
	text_add(&category, line.p, n);
	text_add(&category, "\"", 2); /* with its end */
	line = span_trimmed((struct span){line.p + n, line.len - n});
	if (line.len == 0)
		rule_lines_fail(&t->lines, "expected a condition after '%.*s'",
		    (int)n, category.p + 1);
	if ((r.condition = expr_condition(line, &error)) == NULL)
		rule_lines_fail_at(&t->lines, line, &error);
	r.category = category.p;
	t->by_name &= !needs_more(r.condition);
	*array_add(&t->rules, &t->count, &t->cap) = r;
}

struct tag *
tag_open(const char *file)
{
	struct tag *t = mem_alloc(sizeof(*t));
	struct span line;

	t->by_name = true;
	rule_lines_open(&t->lines, strcmp(file, "default") != 0 ? file : NULL,
	    "kernels.tags", tag_default_rules);
	while (rule_lines_next(&t->lines, &line))
		add_rule(t, span_trimmed(line));
	return t;
}

void
tag_free(struct tag *t)
{
	if (t == NULL)
		return;
	for (size_t i = 0; i < t->count; i++) {
		free(t->rules[i].category);
		expr_free(t->rules[i].condition);
	}
	free(t->rules);
	rule_lines_close(&t->lines);
	map_free(&t->map);
	free(t->answers);
	text_free(&t->names);
	free(t);
}

void
tag_reset(struct tag *t)
{
	map_clear(&t->map);
	t->answer_count = t->names.len = 0;
}

/* ---- kernels ---- */

static struct tag_answer
find_answer(const struct tag *t, const struct event *ev,
    const struct expr_symbols *symbols)
{
	struct tag_answer a = {.has_sym = event_has(ev, KEY_sym),
	    .sym = event_int(ev, KEY_sym, 0)};

	for (; a.rule < t->count; a.rule++)
		if (expr_match(
			t->rules[a.rule].condition, ev, symbols, &a.error))
			break;
	return a;
}

static void
remember(struct tag *t, uint64_t *slot, struct tag_answer a, struct span name)
{
	a.at = t->names.len;
	a.len = name.len;
	text_add_span(&t->names, name);
	*array_add(&t->answers, &t->answer_count, &t->answer_cap) = a;
	*slot = t->answer_count;
}

/* the same, from the remembered categories if it is there */
static struct tag_answer
recall_answer(
    struct tag *t, const struct event *ev, const struct expr_symbols *symbols)
{
	struct span name =
	    event_has(ev, KEY_name) ? ev->value[KEY_name] : SPAN("");
	struct tag_answer a = {.has_sym = event_has(ev, KEY_sym),
	    .sym = event_int(ev, KEY_sym, 0)};
	uint64_t *slot;

	if (t->answer_count == REMEMBERED || t->names.len > REMEMBERED_BYTES)
		tag_reset(t);
	slot = map_get(&t->map, (uint64_t)a.sym, span_hash(name));
	if (*slot == 0) {
		a = find_answer(t, ev, symbols);
		remember(t, slot, a, name);
		return a;
	}
	a = t->answers[*slot - 1];
	/* a kernel with the hash of another: its category is not remembered */
	if (a.has_sym != event_has(ev, KEY_sym) ||
	    !span_eq((struct span){t->names.p + a.at, a.len}, name))
		return find_answer(t, ev, symbols);
	return a;
}

void
tag_apply(struct tag *t, const struct event *ev,
    const struct expr_symbols *symbols, struct edit *edit, const char **error)
{
	struct tag_answer a;

	if (ev->kind != KIND_kernel || event_has(ev, KEY_category) ||
	    keyset_has(&edit->set, KEY_category))
		return;
	a = t->by_name ? recall_answer(t, ev, symbols)
		       : find_answer(t, ev, symbols);
	if (a.error != NULL)
		*error = a.error;
	if (a.rule < t->count)
		edit_set(
		    edit, KEY_category, span_of(t->rules[a.rule].category));
}
