/*
 * expr_parse.c - the grammar of expressions
 *
 *	condition  = and { ( "||" | "or" ) and }
 *	and        = not { ( "&&" | "and" ) not }
 *	not        = ( "!" | "not" ) not | comparison
 *	comparison = sum [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum
 *	           | ( "~" | "!~" ) regex
 *	           | [ "not" ] "glob" STRING
 *	           | [ "not" ] "in" "(" literal { "," literal } ")" ]
 *	sum        = product { ( "+" | "-" ) product }
 *	product    = unary { ( "*" | "/" | "%" ) unary }
 *	unary      = "-" unary | primary
 *	primary    = NUMBER | STRING | "true" | "false" | "(" condition ")"
 *	           | "has" "(" element ")" | element
 *	element    = key [ "[" [ "-" ] DIGITS "]" ]
 *	key        = NAME | path | "args" path
 *	path       = member { member }
 *	member     = "." ( NAME | STRING )
 *	literal    = [ "-" ] NUMBER | STRING | "true" | "false"
 *	regex      = "/" { byte | "\/" } "/" [ "i" ] | STRING
 *
 *	STRING     = '"' { byte | escape } '"' | "'" { byte | escape } "'"
 *	escape     = those of JSON | "\'"
 *	NUMBER     = DIGITS [ "." DIGITS ] [ exponent ]
 *	           | a time or size with units, as units.c has it
 *	exponent   = ( "e" | "E" ) [ "+" | "-" ] DIGITS
 *	NAME       = letter { letter | digit }, where "_" is a letter
 *
 * There is no white space within a key.  A value is what condition is here; as
 * a condition it has to be a comparison, a truth value, or of a type that only
 * the record decides.
 */

#include "expr_parser.h"
#include "tq/base/ascii.h"

static const char operand[] = "a number or a \"string\"";

static struct node *or_list(struct parser *ps);

static bool
enter(struct parser *ps)
{
	if (++ps->depth <= EXPR_DEPTH)
		return true;
	expr_lex_fail(ps, ps->p, "nested too deeply");
	return false;
}

/* something else comes where an operator would */
static void *
unexpected(struct parser *ps, const char *what)
{
	if (expr_lex_at(ps, "&"))
		return expr_lex_fail(ps, ps->p, "use && for and");
	if (expr_lex_at(ps, "|"))
		return expr_lex_fail(ps, ps->p, "use || for or");
	if (expr_lex_at(ps, ")"))
		return expr_lex_fail(ps, ps->p, "a ) closes nothing");
	return expr_lex_expected(ps, what);
}

/* ---- operands ---- */

static struct node *
number(struct parser *ps)
{
	struct value v;

	return expr_lex_number(ps, &v) ? expr_alloc_const(ps->expr, v) : NULL;
}

static struct node *
string(struct parser *ps)
{
	struct value v = {.type = VALUE_STRING};

	if (!expr_lex_string(ps, &v.s))
		return NULL;
	for (size_t i = 0; i < v.s.len; i++)
		ps->expr->tells_digits |= ascii_is_digit(v.s.p[i]);
	return expr_alloc_const(ps->expr, v);
}

static struct node *
parenthesised(struct parser *ps)
{
	struct node *n;

	if (!enter(ps))
		return NULL;
	ps->p++;
	if ((n = or_list(ps)) == NULL)
		return NULL;
	ps->depth--;
	return expr_lex_take(ps, ")") ? n : unexpected(ps, "')'");
}

static struct node *
has(struct parser *ps)
{
	struct node *n;

	if (!expr_lex_take(ps, "("))
		return expr_lex_expected(ps, "'('");
	if (!expr_lex_at(ps, ".") && expr_lex_name(ps, ps->p).len == 0)
		return expr_lex_expected(ps, "a key");
	if ((n = expr_key(ps)) == NULL)
		return NULL;
	if (!expr_lex_take(ps, ")"))
		return expr_lex_expected(ps, "')'");
	return expr_make_has(ps, n);
}

