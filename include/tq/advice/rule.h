/*
 * rule.h - a rule, as its text has it.
 */
#ifndef TQ_ADVICE_RULE_H
#define TQ_ADVICE_RULE_H

#include "tq/ask/expr.h"
#include "tq/base/region.h"

enum {
	RULES_MOST = 64, /* that match records: a bit each */
	RULE_CONDITIONS = 8,
	RULE_BY = 4,
	RULES_EXCESS = 4,
	PPM = 1000000
};

/* what time a rule claims */
enum rule_claim {
	CLAIM_NONE,    /* no time: only counts and shares */
	CLAIM_EXPOSED, /* the exposed time of matched operations */
	CLAIM_GAPS,    /* matched gaps */
	CLAIM_AFTER,   /* the host's time without a name, and launches, in gaps
			* that began in matched calls, or in the calls of
			* matched operations, as far as the device's work
			* before them could hide it */
	CLAIM_BY,    /* gaps that a matched operation ended, from its call on */
	CLAIM_OVER,  /* what of gaps lies in matched records of the
		      * thread that launches, in the calls of matched
		      * operations, or in matched records of the profiler
		      * on any thread */
	CLAIM_SINCE, /* of gaps as much as the thread that launches was in
		      * matched records since its launch or wait before */
	/* of the exposed time of matched operations: */
	CLAIM_SLACK_SMS,   /* what SMs without a block have */
	CLAIM_SLACK_WAVES, /* what places for a block are empty in waves */
	CLAIM_SLACK_RATE,  /* the time above the best rate */
	CLAIM_EXCESS,      /* the time above a multiple of a median */
	CLAIM_LATE,        /* the time that it waits for another rank */
	CLAIM_FIRST_STEP,  /* idle time of step 0, as far as that takes longer
			    * than the median */
	CLAIM_EVIDENCE,    /* no time: the fact that has the name of the rule,
			    * see evidence.h; alone, and without "when" */
	CLAIM_COUNT
};

enum rule_confidence { RULE_SURE, RULE_LIKELY, RULE_HINT };

enum severity {
	SEVERITY_NONE,
	SEVERITY_NOTE,
	SEVERITY_WARNING,
	SEVERITY_CRITICAL
};

/* the records that a condition counts */
enum condition_of {
	CONDITION_COUNT,   /* count(EXPR) >= N */
	CONDITION_SHARE,   /* share(EXPR) < N%: of all records of their kinds */
	CONDITION_TIME,    /* time(EXPR) >= N%: their dur, of the wall */
	CONDITION_RUNS,    /* runs() >= N%: of the launches, see runs.h */
	CONDITION_EXPOSED, /* exposed() >= N%: of the dur of the operations that
			    * the rule matches */
	CONDITION_HOST /* host() >= N%: the time of gaps of cause host that the
			  rule may claim */
};

/* a condition on all of the stream */
struct rule_condition {
	enum condition_of of;
	struct expr *what; /* or NULL: runs(), exposed(), host() */
	struct expr *all;  /* of share(WHAT of ALL), else NULL */
	bool below;        /* < N, else >= N */
	int64_t limit;     /* a count, or ppm */
};

struct rule {
	struct span name, class, title, why, to_do, but, look;
	struct span when_text, file;
	struct span text; /* its lines, without comments */
	size_t line;
	struct expr *when;
	unsigned claims;  /* 1 << enum rule_claim */
	struct span cost; /* without a claim: the key, without its point, with
			     the cost of a matched record, ns; or empty */
	int64_t gain;     /* without a claim and cost: ppm of the time of its
			   * operations that its advice gains, an estimate;
			   * or 0 */
	int64_t times;    /* of the median: excess(TIMES) */
	enum key by[RULE_BY]; /* the groups of the medians */
	size_t by_count;
	int64_t least;  /* ppm of the wall */
	int64_t count;  /* of matches, at least */
	bool waited;    /* only operations that the host waits for count */
	uint64_t needs; /* kinds of records, a bit each */
	bool needs_steps;
	bool needs_cc;      /* a compute capability that is known */
	bool asks_runs;     /* .run or runs() */
	bool asks_launches; /* .launching */
	bool asks_digits;   /* a text or pattern in it has a digit */
	bool asks_ranks;    /* .late, .peers, .last_share, or the claim late */
	enum rule_confidence confidence;
	bool note; /* never more */
	bool once; /* of the group of what happens once */
	struct rule_condition also[RULE_CONDITIONS]; /* all hold, or silence */
	struct rule_condition second[RULE_CONDITIONS]; /* or a note */
	size_t also_count, second_count;
};

/*
 * In order of precision, and behind them rules that claim evidence, which match
 * no record; {0} has none.
 */
struct rules {
	struct rule *all;
	size_t count, cap;
	size_t matching; /* the first so many match records */
	struct region texts;
};

const char *rule_severity_name(enum severity s);
const char *rule_confidence_name(enum rule_confidence c);

/* True if it is a fact about the recording, and matches no record. */
static inline bool
rule_is_evidence(const struct rule *r)
{
	return r->claims == 1u << CLAIM_EVIDENCE;
}

/*
 * True if the rule claims time of operations, or estimates a gain of it, of
 * which the host may be the bound (host_bound.h).  Idle time that it claims as
 * well is that of its records.
 */
bool rule_claims_work(const struct rule *r);

/* "steady" or "one-time" */
const char *rule_group_name(bool once);

/* NULL if there is none. */
struct rule *rule_find(const struct rules *r, struct span name);

/*
 * The severity of a share of the wall: nothing below least; then a note, from
 * 10 % a warning, and critical from 20 % on.
 */
enum severity rule_band(const struct rule *r, int64_t ppm);

/* The severity among which it comes: of a rule with a gain that of its share,
   even if it is never more than a note. */
enum severity rule_rank(const struct rule *r, int64_t ppm);

void rule_free(struct rules *r);

#endif
