/* expr.c - the language of conditions on records; its grammar: expr_parse.c */

#include <math.h>
#include <stdlib.h>

#include "expr_parser.h"
#include "tq/line/json.h"
#include "tq/base/mem.h"

struct node *
expr_alloc_node(struct expr *e, enum node_op op, enum type type)
{
	struct node *n = region_get(&e->memory, sizeof(*n));

	n->op = op;
	n->type = type;
	n->key = KEY_NONE;
	return n;
}

struct node *
expr_alloc_const(struct expr *e, struct value value)
{
	static const enum type types[] = {
	    [VALUE_ABSENT] = TYPE_OBJ,
	    [VALUE_INT] = TYPE_INT,
	    [VALUE_REAL] = TYPE_NUM,
	    [VALUE_STRING] = TYPE_STR,
	    [VALUE_BOOL] = TYPE_BOOL,
	    [VALUE_ARRAY] = TYPE_OBJ,
	    [VALUE_OBJECT] = TYPE_OBJ,
	};
	struct node *n = expr_alloc_node(e, NODE_CONST, types[value.type]);

	n->value = value;
	return n;
}

struct node *
expr_alloc_bool(struct expr *e, bool value)
{
	return expr_alloc_const(e, (struct value){VALUE_BOOL, {.i = value}});
}

void
expr_add_term(
    struct expr *e, struct node *n, char sign, const struct node *node)
{
	struct term *t = region_get(&e->memory, sizeof(*t));

	t->node = node;
	t->sign = sign;
	if (n->first == NULL)
		n->first = t;
	else
		n->last->next = t;
	n->last = t;
}

/* ---- compiling ---- */

static struct expr *
compile(struct span text, bool condition, expr_numbers *numbers,
    struct expr_error *error)
{
	struct expr *e = mem_alloc(sizeof(*e));
	struct parser ps = {.expr = e, .error = error, .numbers = numbers};

	ps.start = ps.p = text.len > 0 ? text.p : "";
	ps.end = ps.p + text.len;
	if ((e->tree = expr_parse(&ps, condition)) == NULL) {
		expr_free(e);
		return NULL;
	}
	for (enum kind k = 0; k <= KIND_COUNT; k++)
		e->roots[k] = expr_kind_tree(e, e->tree, k);
	e->texts = region_get(&e->memory, sizeof(*e->texts));
	return e;
}

struct expr *
expr_condition(struct span text, struct expr_error *error)
{
	return compile(text, true, NULL, error);
}

struct expr *
expr_condition_of(
    struct span text, expr_numbers *numbers, struct expr_error *error)
{
	return compile(text, true, numbers, error);
}

struct expr *
expr_value(struct span text, struct expr_error *error)
{
	return compile(text, false, NULL, error);
}

void
expr_free(struct expr *e)
{
	if (e == NULL)
		return;
	for (size_t i = 0; i < e->pattern_count; i++)
		pattern_free(e->patterns[i]);
	free(e->patterns);
	if (e->texts != NULL) {
		text_free(&e->texts->left);
		text_free(&e->texts->right);
		text_free(&e->texts->key);
	}
	region_free(&e->memory);
	free(e);
}

/* ---- the keys of an expression ---- */

void
expr_keys(const struct expr *e, struct keyset *want)
{
	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		bool all = false;

		expr_kind_keys(e->roots[k], &want[k], &all);
		if (all) /* a bit that no key has: it is never found */
			want[k] = keyset_all();
	}
}

static void
unknown_keys(const struct node *n, enum kind kind,
    void (*take)(void *arg, enum kind kind, struct span key), void *arg)
{
	if (n->op == NODE_MEMBER && n->key == KEY_NONE)
		take(arg, kind, n->path[0]);
	if (n->left != NULL)
		unknown_keys(n->left, kind, take, arg);
	if (n->right != NULL)
		unknown_keys(n->right, kind, take, arg);
	for (const struct term *t = n->first; t != NULL; t = t->next)
		unknown_keys(t->node, kind, take, arg);
}

void
expr_known_keys(const struct expr *e, struct keyset *want,
    void (*take)(void *arg, enum kind kind, struct span key), void *arg)
{
	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		bool all = false;

		expr_kind_keys(e->roots[k], &want[k], &all);
		if (all)
			unknown_keys(e->roots[k], k, take, arg);
	}
}

struct member_wanted {
	struct span key;
	bool found;
};

static void
look_for_member(void *arg, enum kind kind, struct span key)
{
	struct member_wanted *x = arg;

	(void)kind;
	x->found |= span_eq(key, x->key);
}

bool
expr_asks_member(const struct expr *e, struct span key)
{
	struct member_wanted x = {key, false};

	unknown_keys(e->tree, KIND_UNKNOWN, look_for_member, &x);
	return x.found;
}

bool
expr_tells_digits(const struct expr *e)
{
	return e->tells_digits;
}

static bool
is_member(const struct node *n)
{
	return n != NULL && n->op == NODE_MEMBER && n->key == KEY_NONE;
}

/* What the comparison of a key with a constant needs the key to be. */
static void
compare_needs(const struct node *n, struct expr_need *need)
{
	const struct value *v = &n->right->value;

	if (n->right->op != NODE_CONST || n->left->path_count > 1)
		return;
	if (v->type == VALUE_BOOL)
		need->is_true = n->mask == EQUAL && v->i != 0;
	if (v->type != VALUE_INT || n->mask == UNEQUAL)
		return;
	if ((n->mask & LESS) == 0)
		need->from =
		    v->i + ((n->mask & EQUAL) == 0 && v->i < INT64_MAX);
	if ((n->mask & GREATER) == 0)
		need->to = v->i - ((n->mask & EQUAL) == 0 && v->i > INT64_MIN);
}

