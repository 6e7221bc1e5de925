/* filter_options.c - the command line of tq-filter */

#include <err.h>
#include <stdlib.h>
#include <unistd.h>

#include "tq/base/mem.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"

#include "filter_options.h"

/* ---- values ---- */

static void
take_expression(void *expression, const char *text)
{
	const char **e = expression;

	if (*e != NULL)
		errx(TQ_USAGE, "only one expression is possible: "
			       "join them with && or ||");
	*e = text;
}

static void
take_kinds(void *kinds, const char *list)
{
	opts_kinds(list, kinds);
}

static const char *
parse_ids(void *choice, const char *list)
{
	struct choice *c = choice;

	return opts_numbers(list, &c->ids, &c->count);
}

static void
add_range(struct range_spec **specs, size_t *count, const char *text,
    const char *(*parse)(struct range_spec *, const char *, size_t *))
{
	const char *bad;
	size_t at;

	*specs = mem_resize(*specs, *count + 1, sizeof(**specs));
	if ((bad = parse(&(*specs)[(*count)++], text, &at)) != NULL) {
		expr_complain_at(span_of(text), at, bad);
		exit(TQ_USAGE);
	}
}

static void
take_range(void *where, const char *text)
{
	struct where *w = where;

	add_range(&w->ranges, &w->range_count, text, range_spec_parse);
}

static void
take_step(void *where, const char *text)
{
	struct where *w = where;

	add_range(&w->steps, &w->step_count, text, range_spec_parse_step);
}

static void
take_set(void *set, const char *setting)
{
	set_add(set, setting);
}

static void
take_tag(void *tag, const char *file)
{
	struct tag **t = tag;

	tag_free(*t);
	*t = tag_open(file);
}

/* ---- the options ---- */

#define OPT_STRUCT struct filter_options
static const struct opt options[] = {
    {'e', "expression", "EXPR", "keep records matching EXPR",
	OPT_TAKE(expression, take_expression)},
    {OPT_HELP},
    {'k', "kind", "LIST", "keep these kinds only",
	OPT_TAKE(select.kinds, take_kinds)},
    {'k', "kinds", "LIST", OPT_OLD_NAME},
    {'n', "top", "N", "keep the N longest records of each kind",
	OPT_COUNT(top, 1, INT64_MAX)},
    {OPT_OUTPUT},
    {'q', "quiet", NULL, "write nothing; exit 1 if nothing matched",
	OPT_SET(quiet, true)},
    {'v', "invert", NULL, "keep records that do not match",
	OPT_SET(invert, true)},
    {OPT_VERSION},
    {OPT_ZSTD},
    {0, "between-profiler-calls", NULL,
	"launched between cudaProfilerStart and Stop",
	OPT_SET(where.profiler, true)},
    {0, "by", "HOW", "select operations by launch (default) or time",
	OPT_WORD(by, "launch|time")},
    {0, "clip", NULL, "cut ranges at the ends of the selection",
	OPT_SET(change.clip, true)},
    {0, "count", NULL, "print how many records match, and no record",
	OPT_SET(count, true)},
    {0, "depth", "N", "ranges inside at most N others",
	OPT_COUNT(select.depth, 0, INT64_MAX)},
    {0, "device", "LIST", "keep operations of these devices",
	OPT_PARSE(select.choices[0], parse_ids)},
    {0, "key", "TEXT", "key of the pseudonyms that --redact makes",
	OPT_TEXT(key)},
    {0, "merge-short", "DUR", "merge runs of kernels shorter than DUR",
	OPT_DURATION(change.merge_short, 1)},
    {0, "min-dur", "DUR", "keep records that last DUR or longer",
	OPT_DURATION(select.min_dur, 0)},
    {0, "no-closure", NULL, "do not add API calls, ranges, definitions",
	OPT_SET(closure, false)},
    {0, "only", NULL, "write what matches alone: no trace, no end",
	OPT_SET(only, true)},
    {0, "pid", "LIST", "keep records of these processes",
	OPT_PARSE(select.choices[2], parse_ids)},
    {0, "range", "SPEC", "launched in ranges NAME[@DOMAIN][/INDEX]",
	OPT_TAKE(where, take_range)},
    {0, "rank", "LIST", "keep records of these ranks",
	OPT_PARSE(select.ranks, parse_ids)},
    {0, "redact", NULL, "replace names and texts by pseudonyms",
	OPT_SET(redact, true)},
    {0, "scope", "SCOPE",
	"a range encloses the launches of its thread\n"
	"(default), or of its process",
	OPT_WORD(where.per_process, "thread|process")},
    {0, "set", "SETTING", "set KEY=EXPR in the records of the output",
	OPT_TAKE(change.set, take_set)},
    {0, "step", "SPEC",
	"launched in steps: K, A..B, median, NAME/...,\n"
	"serve:CLASS of a server",
	OPT_TAKE(where, take_step)},
    {0, "stream", "LIST", "keep operations of these streams",
	OPT_PARSE(select.choices[1], parse_ids)},
    {0, "tag", "FILE",
	"give kernels a category by the rules in FILE,\n"
	"or by the built-in rules: default",
	OPT_TAKE(change.tag, take_tag)},
    {0, "tid", "LIST", "keep records of these threads",
	OPT_PARSE(select.choices[3], parse_ids)},
    {0, "time", "A:B", "launched from A to B; -T: before the end",
	OPT_WINDOW(where.time)},
    {0},
};

