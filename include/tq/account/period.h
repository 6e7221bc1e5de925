/*
 * period.h - which launch of which kernel begins a repeated part of a program.
 *
 * Let a unit last from every Nth launch of a kernel to the next such, on each
 * device.  It is a period if, weighted by time, 95 % of the pairs of a unit and
 * a name have the median number of launches of that name on that device, 80 %
 * of the units have it for all names, and a unit has at least 8 launches of 2
 * names.
 */
#ifndef TQ_ACCOUNT_PERIOD_H
#define TQ_ACCOUNT_PERIOD_H

#include "tq/base/intern.h"
#include "tq/base/keyed.h"
#include "tq/line/event.h"

enum { PERIOD_LAUNCHES = 1 << 16 }; /* that are looked at */

struct period_launch {
	uint32_t name;   /* in names */
	uint32_t device; /* in devices */
	int64_t dur;
};

/* the launches of a recording; {0} is empty */
struct period_launches {
	struct intern names;
	KEYED(char) devices; /* pid, device */
	struct period_launch *all;
	size_t count, cap;
	struct text scratch;
};

/* a kernel and a number that may begin units */
struct period {
	struct span name; /* lives as long as the launches */
	int64_t every;
	double launches; /* of a unit, about */
};

/* how well it fits */
struct period_fit {
	int64_t units, launches; /* launches: of the median unit */
	int64_t fit, equal;      /* permille: of time, of units */
	uint64_t signature;      /* of the medians of the first device */
};

/*
 * Add a kernel; false once there are enough launches.  The first tenth of them
 * is not looked at.
 */
bool period_add(struct period_launches *l, const struct event *ev);

/* Candidates for a period, the shortest first; free(3) them. */
struct period *period_candidates(
    const struct period_launches *l, size_t *count);

/* True if it is one. */
bool period_fits(const struct period_launches *l, const struct period *p,
    struct period_fit *fit);

void period_free(struct period_launches *l);

#endif
