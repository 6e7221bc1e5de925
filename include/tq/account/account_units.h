/*
 * account_units.h - the units of an account: --per and --step.
 */
#ifndef TQ_ACCOUNT_ACCOUNT_UNITS_H
#define TQ_ACCOUNT_ACCOUNT_UNITS_H

#include "tq/account/account.h"
#include "tq/ask/range_spec.h"

/* the sort of a unit; {0} with a spec of steps is --step */
struct account_units {
	enum account_by by;
	bool or_span;           /* by step: where there is none, by span */
	struct range_spec spec; /* of steps, ranges, or names of kernels */
	int64_t every;          /* of the starts of kernels or graphs */
	const char *per;        /* as the user spelt it; borrowed */
};

/*
 * Parse the value of --per:
 *
 *	per = "step" | "kernel" NAME [ "/" N ] | "range" RANGE
 *	    | "graph" [ "/" N ] | "span" | "launch"
 *
 * where NAME is "~REGEX" or "=TEXT", and RANGE is the same with a domain, as
 * range_spec_parse() has it.  "step" has the steps of the standard names, and
 * falls back to nothing.  NULL, or a constant text with the error; *at is then
 * its place in text, and u holds nothing.
 */
const char *account_units_parse(
    struct account_units *u, const char *text, size_t *at);

/*
 * The default: steps of the standard names or of the text of --step, which may
 * be NULL, and without steps by span.  Errors as above.
 */
const char *account_units_step(
    struct account_units *u, const char *text, size_t *at);

void account_units_free(struct account_units *u);

#endif
