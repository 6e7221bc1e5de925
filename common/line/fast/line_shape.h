/*
 * shape.h - lines that have the same keys in the same order; a part of
 * canonical.c.
 *
 * Records of a kind have few shapes.  Once it is known where in a line its
 * members begin (blocks.h), their keys are compared with those of a line that
 * was read before, and each value is checked where it stands: no step waits
 * for the one before it.
 */
#ifndef SHAPE_H
#define SHAPE_H

#include "tq/line/event.h"

struct shapes *shapes_new(void);

/*
 * Read all of the line of ev, of which the kind is known already, and set the
 * other values.  want, when not NULL, is what is wanted of the kind: ev has
 * what event_parse would find then.  False where the line does not have a
 * shape that is known, or is not canonical; then ev has no more than it had.
 */
bool shapes_parse(
    struct shapes *all, struct event *ev, const struct keyset *want);

/* Should the line, which shapes_parse did not know, be read to its end? */
bool shapes_ask(const struct shapes *all);

/* It was: remember its shape, if it has one. */
void shapes_learn(struct shapes *all, const struct event *ev);

void shapes_free(struct shapes *all);

#endif
