/*
 * gate.h - --fail-if: thresholds that fail where the estimate passes them and
 * the verdict supports it.
 *
 *	gate   = metric op change [ "and" change ]
 *	metric = "wall" | "pace" | PART | "idle" | "launches" | "memory.peak"
 *	       | "lost" | ( "time" | "calls" | "range" ) "(" '"' REGEX '"' ")"
 *	op     = ">" | "<"
 *	change = NUMBER ( "%" | UNIT | "" )
 *
 * PART is a part of a unit: compute, communication, copy, sync, host, launch,
 * ... With "and" both changes have to be passed.
 */
#ifndef GATE_H
#define GATE_H

#include "comparison.h"
#include "tq/show/table.h"

enum gate_result { GATE_HELD, GATE_FAILED, GATE_NO_ANSWER };

struct gate {
	const char *text;        /* as it was spelt; borrowed */
	int metric;              /* a number of gate.c */
	struct pattern *pattern; /* of time, calls, range */
	bool below;              /* < */
	bool has_percent, has_amount;
	double percent, amount; /* 0.03 is 3 %; ns, bytes or a number */
	double noise; /* recordings of a side differ by it; 0: unknown */

	enum gate_result result;
	struct verdict verdict;
	const char *why; /* the reason where there is no result */
};

/* {0} has none */
struct gates {
	struct gate *all;
	size_t count, cap;
};

/* Parse a gate, which is borrowed; a wrong one ends the program with status 2.
 */
void gate_add(struct gates *g, const char *text);

/*
 * noise: the difference of two equal recordings, or 0.  Thresholds below that,
 * or below the difference of the recordings of a side, cause a warning.
 */
void gate_answer(struct gates *g, const struct comparison *c, double noise);

/*
 * "fail-if wall > +3%: held (+0.40 %, -0.20 to +1.00 %)"; a text of the command
 * line is in it as it is.  A line for each.
 */
void gate_add_text(struct text *t, const struct gate *g);
void gate_add_lines(struct text *t, const struct gates *g);

/* For programs: rows of kind gate. */
void gate_rows(struct table *t, const struct gates *g);

/* True if none failed, and, unless or_pass, all metrics are known. */
bool gate_held(const struct gates *g, bool or_pass);

void gate_free(struct gates *g);

#endif
