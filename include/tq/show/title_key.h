/*
 * title_key.h - the title of a column as a name that shells, SQL and jq take
 * without quotes: "Total Time (ns)" becomes total_ns.
 *
 * Letters become small, and all that is no letter or digit "_".  The unit is
 * the last word: pct for %, b_per_s for B/s.  Before a unit of time the word
 * Time goes, unless it is the only one.  The second column with one key is
 * key_2.  Result is ret, as in records, and Row# row_number.
 */
#ifndef TQ_SHOW_TITLE_KEY_H
#define TQ_SHOW_TITLE_KEY_H

#include "tq/show/table.h"

/* The key of a column with this unit, or NULL. */
void title_key_add(struct text *t, const struct column *c, const char *unit);

/* A text by the same rule, as "Total Time" or "total_ns". */
void title_key_add_text(struct text *t, struct span s);

/* Number the columns that would have one key. */
void title_key_number(struct table *t);

#endif
