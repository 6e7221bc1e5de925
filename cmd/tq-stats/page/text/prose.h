/*
 * prose.h - sentences, lists and commands, in lines that fit.
 */
#ifndef PROSE_H
#define PROSE_H

#include "ink.h"

/* stands for a blank at which no line ends */
enum { PROSE_TIED = '\x1f' };

/*
 * Append the words of s, the first at this column, and a newline.  Lines behind
 * the first are indented so far, and all have room for as many columns.  A word
 * wider than that is broken.
 */
void prose_add(struct text *t, const struct terminal *on, enum ink ink,
    struct span s, size_t column, size_t indent);

/* one of a list: a sign, which may be empty, a blank, a text */
struct prose_item {
	enum ink ink; /* of the sign; of the text, where there is no sign */
	const char *sign;
	struct span text;
};

/* Append items, and a newline; between two of a line stands the separator. */
void prose_add_list(struct text *t, const struct terminal *on,
    const struct prose_item *items, size_t count, const char *separator,
    size_t indent);

/* Append "28.1 in 22 more: " and a command; in a line of its own if need be. */
void prose_add_more(struct text *t, const struct terminal *on, struct span more,
    struct span command);

/*
 * Append a command behind a $ and a newline.  A shell takes it as it stands:
 * it goes on in the next line behind a |, or a \ instead of a blank.  A word
 * wider than a line stays whole.
 */
void prose_add_command(struct text *t, const struct terminal *on,
    struct span command, size_t indent);

#endif
