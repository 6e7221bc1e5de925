/*
 * line_shape.h - lines that have the same keys in the same order; a part of
 * sequential.c.
 *
 * Records of a kind have few shapes.  Once it is known where in a line its
 * members begin (find_members.h), their keys are compared with those of a line
 * that was read before, and each value is checked where it stands: no step
 * waits for the one before it.
 */
#ifndef TQ_LINE_FAST_LINE_SHAPE_H
#define TQ_LINE_FAST_LINE_SHAPE_H

#include "tq/line/event.h"

struct line_shapes *line_shape_new(void);

/*
 * Read all of the line of ev, of which the kind is known already, and set the
 * other values.  want, when not NULL, is the set of keys for the kind: ev gets
 * the keys that event_parse would find with it.  False where the line does not
 * have a known shape, or is not canonical; then ev is unchanged.
 */
bool line_shape_parse(
    struct line_shapes *all, struct event *ev, const struct keyset *want);

/*
 * True if the line, whose shape line_shape_parse did not have, should be read
 * to its end.
 */
bool line_shape_wanted(const struct line_shapes *all);

/* It was: remember its shape, if it has one. */
void line_shape_learn(struct line_shapes *all, const struct event *ev);

/*
 * As line_shape_parse, of a line whose outline is known; ev is empty but for
 * the line.  False, with anything in ev, where the line has another one.
 */
bool line_shape_outlined(struct line_shapes *all, struct event *ev,
    const struct outline *outline, const struct keyset *want);

/*
 * The outline of a line that ev has just read, if line_shape_parse did it; else
 * one of shape 0.
 */
void line_shape_outline(const struct line_shapes *all, const struct event *ev,
    struct outline *outline);

void line_shape_free(struct line_shapes *all);

#endif
