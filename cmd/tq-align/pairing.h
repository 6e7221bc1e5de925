/*
 * pairing.h - which operations of two ranks are the same
 *
 * Recordings start apart, so that the n-th operation of one is the (n +
 * shift)th of the other.  Where communicators number their operations the shift
 * is known.  Else that shift is taken whose ends of operations are nearest to
 * each other, if it is by far the best of all that are possible.
 */
#ifndef TQ_ALIGN_PAIRING_H
#define TQ_ALIGN_PAIRING_H

#include "bounds.h"
#include "rank_points.h"

/* an operation on both ranks */
struct pair_match {
	const struct point *a, *b;
	int32_t a_me, b_me; /* ranks in the communicator; -1: unknown */
};

enum pairing_result {
	PAIRING_GOOD,
	PAIRING_FEW,       /* fewer than 8 operations in common */
	PAIRING_NONE,      /* no shift is possible */
	PAIRING_AMBIGUOUS, /* two of them are */
};

struct rank_pairing {
	enum pairing_result result;
	int64_t shift, other; /* other: of PAIRING_AMBIGUOUS */
	int64_t residual;     /* ns: the median distance of ends */
	bool by_utc;          /* of two, the one that UTC is nearer to */
	struct pair_match *all;
	size_t count, cap;
};

enum { PAIRING_LEAST = 8 }; /* operations */

/* What of a sequence may be compared with one of another rank. */
struct pairing_side {
	const struct rank_sequence *sequence;
	int64_t utc; /* of time 0; NO_ID: unknown */
};

void pairing_find(struct rank_pairing *p, const struct pairing_side *a,
    const struct pairing_side *b);

/* Add the bounds that a match proves for b's clock. */
void pairing_bound(struct bounds *bounds, const struct pair_match *m);

void pairing_free(struct rank_pairing *p);

#endif
