/*
 * tag.h - kernels get a category, by the rules of a file.
 *
 * A rule is a line "CATEGORY CONDITION", the condition in the language of
 * expr.h; the first that is true counts.  "#" begins a comment line.  A
 * category is of letters, digits, "_", "." and "-".
 */
#ifndef TAG_H
#define TAG_H

#include "tq/line/edit.h"
#include "tq/ask/expr.h"

struct tag;

/* The lines of kernels.tags, and NULL; the Makefile makes them. */
extern const char *const tag_default_rules[];

/*
 * The rules of a file, or with "default" the built-in rules.  An error is
 * printed with file and line, and ends the program: with status 1 if the file
 * cannot be read, 2 if a rule is wrong.
 */
struct tag *tag_open(const char *file);

/* t may be NULL. */
void tag_free(struct tag *t);

/* Forget the categories of symbols: a new section. */
void tag_reset(struct tag *t);

/*
 * Set category in *edit if ev is a kernel without one that matches a rule; ev
 * was parsed in full.  The value lives as long as t.  *error as for
 * expr_match.
 *
 * If the rules need no keys but names, categories are remembered by symbol and
 * name, a bounded number of them.
 */
void tag_apply(struct tag *t, const struct event *ev,
    const struct expr_symbols *symbols, struct edit *edit, const char **error);

#endif
