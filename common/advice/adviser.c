/* adviser.c - what rules find in a stream, which is read twice */

#include "tq/advice/adviser.h"

void
adviser_open(struct adviser *a)
{
	a->survey.excess.rules = &a->rules;
	a->engine.rules = &a->rules;
	a->engine.survey = &a->survey;
	survey_open(&a->survey);
	engine_open(&a->engine);
}

void
adviser_first_keys(const struct adviser *a, struct keyset *want)
{
	survey_keys(&a->survey, want);
	evidence_keys(want);
}

void
adviser_second_keys(struct adviser *a, struct keyset *want)
{
	engine_keys(&a->engine, want);
	workload_keys(want);
	host_before_keys(want);
}

void
adviser_first(struct adviser *a, const struct event *ev)
{
	if (ev->kind == KIND_trace || !a->in_section)
		survey_section(&a->survey);
	a->in_section = ev->kind != KIND_end;
	survey_event(&a->survey, ev);
	evidence_event(&a->evidence, ev);
}

void
adviser_first_end(struct adviser *a)
{
	a->in_section = false;
	survey_finish(&a->survey);
	evidence_finish(&a->evidence);
}

bool
adviser_needs_second(const struct adviser *a)
{
	const struct survey *s = &a->survey;

	return s->ops > 0 || s->steps >= FEW_STEPS ||
	       (s->chosen && s->steps > 0);
}

/* True if the section has one: then what is before it is kept. */
static bool
has_operation(const struct adviser *a)
{
	size_t section = a->engine.derived.section;

	return section <= a->survey.section &&
	       a->survey.sections[section - 1].first != INT64_MAX;
}

const char *
adviser_second(struct adviser *a, struct event *ev)
{
	enum kind k = ev->kind;

	if (a->in_section && (k == KIND_trace || k == KIND_end)) {
		engine_section_end(&a->engine);
		host_before_section_end(&a->before);
	}
	if (k == KIND_trace || !a->in_section)
		engine_section(&a->engine);
	a->in_section = k != KIND_end;
	if (has_operation(a))
		host_before_event(&a->before, ev);
	engine_event(&a->engine, ev);
	return a->engine.match.error;
}

void
adviser_second_end(struct adviser *a)
{
	if (a->in_section)
		engine_section_end(&a->engine);
	a->in_section = false;
	finding_make(&a->findings, &a->engine, &a->evidence, &a->before);
}

void
adviser_free(struct adviser *a)
{
	finding_free(&a->findings);
	host_before_free(&a->before);
	engine_free(&a->engine);
	survey_free(&a->survey);
	evidence_free(&a->evidence);
	rule_free(&a->rules);
}
