/*
 * rule_match.h - which rules match a record, and what they count.
 */
#ifndef TQ_ADVICE_RULE_MATCH_H
#define TQ_ADVICE_RULE_MATCH_H

#include "tq/advice/derived.h"
#include "tq/advice/rule_names.h"
#include "tq/names.h"

enum { RULE_BOUNDS = 2 };

/* what rules count */
struct rule_tally {
	int64_t matched;
	int64_t waited; /* matched operations that the host waited for, where
			 * only these count */
	int64_t gaps, gap_ends, longest;  /* that matched: how many, the end of
					   * the last, ns of the longest */
	int64_t dur, exposed;             /* ns of operations that matched */
	int64_t polls;                    /* the most of those that matched */
	int64_t limits[OCCUPANCY_LIMITS]; /* of exposed, by what limits them */
	struct rule_counts {
		int64_t what, all;
	} also[RULE_CONDITIONS], second[RULE_CONDITIONS];
};

/* what a rule needs of a record of a kind, see expr_needs() */
struct rule_needs {
	uint64_t keys;   /* it has all of these, see derived_bit(), */
	uint64_t truths; /* none of these is false, */
	struct rule_bound {
		unsigned char key; /* see derived_number() */
		int64_t from, to;
	} bounds[RULE_BOUNDS]; /* and these are within [from, to] */
	size_t bound_count;
};

/* a condition that counts records of a kind, or their time */
struct rule_counter {
	uint64_t rule; /* a bit */
	const struct expr *expr;
	int64_t *count;
	bool time;
	bool always; /* the kind decides it */
};

/* of a kind */
struct rule_kind {
	struct rule_needs needs[RULES_MOST];
	struct rule_counter *counters;
	size_t counter_count, counter_cap;
	/* of these rules, where the record has such keys, these can match */
	struct {
		uint64_t maybe, has, is_false, can;
	} last;
};

/* {0}, then rule_match_open */
struct rule_match {
	const struct rules *rules;
	struct rule_tally *tally; /* of each rule */
	struct rule_kind kinds[KIND_COUNT + 1];
	bool asks_symbols;    /* a rule reads demangled or mangled names, */
	struct names symbols; /* which the section defined */
	const char *error;    /* of an expression that gave up, or NULL */
};

void rule_match_open(struct rule_match *m, const struct rules *rules);

/* A section begins. */
void rule_match_section(struct rule_match *m);

/* The definition of a symbol. */
void rule_match_define(struct rule_match *m, const struct event *symbol);

/*
 * The rules that match the record, which has the keys of d, of those that it
 * may concern; what they count is counted.
 */
uint64_t rule_match_record(struct rule_match *m, const struct rules_held *held,
    const struct derived *d, const struct event *ev);

/* The matches that count. */
int64_t rule_match_count(const struct rule_match *m, size_t rule);

void rule_match_free(struct rule_match *m);

#endif
