/*
 * json_rows.h - a table in JSON without what stands around it.
 */
#ifndef TQ_SHOW_JSON_ROWS_H
#define TQ_SHOW_JSON_ROWS_H

#include "tq/show/table.h"

/*
 * The rows as objects, this text between two; titles of columns are keys, and
 * an empty cell, or a number that is not finite, is no member.
 */
void json_rows_add(struct text *b, struct table *t, const char *between);

#endif
