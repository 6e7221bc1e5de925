/*
 * title.h - the name under which a record is drawn.
 */
#ifndef TITLE_H
#define TITLE_H

#include "tq/line/event.h"
#include "tq/names.h"

/*
 * The name of a record, or one that is made up: "Memcpy HtoD", the leaf of a
 * sample's stack, "(no name)".  Never empty; good until *scratch changes.
 */
struct span title_of(
    const struct names *names, const struct event *ev, struct text *scratch);

#endif
