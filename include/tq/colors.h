/*
 * colors.h - colours as chrome://tracing knows them: by name only, and it
 * refuses a trace in which there is another name.
 */
#ifndef COLORS_H
#define COLORS_H

#include <stdio.h>

#include "tq/text.h"

struct colors;

/* A map that is empty. */
struct colors *colors_new(void);
void colors_free(struct colors *c);

/*
 * Add the lines "REGEX COLOUR" of a file; what is wrong with them is printed
 * ("tool: FILE:3: ..."), and ends the program with status 1.
 */
void colors_read(struct colors *c, const char *file);

/* The colour of the first regex that matches, or NULL. */
const char *colors_match(struct colors *c, struct span name);

/* The nearest to a colour that is written #rrggbb, or NULL. */
const char *colors_nearest(struct colors *c, struct span color);

#endif
