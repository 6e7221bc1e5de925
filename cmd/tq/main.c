/*
 * tq - run a tool by its short name, and the tools that have to run before it
 *
 * "tq stats x.sqlite" is "tq-extract x.sqlite | tq-correlate | tq-stats", with
 * as much in the stream as the reports read.
 */

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tq/base/mem.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"

#include "arguments.h"
#include "commands.h"
#include "feeds.h"
#include "folders.h"
#include "help.h"
#include "pipeline.h"
#include "recording.h"
#include "stats_needs.h"
#include "version.h"

struct tq_options {
	bool list, explain;
};

#define OPT_STRUCT struct tq_options
static const struct opt options[] = {
    {OPT_HELP},
    {OPT_VERSION},
    {'x', "explain", NULL, "print the pipe of a command, do not run it",
	OPT_SET(explain, true)},
    {0, "list", NULL, "list the commands", OPT_SET(list, true)},
    {0},
};

static const struct opts opts = {
    .tool = "tq",
    .operands = "COMMAND [ARGUMENT ...]",
    .all = options,
    .column = 17,
    .status = TQ_USAGE,
    .command = true,
    .more = help_start,
    .commit = version_commit,
};

/* the arguments of tq-extract, of tq-align, and of the tool behind them */
struct split {
	const char **extract, **align, **tool;
	size_t exports, arguments;
	size_t inputs; /* of tq-align: files, and "-" for the exports */
};

/* True if tq-extract has to come before the tools that read streams, or says
   best why it is no recording: such a file is no value of an option. */
static bool
is_recording(const struct argument *a)
{
	enum recording r;

	if (a->is != ARGUMENT_OPERAND)
		return false;
	r = strcmp(a->word, "-") == 0 ? recording_of_stdin()
				      : recording_of(a->word);
	return recording_is_extracted(r) ||
	       ((r == RECORDING_FOREIGN ||
		    (r == RECORDING_EMPTY && strcmp(a->word, "-") != 0)) &&
		   !a->perhaps_value);
}

/* true of an operand that the tools read as it is */
static bool
is_stream(const struct argument *a)
{
	return a->is == ARGUMENT_OPERAND &&
	       (strcmp(a->word, "-") == 0 ||
		   recording_of(a->word) == RECORDING_STREAM);
}

/* true of an option after which the tool reads nothing, as "-k help" */
static bool
is_about_tool(const struct argument *a)
{
	static const char *const words[] = {"-V", "-h", "--version", "--help"};

	if (a->is == ARGUMENT_OPERAND)
		return strcmp(a->word, "help") == 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(a->word, words[i], strlen(words[i])) == 0)
			return a->is == ARGUMENT_OPTION;
	return false;
}

/*
 * True if the tool reads stdin: no operand names a file, and none has to.  A
 * word behind an option may be the option's value.
 */
static bool
reads_stdin(const struct command *c, const struct argument *all, size_t count)
{
	bool expression = c->expression;

	for (size_t i = 0; i < count; i++) {
		if (is_about_tool(&all[i]))
			return false;
		if (all[i].is != ARGUMENT_OPERAND)
			continue;
		if (access(all[i].word, F_OK) == 0)
			return false;
		if (!all[i].perhaps_value && !expression)
			return false;
		expression &= all[i].perhaps_value;
	}
	return true;
}

/* the exports stand in a row, and "-" takes their place */
static void
split_arguments(
    struct split *s, const struct command *c, int argc, char *argv[])
{
	static const struct argument standard_input = {
	    .word = "-", .is = ARGUMENT_OPERAND};
	struct argument *all = arguments_parse(argc, argv);
	size_t count = (size_t)argc;
	bool ended = false;

	s->extract = mem_alloc((count + 4) * sizeof(char *));
	s->align = mem_alloc((count + 4) * sizeof(char *));
	s->tool = mem_alloc((count + 3) * sizeof(char *));
	s->extract[1] = s->align[2] = "--";
	for (size_t i = 0; i < count; i++) {
		bool export = is_recording(&all[i]);

		if (export && ended)
			errx(TQ_USAGE,
			    "%s: exports have to stand next to each other",
			    all[i].word);
		if (export) {
			/* the tool refuses files that it reads itself */
			arguments_refuse_output(all, count, all[i].word);
			s->extract[++s->exports + 1] = all[i].word;
		} else if (all[i].is != ARGUMENT_END) {
			ended = s->exports > 0;
		}
		if (!export || s->exports == 1)
			s->tool[++s->arguments] = export ? "-" : all[i].word;
		if (export ? s->exports == 1 : is_stream(&all[i]))
			s->align[++s->inputs + 2] = s->tool[s->arguments];
	}
	if (s->exports == 0 && reads_stdin(c, all, count) &&
	    is_recording(&standard_input)) {
		arguments_refuse_output(all, count, "-");
		s->extract[++s->exports + 1] = s->tool[++s->arguments] = "-";
	}
	free(all);
}

