/*
 * expr_parser.h - the state that parts of the compiler share; private to
 * expr*.c
 */
#ifndef TQ_ASK_EXPR_PARSER_H
#define TQ_ASK_EXPR_PARSER_H

#include "expr_node.h"

enum { EXPR_LENGTH = 1 << 16 }; /* bytes of the longest text */

struct parser {
	struct expr *expr;
	const char *start, *p, *end;
	const char *wanted; /* the sort of an operand, for messages */
	int depth;
	struct expr_error *error;
	expr_numbers *numbers; /* or NULL */
};

/* All that can fail returns NULL or false, and *error is set. */

/* ---- expr_lex.c ---- */

/* Set the error, at the place at; always NULL. */
__attribute__((format(printf, 3, 4))) void *expr_lex_fail(
    struct parser *ps, const char *at, const char *fmt, ...);

/* The same: "expected ...", at the next token. */
void *expr_lex_expected(struct parser *ps, const char *what);

/* Move to the next token; false at the end. */
bool expr_lex_more(struct parser *ps);

/* Is it this symbol, or word?  The second form moves behind it. */
bool expr_lex_at(struct parser *ps, const char *symbol);
bool expr_lex_take(struct parser *ps, const char *symbol);

/* The name at p; empty where there is none. */
struct span expr_lex_name(const struct parser *ps, const char *p);

/* A number with or without a unit. */
bool expr_lex_number(struct parser *ps, struct value *v);

/* A copy that lives with the expression. */
struct span expr_lex_keep(struct parser *ps, struct span s);

/* A string; bytes that live with the expression. */
bool expr_lex_string(struct parser *ps, struct span *s);

/* /regex/ or a string, compiled; a string, compiled as a glob. */
struct pattern *expr_lex_regex(struct parser *ps);
struct pattern *expr_lex_glob(struct parser *ps);

/* ---- expr_key.c ---- */

/* key [ "[" index "]" ] */
struct node *expr_key(struct parser *ps);

/* ---- expr_make.c: nodes of types that agree; NULL begets NULL ---- */

struct operation {
	const char *at;   /* where it stands */
	const char *name; /* for messages */
	unsigned mask;    /* of a comparison */
	bool negated;
};

/* n as a condition: one that has a value in any record. */
struct node *expr_make_condition(struct parser *ps, struct node *n);

struct node *expr_make_not(struct parser *ps, struct node *n);
struct node *expr_make_has(struct parser *ps, struct node *key);
struct node *expr_make_minus(struct parser *ps, const char *at, struct node *n);

/* l + r, or with any sign that stands at at. */
struct node *expr_make_arithmetic(
    struct parser *ps, const char *at, struct node *l, struct node *r);

/* Do the types allow to compare, or to match? */
bool expr_make_comparable(struct parser *ps, const struct operation *op,
    const struct node *l, const struct node *r);
bool expr_make_matchable(
    struct parser *ps, const struct operation *op, const struct node *n);

struct node *expr_make_compare(struct parser *ps, const struct operation *op,
    struct node *l, struct node *r);
struct node *expr_make_match(struct parser *ps, const struct operation *op,
    struct node *l, struct pattern *pattern);

/* values live with the expression, and are sorted. */
struct node *expr_make_in(struct parser *ps, const struct operation *op,
    struct node *l, struct value *values, size_t count);

/* ---- expr_parse.c ---- */

/* All of the text, as a condition or a value. */
struct node *expr_parse(struct parser *ps, bool condition);

#endif
