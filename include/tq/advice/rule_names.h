/*
 * rule_names.h - which rules a record may concern, by its kind and name, a
 * kernel's category and a gap's cause: these repeat, and rule most of the
 * others out.
 */
#ifndef TQ_ADVICE_RULE_NAMES_H
#define TQ_ADVICE_RULE_NAMES_H

#include "tq/advice/rule.h"
#include "tq/base/numbered.h"
#include "tq/base/text.h"

enum {
	RULE_NAMES = 4096,     /* that are held, a power of two */
	RULE_NAME_BYTES = 1024 /* of each of them, at most */
};

/* rules, a bit each */
struct rules_held {
	uint64_t always; /* their "when" is true of each such record */
	uint64_t maybe;  /* or may be */
	uint64_t counts; /* or one of their conditions may be */
};

struct rule_name {
	struct text name; /* as in the record, or with each digit as 0; then
			   * a category or cause, on a line of its own */
	enum kind kind;
	bool set;
	struct rules_held held;
};

struct rule_names {
	const struct rules *rules;
	uint64_t kinds[KIND_COUNT + 1]; /* that a kind may concern */
	uint64_t counting;              /* with conditions that count */
	bool folds[KIND_COUNT + 1];     /* all digits are alike to the rules */
	struct rule_name *all;          /* by hash; NULL: none yet */
	NUMBERED(struct rules_held) calls, kernels; /* by symbol */
	struct text folded, joined;                 /* of the current record */
};

void rule_names_open(struct rule_names *n, const struct rules *rules);

/*
 * The rules that these keys of a record decide.  The event has a model.  *error
 * as for expr_match.
 */
struct rules_held rule_names_get(
    struct rule_names *n, const struct event *ev, const char **error);

static inline bool
rules_held_any(const struct rules_held *h)
{
	return (h->always | h->maybe | h->counts) != 0;
}

void rule_names_free(struct rule_names *n);

#endif