/* Totals of cProfile are no operand of tq-stats, but the value of an option. */
static void
name_totals(int argc, char *argv[])
{
	struct argument *all = arguments_parse(argc, argv);

	for (int i = 0; i < argc; i++) {
		char *option;

		if (all[i].is != ARGUMENT_OPERAND ||
		    recording_of(all[i].word) != RECORDING_TOTALS)
			continue;
		if (asprintf(&option, "--pstats=%s", all[i].word) < 0)
			err(TQ_FAIL, "%s", all[i].word);
		/* before any "--" */
		memmove(argv + 1, argv, (size_t)i * sizeof(*argv));
		argv[0] = option;
	}
	free(all);
}

/* an array of words with those of a list behind the first */
static void
insert_words(const char ***words, const char *const *list)
{
	size_t n = 1, more = 0;

	while ((*words)[n] != NULL)
		n++;
	while (list[more] != NULL)
		more++;
	*words = mem_resize(*words, n + 1 + more, sizeof(char *));
	memmove(*words + 1 + more, *words + 1, n * sizeof(char *));
	memcpy(*words + 1, list, more * sizeof(char *));
}

/* The tool refuses files that it reads itself: it does not read these. */
static void
refuse_output(const struct split *s, const char *const argv[])
{
	struct argument *all;
	int count = 0;

	while (argv[count + 1] != NULL)
		count++;
	all = arguments_parse(count, (char **)(uintptr_t)(argv + 1));
	for (size_t i = 0; i < s->inputs; i++)
		if (strcmp(s->align[i + 3], "-") != 0)
			arguments_refuse_output(
			    all, (size_t)count, s->align[i + 3]);
	free(all);
}

/* tq-align reads the files of the tool, and the tool what it writes */
static void
add_align(struct pipeline *p, struct split *s, const char *const argv[])
{
	size_t input = 0, to = 0;

	refuse_output(s, argv);
	for (size_t i = 0; i <= s->arguments; i++)
		if (input < s->inputs && s->tool[i] == s->align[input + 3])
			input++;
		else
			s->tool[to++] = s->tool[i];
	s->tool[to] = NULL;
	s->align[0] = "tq-align";
	s->align[1] = "--auto";
	if (p->count > 0 && s->inputs == 1)
		s->align[2] = NULL; /* the exports alone */
	pipeline_add(p, s->align);
}

static bool
is_quiet(const char *const words[])
{
	for (; *words != NULL && strcmp(*words, "--") != 0; words++)
		if (strcmp(*words, "-q") == 0 || strcmp(*words, "--quiet") == 0)
			return true;
	return false;
}

/*
 * The tool reads what tq-extract makes of the exports, and tq-align of several
 * recordings; returns the status.  argv: all that it was given.
 */
static int
run_behind(const struct command *c, struct split *s, const char *const argv[])
{
	static const char *const all[] = {"tq-correlate", NULL};
	static const char *const quiet[] = {"-q", NULL};
	const char *const *correlate = c->feed >= FEED_LAUNCHES ? all : NULL;
	size_t recordings = s->inputs + s->exports - (s->exports > 0);
	bool align = c->feed >= FEED_LAUNCHES && recordings > 1;
	struct stats_needs needs = {0};
	struct pipeline p = {0};
	int status = 0;

	if (c->feed == FEED_REPORTS && (s->exports > 0 || align)) {
		/* of streams alone the tool itself says what is wrong */
		status = stats_needs_ask(&needs, argv, s->exports == 0);
		align &= needs.align;
	}
	if (s->exports == 0 && !align)
		pipeline_become(argv);
	if (needs.extract != NULL) {
		insert_words(&s->extract, needs.extract);
		correlate = needs.correlate;
	}
	if (is_quiet(argv)) /* no progress of tq-extract, too */
		insert_words(&s->extract, quiet);
	if (s->exports > 0)
		pipeline_add(&p, s->extract);
	if (s->exports > 0 && correlate != NULL)
		pipeline_add(&p, correlate);
	if (align)
		add_align(&p, s, argv);
	pipeline_add(&p, s->tool);
	if (status == 0)
		status = pipeline_run(&p);
	stats_needs_free(&needs);
	return status;
}

