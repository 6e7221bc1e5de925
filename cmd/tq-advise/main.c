/*
 * tq-advise - what costs most in a recording, how that is known, and what to
 * do about it
 *
 * A record goes to the rules of nsys, which are asked for by name, or to the
 * engine that reads rules from text.  The engine reads the stream twice: what
 * is steady, and which device has how many multiprocessors, is known before a
 * record is.
 */

#include <err.h>
#include <stdlib.h>

#include "tq/advice/adviser.h"
#include "tq/ask/window_cover.h"
#include "tq/base/suggestion.h"
#include "tq/io/reader.h"
#include "tq/io/status.h"
#include "tq/names/model.h"

#include "print/advice.h"
#include "print/evidence_marks.h"
#include "advise_options.h"

/* ---- the rules of nsys ---- */

static void
write_nsys(const struct advise_options *ask, struct nsys_rules *rules,
    struct output *o, enum sheet_format format)
{
	bool array = format == SHEET_JSON1;

	o->lines = 0;
	text_add_str(&o->buf, array ? "[\n" : "");
	if (format == SHEET_JSON)
		json_document_begin(
		    &o->buf, &(struct json_head){.operands = ask->operands});
	nsys_rules_write(rules, o, format);
	if (format == SHEET_JSON)
		json_document_end(&o->buf);
	text_add_str(&o->buf, !array ? "" : o->lines > 0 ? "\n]\n" : "]\n");
}

/* Open the output; a pager shows the text for people. */
static void
open_output(struct output *out, const struct advise_options *ask)
{
	output_open(out, ask->file, zio_format_for(ZIO_PLAIN, ask->file));
	if (ask->format == SHEET_TEXT && !ask->marks && !ask->no_pager)
		output_page(out);
}

static void
read_nsys(struct nsys_rules *rules, struct reader *in)
{
	bool open = false;

	while (reader_next(in)) {
		if (in->event.kind == KIND_trace && open)
			nsys_rules_section_end(rules);
		open = true;
		nsys_rules_event(rules, &in->event);
	}
	nsys_rules_section_end(rules);
}

static int
advise_as_nsys(struct advise_options *ask)
{
	struct keyset want[KIND_COUNT + 1] = {0};
	struct output out = {0};
	struct reader in;
	int status;

	nsys_rules_keys(&ask->nsys, want);
	reader_init(&in, ask->operands, want, NULL);
	open_output(&out, ask);
	read_nsys(&ask->nsys, &in);
	write_nsys(ask, &ask->nsys, &out, (enum sheet_format)ask->format);
	output_finish(&out, in.status == TQ_OK);
	status = in.status;
	reader_free(&in);
	return status;
}

/* ---- rules that are text ---- */

/* True unless a window is outside of all sections. */
static bool
reaches_any(const struct survey *s)
{
	struct window_cover cover = {0};

	if (!window_given(&s->window))
		return true;
	for (size_t i = 0; i < s->section; i++)
		if (s->sections[i].begin <= s->sections[i].end)
			window_cover_add(&cover, &s->window,
			    s->sections[i].begin, s->sections[i].end);
	return window_cover_reached(&cover);
}

static void
read_first(struct adviser *a, struct reader *in)
{
	while (reader_next(in)) {
		model_event(in->event.model, &in->event);
		adviser_first(a, &in->event);
	}
	adviser_first_end(a);
	if (a->survey.chosen && a->survey.steps == 0)
		errx(TQ_FAIL, "no range matches --step");
	if (in->any && !reaches_any(&a->survey))
		exit(TQ_FAIL);
}

static void
read_second(struct adviser *a, struct reader *in, struct operators *operators)
{
	const char *error;

	model_rewind(in->event.model);
	while (reader_next(in)) {
		model_event(in->event.model, &in->event);
		if ((error = adviser_second(a, &in->event)) != NULL)
			errx(TQ_FAIL, "%s:%zu: %s", in->in.name, in->in.lineno,
			    error);
		if (operators != NULL)
			operators_event(operators, &in->event);
	}
	if (operators != NULL)
		operators_end(operators);
	adviser_second_end(a);
}

/* True if the gate says no. */
static bool
gate_fails(const struct advise_options *ask, const struct findings *f)
{
	const struct advise_gate *g = &ask->gate;

	for (size_t i = 0; i < f->count; i++)
		if (g->rule.len > 0 ? span_eq(f->all[i].rule->name, g->rule)
				    : f->all[i].severity >= g->severity)
			return true;
	for (size_t i = 0; i < f->abstained_count; i++)
		if (span_eq(f->abstained[i].rule->name, g->rule))
			return !g->or_pass;
	return false;
}

