/*
 * expr_kind.c - the rest of an expression where the kind of the record is
 * known, and the keys that the rest reads
 */

#include "expr_node.h"

struct node *
expr_kind_fold(struct expr *e, struct node *n)
{
	struct expr_texts texts = {0}; /* constants need no decoding */
	struct expr_run run = {.texts = &texts};
	struct value v = expr_eval(n, &run, &texts.left);

	return run.error == NULL ? expr_alloc_const(e, v) : n;
}

static bool
is_const(const struct node *n)
{
	return n == NULL || n->op == NODE_CONST;
}

/* a copy without terms */
static struct node *
copy(struct expr *e, const struct node *n)
{
	struct node *c = expr_alloc_node(e, n->op, n->type);

	*c = *n;
	c->first = c->last = NULL;
	return c;
}

/* ---- a kind that the schema does not have ---- */

static bool
is_kind(const struct node *n)
{
	return n->op == NODE_KEY && n->key == KEY_kind;
}

static bool
is_known(const struct value *v)
{
	return v->type == VALUE_STRING &&
	       schema_kind(v->s.p, v->s.len) != KIND_UNKNOWN;
}

/* kind in (...): the kinds of the schema do not count */
static const struct node *
without_known(struct expr *e, const struct node *n)
{
	struct node *c = copy(e, n);

	c->list.values =
	    region_get(&e->memory, n->list.count * sizeof(*c->list.values));
	c->list.count = 0;
	for (size_t i = 0; i < n->list.count; i++)
		if (!is_known(&n->list.values[i]))
			c->list.values[c->list.count++] = n->list.values[i];
	if (c->list.count > 0)
		return c;
	return expr_alloc_bool(
	    e, n->negated && (n->list.types >> VALUE_STRING & 1) != 0);
}

static const struct node *
unknown_kind(struct expr *e, const struct node *n)
{
	if (n->op == NODE_COMPARE && is_kind(n->left) &&
	    (n->mask == EQUAL || n->mask == UNEQUAL) &&
	    n->right->op == NODE_CONST && is_known(&n->right->value))
		return expr_alloc_bool(e, n->mask == UNEQUAL);
	if (n->op == NODE_IN && is_kind(n->left))
		return without_known(e, n);
	return n;
}

static bool
is_strange(const struct value *v, struct span *kind)
{
	if (v->type != VALUE_STRING || is_known(v))
		return false;
	*kind = v->s;
	return true;
}

/* false: not in this node itself */
static bool
has_strange(const struct node *n, struct span *kind)
{
	if (n->op == NODE_STRING && n->key == KEY_kind)
		return is_strange(&n->value, kind);
	if (n->left == NULL || !is_kind(n->left))
		return false;
	if (n->op == NODE_COMPARE && n->right->op == NODE_CONST)
		return is_strange(&n->right->value, kind);
	for (size_t i = 0; n->op == NODE_IN && i < n->list.count; i++)
		if (is_strange(&n->list.values[i], kind))
			return true;
	return false;
}

bool
expr_kind_strange(const struct node *n, struct span *kind)
{
	if (has_strange(n, kind) ||
	    (n->left != NULL && expr_kind_strange(n->left, kind)) ||
	    (n->right != NULL && expr_kind_strange(n->right, kind)))
		return true;
	for (const struct term *t = n->first; t != NULL; t = t->next)
		if (expr_kind_strange(t->node, kind))
			return true;
	return false;
}

/* ---- any kind ---- */

static const struct node *
truth(struct expr *e, bool yes)
{
	if (e->truths[yes] == NULL)
		e->truths[yes] = expr_alloc_bool(e, yes);
	return e->truths[yes];
}

/* True if the node compares the kind with a word: kind == "kernel". */
static bool
compares_kind(const struct node *n)
{
	return n->op == NODE_COMPARE && is_kind(n->left) &&
	       (n->mask == EQUAL || n->mask == UNEQUAL) &&
	       n->right->op == NODE_CONST &&
	       n->right->value.type == VALUE_STRING;
}

