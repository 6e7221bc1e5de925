/*
 * expr_node.h - the tree that an expression becomes; private to expr*.c.
 *
 * A node that is part of a tree is not changed any more, so that the trees of
 * all kinds share their nodes.  All live as long as their struct expr.
 */
#ifndef TQ_ASK_EXPR_NODE_H
#define TQ_ASK_EXPR_NODE_H

#include "tq/ask/expr.h"
#include "tq/ask/pattern.h"
#include "tq/base/region.h"

/* ---- values ---- */

enum value_type {
	VALUE_ABSENT,
	VALUE_INT,
	VALUE_REAL,
	VALUE_STRING,
	VALUE_BOOL,
	VALUE_ARRAY,
	VALUE_OBJECT
};

struct value {
	enum value_type type;
	union {
		int64_t i; /* INT; BOOL: 0 or 1 */
		long double real;
		struct span s; /* STRING: its bytes; ARRAY, OBJECT: JSON */
	};
};

/* ---- nodes ---- */

/* results of ordering two values; a comparison is true for a mask of them */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNEQUAL = LESS | GREATER };

enum node_op {
	NODE_CONST,   /* value */
	NODE_KEY,     /* key */
	NODE_END,     /* ts + dur */
	NODE_SYMBOL,  /* key: demangled or mangled, or the key in its place */
	NODE_MEMBER,  /* path, of which key is the first or KEY_NONE */
	NODE_ELEMENT, /* left, index */
	NODE_MINUS,   /* left */
	NODE_SUM,     /* terms */
	NODE_PRODUCT, /* terms */
	/* conditions: these have a value in any record */
	NODE_HAS,     /* left */
	NODE_COMPARE, /* left, mask, right */
	NODE_INTEGER, /* key, mask, value.i: a quicker NODE_COMPARE */
	NODE_STRING,  /* key, mask, value.s: the same */
	NODE_MATCH,   /* left, pattern, negated */
	NODE_IN,      /* left, list, negated */
	NODE_NOT,     /* left */
	NODE_AND,     /* terms */
	NODE_OR       /* terms */
};

struct term {
	struct term *next;
	const struct node *node;
	char sign; /* + - * / %: what joins it to those before */
};

struct value_list {
	struct value *values; /* in the order of expr_value_order */
	size_t count;
	unsigned types; /* bits 1 << VALUE_x; numbers count as INT */
};

struct node {
	enum node_op op;
	enum type type; /* TYPE_NUM: any number, TYPE_OBJ: anything */
	enum key key;
	unsigned mask;
	bool negated;
	const struct node *left, *right;
	struct term *first, *last;
	struct value value;
	struct value_list list;
	struct pattern *pattern;
	struct span *path;
	size_t path_count;
	int extra; /* MEMBER: 1 + its number in event.extra, or 0: no number */
	int64_t index;    /* < 0: from the end */
	struct span text; /* as it was spelt; borrowed while compiling */
};

struct expr {
	const struct node *tree;
	const struct node *roots[KIND_COUNT + 1]; /* the rest of it */
	const struct node *truths[2]; /* false and true, once they are needed */
	struct region memory;         /* nodes, terms, values, texts */
	struct pattern **patterns;
	size_t pattern_count, pattern_cap;
	bool tells_digits; /* a string or pattern of it may */
	struct expr_texts *texts;
};

/* values decoded while an expression is evaluated for a record */
struct expr_texts {
	struct text left, right, key;
};

/* ---- expr.c ---- */

struct node *expr_alloc_node(struct expr *e, enum node_op op, enum type type);
struct node *expr_alloc_const(struct expr *e, struct value value);
struct node *expr_alloc_bool(struct expr *e, bool value);

/* Add a term to those of n, which is not part of a tree yet. */
void expr_add_term(
    struct expr *e, struct node *n, char sign, const struct node *term);

/* ---- expr_value.c ---- */

/* The value of a JSON text; a string may be in t, which is cleared. */
struct value expr_value_json(struct span json, struct text *t);

/* Types that can be compared have the same class: INT of all numbers. */
enum value_type expr_value_class(const struct value *v);

/* Orders values of any types: < 0, 0, > 0. */
int expr_value_order(const struct value *a, const struct value *b);

/* left sign right; ABSENT where it is not a number of its type. */
struct value expr_value_arithmetic(
    const struct value *left, char sign, const struct value *right);

/* ---- expr_eval.c ---- */

struct expr_run {
	const struct event *ev; /* NULL: the node is made of constants */
	const struct expr_symbols *symbols;
	struct expr_texts *texts;
	const char *error;
};

/* The value of a node; a string may be in t, which is cleared. */
struct value expr_eval(
    const struct node *n, struct expr_run *run, struct text *t);

/* Is the condition true? */
bool expr_eval_test(const struct node *n, struct expr_run *run);

/* The same, as far as these keys, and those outside of the schema, decide it.
 */
enum expr_answer expr_eval_known(
    const struct node *n, const struct keyset *known, struct expr_run *run);

/* ---- expr_kind.c ---- */

/* n, whose operands are constant, as a constant. */
struct node *expr_kind_fold(struct expr *e, struct node *n);

/*
 * The rest of n where the kind is known (KIND_UNKNOWN: known to be none of the
 * schema).
 */
const struct node *expr_kind_tree(
    struct expr *e, const struct node *n, enum kind kind);

/* Add the keys that n reads; *all is set if it may read any. */
void expr_kind_keys(const struct node *n, struct keyset *keys, bool *all);

/* The string that the node compares the kind with, see expr_strange_kind. */
bool expr_kind_strange(const struct node *n, struct span *kind);

#endif
