/*
 * live_screen.h - sums of a stream that goes on, drawn over and over on the
 * terminal of stdout: from its upper left corner, each line cut to its width.
 *
 * The cursor is hidden meanwhile; it is back when the program ends, also by a
 * signal of the terminal.
 */
#ifndef LIVE_SCREEN_H
#define LIVE_SCREEN_H

#include "live_texts.h"
#include "page/text/terminal.h"

void live_screen_begin(enum terminal_color color);

void live_screen_show(
    const struct live_sums *s, const struct live_interval *at);

/* The same if the terminal has another size now. */
void live_screen_resize(
    const struct live_sums *s, const struct live_interval *at);

/* Clear the screen's lines. */
void live_screen_erase(void);

/* The cursor is back. */
void live_screen_end(void);

#endif