/* The stream once more, with marks. */
static void
write_marks(struct advice *a, struct reader *in, struct output *out)
{
	struct keyset want[KIND_COUNT + 1] = {0};
	struct evidence_marks marks = {0};

	evidence_marks_make(&marks, a);
	evidence_marks_keys(want);
	in->want = want;
	reader_rewind(in);
	evidence_marks_write(&marks, a, in, out);
	evidence_marks_free(&marks);
}

/* The window of the command line; its ends may be counted from the end. */
static void
take_head(const struct advise_options *ask, struct json_head *h)
{
	const struct window *w = &ask->window;

	h->operands = ask->operands;
	if (w->from == WINDOW_OPEN && w->to == WINDOW_OPEN)
		return;
	if (window_needs_end(w))
		return;
	h->window = "asked";
	h->from = w->from == WINDOW_OPEN ? INT64_MIN : w->from_ns;
	h->to = w->to == WINDOW_OPEN ? INT64_MAX : w->to_ns;
}

static void
write_advice(struct advise_options *ask, const struct adviser *adviser,
    const struct operators *operators, struct reader *in)
{
	struct advice a = {.findings = &adviser->findings,
	    .engine = &adviser->engine,
	    .operators = operators,
	    .most = ask->most,
	    .verbose = ask->verbose};
	struct output out = {0};

	take_head(ask, &a.head);
	printed_command_input(&a.input, ask->operands);
	a.input.window = ask->window.text;
	a.input.step = a.input.rules_step = ask->step_text;
	open_output(&out, ask);
	if (ask->marks)
		write_marks(&a, in, &out);
	else if (in->any || ask->format != SHEET_TEXT) /* of nothing: nothing */
		advice_write(&a, &out, (enum sheet_format)ask->format);
	output_finish(&out, in->status == TQ_OK);
	advice_free(&a);
}

static int
advise(struct advise_options *ask)
{
	struct keyset first[KIND_COUNT + 1] = {0};
	struct keyset second[KIND_COUNT + 1] = {0};
	struct adviser a = {.rules = ask->rules,
	    .survey = {.step = ask->step, .window = ask->window}};
	struct operators operators = {0}, *used = NULL;
	struct model model = {0};
	struct reader in;
	int status;

	ask->rules = (struct rules){0}; /* the adviser has them */
	ask->step = (struct range_spec){0};
	adviser_open(&a);
	adviser_first_keys(&a, first);
	adviser_second_keys(&a, second);
	reader_init(&in, ask->operands, first, NULL);
	in.event.model = &model;
	input_keep(&in.in);
	read_first(&a, &in);
	reader_rewind(&in);
	in.want = second;
	if (!engine_has_devices(&a.engine)) {
		operators_keys(second);
		used = &operators;
	}
	read_second(&a, &in, used);
	write_advice(ask, &a, used, &in);
	status = in.status;
	if (status == TQ_OK && ask->gate.given && gate_fails(ask, &a.findings))
		status = TQ_GATE;
	operators_free(&operators);
	adviser_free(&a);
	model_free(&model);
	reader_free(&in);
	return status;
}

/* ---- what needs no stream ---- */

/* --rules prints the file that comes with tq-advise as it is; with other rules
   or settings it prints each rule that was read. */
static int
print_rules(const struct advise_options *ask)
{
	bool plain = ask->file_count == 0 && ask->set_count == 0;
	struct output out = {0};

	open_output(&out, ask);
	for (size_t i = 0; plain && rule_file_defaults[i] != NULL; i++) {
		text_add_str(&out.buf, rule_file_defaults[i]);
		text_add_char(&out.buf, '\n');
	}
	for (size_t i = 0; !plain && i < ask->rules.count; i++) {
		text_add_str(&out.buf, i > 0 ? "\n" : "");
		text_add_span(&out.buf, ask->rules.all[i].text);
	}
	output_finish(&out, true);
	return TQ_OK;
}

static int
explain(const struct advise_options *ask)
{
	const struct rules *rules = &ask->rules;
	const char *name = ask->explain;
	const struct rule *r = rule_find(rules, span_of(name));
	struct suggestion near = {.word = span_of(name)};
	struct output out = {0};

	for (size_t i = 0; i < rules->count; i++)
		suggestion_consider(&near, rules->all[i].name.p);
	if (r == NULL)
		errx(TQ_USAGE, "no rule is named '%s'%s", name,
		    suggestion_text(&near));
	open_output(&out, ask);
	advice_explain(r, &out);
	output_finish(&out, true);
	return TQ_OK;
}

int
main(int argc, char *argv[])
{
	struct advise_options ask = {0};
	int status;

	advise_options_parse(&ask, argc, argv);
	if (ask.print_rules)
		status = print_rules(&ask);
	else if (ask.explain != NULL)
		status = explain(&ask);
	else if (ask.nsys.count > 0)
		status = advise_as_nsys(&ask);
	else
		status = advise(&ask);
	advise_options_free(&ask);
	return status;
}
