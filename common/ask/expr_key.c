/* expr_key.c - the keys of an expression, and suggestions for wrong ones */

#include <stdlib.h>

#include "expr_parser.h"
#include "tq/line/json.h"

/* ---- names ---- */

static struct node *
fail_near(struct parser *ps, struct span name, const struct suggestion *near)
{
	char *guesses = suggestion_text(near);
	struct node *n = expr_lex_fail(ps, name.p, "no key is named '%.*s'%s",
	    (int)(name.len < 40 ? name.len : 40), name.p, guesses);

	free(guesses);
	return n;
}

static struct node *
fail_name(struct parser *ps, struct span name)
{
	struct suggestion near = {.word = name};
	int len = (int)(name.len < 40 ? name.len : 40);

	if (schema_kind(name.p, name.len) != KIND_UNKNOWN)
		return expr_lex_fail(ps, name.p,
		    "no key is named '%.*s': did you mean \"%.*s\"?", len,
		    name.p, len, name.p);
	schema_near_keys(&near);
	suggestion_consider(&near, "end");
	if (near.best[0].text != NULL)
		return fail_near(ps, name, &near);
	return expr_lex_fail(ps, name.p,
	    "no key is named '%.*s' (.%.*s is a key outside of the schema)",
	    len, name.p, len, name.p);
}

/* ---- keys ---- */

/* a key by its name alone; args by itself is an object */
static struct node *
named(struct parser *ps, struct span name)
{
	enum key k = schema_key(name.p, name.len);
	enum node_op op = NODE_KEY;
	struct node *n;

	if (span_eq(name, SPAN("end")))
		return expr_alloc_node(ps->expr, NODE_END, TYPE_INT);
	if (k == KEY_NONE)
		return fail_name(ps, name);
	if (k == KEY_demangled || k == KEY_mangled)
		op = NODE_SYMBOL;
	n = expr_alloc_node(ps->expr, op, schema_keys[k].type);
	n->key = k;
	return n;
}

/* ".name" or ."any text" at p, which is at the point */
static bool
take_member(struct parser *ps, struct span *name)
{
	ps->p++;
	if (ps->p < ps->end && (*ps->p == '"' || *ps->p == '\''))
		return expr_lex_string(ps, name);
	*name = expr_lex_keep(ps, expr_lex_name(ps, ps->p));
	ps->p += name->len;
	if (name->len > 0)
		return true;
	expr_lex_fail(ps, ps->p, "expected a name after the '.'");
	return false;
}

/* a path from its point on; first is a name before that, or NULL */
static struct node *
path(struct parser *ps, const struct span *first)
{
	struct span names[JSON_DEPTH];
	struct node *n;
	size_t count = 0;

	if (first != NULL)
		names[count++] = expr_lex_keep(ps, *first);
	do {
		if (count == JSON_DEPTH)
			return expr_lex_fail(ps, ps->p, "nested too deeply");
		if (!take_member(ps, &names[count++]))
			return NULL;
	} while (ps->p < ps->end && *ps->p == '.');
	n = expr_alloc_node(ps->expr, NODE_MEMBER, TYPE_OBJ);
	n->key = schema_key(names[0].p, names[0].len);
	if (count == 1 && n->key != KEY_NONE)
		n->op = NODE_KEY;
	n->path = region_get(&ps->expr->memory, count * sizeof(names[0]));
	memcpy(n->path, names, count * sizeof(names[0]));
	n->path_count = count;
	if (count == 1 && n->key == KEY_NONE && ps->numbers != NULL)
		n->extra = 1 + ps->numbers(names[0]);
	return n;
}

static struct node *
key(struct parser *ps)
{
	const char *start = ps->p;
	struct span name = expr_lex_name(ps, start);
	struct node *n;
	bool has_path;

	ps->p += name.len;
	has_path = ps->p < ps->end && *ps->p == '.';
	if (name.len == 0)
		n = path(ps, NULL);
	else if (has_path && span_eq(name, SPAN("args")))
		n = path(ps, &name);
	else
		n = named(ps, name);
	if (n == NULL)
		return NULL;
	n->text = (struct span){start, (size_t)(ps->p - start)};
	if (ps->p < ps->end && *ps->p == '.')
		return expr_lex_fail(
		    ps, ps->p, "%.*s has no members", (int)name.len, name.p);
	return n;
}

/* the number of an element, behind its bracket */
static bool
take_index(struct parser *ps, int64_t *index)
{
	bool negative = expr_lex_take(ps, "-");
	const char *start;

	expr_lex_more(ps);
	start = ps->p;
	*index = 0;
	for (; ps->p < ps->end && *ps->p >= '0' && *ps->p <= '9'; ps->p++)
		if (__builtin_mul_overflow(*index, 10, index) ||
		    __builtin_add_overflow(*index, *ps->p - '0', index)) {
			expr_lex_fail(ps, start, "number is too large");
			return false;
		}
	if (ps->p == start) {
		expr_lex_expected(ps, "the number of an element");
		return false;
	}
	if (negative)
		*index = -*index;
	if (expr_lex_take(ps, "]"))
		return true;
	expr_lex_expected(ps, "']'");
	return false;
}

struct node *
expr_key(struct parser *ps)
{
	static const enum type types[] = {[TYPE_INTS] = TYPE_INT,
	    [TYPE_STRS] = TYPE_STR,
	    [TYPE_OBJ] = TYPE_OBJ};
	struct node *n = key(ps), *element;
	const char *at;

	if (n == NULL || !expr_lex_at(ps, "["))
		return n;
	at = ps->p++;
	if ((n->type != TYPE_INTS && n->type != TYPE_STRS &&
		n->type != TYPE_OBJ) ||
	    (n->op == NODE_KEY && n->key == KEY_args))
		return expr_lex_fail(ps, at, "%.*s is not an array",
		    (int)n->text.len, n->text.p);
	element = expr_alloc_node(ps->expr, NODE_ELEMENT, types[n->type]);
	element->left = n;
	if (!take_index(ps, &element->index))
		return NULL;
	element->text = (struct span){n->text.p, (size_t)(ps->p - n->text.p)};
	return element;
}