static bool
is_of_kind(const struct node *n, enum kind kind)
{
	const struct span name = {
	    schema_kinds[kind].name, schema_kinds[kind].len};

	return span_eq(n->right->value.s, name) == (n->mask == EQUAL);
}

static const struct node *
operands(struct expr *e, const struct node *n, enum kind kind)
{
	const struct node *left, *right = n->right;
	struct node *c;

	if (kind != KIND_UNKNOWN && compares_kind(n))
		return truth(e, is_of_kind(n, kind));
	left = expr_kind_tree(e, n->left, kind);
	if (right != NULL)
		right = expr_kind_tree(e, right, kind);
	if (left == n->left && right == n->right)
		return kind == KIND_UNKNOWN ? unknown_kind(e, n) : n;
	c = copy(e, n);
	c->left = left;
	c->right = right;
	return is_const(left) && is_const(right) ? expr_kind_fold(e, c) : c;
}

/* a copy of n with its terms before t */
static struct node *
copy_before(struct expr *e, const struct node *n, const struct term *t)
{
	struct node *c = copy(e, n);

	for (const struct term *u = n->first; u != t; u = u->next)
		expr_add_term(e, c, u->sign, u->node);
	return c;
}

static const struct node *
chain(struct expr *e, const struct node *n, enum kind kind)
{
	struct node *c = NULL;
	bool constant = true;

	for (const struct term *t = n->first; t != NULL; t = t->next) {
		const struct node *left = expr_kind_tree(e, t->node, kind);

		if (c == NULL && left != t->node)
			c = copy_before(e, n, t);
		if (c != NULL)
			expr_add_term(e, c, t->sign, left);
		constant &= is_const(left);
	}
	if (c == NULL)
		return n;
	return constant ? expr_kind_fold(e, c) : c;
}

/* and, or: terms that are constant go, or decide */
static const struct node *
logic(struct expr *e, const struct node *n, enum kind kind)
{
	bool decides = n->op == NODE_OR;
	struct node *c = NULL;

	for (const struct term *t = n->first; t != NULL; t = t->next) {
		const struct node *left = expr_kind_tree(e, t->node, kind);

		if (is_const(left) && (left->value.i != 0) == decides)
			return left;
		if (c == NULL && (is_const(left) || left != t->node))
			c = copy_before(e, n, t);
		if (c != NULL && !is_const(left))
			expr_add_term(e, c, 0, left);
	}
	if (c == NULL)
		return n;
	if (c->first == NULL)
		return expr_alloc_bool(e, !decides);
	return c->first == c->last ? c->first->node : c;
}

const struct node *
expr_kind_tree(struct expr *e, const struct node *n, enum kind kind)
{
	switch (n->op) {
	case NODE_KEY:
		if (n->key != KEY_kind || kind == KIND_UNKNOWN)
			return n;
		return expr_alloc_const(e, (struct value){VALUE_STRING,
					       {.s = {schema_kinds[kind].name,
						    schema_kinds[kind].len}}});
	case NODE_SUM:
	case NODE_PRODUCT:
		return chain(e, n, kind);
	case NODE_AND:
	case NODE_OR:
		return logic(e, n, kind);
	default:
		return n->left != NULL ? operands(e, n, kind) : n;
	}
}

void
expr_kind_keys(const struct node *n, struct keyset *keys, bool *all)
{
	switch (n->op) {
	case NODE_END:
		keyset_add(keys, KEY_ts);
		keyset_add(keys, KEY_dur); /* and open, see expr_eval.c */
		break;
	case NODE_SYMBOL:
		keyset_add(keys, KEY_sym);
		keyset_add(keys, KEY_name);
		break;
	case NODE_MEMBER:
		*all |= n->key == KEY_NONE;
		break;
	default:
		break;
	}
	if (n->key != KEY_NONE)
		keyset_add(keys, n->key);
	if (n->left != NULL)
		expr_kind_keys(n->left, keys, all);
	if (n->right != NULL)
		expr_kind_keys(n->right, keys, all);
	for (const struct term *t = n->first; t != NULL; t = t->next)
		expr_kind_keys(t->node, keys, all);
}
