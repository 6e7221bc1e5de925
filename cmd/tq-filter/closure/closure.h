/*
 * closure.h - the pass that finds out which records stay.
 *
 * When a record goes by, or soon after, it is known whether it is chosen.  With
 * the closure on, other records stay with the chosen ones: the call that
 * launched an operation, the operations of a call, and the ranges around
 * records of a host thread.
 */
#ifndef CLOSURE_H
#define CLOSURE_H

#include "select/selection.h"
#include "select/top.h"
#include "select/where.h"

#include "closure_calls.h"
#include "record_set.h"
#include "thread_ranges.h"
#include "tq/join/expiry.h"

/*
 * How many ranges of its domain and thread are around a range that tq-correlate
 * has not seen; RANGE_DEPTH_EMPTY has no range.
 */
struct range_depth {
	struct nesting nesting;
	struct expiry expiry;
	struct deep_range *spare;
};

#define RANGE_DEPTH_EMPTY ((struct range_depth){.expiry = EXPIRY_EMPTY})

struct undecided; /* a record that waits for others */

struct closure {
	struct selection *selection;
	struct where *where;
	const struct expr_symbols *symbols;
	bool on;                /* else only chosen records stay */
	bool invert;            /* records that do not match are chosen */
	struct top *top;        /* only the longest are chosen, or NULL */
	struct record_set keep; /* records that stay */
	struct record_set cut;  /* ranges that stay in part */
	struct section *sections;
	size_t section_count, section_cap;
	int64_t operations; /* that match */
	int64_t orphans;    /* that match, of unknown calls */

	const char *error; /* the current record is none after all */

	uint64_t section, record; /* numbers of the current ones */
	struct event event;       /* a record that is read in full */
	uint64_t has_corr;        /* kinds that have the key, a bit each */
	int64_t now;
	struct thread_ranges ranges; /* that may stay with others */
	struct range_depth depth;
	struct closure_calls calls;
	struct undecided *same_time; /* host records that started at now */
	size_t same_time_count, same_time_cap;
	struct undecided *pending; /* operations that wait for their call */
	size_t pending_first, pending_count, pending_cap;
};

void closure_init(struct closure *c, struct selection *selection,
    struct where *where, const struct expr_symbols *symbols);

/* Add to want the keys that closure_event needs. */
void closure_keys(const struct closure *c, struct keyset *want);

/* Section number n, from 0, begins; its struct section lasts. */
void closure_section(struct closure *c, uint64_t n);

/* Record number n, an event. */
void closure_event(struct closure *c, uint64_t n, const struct event *ev);

void closure_section_end(struct closure *c);

void closure_free(struct closure *c);

#endif