static const struct opts opts = {
    .tool = "tq-filter",
    .operands = "[EXPRESSION] [FILE ...]",
    .all = options,
    .column = 26,
    .status = TQ_USAGE,
};

static void
warn_of_kind(const struct expr *e)
{
	struct suggestion near = {0};
	char *guesses;

	if (!expr_strange_kind(e, &near.word))
		return;
	schema_near_kinds(&near);
	guesses = suggestion_text(&near);
	warnx("warning: no kind of record is named '%.*s'%s",
	    (int)near.word.len, near.word.p, guesses);
	free(guesses);
}

static struct expr *
parse_expression(const char *text)
{
	struct expr_error error;
	struct expr *e = expr_condition(span_of(text), &error);

	if (e == NULL) {
		expr_complain(span_of(text), &error);
		exit(TQ_USAGE);
	}
	warn_of_kind(e);
	return e;
}

/* combinations that make no sense, and options that follow from others */
static void
settle(struct filter_options *o)
{
	const struct where *w = &o->where;

	o->only |= o->count;
	o->closure &= !o->invert;
	if (o->expression != NULL)
		o->select.expr = parse_expression(o->expression);
	if (o->key != NULL && !o->redact)
		errx(TQ_USAGE, "--key needs --redact");
	if (o->change.clip && (!o->closure || o->only))
		errx(TQ_USAGE,
		    "--clip excludes --count, --invert, --no-closure and "
		    "--only");
	if (o->redact) {
		if (o->key == NULL)
			warnx("warning: without --key, a guessed name can be "
			      "checked against its pseudonym");
		o->change.redact = redact_open(o->key != NULL ? o->key : "");
	}
	/* a plain filter looks at nothing but the record */
	o->where.by_time = o->by >= 0 ? o->by == 1
				      : !o->closure && w->range_count == 0 &&
					    w->step_count == 0 && !w->profiler;
	o->closure &= !o->only; /* which changes not what matches */
}

/* a name like r.tq that no file has: better no such file than no such key */
static bool
like_a_file(const char *operand)
{
	struct expr_error error;
	struct expr *e;
	bool path = false;

	for (const char *p = operand; *p != '\0'; p++) {
		if (strchr(" \t\n!<>=&|~()'\"", *p) != NULL)
			return false;
		path |= *p == '.' || *p == '/';
	}
	e = expr_condition(span_of(operand), &error);
	expr_free(e);
	return path && e == NULL;
}

/* The first operand is the expression, unless it is a file. */
static bool
is_expression(const struct filter_options *o, const char *operand)
{
	return operand != NULL && o->expression == NULL &&
	       strcmp(operand, "-") != 0 && access(operand, F_OK) != 0 &&
	       !like_a_file(operand);
}

void
filter_options_parse(struct filter_options *o, int argc, char *argv[])
{
	*o = (struct filter_options){.closure = true, .by = -1};
	selection_init(&o->select);
	o->operands = opts_parse(&opts, o, argc, argv);
	if (is_expression(o, *o->operands))
		o->expression = *o->operands++;
	opts_need_input(&opts, o->operands);
	o->format = zio_format_for(o->format, o->file);
	settle(o);
}