/* a word that cannot begin an operand */
static bool
at_reserved(struct parser *ps)
{
	static const char *const words[] = {"and", "or", "not", "in", "glob"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (expr_lex_at(ps, words[i]))
			return true;
	return false;
}

static bool
at_string(struct parser *ps)
{
	return expr_lex_at(ps, "\"") || expr_lex_at(ps, "'");
}

static bool
at_number(struct parser *ps)
{
	return expr_lex_more(ps) && *ps->p >= '0' && *ps->p <= '9';
}

static struct node *
primary(struct parser *ps)
{
	if (at_number(ps))
		return number(ps);
	if (at_string(ps))
		return string(ps);
	if (expr_lex_at(ps, "("))
		return parenthesised(ps);
	if (expr_lex_take(ps, "true"))
		return expr_alloc_bool(ps->expr, true);
	if (expr_lex_take(ps, "false"))
		return expr_alloc_bool(ps->expr, false);
	if (expr_lex_take(ps, "has"))
		return has(ps);
	if (expr_lex_at(ps, ".") ||
	    (expr_lex_name(ps, ps->p).len > 0 && !at_reserved(ps)))
		return expr_key(ps);
	return expr_lex_expected(ps, ps->wanted);
}

static struct node *
unary(struct parser *ps)
{
	const char *at;
	struct node *n;

	if (!expr_lex_at(ps, "-"))
		return primary(ps);
	if (!enter(ps))
		return NULL;
	at = ps->p++;
	ps->wanted = "a number";
	n = expr_make_minus(ps, at, unary(ps));
	ps->depth--;
	return n;
}

/* ---- arithmetic ---- */

static struct node *
arithmetic(
    struct parser *ps, const char *signs, struct node *(*part)(struct parser *))
{
	struct node *l = part(ps), *r;
	const char *at;

	while (l != NULL && expr_lex_more(ps) &&
	       memchr(signs, *ps->p, strlen(signs)) != NULL) {
		at = ps->p++;
		ps->wanted = "a number";
		if ((r = part(ps)) == NULL)
			return NULL;
		l = expr_make_arithmetic(ps, at, l, r);
	}
	return l;
}

static struct node *
product(struct parser *ps)
{
	return arithmetic(ps, "*/%", unary);
}

static struct node *
sum(struct parser *ps)
{
	return arithmetic(ps, "+-", product);
}

/* ---- comparisons ---- */

enum form { NONE, ORDER, REGEX, GLOB, IN, MISTAKE };

/* longer ones before shorter ones that they begin with */
static const struct {
	const char *name;
	enum form form;
	unsigned mask;
	bool negated;
	const char *mistake;
} operators[] = {
    {"==", ORDER, EQUAL, false, NULL},
    {"!=", ORDER, UNEQUAL, false, NULL},
    {"<=", ORDER, LESS | EQUAL, false, NULL},
    {">=", ORDER, GREATER | EQUAL, false, NULL},
    {"<>", MISTAKE, 0, false, "use != to compare"},
    {"<", ORDER, LESS, false, NULL},
    {">", ORDER, GREATER, false, NULL},
    {"~", REGEX, 0, false, NULL},
    {"!~", REGEX, 0, true, NULL},
    {"=~", MISTAKE, 0, false, "use ~ to match"},
    {"=", MISTAKE, 0, false, "use == to compare"},
    {"glob", GLOB, 0, false, NULL},
    {"in", IN, EQUAL, false, NULL},
};

/* Takes the next token if it is one; a mistake has set the error. */
static enum form
take_operator(struct parser *ps, struct operation *op)
{
	bool negated;

	expr_lex_more(ps);
	op->at = ps->p;
	negated = expr_lex_take(ps, "not");
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		enum form form = operators[i].form;

		if ((negated && form != GLOB && form != IN) ||
		    !expr_lex_take(ps, operators[i].name))
			continue;
		if (form == MISTAKE)
			expr_lex_fail(ps, op->at, "%s", operators[i].mistake);
		op->name = operators[i].name;
		op->mask = operators[i].mask;
		op->negated = negated || operators[i].negated;
		return form;
	}
	if (!negated)
		return NONE;
	expr_lex_expected(ps, "in or glob");
	return MISTAKE;
}

static struct node *
literal(struct parser *ps)
{
	const char *at;

	ps->wanted = operand;
	if (expr_lex_at(ps, "-")) {
		at = ps->p++;
		ps->wanted = "a number";
		if (at_number(ps))
			return expr_make_minus(ps, at, number(ps));
	} else if (at_number(ps) || at_string(ps) || expr_lex_at(ps, "true") ||
		   expr_lex_at(ps, "false"))
		return primary(ps);
	return expr_lex_expected(ps, ps->wanted);
}

