/* expr_make.c - nodes of an expression, and whether their types agree */

#include <stdlib.h>

#include "expr_parser.h"

enum { SHOWN = 40 }; /* bytes of the user's text in a message */

static bool
is_number(const struct node *n)
{
	return n->type == TYPE_INT || n->type == TYPE_NUM;
}

static bool
is_array(const struct node *n)
{
	return n->type == TYPE_INTS || n->type == TYPE_STRS;
}

static bool
is_args(const struct node *n)
{
	return n->op == NODE_KEY && n->key == KEY_args;
}

/* True if only the record decides its type. */
static bool
is_dynamic(const struct node *n)
{
	return n->type == TYPE_OBJ && !is_args(n);
}

static const char *
a_type(enum type type)
{
	switch (type) {
	case TYPE_INT:
	case TYPE_NUM:
		return "a number";
	case TYPE_STR:
		return "a string";
	case TYPE_BOOL:
		return "true or false";
	case TYPE_INTS:
	case TYPE_STRS:
		return "an array";
	case TYPE_OBJ:
		break;
	}
	return "an object";
}

/* is n a key, or a part of one? */
static bool
is_spelt(const struct node *n)
{
	return n->op == NODE_KEY || n->op == NODE_END || n->op == NODE_SYMBOL ||
	       n->op == NODE_ELEMENT;
}

static int
shown(const struct node *n)
{
	return (int)(n->text.len < SHOWN ? n->text.len : SHOWN);
}

/* an array or object where one of its parts was meant */
static void *
fail_whole(struct parser *ps, const char *at, const struct node *n)
{
	int len = shown(n);

	if (is_args(n))
		return expr_lex_fail(ps, at,
		    "%.*s is an object: args.KEY is one of its members", len,
		    n->text.p);
	return expr_lex_fail(ps, at,
	    "%.*s is an array: %.*s[0] is its first element", len, n->text.p,
	    len, n->text.p);
}

/* n, of which an operator needs something else */
static void *
fail_operand(struct parser *ps, const char *at, const struct node *n,
    const char *op_name, const char *needs)
{
	if (is_array(n) || is_args(n))
		return fail_whole(ps, at, n);
	if (is_spelt(n))
		return expr_lex_fail(ps, at, "%.*s is %s: %s needs %s",
		    shown(n), n->text.p, a_type(n->type), op_name, needs);
	return expr_lex_fail(
	    ps, at, "%s needs %s, not %s", op_name, needs, a_type(n->type));
}

/* l or r is of a type that the other cannot be compared with */
static void *
fail_types(struct parser *ps, const char *at, const struct node *l,
    const struct node *r)
{
	if (is_array(l) || is_args(l))
		return fail_whole(ps, at, l);
	if (is_array(r) || is_args(r))
		return fail_whole(ps, at, r);
	if (is_spelt(l))
		return expr_lex_fail(ps, at,
		    "%.*s is %s: it cannot be compared with %s", shown(l),
		    l->text.p, a_type(l->type), a_type(r->type));
	if (is_spelt(r))
		return fail_types(ps, at, r, l);
	return expr_lex_fail(ps, at, "%s cannot be compared with %s",
	    a_type(l->type), a_type(r->type));
}

static struct node *
fold_if_const(struct parser *ps, struct node *n)
{
	if (n->left->op != NODE_CONST ||
	    (n->right != NULL && n->right->op != NODE_CONST))
		return n;
	return expr_kind_fold(ps->expr, n);
}

/* ---- conditions ---- */

struct node *
expr_make_condition(struct parser *ps, struct node *n)
{
	struct node *c;

	if (n == NULL)
		return NULL;
	if (n->type != TYPE_BOOL && !is_dynamic(n))
		return expr_lex_expected(ps, "a comparison");
	if (n->op == NODE_CONST || n->op >= NODE_HAS)
		return n;
	c = expr_alloc_node(ps->expr, NODE_COMPARE, TYPE_BOOL);
	c->left = n;
	c->mask = EQUAL;
	c->right = expr_alloc_bool(ps->expr, true);
	return c;
}

struct node *
expr_make_not(struct parser *ps, struct node *n)
{
	struct node *negation;

	if ((n = expr_make_condition(ps, n)) == NULL)
		return NULL;
	negation = expr_alloc_node(ps->expr, NODE_NOT, TYPE_BOOL);
	negation->left = n;
	return fold_if_const(ps, negation);
}

struct node *
expr_make_has(struct parser *ps, struct node *key)
{
	struct node *n = expr_alloc_node(ps->expr, NODE_HAS, TYPE_BOOL);

	n->left = key;
	if (key->op == NODE_KEY && key->key == KEY_kind)
		return expr_alloc_bool(ps->expr, true); /* a record has it */
	return n;
}

/* ---- numbers ---- */

struct node *
expr_make_minus(struct parser *ps, const char *at, struct node *n)
{
	struct node *minus;

	if (n == NULL)
		return NULL;
	if (!is_number(n) && !is_dynamic(n))
		return fail_operand(ps, at, n, "-", "a number");
	minus = expr_alloc_node(
	    ps->expr, NODE_MINUS, n->type == TYPE_INT ? TYPE_INT : TYPE_NUM);
	minus->left = n;
	return fold_if_const(ps, minus);
}

