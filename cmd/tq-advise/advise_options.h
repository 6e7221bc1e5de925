/*
 * advise_options.h - the command line of tq-advise.
 */
#ifndef ADVISE_OPTIONS_H
#define ADVISE_OPTIONS_H

#include "nsys/nsys_rules.h"
#include "tq/advice/survey.h"
#include "tq/advice/rule_file.h"

/* the findings that make the status 3 */
struct advise_gate {
	bool given, or_pass; /* abstaining passes */
	enum severity severity;
	struct span rule; /* or empty */
};

struct advise_options {
	char **operands;
	const char *file;
	int format;
	struct nsys_rules nsys;
	struct rules rules;
	struct advise_gate gate;
	struct range_spec step; /* of --step, whose text is */
	const char *step_text;  /* this, or NULL */
	struct window window;
	const char *explain;
	const char *fail_if;
	const char **files, **sets; /* of rules; changes of them */
	size_t file_count, file_cap, set_count, set_cap;
	int64_t most;
	bool verbose, print_rules, marks, no_pager;
};

/* Exits where the command line is wrong. */
void advise_options_parse(struct advise_options *ask, int argc, char *argv[]);

void advise_options_free(struct advise_options *ask);

#endif
