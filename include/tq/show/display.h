/*
 * display.h - text as a terminal shows it: its columns, and where it is cut.
 *
 * A byte that is no UTF-8 takes one column.
 */
#ifndef TQ_SHOW_DISPLAY_H
#define TQ_SHOW_DISPLAY_H

#include "tq/base/text.h"

/* percent of a text that stand before the ellipsis, of names and lines */
enum { DISPLAY_CUT = 60 };

/* Take over the locale of the environment; to be called first. */
void display_begin(void);

/* True if the locale is one of UTF-8. */
bool display_utf8(void);

/* The columns that s takes. */
size_t display_width(struct span s);

/* The bytes at the start of s that fit in width columns. */
size_t display_head(struct span s, size_t width);

/* The end of s that fits in width columns. */
struct span display_tail(struct span s, size_t width);

/*
 * Append s, cut to width columns where it is wider: so many percent of the rest
 * stand before the ellipsis.
 */
void display_add_cut(struct text *t, struct span s, size_t width,
    unsigned percent, const char *ellipsis);

/* Append c so many times. */
void display_fill(struct text *t, size_t times, char c);

/* Append s and blanks, or blanks and s, to a width; left: cut if wider. */
void display_add_left(struct text *t, struct span s, size_t width,
    unsigned percent, const char *ellipsis);
void display_add_right(struct text *t, struct span s, size_t width);

#endif
