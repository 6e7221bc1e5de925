/*
 * wall_terms.h - split the change of wall time into exact terms.
 *
 * All is per unit: the mean of A has the denominator units[A], the mean of B
 * units[B], so that all differences are integers in 1 / (units[A] * units[B])
 * ns, and nothing is rounded before it is printed.
 */
#ifndef WALL_TERMS_H
#define WALL_TERMS_H

#include "match/match.h"
#include "tq/base/squares.h"

enum term {
	TERM_CALLS,    /* more or fewer launches */
	TERM_PER_CALL, /* each takes longer or shorter */
	TERM_OVERLAP,  /* less of it is hidden than before */
	TERM_NEW,      /* exposed time of a row that only B has */
	TERM_GONE,     /* the same, only A */
	TERM_REPLACED, /* of a row that pairs sets of names by their place */
	TERMS
};

/* words of the output: calls, per call ... */
const char *wall_terms_name(enum term t);

struct wall_terms_row {
	wide all[TERMS];
	wide sum;     /* of all: the difference of the exposed time */
	bool by_grid; /* launches have grids on both sides, and of per call */
	wide shape;   /* this is another mix of them, the rest the same shape */
};

struct wall_terms {
	int64_t units[SIDES]; /* of all recordings and devices, > 0 */
	wide scale;           /* units[A] * units[B] */
	int64_t wall[SIDES];  /* ns of all units */
	int64_t parts[SIDES][ACCOUNT_PARTS];
	/* of idle time by finer cause; none of an account without them */
	int64_t causes[SIDES][ACCOUNT_IDLE][IDLE_CAUSES];
	struct wall_terms_row *rows; /* of each row of the match */
	struct wall_terms_row total; /* of all rows */
	wide same_shape;          /* per call of rows by grid, without shape */
	wide idle[ACCOUNT_PARTS]; /* difference; 0 of busy parts */
	wide delta;               /* of the wall: total.sum + all of idle */
};

/* Both sides have a unit, or units is 0 and nothing else is set. */
void wall_terms_make(struct wall_terms *t, const struct match *m);

void wall_terms_free(struct wall_terms *t);

/*
 * The same in steps, for some of the devices: add them, then each row; *row
 * becomes its part on these devices; and end.  {0} is empty.
 */
void wall_terms_add_device(
    struct wall_terms *t, int side, const struct account_device *d);
void wall_terms_add_row(struct wall_terms *t, const struct match *m, size_t i,
    const struct account_sum on[SIDES], struct wall_terms_row *row);
void wall_terms_end(struct wall_terms *t);

/* Scaled to ns, rounded half away from zero. */
int64_t wall_terms_ns(const struct wall_terms *t, wide scaled);

/* terms, and behind them the parts of a unit, of which the busy ones are 0 */
enum { TERMS_AND_PARTS = TERMS + ACCOUNT_PARTS };

/* One of the terms, scaled. */
wide wall_terms_value(const struct wall_terms *t, size_t i);

/*
 * All of them as integers of unit ns, that add up to the difference of the
 * walls, which it returns.
 */
int64_t wall_terms_round_all(
    const struct wall_terms *t, int64_t unit, int64_t rounded[TERMS_AND_PARTS]);

/*
 * The difference of a part of idle time by finer cause: integers of unit ns
 * that add up to value, which is the part's.  False if a side has no finer
 * causes.
 */
bool wall_terms_round_causes(const struct wall_terms *t, enum account_part part,
    int64_t value, int64_t unit, int64_t rounded[IDLE_CAUSES]);

/* a + b, as far as it fits. */
int64_t wall_terms_sum(int64_t a, int64_t b);

/*
 * n values that add up to total, as integers of size unit (> 0) that add up to
 * the rounded total: by largest remainder.
 */
void wall_terms_round(
    const wide *values, size_t n, wide total, wide unit, int64_t *rounded);

#endif
