/*
 * needs.h - what tq-extract and tq-correlate have to deliver for reports.
 */
#ifndef NEEDS_H
#define NEEDS_H

#include "tq/base/text.h"
#include "tq/line/schema.h"

/*
 * Append the arguments of tq-extract, a line, and where a report needs it,
 * the command tq-correlate with its arguments, another line.  kinds: of the
 * records that are read, a bit each; all: all other events, too; clocks: what
 * tq-align reads, too, whose command is a line then; want: their keys, a set
 * for each kind.
 */
void needs_print(struct text *to, uint64_t kinds, bool all, bool clocks,
    const struct keyset want[KIND_COUNT + 1]);

#endif
