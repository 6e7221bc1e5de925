/*
 * solve.h - the lines of all ranks to the clock of one
 *
 * Of the points of all ranks only those of two are in memory at a time: the
 * reference, and one other.
 */
#ifndef TQ_ALIGN_SOLVE_H
#define TQ_ALIGN_SOLVE_H

#include "tq/base/intern.h"
#include "tq/show/format.h"

#include "clock_line.h"

enum align_by { BY_COLLECTIVES, BY_UTC, BY_NONE };

/* a rank, and its clock */
struct rank_clock {
	int64_t rank;
	char *host;  /* NULL: unknown */
	int64_t utc; /* NO_ID: unknown */
	struct clock_line line;
	struct text said; /* remarks for the report */
	bool proved;      /* the line to the reference is found */
	uint32_t *comms;  /* its communicators, in solution.comms */
	size_t comm_count;
};

struct solution {
	struct rank_clock *all; /* in order of the recordings */
	size_t count;
	size_t reference;    /* index */
	int64_t utc;         /* of the common origin; NO_ID: unknown */
	struct intern comms; /* the empty one is of streams without one */
};

/* The points of recording i, from a call of load to one of release; with heads
   their operations may be missing. */
struct points_source {
	const struct rank_points *(*load)(void *from, size_t i, bool heads);
	void (*release)(void *from, size_t i);
	void *from;
	size_t count;
};

struct solve_settings {
	enum align_by by;
	int64_t reference; /* a rank; NO_ID: the lowest of the largest
			    * communicator */
};

/* Exits after a message where two recordings are of one rank. */
void solve(struct solution *s, const struct points_source *from,
    const struct solve_settings *settings);

/* Write a section with a record of kind clock for each rank. */
void solve_write(const struct solution *s, struct output *o);

/* Add the keys of a line to a record. */
void solve_add_line(struct output *o, const struct clock_line *l);

/* Read such a section. */
void solve_read(struct solution *s, struct reader *in);
void solve_keys(struct keyset want[]);

/* The clock of a rank; NULL: it has none. */
const struct rank_clock *solve_find(const struct solution *s, int64_t rank);

/* Print a table of it; operands, which NULL ends, are what it is of. */
void solve_report(const struct solution *s, enum format format,
    char *const *operands, struct output *o);

void solve_free(struct solution *s);

#endif