/* "(" literal { "," literal } ")" */
static struct node *
list(struct parser *ps, struct operation *op, struct node *l)
{
	struct value *values = NULL, *grown;
	size_t count = 0, cap = 0;
	struct node *n;

	if (!expr_lex_take(ps, "("))
		return expr_lex_expected(ps, "'('");
	do {
		expr_lex_more(ps);
		op->at = ps->p;
		if ((n = literal(ps)) == NULL ||
		    !expr_make_comparable(ps, op, l, n))
			return NULL;
		if (count == cap) {
			cap = cap * 2 + 4;
			grown =
			    region_get(&ps->expr->memory, cap * sizeof(*grown));
			for (size_t i = 0; i < count; i++)
				grown[i] = values[i];
			values = grown;
		}
		values[count++] = n->value;
	} while (expr_lex_take(ps, ","));
	if (!expr_lex_take(ps, ")"))
		return expr_lex_expected(ps, "',' or ')'");
	return expr_make_in(ps, op, l, values, count);
}

static struct node *
matched(struct parser *ps, const struct operation *op, struct node *l,
    struct pattern *(*take)(struct parser *))
{
	struct pattern *pattern;

	if (!expr_make_matchable(ps, op, l) || (pattern = take(ps)) == NULL)
		return NULL;
	return expr_make_match(ps, op, l, pattern);
}

/* l op ..., behind op */
static struct node *
compared(
    struct parser *ps, enum form form, struct operation *op, struct node *l)
{
	struct node *r;

	switch (form) {
	case ORDER:
		ps->wanted = operand;
		if ((r = sum(ps)) == NULL)
			return NULL;
		return expr_make_compare(ps, op, l, r);
	case REGEX:
		return matched(ps, op, l, expr_lex_regex);
	case GLOB:
		return matched(ps, op, l, expr_lex_glob);
	case IN:
		return list(ps, op, l);
	default:
		return NULL; /* a mistake */
	}
}

static struct node *
comparison(struct parser *ps)
{
	struct operation op;
	struct node *n = sum(ps);
	enum form form = n != NULL ? take_operator(ps, &op) : NONE;

	if (form == NONE)
		return n;
	if ((n = compared(ps, form, &op, n)) == NULL)
		return NULL;
	form = take_operator(ps, &op);
	if (form == MISTAKE)
		return NULL;
	if (form != NONE)
		return expr_lex_fail(
		    ps, op.at, "comparisons do not chain: use &&");
	return n;
}

/* ---- logic ---- */

static struct node *
parse_not(struct parser *ps)
{
	struct node *n;

	if (!expr_lex_take(ps, "!") && !expr_lex_take(ps, "not"))
		return comparison(ps);
	if (!enter(ps))
		return NULL;
	ps->wanted = "a condition";
	n = expr_make_not(ps, parse_not(ps));
	ps->depth--;
	return n;
}

static struct node *
logic(struct parser *ps, enum node_op op, const char *symbol, const char *word,
    struct node *(*part)(struct parser *))
{
	struct node *first = part(ps), *next, *n = NULL;

	while (first != NULL &&
	       (expr_lex_at(ps, symbol) || expr_lex_at(ps, word))) {
		if (n == NULL) {
			n = expr_alloc_node(ps->expr, op, TYPE_BOOL);
			if ((first = expr_make_condition(ps, first)) == NULL)
				return NULL;
			expr_add_term(ps->expr, n, 0, first);
		}
		if (!expr_lex_take(ps, symbol))
			expr_lex_take(ps, word);
		ps->wanted = "a condition";
		if ((next = expr_make_condition(ps, part(ps))) == NULL)
			return NULL;
		expr_add_term(ps->expr, n, 0, next);
	}
	return n != NULL ? n : first;
}

static struct node *
and_list(struct parser *ps)
{
	return logic(ps, NODE_AND, "&&", "and", parse_not);
}

static struct node *
or_list(struct parser *ps)
{
	return logic(ps, NODE_OR, "||", "or", and_list);
}

struct node *
expr_parse(struct parser *ps, bool condition)
{
	struct node *n;

	if (ps->end - ps->start > EXPR_LENGTH)
		return expr_lex_fail(
		    ps, ps->start, "the expression is too long");
	ps->wanted = condition ? "a condition" : "a value";
	n = or_list(ps);
	if (condition)
		n = expr_make_condition(ps, n);
	if (n != NULL && expr_lex_more(ps))
		return unexpected(ps, "an operator");
	return n;
}
