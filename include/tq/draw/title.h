/*
 * title.h - what a record is called where it is drawn.
 */
#ifndef TQ_DRAW_TITLE_H
#define TQ_DRAW_TITLE_H

#include "tq/line/event.h"
#include "tq/names.h"

/*
 * The name of a record, or what stands for one: "Memcpy HtoD", the leaf of a
 * sample's stack, "(no name)".  Never empty; good until *scratch changes.
 */
struct span title_of(
    const struct names *names, const struct event *ev, struct text *scratch);

/*
 * Has a record that is drawn an argument of this name already?  nested: what
 * is named so is a member of its args, so that its own unknown keys have
 * theirs.
 */
bool title_taken(const struct event *ev, struct span key, bool nested);

#endif
