/* advice.c - what rules find in the stream of the reports */

#include <err.h>
#include <stdio.h>

#include "tq/advice/rule_file.h"
#include "tq/base/threads.h"
#include "tq/io/status.h"

#include "advice.h"

/* All keys of records that are no events, and those of a section's order. */
static void
add_definitions(struct keyset *want)
{
	for (enum kind k = 0; k < KIND_COUNT; k++) {
		keyset_add(&want[k], KEY_ts);
		if (schema_role(k) == ROLE_DEF || schema_role(k) == ROLE_FRAME)
			memset(&want[k], 0xff, sizeof(want[k]));
	}
}

void
advice_open(struct advice *a, struct report_settings *settings,
    const struct nsys_filter *filter)
{
	struct adviser *rules = &a->adviser;
	size_t at;

	rule_file_read(&rules->rules, "default");
	if (settings->step_text != NULL && !settings->step.median)
		range_spec_parse_step(
		    &rules->survey.step, settings->step_text, &at);
	if (window_given(&filter->time) && !filter->by_range)
		rules->survey.window = filter->time;
	adviser_open(rules);
	adviser_first_keys(rules, a->first);
	adviser_second_keys(rules, a->second);
	nsys_filter_keys(filter, a->second);
	settings->adviser = rules;
	a->beside = threads_two() && !nsys_filter_given(filter);
}

/* ---- the second pass ---- */

/* The stream once more; of a filter the records that it keeps. */
static void
read_again(struct advice *a, struct reader *in, struct nsys_filter *filter)
{
	struct adviser *rules = &a->adviser;
	const char *error;

	model_rewind(in->event.model);
	while (reader_next(in)) {
		model_event(in->event.model, &in->event);
		if (filter != NULL && !nsys_filter_keeps(filter, &in->event))
			continue;
		if ((error = adviser_second(rules, &in->event)) != NULL)
			errx(TQ_FAIL, "%s:%zu: %s", in->in.name, in->in.lineno,
			    error);
	}
}

/* ---- beside the reports ---- */

static void
survey(struct advice *a, struct reader *in)
{
	const struct keyset *want = in->want;
	struct model *model = in->event.model;

	add_definitions(a->first);
	in->want = a->first;
	in->event.model = &a->model;
	while (reader_next(in)) {
		model_event(&a->model, &in->event);
		adviser_first(&a->adviser, &in->event);
	}
	adviser_first_end(&a->adviser);
	reader_rewind(in);
	in->want = want;
	in->event.model = model;
}

static void *
run(void *advice)
{
	struct advice *a = advice;

	read_again(a, &a->in, NULL);
	return NULL;
}

void
advice_begin(struct advice *a, struct reader *in)
{
	if (!a->beside)
		return;
	survey(a, in);
	if (!adviser_needs_second(&a->adviser))
		return;
	reader_init(&a->in, in->in.first, a->second, NULL);
	a->in.event.model = &a->model;
	a->in.grep = in->grep;
	a->in.quiet = true;
	/* a message of the thread waits for this lock */
	flockfile(stderr);
	a->threaded = input_share(&a->in.in, &in->in) &&
		      pthread_create(&a->thread, NULL, run, a) == 0;
	if (!a->threaded)
		funlockfile(stderr);
}

void
advice_end(struct advice *a, struct reader *in, struct nsys_filter *filter)
{
	if (!a->beside)
		adviser_first_end(&a->adviser);
	if (a->threaded) {
		funlockfile(stderr);
		pthread_join(a->thread, NULL);
	} else if (adviser_needs_second(&a->adviser)) {
		if (a->beside)
			in->event.model = &a->model;
		reader_rewind(in);
		in->want = a->second;
		nsys_filter_restart(filter);
		read_again(a, in, nsys_filter_given(filter) ? filter : NULL);
	}
	adviser_second_end(&a->adviser);
}

void
advice_free(struct advice *a)
{
	adviser_free(&a->adviser);
	if (a->threaded)
		reader_free(&a->in);
	model_free(&a->model);
}