/* What a condition compares, matches or has: without it none is true. */
static void
node_needs(const struct node *n,
    void (*take)(void *arg, const struct expr_need *need), void *arg)
{
	struct expr_need need = {.from = INT64_MIN, .to = INT64_MAX};

	if (n->op == NODE_AND)
		for (const struct term *t = n->first; t != NULL; t = t->next)
			node_needs(t->node, take, arg);
	if ((n->op != NODE_COMPARE && n->op != NODE_MATCH &&
		n->op != NODE_HAS) ||
	    !is_member(n->left))
		return;
	need.key = n->left->path[0];
	if (n->op == NODE_COMPARE)
		compare_needs(n, &need);
	take(arg, &need);
}

void
expr_needs(const struct expr *e, enum kind kind,
    void (*take)(void *arg, const struct expr_need *need), void *arg)
{
	node_needs(e->roots[kind], take, arg);
}

bool
expr_strange_kind(const struct expr *e, struct span *kind)
{
	return expr_kind_strange(e->tree, kind);
}

static void
node_integers(const struct node *n,
    void (*take)(void *arg, enum key key, int64_t value), void *arg)
{
	if (n->op == NODE_INTEGER && n->mask == EQUAL)
		take(arg, n->key, n->value.i);
	if (n->op == NODE_IN && n->left->op == NODE_KEY && !n->negated)
		for (size_t i = 0; i < n->list.count; i++)
			if (n->list.values[i].type == VALUE_INT)
				take(arg, n->left->key, n->list.values[i].i);
	if (n->left != NULL)
		node_integers(n->left, take, arg);
	if (n->right != NULL)
		node_integers(n->right, take, arg);
	for (const struct term *t = n->first; t != NULL; t = t->next)
		node_integers(t->node, take, arg);
}

void
expr_integers(const struct expr *e,
    void (*take)(void *arg, enum key key, int64_t value), void *arg)
{
	node_integers(e->tree, take, arg);
}

enum expr_answer
expr_of_kind(const struct expr *e, enum kind kind)
{
	const struct node *n = e->roots[kind];

	if (n->op != NODE_CONST || n->value.type != VALUE_BOOL)
		return EXPR_DEPENDS;
	return n->value.i != 0 ? EXPR_TRUE : EXPR_FALSE;
}

bool
expr_asks(const struct expr *e, enum key key)
{
	struct keyset keys = {0};
	bool all = false;

	expr_kind_keys(e->tree, &keys, &all);
	return keyset_has(&keys, key);
}

enum type
expr_type(const struct expr *e)
{
	return e->tree->type;
}

/* ---- asking a record ---- */

static bool
failed(const struct expr_run *run, const char **error)
{
	if (run->error != NULL)
		*error = run->error;
	return run->error != NULL;
}

bool
expr_match(const struct expr *e, const struct event *ev,
    const struct expr_symbols *symbols, const char **error)
{
	struct expr_run run = {ev, symbols, e->texts, NULL};
	bool yes = expr_eval_test(e->roots[ev->kind], &run);

	return !failed(&run, error) && yes;
}

enum expr_answer
expr_of_keys(const struct expr *e, const struct event *ev,
    const struct keyset *known, const char **error)
{
	struct expr_run run = {ev, NULL, e->texts, NULL};
	enum expr_answer a = expr_eval_known(e->roots[ev->kind], known, &run);

	return failed(&run, error) ? EXPR_FALSE : a;
}

/* an array of integers or strings, as it stands in a canonical line */
static void
print_array(struct span array, struct text *json, struct text *t)
{
	size_t start = json->len;
	struct json j;
	struct span element;
	int64_t i;

	json_open_array(&j, array);
	while (json_next_element(&j, &element)) {
		text_add_char(json, json->len == start ? '[' : ',');
		if (*element.p == '"') {
			t->len = 0;
			json_decode(t, element);
			text_add_json(json, t->p, t->len);
		} else if (json_int(element, &i))
			text_add_int(json, i);
	}
	text_add_str(json, json->len == start ? "[]" : "]");
}

bool
expr_evaluate(const struct expr *e, const struct event *ev,
    const struct expr_symbols *symbols, struct text *json, const char **error)
{
	struct expr_run run = {ev, symbols, e->texts, NULL};
	const struct node *n = e->roots[ev->kind];
	struct value v = expr_eval(n, &run, &e->texts->left);

	if (failed(&run, error))
		return false;
	switch (v.type) {
	case VALUE_ABSENT:
		return false;
	case VALUE_INT:
		text_add_int(json, v.i);
		break;
	case VALUE_REAL:
		if (!isfinite((double)v.real))
			return false;
		text_add_double(json, (double)v.real);
		break;
	case VALUE_STRING:
		text_add_json(json, v.s.p, v.s.len);
		break;
	case VALUE_BOOL:
		text_add_str(json, v.i != 0 ? "true" : "false");
		break;
	case VALUE_ARRAY:
	case VALUE_OBJECT:
		if (n->type == TYPE_OBJ) /* keys outside of the schema */
			text_add_span(json, v.s);
		else
			print_array(v.s, json, &e->texts->right);
		break;
	}
	return true;
}
