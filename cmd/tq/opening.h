/*
 * opening.h - where the page of Perfetto opens a trace: at what tq-advise(1)
 * finds first, with the rows of its GPU and of its process unfolded.
 */
#ifndef TQ_OPENING_H
#define TQ_OPENING_H

#include "tq/base/text.h"

/*
 * Append what the URL of the page says of it, "&visStart=...".  tq-extract(1)
 * reads file for that: the trace itself, or a recording whose times it has.
 * What cannot be found out is not said.
 */
void opening_add(struct text *url, const char *file);

#endif
