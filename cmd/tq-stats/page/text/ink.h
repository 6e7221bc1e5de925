/*
 * ink.h - signs and colours of the page.
 */
#ifndef INK_H
#define INK_H

#include "tq/base/text.h"

#include "page/page.h"
#include "terminal.h"

enum ink {
	INK_PLAIN,
	INK_BOLD,
	INK_GREY,
	INK_RED,
	INK_YELLOW,
	INK_BLUE,
	INK_MAGENTA,
	INK_CYAN,
	INK_COUNT
};

/* Append s in a colour, where the terminal has colours. */
void ink_add(
    struct text *t, const struct terminal *on, enum ink ink, struct span s);

/* The sign of a class, and its colour. */
const char *ink_sign(const struct terminal *on, enum page_class class);
enum ink ink_of(enum page_class class);

/* The sign for a cut in a text, and the sign between facts. */
const char *ink_ellipsis(const struct terminal *on);
const char *ink_dot(const struct terminal *on);

/* The sign of a height, from 0, a blank, to ink_highest(). */
const char *ink_height(const struct terminal *on, unsigned height);
unsigned ink_highest(const struct terminal *on);

#endif