static struct node *
constant_arithmetic(struct parser *ps, const char *at, const struct value *l,
    const struct value *r)
{
	struct value v = expr_value_arithmetic(l, *at, r);

	if (v.type == VALUE_ABSENT)
		return expr_lex_fail(ps, at, "number is too large");
	return expr_alloc_const(ps->expr, v);
}

struct node *
expr_make_arithmetic(
    struct parser *ps, const char *at, struct node *l, struct node *r)
{
	enum node_op op = *at == '+' || *at == '-' ? NODE_SUM : NODE_PRODUCT;
	const char sign[] = {*at, '\0'};
	struct node *wrong = l, *n = l;

	if (is_number(l) || is_dynamic(l))
		wrong = is_number(r) || is_dynamic(r) ? NULL : r;
	if (wrong != NULL)
		return fail_operand(ps, at, wrong, sign, "a number");
	if ((*at == '/' || *at == '%') && r->op == NODE_CONST &&
	    r->value.type == VALUE_INT && r->value.i == 0)
		return expr_lex_fail(ps, at, "division by zero");
	if (l->op == NODE_CONST && r->op == NODE_CONST)
		return constant_arithmetic(ps, at, &l->value, &r->value);
	if (l->op != op) {
		n = expr_alloc_node(ps->expr, op, TYPE_INT);
		expr_add_term(ps->expr, n, 0, l);
	}
	expr_add_term(ps->expr, n, *at, r);
	if (l->type != TYPE_INT || r->type != TYPE_INT)
		n->type = TYPE_NUM;
	return n;
}

/* ---- comparisons ---- */

bool
expr_make_comparable(struct parser *ps, const struct operation *op,
    const struct node *l, const struct node *r)
{
	bool equality = op->mask == EQUAL || op->mask == UNEQUAL, same;

	same = l->type == r->type || (is_number(l) && is_number(r));
	if (l->type == TYPE_STRS || r->type == TYPE_STRS)
		same = equality && l->type != r->type &&
		       (l->type == TYPE_STR || r->type == TYPE_STR);
	if (is_dynamic(l) || is_dynamic(r))
		same =
		    equality || (l->type != TYPE_STRS && r->type != TYPE_STRS);
	if (!same || l->type == TYPE_INTS || r->type == TYPE_INTS ||
	    is_args(l) || is_args(r)) {
		fail_types(ps, op->at, l, r);
		return false;
	}
	if (!equality && (l->type == TYPE_BOOL || r->type == TYPE_BOOL)) {
		expr_lex_fail(
		    ps, op->at, "only == and != compare true and false");
		return false;
	}
	return true;
}

static struct node *
new_comparison(struct parser *ps, const struct operation *op, struct node *l,
    struct node *r)
{
	bool key = l->op == NODE_KEY && l->key != KEY_kind;
	enum type type = key ? schema_keys[l->key].type : TYPE_OBJ;
	bool equality = op->mask == EQUAL || op->mask == UNEQUAL;
	enum node_op is = NODE_COMPARE;
	struct node *n;

	if (type == TYPE_INT && r->op == NODE_CONST &&
	    r->value.type == VALUE_INT)
		is = NODE_INTEGER;
	else if (type == TYPE_STR && equality && r->op == NODE_CONST &&
		 r->value.type == VALUE_STRING)
		is = NODE_STRING;
	n = expr_alloc_node(ps->expr, is, TYPE_BOOL);
	n->mask = op->mask;
	if (is != NODE_COMPARE) {
		n->key = l->key;
		n->value = r->value;
		return n;
	}
	n->left = l;
	n->right = r;
	return fold_if_const(ps, n);
}

struct node *
expr_make_compare(struct parser *ps, const struct operation *op, struct node *l,
    struct node *r)
{
	struct operation mirrored = *op;

	if (!expr_make_comparable(ps, op, l, r))
		return NULL;
	if (l->op != NODE_CONST)
		return new_comparison(ps, op, l, r);
	if (op->mask != EQUAL && op->mask != UNEQUAL)
		mirrored.mask ^= UNEQUAL; /* < becomes > */
	return new_comparison(ps, &mirrored, r, l);
}

bool
expr_make_matchable(
    struct parser *ps, const struct operation *op, const struct node *n)
{
	if (n->type == TYPE_STR || n->type == TYPE_STRS || is_dynamic(n))
		return true;
	fail_operand(ps, op->at, n, op->name, "a string");
	return false;
}

struct node *
expr_make_match(struct parser *ps, const struct operation *op, struct node *l,
    struct pattern *pattern)
{
	struct node *n = expr_alloc_node(ps->expr, NODE_MATCH, TYPE_BOOL);

	n->left = l;
	n->pattern = pattern;
	n->negated = op->negated;
	return fold_if_const(ps, n);
}

static int
by_order(const void *a, const void *b)
{
	return expr_value_order(a, b);
}

struct node *
expr_make_in(struct parser *ps, const struct operation *op, struct node *l,
    struct value *values, size_t count)
{
	struct node *n = expr_alloc_node(ps->expr, NODE_IN, TYPE_BOOL);

	qsort(values, count, sizeof(*values), by_order);
	n->left = l;
	n->list = (struct value_list){.values = values, .count = count};
	for (size_t i = 0; i < count; i++)
		n->list.types |= values[i].type == VALUE_REAL
				     ? 1u << VALUE_INT
				     : 1u << values[i].type;
	n->negated = op->negated;
	return fold_if_const(ps, n);
}
