/*
 * colors.h - colours of slices: from a map of names that the user gives.
 *
 * chrome://tracing takes only some colours, by name, and refuses a trace with
 * another name.
 */
#ifndef TQ_DRAW_COLORS_H
#define TQ_DRAW_COLORS_H

#include "tq/line/event.h"

struct colors;

struct color {
	unsigned rgb;     /* 0xrrggbb */
	const char *name; /* the nearest colour of chrome://tracing */
};

/* An empty map. */
struct colors *colors_new(void);
void colors_free(struct colors *c);

/*
 * Add the lines "REGEX COLOUR" of a file.  An error in them is printed
 * ("tool: FILE:3: ..."), and ends the program with status 1.
 */
void colors_read(struct colors *c, const char *file);

/* The same for OPT_TAKE of a struct colors *, which becomes a map if NULL. */
void colors_take(void *colors, const char *file);

/* True if the map has a line. */
bool colors_any(const struct colors *c);

/*
 * The colour of the first regex that matches the name of a slice, else the one
 * of its record (key color, #rrggbb), else NULL; good until the next call.
 */
const struct color *colors_find(
    struct colors *c, struct span name, const struct event *ev);

#endif
