/*
 * set.h - --set: keys get the values of expressions.
 */
#ifndef SET_H
#define SET_H

#include "tq/ask/expr.h"
#include "tq/line/edit.h"

struct setting {
	struct span name; /* of a key, perhaps not of the schema */
	enum key key;     /* or KEY_NONE */
	struct expr *value;
};

/* {0} sets nothing */
struct set {
	struct setting *settings;
	size_t count, cap;
	struct text values;
};

/*
 * Add "KEY=EXPRESSION".  An error in it is printed, and ends the program with
 * status 2.
 */
void set_add(struct set *s, const char *text);

/*
 * Set the keys of the schema in *edit; their values are good until the next
 * set_known or set_unknown.  *error as for expr_match.
 */
void set_known(struct set *s, const struct event *ev,
    const struct expr_symbols *symbols, struct edit *edit, const char **error);

/* Append the keys that the schema lacks to the line of ev, or replace them. */
void set_unknown(struct set *s, const struct event *ev,
    const struct expr_symbols *symbols, struct text *line, const char **error);

void set_free(struct set *s);

#endif
