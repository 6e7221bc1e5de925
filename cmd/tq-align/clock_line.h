/*
 * clock_line.h - the line that takes the clock of one rank to the clock of
 * another
 */
#ifndef TQ_ALIGN_CLOCK_LINE_H
#define TQ_ALIGN_CLOCK_LINE_H

#include "tq/base/text.h"

#include "pairing.h"

#define CLOCK_WORDS "collectives|sequence|utc|conflict|none"

/* the evidence for a line, in the order of CLOCK_WORDS */
enum clock_by {
	CLOCK_COLLECTIVES, /* its error is proved */
	CLOCK_SEQUENCE,    /* the same, if operations were matched rightly */
	CLOCK_UTC,
	CLOCK_CONFLICT, /* UTC: operations contradict each other */
	CLOCK_NONE
};

/* t + offset + t * drift / 10^9 is a time on the other clock */
struct clock_line {
	int64_t offset, drift;
	int64_t error;    /* ns, the most that it is off; NO_ID: unknown */
	int64_t spread;   /* ns; NO_ID: unknown */
	int64_t matched;  /* operations */
	int64_t room;     /* parts of 10^12 that the drift may be off */
	int64_t from, to; /* the recording, on its own clock */
	enum clock_by by;
};

/* The time on the other clock; saturates. */
int64_t clock_line_map(const struct clock_line *l, int64_t t);

/*
 * first, then second: from the clock of first's rank to the other clock of
 * second.  Errors add.
 */
struct clock_line clock_line_join(
    const struct clock_line *first, const struct clock_line *second);

/*
 * The line that takes times of b to times of a, by the operations that they
 * have in common.  Remarks for the report are appended to said, as "; text".
 * If operations do not determine the line, it is not set, and by is CLOCK_UTC
 * or CLOCK_CONFLICT.
 */
struct clock_line clock_line_find(const struct rank_points *a,
    const struct rank_points *b, struct text *said);

#endif
