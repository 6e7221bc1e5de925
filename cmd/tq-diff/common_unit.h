/*
 * common_unit.h - --per auto: the unit that the sides have in common.
 */
#ifndef COMMON_UNIT_H
#define COMMON_UNIT_H

#include "match/match.h"
#include "tq/account/account_units.h"
#include "tq/account/period.h"
#include "tq/io/reader.h"

/* the beginning of a side */
struct common_unit_side {
	bool looked;     /* there is such a side */
	bool has_steps;  /* ranges with the names of steps */
	bool is_account; /* of its units: */
	enum account_by by;
	struct text per; /* as the user spelt it */
	struct period_launches launches;
};

/* {0} at first */
struct common_unit {
	struct common_unit_side sides[SIDES];
	struct text per;     /* --per kernel=NAME/N, if there is a period */
	struct period found; /* or every is 0 */
	struct period_fit fit;
};

/*
 * Read the first operand of a side as far as that needs, and begin again.  No
 * line was read before, and input_keep() was called.
 */
void common_unit_look(struct common_unit_side *p, struct reader *in);

/*
 * The units of the sides that were looked at: those of an account; or the steps
 * if all have some; else the shortest period of all, with equal medians; else
 * as account_units_step().
 */
void common_unit_units(
    struct common_unit *p, struct account_units units[SIDES]);

/* Write the period into an account. */
void common_unit_describe(const struct common_unit *p, struct account *a);

/* After the units are free. */
void common_unit_free(struct common_unit *p);

#endif
