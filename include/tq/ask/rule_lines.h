/*
 * rule_lines.h - files of rules: those of tq-advise, of categories, of names of
 * kernels, of steps of engines, and colours.
 *
 *	file = { [ line ] [ CR ] LF }
 *
 * A line with nothing but blanks, or with "#" as its first character that is
 * none, is no rule.  What is wrong with a file ends the program with status 2
 * and "FILE:LINE: ..."; a file that cannot be read, with status 1.
 */
#ifndef TQ_ASK_RULE_LINES_H
#define TQ_ASK_RULE_LINES_H

#include "tq/ask/expr.h"
#include "tq/base/text.h"

/* Lines, and spans in them, are good until it is closed. */
struct rule_lines {
	const char *file; /* for messages */
	struct text text; /* of the file */
	struct span rest; /* of the text */
	size_t number;    /* of the line, from 1 */
};

/*
 * Read a file; NULL: the rules that are built in, lines with NULL behind the
 * last, under the name of their file.
 */
void rule_lines_open(struct rule_lines *l, const char *file, const char *name,
    const char *const *built_in);

/* The next line, whatever is in it, without its end; false behind the last. */
bool rule_lines_any(struct rule_lines *l, struct span *line);

/* The next line that is a rule. */
bool rule_lines_next(struct rule_lines *l, struct span *line);

/* Say what is wrong with the line, and exit. */
_Noreturn void rule_lines_fail(const struct rule_lines *l, const char *format,
    ...) __attribute__((format(printf, 2, 3)));

/* The same of an expression in the line, with its place below it. */
_Noreturn void rule_lines_fail_at(const struct rule_lines *l,
    struct span expression, const struct expr_error *error);

void rule_lines_close(struct rule_lines *l);

#endif
