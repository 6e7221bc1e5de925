/*
 * made_of.h - the mark of what a trace was made of: the first bytes of the
 * trace, which viewers skip.
 */
#ifndef TQ_DRAW_MADE_OF_H
#define TQ_DRAW_MADE_OF_H

#include "tq/base/text.h"

/* Append the mark of a trace in Perfetto's own format: a packet. */
void made_of_add_packet(struct text *t, const char *what);

/* Append "{" of an object of JSON and its first member, with a comma. */
void made_of_add_member(struct text *t, const char *what);

/* True if a trace, of which head is the beginning, has a mark of any text. */
bool made_of_any(struct span head);

#endif
