/* rule.c - what rules are called, and how bad a share is */

#include <stdlib.h>

#include "tq/advice/rule.h"

enum { WARNING = 10 * (PPM / 100), CRITICAL = 20 * (PPM / 100) };

const char *
rule_severity_name(enum severity s)
{
	static const char *const names[] = {
	    "none", "note", "warning", "critical"};

	return names[s];
}

const char *
rule_confidence_name(enum rule_confidence c)
{
	static const char *const names[] = {"sure", "likely", "hint"};

	return names[c];
}

bool
rule_claims_work(const struct rule *r)
{
	static const unsigned work =
	    1u << CLAIM_EXPOSED | 1u << CLAIM_SLACK_SMS |
	    1u << CLAIM_SLACK_WAVES | 1u << CLAIM_SLACK_RATE |
	    1u << CLAIM_EXCESS | 1u << CLAIM_LATE;
	static const unsigned idle =
	    1u << CLAIM_GAPS | 1u << CLAIM_SINCE | 1u << CLAIM_FIRST_STEP;

	return ((r->claims & work) != 0 || r->gain > 0) &&
	       (r->claims & idle) == 0;
}

const char *
rule_group_name(bool once)
{
	return once ? "one-time" : "steady";
}

struct rule *
rule_find(const struct rules *r, struct span name)
{
	for (size_t i = 0; i < r->count; i++)
		if (span_eq(r->all[i].name, name))
			return &r->all[i];
	return NULL;
}

enum severity
rule_rank(const struct rule *r, int64_t ppm)
{
	if (ppm < r->least)
		return SEVERITY_NONE;
	if ((r->note && r->gain == 0) || ppm < WARNING)
		return SEVERITY_NOTE;
	return ppm < CRITICAL ? SEVERITY_WARNING : SEVERITY_CRITICAL;
}

enum severity
rule_band(const struct rule *r, int64_t ppm)
{
	enum severity rank = rule_rank(r, ppm);

	return r->note && rank > SEVERITY_NOTE ? SEVERITY_NOTE : rank;
}

static void
free_conditions(struct rule_condition *all, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		expr_free(all[i].what);
		expr_free(all[i].all);
	}
}

void
rule_free(struct rules *r)
{
	for (size_t i = 0; i < r->count; i++) {
		expr_free(r->all[i].when);
		free_conditions(r->all[i].also, r->all[i].also_count);
		free_conditions(r->all[i].second, r->all[i].second_count);
	}
	free(r->all);
	region_free(&r->texts);
	*r = (struct rules){0};
}