/* each export is an operand of its own */
static int
run_each(int argc, char *argv[])
{
	const char **words = mem_alloc(((size_t)argc + 1) * sizeof(*words));
	struct argument *all = arguments_parse(argc - 1, argv + 1);
	size_t count = (size_t)argc - 1;
	struct feeds feeds = {
	    .quiet = is_quiet((const char *const *)(uintptr_t)argv)};
	int status;

	words[0] = argv[0];
	for (size_t i = 0; i < count; i++) {
		words[i + 1] = all[i].word;
		if (is_recording(&all[i])) {
			arguments_refuse_output(all, count, all[i].word);
			feeds_add(&feeds, &words[i + 1]);
		}
	}
	free(all);
	if (feeds.count == 0)
		pipeline_become(words);
	status = feeds_run(&feeds, words);
	free(words);
	return status;
}

/* "info r.sqlite" is "stats -r info r.sqlite": new words, to be freed */
static char **
report_words(const struct command *c, int *argc, char *argv[])
{
	static char report[] = "--report";
	char **all = mem_alloc(((size_t)*argc + 3) * sizeof(*all));

	all[0] = argv[0];
	all[1] = report;
	all[2] = (char *)(uintptr_t)c->report;
	memcpy(all + 3, argv + 1, (size_t)*argc * sizeof(*all));
	*argc += 2;
	return all;
}

static int
run_tool(const struct command *c, int argc, char *argv[])
{
	struct split s = {0};
	char *name;
	int status;

	if (asprintf(&name, "tq-%s", c->report != NULL ? "stats" : c->name) < 0)
		err(TQ_FAIL, "%s", c->name);
	argv[0] = name;
	if (c->feed != FEED_ALL)
		argv = folders_expand(&argc, argv);
	if (c->feed == FEED_REPORTS)
		name_totals(argc - 1, argv + 1);
	if (c->feed == FEED_EACH)
		return run_each(argc, argv);
	if (c->feed == FEED_ALL)
		pipeline_become((const char *const *)argv);
	split_arguments(&s, c, argc - 1, argv + 1);
	s.extract[0] = "tq-extract";
	s.tool[0] = name;
	status = run_behind(c, &s, (const char *const *)argv);
	free(s.extract);
	free(s.align);
	free(s.tool);
	free(name);
	return status;
}

/* any program in PATH whose name begins with "tq-" is a command, too */
static _Noreturn void
run_other(char *argv[])
{
	char *name = argv[0], *tool;

	if (asprintf(&tool, "tq-%s", name) < 0)
		err(TQ_FAIL, "%s", name);
	argv[0] = tool;
	execvp(tool, argv);
	if (errno != ENOENT)
		err(TQ_FAIL, "%s", tool);
	commands_refuse(name);
}

/* "tq r.sqlite" is "tq stats r.sqlite": *words become new ones, to be freed */
static const struct command *
find_other(int *argc, char ***words)
{
	static char stats[] = "stats";
	char **all;

	if (access((*words)[0], F_OK) < 0)
		run_other(*words);
	all = mem_alloc(((size_t)*argc + 2) * sizeof(*all));
	all[0] = stats;
	memcpy(all + 1, *words, ((size_t)*argc + 1) * sizeof(*all));
	++*argc;
	*words = all;
	return commands_find(stats);
}

int
main(int argc, char *argv[])
{
	struct tq_options o = {0};
	char **given = opts_parse(&opts, &o, argc, argv), **rest = given;
	const struct command *c;
	int status;

	argc -= (int)(rest - argv);
	if (o.list) {
		help_list(stdout);
		if (fflush(stdout) != 0 || ferror(stdout))
			err(TQ_FAIL, "<stdout>");
		return TQ_OK;
	}
	if (argc == 0) {
		opts_synopsis(&opts, stderr);
		fprintf(stderr, "\n");
		help_start(stderr);
		return TQ_USAGE;
	}
	if (o.explain)
		pipeline_explain();
	commands_locate(argv[0]);
	if ((c = commands_find(rest[0])) == NULL)
		c = find_other(&argc, &rest);
	else if (c->report != NULL)
		rest = report_words(c, &argc, rest);
	status = c->run != NULL ? c->run(argc, rest) : run_tool(c, argc, rest);
	if (rest != given)
		free(rest);
	return status;
}
