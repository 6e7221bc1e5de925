/*
 * cells.h - cells to text: units and decimals.
 *
 * Integers are converted by integer arithmetic; every number is rounded once,
 * half away from zero.
 */
#ifndef TQ_SHOW_CELLS_H
#define TQ_SHOW_CELLS_H

#include "tq/show/format.h"

/* the unit of sizes; times have the unit of the options */
enum cells_base {
	CELLS_MEGA, /* MB, MB/s, as in nsys */
	CELLS_ONE   /* B, B/s */
};

/* The title of a column with its unit, as "Total Time (ns)", or its key. */
void cells_title(struct text *t, const struct format_options *f,
    const struct column *c, enum cells_base base);

/*
 * The digits of a number; with separators as 1,234.5.  False, and nothing is
 * added, if the cell is no number or not finite.
 */
bool cells_add(struct text *t, const struct format_options *f,
    const struct column *c, const struct table_cell *cell, enum cells_base base,
    bool separators);

/*
 * The same for people: each number in the unit that fits, 12.3 ms, 4.50 GB;
 * a start or an end as seconds with all digits.  The titles of such columns.
 */
bool cells_add_human(struct text *t, const struct format_options *f,
    const struct column *c, const struct table_cell *cell);
void cells_title_human(
    struct text *t, const struct format_options *f, const struct column *c);

/* The digits of v / 10^decimals: 17.977 */
void cells_add_fixed(struct text *t, int64_t v, unsigned decimals);

#endif
