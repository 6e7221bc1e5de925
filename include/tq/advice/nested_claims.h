/*
 * nested_claims.h - rules that may claim only a part of an operation's exposed
 * time.
 */
#ifndef TQ_ADVICE_NESTED_CLAIMS_H
#define TQ_ADVICE_NESTED_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NESTED_MOST = 8 };

/* part / whole of the time from a time on; 0 <= part <= whole */
struct nested_claim {
	uint64_t mask; /* of rules */
	int64_t from;
	int64_t part, whole;
	bool alone; /* only of time in which no other kernel runs */
	bool cut;   /* only of time before until */
	int64_t until;
};

/* of an operation; {0} is empty */
struct nested_claims {
	struct nested_claim all[NESTED_MOST];
	size_t count;
};

/*
 * Add a claim; one without rules or without a part, or one above NESTED_MOST,
 * is left out.
 */
void nested_claims_add(struct nested_claims *p, struct nested_claim claim);

/*
 * Divide a piece of the operation's time: take is called with ns and the rules
 * that may claim them, one of them or all.  The parts are nested: the smallest
 * is a part of all others.  alone: ns of the piece without other kernels;
 * rules: that may claim all of it.
 */
void nested_claims_divide(const struct nested_claims *p, int64_t ts,
    int64_t end, int64_t alone, uint64_t rules,
    void (*take)(void *arg, uint64_t mask, int64_t ns), void *arg);

#endif
