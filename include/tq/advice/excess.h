/*
 * excess.h - what operations last above a multiple of the median of their
 * group: claim excess(k).
 *
 * A group has the operations of a device with equal values of the keys that a
 * rule names with "by", of the kinds and names that it may match.  A first pass
 * makes a distribution of each group (tq/account/durations.h), so that medians
 * are wrong by less than 0.4 %; memory grows with the groups.
 */
#ifndef TQ_ADVICE_EXCESS_H
#define TQ_ADVICE_EXCESS_H

#include "tq/account/durations.h"
#include "tq/advice/rule_names.h"
#include "tq/base/intern.h"
#include "tq/base/keyed.h"

struct excess_group {
	struct durations durations;
	int64_t median; /* -1 until it is first read */
};

/* set rules; all else is 0 */
struct excess {
	const struct rules *rules;
	size_t with[RULES_EXCESS], with_count; /* rules that have the claim */
	struct intern values; /* number of the rule, and values of its keys */
	KEYED(struct excess_group) groups; /* by device and value */
	struct text text;
};

/* After rules was set. */
void excess_open(struct excess *x);

/* Add the keys that it needs. */
void excess_keys(const struct excess *x, struct keyset *want);

/* First pass: an operation of a device, and the rules that it may concern. */
void excess_count(
    struct excess *x, const struct event *ev, const struct rules_held *held);

/*
 * Second pass: the time from which on the operation lasts longer than the rule
 * allows; INT64_MAX if it has no group.
 */
int64_t excess_from(struct excess *x, size_t rule, const struct event *ev);

void excess_free(struct excess *x);

#endif
