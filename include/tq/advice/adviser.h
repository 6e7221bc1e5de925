/*
 * adviser.h - what rules find in a stream, which is read twice: survey_event
 * and engine_event of its sections, and the findings at the end.
 */
#ifndef TQ_ADVICE_ADVISER_H
#define TQ_ADVICE_ADVISER_H

#include "tq/advice/finding.h"

/* {0}, or with survey.step and survey.window */
struct adviser {
	struct rules rules;
	struct survey survey;
	struct recording_evidence evidence; /* after the first pass */
	struct engine engine;
	struct host_before before; /* of the second pass */
	struct findings findings;
	bool in_section;
};

/* After the rules were read. */
void adviser_open(struct adviser *a);

/* Add the keys that the first pass, or the second one, needs. */
void adviser_first_keys(const struct adviser *a, struct keyset *want);
void adviser_second_keys(struct adviser *a, struct keyset *want);

/* A record of the first pass; all were. */
void adviser_first(struct adviser *a, const struct event *ev);
void adviser_first_end(struct adviser *a);

/*
 * False if a second pass would find nothing: no operations and no steps.  Then
 * adviser_second_end() makes the findings of evidence.
 */
bool adviser_needs_second(const struct adviser *a);

/*
 * A record of the second pass, which gets more keys.  NULL, or the error of an
 * expression that gave up, as a constant text.
 */
const char *adviser_second(struct adviser *a, struct event *ev);

/* All were: the findings are known. */
void adviser_second_end(struct adviser *a);

void adviser_free(struct adviser *a);

#endif
