/*
 * clock.h - from ticks of the agents to nanoseconds of the trace
 *
 * Ticks are readings of the processor's counter if the kernel trusts it as a
 * clock, else nanoseconds of CLOCK_MONOTONIC.  Nanosecond 0 is when clock_open
 * was called.  The function from ticks to nanoseconds is continuous and never
 * decreases: a line that bends a little once a second, always at the present,
 * so that times converted before stay right.
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

/* times of a trace are at most this, exact as numbers of JSON */
#define CLOCK_MOST ((INT64_C(1) << 53) - 1)

enum clock_choice { CLOCK_AUTO, CLOCK_COUNTER, CLOCK_SYSTEM };

/*
 * Takes 5 ms if it uses the counter, to measure its rate.  False if choice is
 * CLOCK_COUNTER and the kernel does not trust the counter.
 */
bool clock_open(struct clock *c, enum clock_choice choice);

/* Bend the line so that it is right a second from now; call it every second. */
void clock_adjust(struct clock *c);

/*
 * ns of the trace; negative before the origin.  At most CLOCK_MOST from 0,
 * whatever ticks a program wrote.
 */
int64_t clock_ns(const struct clock *c, uint64_t ticks);

/* The ticks of so many ns, at the rate of now. */
uint64_t clock_ticks(const struct clock *c, int64_t ns);

/* The ns of so many ticks; 0 if they are more than CLOCK_MOST. */
int64_t clock_span(const struct clock *c, uint64_t ticks);

/* Now, in ns of the trace. */
int64_t clock_now(const struct clock *c);

/* The ns of a tick, rounded up: times are no finer. */
int64_t clock_resolution(const struct clock *c);

/* The cost of a reading of the clock, ns. */
double clock_cost(const struct clock *c);

/* "tsc" (any counter of the processor) or "monotonic", for the agent. */
const char *clock_name(const struct clock *c);

void clock_close(struct clock *c);

#endif
