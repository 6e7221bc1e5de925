/*
 * format_number.h - cells to text: in which unit, with how many decimals.
 *
 * What is an integer in a cell is converted by integer arithmetic; all are
 * rounded once, half away from zero.
 */
#ifndef FORMAT_NUMBER_H
#define FORMAT_NUMBER_H

#include "format.h"

/* in what sizes are shown; times are in the unit of the options */
enum base {
	BASE_MEGA, /* MB, MB/s: what nsys writes */
	BASE_ONE   /* B, B/s */
};

/* The title of a column with its unit, as "Total Time (ns)". */
void number_title(struct text *t, const struct format_options *f,
    const struct column *c, enum base base);

/*
 * A cell that is a number, as digits; with separators as 1,234.5.  False, and
 * nothing is added, if it is none, or is not finite.
 */
bool number_add(struct text *t, const struct format_options *f,
    const struct column *c, const struct cell *cell, enum base base,
    bool separators);

/*
 * The same for people, each number in the unit that fits: 12.3 ms, 4.50 GB;
 * moments as seconds with all digits.  The titles of such columns.
 */
bool number_add_human(struct text *t, const struct format_options *f,
    const struct column *c, const struct cell *cell);
void number_title_human(
    struct text *t, const struct format_options *f, const struct column *c);

#endif
