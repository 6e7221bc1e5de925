/*
 * foreign.h - files that are no streams.
 */
#ifndef FOREIGN_H
#define FOREIGN_H

#include "tq/base/span.h"

/*
 * The format of a file that is not a stream, by its first lines: line is one of
 * them, and no record.  NULL: unknown.  With ":" at the end, tq-extract makes a
 * stream of it.
 */
const char *foreign_what(const char *name, struct span line);

#endif
