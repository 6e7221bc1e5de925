/*
 * labels.h - what groups and rows are called; for tracks.c.
 */
#ifndef TQ_DRAW_LABELS_H
#define TQ_DRAW_LABELS_H

#include "tq/draw/tracks.h"

/* Name a group whose numbers are known; process may be undefined. */
void labels_group(const struct tracks *t, struct track_group *g,
    const struct defined_name *process);

void labels_row(struct tracks *t, struct track_row *r);

#endif
