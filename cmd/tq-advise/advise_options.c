/* advise_options.c - the command line of tq-advise */

#include <err.h>
#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"

#include "advise_options.h"

static void
take_report(void *rules, const char *list)
{
	nsys_rules_choose(rules, list);
}

static void
take_rules(void *options, const char *file)
{
	struct advise_options *ask = options;

	*array_add(&ask->files, &ask->file_count, &ask->file_cap) = file;
}

static void
take_set(void *options, const char *assignment)
{
	struct advise_options *ask = options;

	*array_add(&ask->sets, &ask->set_count, &ask->set_cap) = assignment;
}

static void
take_step(void *options, const char *text)
{
	struct advise_options *ask = options;
	const char *bad;
	size_t at;

	ask->step_text = text;
	range_spec_free(&ask->step);
	bad = range_spec_parse_steps(&ask->step, text, &at);
	if (bad == NULL)
		return;
	expr_complain_at(span_of(text), at, bad);
	exit(TQ_USAGE);
}

#define OPT_STRUCT struct advise_options
static const struct opt options[] = {
    {'f', "format", "FORMAT",
	"text (default), json, ndjson, csv, markdown,\njson1",
	OPT_WORD(format, SHEET_FORMATS)},
    {OPT_HELP},
    {'n', "top", "N", "show N findings (default 5)",
	OPT_COUNT(most, 0, 1000000)},
    {'n', "most", "N", OPT_OLD_NAME},
    {OPT_OUTPUT},
    {OPT_QUIET},
    {'R', "rules-from", "FILE",
	"add rules; none: begin without any, default:\n"
	"the rules of tq-advise (default)",
	.how = OPT_FUNCTION, .take = take_rules},
    {'r', "report", "LIST",
	"the expert rules of nsys instead: nsys (all), or by\n"
	"name (gpu_gaps:gap=1:rows=-1)",
	OPT_TAKE(nsys, take_report)},
    {OPT_VERBOSE("show notes, too")},
    {OPT_VERSION},
    {0, "explain", "RULE", "print the texts of a rule, and exit",
	OPT_TEXT(explain)},
    {0, "fail-if", "WHAT",
	"exit 3 if there is a note, a warning, a critical\n"
	"finding, or a finding of a rule",
	OPT_TEXT(fail_if)},
    {0, "marks", NULL,
	"write the stream, with the evidence of the findings as\n"
	"records of kind mark",
	OPT_SET(marks, true)},
    {0, "no-pager", NULL, "do not run a pager", OPT_SET(no_pager, true)},
    {0, "or-pass", NULL, "let --fail-if pass if its rule abstains",
	OPT_SET(gate.or_pass, true)},
    {0, "rules", NULL, "print the rules, and exit", OPT_SET(print_rules, true)},
    {0, "set", "CHANGE", "RULE.KEY=N: change least or count of a rule",
	.how = OPT_FUNCTION, .take = take_set},
    {0, "step", "SPEC", "only these training steps: K, A..B, NAME/...",
	.how = OPT_FUNCTION, .take = take_step},
    {0, "time", "A:B", "only from A to B; -T: before the end",
	OPT_WINDOW(window)},
    {0},
};

static const struct opts opts = {
    .tool = "tq-advise",
    .operands = "[FILE ...]",
    .all = options,
    .column = 24,
    .status = TQ_USAGE,
};

static void
read_rules(struct advise_options *ask)
{
	bool base = false;

	for (size_t i = 0; i < ask->file_count; i++)
		base |= strcmp(ask->files[i], "none") == 0 ||
			strcmp(ask->files[i], "default") == 0;
	if (!base)
		rule_file_read(&ask->rules, "default");
	for (size_t i = 0; i < ask->file_count; i++)
		rule_file_read(&ask->rules, ask->files[i]);
	for (size_t i = 0; i < ask->set_count; i++)
		rule_file_set(&ask->rules, ask->sets[i]);
}

static void
read_gate(struct advise_options *ask)
{
	struct advise_gate *g = &ask->gate;

	if (ask->fail_if == NULL)
		return;
	g->given = true;
	for (g->severity = SEVERITY_NOTE; g->severity <= SEVERITY_CRITICAL;
	     g->severity++)
		if (strcmp(ask->fail_if, rule_severity_name(g->severity)) == 0)
			return;
	g->rule = span_of(ask->fail_if);
	if (rule_find(&ask->rules, g->rule) == NULL)
		errx(TQ_USAGE,
		    "--fail-if: expected note, warning, critical or a rule, "
		    "not '%s'",
		    ask->fail_if);
}

void
advise_options_parse(struct advise_options *ask, int argc, char *argv[])
{
	ask->most = 5;
	ask->operands = opts_parse(&opts, ask, argc, argv);
	if (ask->format == 0)
		ask->format = opts_word_of_file(SHEET_FORMATS, ask->file);
	if (ask->nsys.count == 0 || ask->print_rules || ask->explain != NULL) {
		read_rules(ask);
		read_gate(ask);
	} else if (ask->fail_if != NULL) {
		errx(TQ_USAGE, "--fail-if and -r exclude each other: rows of "
			       "nsys's rules have no severity");
	}
	if (ask->nsys.count > 0 &&
	    (ask->step.name != NULL || window_given(&ask->window)))
		errx(TQ_USAGE, "--step and --time exclude -r");
	if (ask->marks && ask->nsys.count > 0)
		errx(TQ_USAGE, "--marks and -r exclude each other");
	if (ask->explain == NULL && !ask->print_rules)
		opts_need_input(&opts, ask->operands);
}

void
advise_options_free(struct advise_options *ask)
{
	nsys_rules_free(&ask->nsys);
	range_spec_free(&ask->step);
	rule_free(&ask->rules);
	free(ask->files);
	free(ask->sets);
}
