/*
 * clock.h - ticks of the programs to nanoseconds of the trace
 *
 * The ticks are those of the processor's counter where the kernel trusts it
 * as a clock, else nanoseconds of CLOCK_MONOTONIC.  Nanosecond 0 is when
 * clock_open was called.  The function from ticks to nanoseconds is
 * continuous and never decreases; it is a line that is bent a little now and
 * then, always at the present, so that what was converted stays right.
 */
#ifndef TQ_CAPTURE_CLOCK_H
#define TQ_CAPTURE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ns = from + (ticks - at) * slope / 2^32, for ticks from at on */
struct clock_piece {
	uint64_t at;
	int64_t from;
	uint64_t slope;
};

struct clock {
	bool counter;        /* of the processor, not CLOCK_MONOTONIC */
	int64_t origin;      /* CLOCK_MONOTONIC, ns */
	int64_t origin_utc;  /* ns since 1970 */
	uint64_t first_tick; /* at origin */
	struct clock_piece *pieces;
	size_t count, cap;
};

/* the times of a trace are less: they are exact as numbers of JSON */
#define CLOCK_MOST ((INT64_C(1) << 53) - 1)

enum clock_choice { CLOCK_AUTO, CLOCK_COUNTER, CLOCK_SYSTEM };

/*
 * Takes 5 ms where the counter is used, to learn its rate.  False where
 * CLOCK_COUNTER was asked for and there is none.
 */
bool clock_open(struct clock *c, enum clock_choice choice);

/* Bend the line so that it is right again in a second; about once a second. */
void clock_adjust(struct clock *c);

/*
 * ns of the trace; of ticks before the origin, negative.  No further from 0
 * than CLOCK_MOST, whatever a program says that the time is.
 */
int64_t clock_ns(const struct clock *c, uint64_t ticks);

/* The ns of so many ticks; nonsense is 0. */
int64_t clock_span(const struct clock *c, uint64_t ticks);

/* The present, in ns of the trace. */
int64_t clock_now(const struct clock *c);

/* What a reading of the clock costs a program, ns. */
double clock_cost(const struct clock *c);

/* "tsc" (any counter of the processor) or "monotonic"; as the agent is told. */
const char *clock_name(const struct clock *c);

void clock_close(struct clock *c);

#endif
