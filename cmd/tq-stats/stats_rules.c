/* stats_rules.c - what rules find in the stream of the reports */

#include <err.h>
#include <stdio.h>

#include "tq/advice/rule_file.h"
#include "tq/base/threads.h"
#include "tq/io/status.h"

#include "stats_rules.h"

/* Add all keys of definitions and frames, and the time of each record: the
   reader checks the order of a section by it. */
static void
add_definitions(struct keyset *want)
{
	for (enum kind k = 0; k < KIND_COUNT; k++) {
		keyset_add(&want[k], KEY_ts);
		if (schema_role(k) == ROLE_DEF || schema_role(k) == ROLE_FRAME)
			want[k] = keyset_all();
	}
}

void
stats_rules_open(struct stats_rules *r, struct report_settings *settings,
    const struct nsys_filter *filter)
{
	struct adviser *rules = &r->adviser;
	size_t at;

	rule_file_read(&rules->rules, "default");
	if (settings->step_text != NULL && !settings->step.median)
		range_spec_parse_step(
		    &rules->survey.step, settings->step_text, &at);
	if (window_given(&filter->time) && !filter->by_range)
		rules->survey.window = filter->time;
	adviser_open(rules);
	adviser_first_keys(rules, r->first);
	adviser_second_keys(rules, r->second);
	nsys_filter_keys(filter, r->second);
	settings->adviser = rules;
	r->beside = threads_two() && !filter->by_range;
}

/* ---- the second pass ---- */

/* The stream once more; of a range the records that it keeps. */
static void
read_again(struct stats_rules *r, struct reader *in, struct nsys_filter *range)
{
	struct adviser *rules = &r->adviser;
	const char *error;

	model_rewind(in->event.model);
	while (reader_next(in)) {
		model_event(in->event.model, &in->event);
		if (range != NULL && !nsys_filter_keeps(range, &in->event))
			continue;
		if ((error = adviser_second(rules, &in->event)) != NULL)
			errx(TQ_FAIL, "%s:%zu: %s", in->in.name, in->in.lineno,
			    error);
	}
}

/* ---- beside the reports ---- */

static void
survey(struct stats_rules *r, struct reader *in)
{
	const struct keyset *want = in->want;
	struct model *model = in->event.model;

	add_definitions(r->first);
	in->want = r->first;
	in->event.model = &r->model;
	while (reader_next(in)) {
		model_event(&r->model, &in->event);
		adviser_first(&r->adviser, &in->event);
	}
	adviser_first_end(&r->adviser);
	reader_rewind(in);
	in->want = want;
	in->event.model = model;
}

static void *
run(void *rules)
{
	struct stats_rules *r = rules;

	read_again(r, &r->in, NULL);
	return NULL;
}

void
stats_rules_begin(struct stats_rules *r, struct reader *in)
{
	if (!r->beside)
		return;
	survey(r, in);
	if (!adviser_needs_second(&r->adviser))
		return;
	reader_init(&r->in, in->in.first, r->second, NULL);
	r->in.event.model = &r->model;
	r->in.grep = in->grep;
	r->in.quiet = true;
	/* a message of the thread waits for this lock */
	flockfile(stderr);
	r->threaded = input_share(&r->in.in, &in->in) &&
		      pthread_create(&r->thread, NULL, run, r) == 0;
	if (!r->threaded) {
		funlockfile(stderr);
		reader_free(&r->in);
	}
}

void
stats_rules_end(
    struct stats_rules *r, struct reader *in, struct nsys_filter *filter)
{
	if (!r->beside)
		adviser_first_end(&r->adviser);
	if (r->threaded) {
		funlockfile(stderr);
		pthread_join(r->thread, NULL);
	} else if (adviser_needs_second(&r->adviser)) {
		if (r->beside)
			in->event.model = &r->model;
		reader_rewind(in);
		in->want = r->second;
		nsys_filter_restart(filter);
		read_again(r, in, filter->by_range ? filter : NULL);
	}
	adviser_second_end(&r->adviser);
}

void
stats_rules_free(struct stats_rules *r)
{
	adviser_free(&r->adviser);
	if (r->threaded)
		reader_free(&r->in);
	model_free(&r->model);
}
