/*
 * probe.h - --per auto: the unit that two recordings have in common.
 */
#ifndef PROBE_H
#define PROBE_H

#include "tq/account/account_units.h"
#include "tq/account/period.h"

/* what was found; {0} at first */
struct probe {
	struct text per;     /* --per kernel=NAME/N, if there is a period */
	struct period found; /* or every is 0 */
	struct period_fit fit;
	struct period_launches launches[2];
};

/*
 * Read the beginning of two files, and set the units of both: the steps if both
 * have some, else the shortest period of both, with equal medians, else as
 * account_units_step().
 */
void probe_units(
    struct probe *p, char *a, char *b, struct account_units units[2]);

/* Say in an account which period it has. */
void probe_describe(const struct probe *p, struct account *a);

/* After the units are free. */
void probe_free(struct probe *p);

#endif
