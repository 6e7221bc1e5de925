/*
 * terminal.h - the target of the page: a terminal, so wide, with colours or
 * without; or a pipe.
 */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* the words of --color, in this order */
enum terminal_color { TERMINAL_AUTO, TERMINAL_ALWAYS, TERMINAL_NEVER };
#define TERMINAL_COLORS "auto|always|never"

enum {
	TERMINAL_LEAST = 60,  /* columns: narrower ones get pages as wide */
	TERMINAL_PROSE = 110, /* no text is wider */
};

struct terminal {
	bool is;      /* else lines may be wider: last columns are not cut */
	size_t width; /* columns */
	bool utf8;    /* blocks, else ASCII */
	bool color;
	bool undrawn; /* tables have no bars */
};

/*
 * The terminal of stdout where there is one, which a file as output excludes.
 * The width is COLUMNS, else the terminal's, else 80, or 120 of a pipe.
 * Colours are for terminals, and neither for dumb ones nor with NO_COLOR.
 */
void terminal_find(
    struct terminal *t, bool to_stdout, enum terminal_color color);

/* The columns of stdout's terminal, 0 where it has none. */
size_t terminal_columns(void);

#endif
