/*
 * plan.h - the pass that finds out which records stay.
 *
 * Of each record it is known when it goes by, or soon after, whether it is
 * chosen.  With the closure on, others stay with those that are chosen: the
 * call that launched an operation, the operations of a call, and the ranges
 * around what a host thread did.
 */
#ifndef PLAN_H
#define PLAN_H

#include "calls.h"
#include "marks.h"
#include "open.h"
#include "select.h"
#include "top.h"
#include "where.h"

struct waiting; /* a record of which not all is known yet */

struct plan {
	struct select *select;
	struct where *where;
	const struct expr_symbols *symbols;
	bool closure, invert;
	struct top *top;   /* only the longest are chosen, or NULL */
	struct marks keep; /* records that stay */
	struct marks cut;  /* ranges of which not all stays */
	struct section *sections;
	size_t section_count, section_cap;
	int64_t orphans; /* operations of which no call is known */

	const char *error; /* the record at hand is none after all */

	uint64_t section, record; /* at hand */
	struct event event;       /* of which all is known */
	uint64_t has_corr;        /* kinds that have the key, a bit each */
	int64_t now;
	bool counting; /* the producer says how many a call launched */
	struct open open;
	struct calls calls;
	struct waiting *fresh; /* host records that started at now */
	size_t fresh_count, fresh_cap;
	struct waiting *ops; /* operations whose call may still come */
	size_t op_first, op_count, op_cap;
};

void plan_init(struct plan *p, struct select *select, struct where *where,
    const struct expr_symbols *symbols);

/* What plan_event needs to know of records is added to want. */
void plan_keys(const struct plan *p, struct keyset *want);

/* Section number n, from 0, begins; what is known of it stays known. */
void plan_section(struct plan *p, uint64_t n);

/* Record number n, an event. */
void plan_event(struct plan *p, uint64_t n, const struct event *ev);

/* The section ends. */
void plan_section_end(struct plan *p);

void plan_free(struct plan *p);

#endif
