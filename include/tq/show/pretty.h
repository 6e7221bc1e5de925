/*
 * pretty.h - a table for people, without what stands around it.
 */
#ifndef TQ_SHOW_PRETTY_H
#define TQ_SHOW_PRETTY_H

#include "tq/show/table.h"

/*
 * The titles of columns and the rows shown, each behind so many blanks; a - for
 * an empty cell of numbers.
 */
void pretty_rows(struct text *b, struct table *t, size_t indent);

#endif
