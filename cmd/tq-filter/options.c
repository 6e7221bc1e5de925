/* options.c - what the command line asks for */

#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

#include "tq/base/mem.h"
#include "tq/io/status.h"
#include "tq/base/units.h"

#include "options.h"

static const char help[] =
    "usage: tq-filter [-hqvVz] [-e expression] [-k kinds] [-o file]\n"
    "                 [--time A:B] [--range spec] [--step spec]\n"
    "                 [--between-profiler-calls] [--by launch|time]\n"
    "                 [--scope thread|process] [--device list] [--pid list]\n"
    "                 [--rank list] [--stream list] [--tid list]\n"
    "                 [--min-dur duration] [--depth n] [--top n]\n"
    "                 [--no-closure] [--clip] [--set key=expression]\n"
    "                 [--tag file] [--merge-short duration]\n"
    "                 [--redact] [--key text] [expression] [file ...]\n"
    "\n"
    "  -e, --expression EXPR   pass on what this is true of\n"
    "  -h, --help              show this help\n"
    "  -k, --kinds LIST        pass on these kinds only\n"
    "  -o, --output FILE       write to FILE, which appears when it is "
    "complete\n"
    "  -q, --quiet             write nothing; exit 1 if nothing matched\n"
    "  -v, --invert            pass on what does not match\n"
    "  -V, --version           show the version\n"
    "  -z, --zstd              compress with zstd\n"
    "      --between-profiler-calls  launched between cudaProfilerStart "
    "and Stop\n"
    "      --by HOW            operations by their launch (default) or time\n"
    "      --clip              shorten ranges that reach beyond the rest\n"
    "      --depth N           ranges in at most N others\n"
    "      --device LIST       of these devices\n"
    "      --key TEXT          key of the pseudonyms of --redact\n"
    "      --merge-short DUR   make one record of runs of shorter kernels\n"
    "      --min-dur DUR       that last DUR at least\n"
    "      --no-closure        what was chosen, and nothing besides\n"
    "      --pid LIST          of these processes\n"
    "      --range SPEC        launched in ranges NAME[@DOMAIN][/INDEX]\n"
    "      --rank LIST         of these ranks\n"
    "      --redact            make names and texts pseudonyms\n"
    "      --scope SCOPE       whose launches a range has: thread (default),\n"
    "                          process\n"
    "      --set SETTING       set KEY=EXPR in what is passed on\n"
    "      --step SPEC         launched in steps: K, A..B, median, NAME/...\n"
    "      --stream LIST       of these streams\n"
    "      --tag FILE          give kernels a category by the rules of FILE,\n"
    "                          or by those that are built in: default\n"
    "      --tid LIST          of these threads\n"
    "      --time WINDOW       launched from A to B, as A:B; -T: before the "
    "end\n"
    "      --top N             the N longest of each kind\n";

enum {
	OPT_BETWEEN = 256,
	OPT_BY,
	OPT_CLIP,
	OPT_DEPTH,
	OPT_DEVICE,
	OPT_KEY,
	OPT_MERGE_SHORT,
	OPT_MIN_DUR,
	OPT_NO_CLOSURE,
	OPT_PID,
	OPT_RANGE,
	OPT_RANK,
	OPT_REDACT,
	OPT_SCOPE,
	OPT_SET,
	OPT_STEP,
	OPT_STREAM,
	OPT_TAG,
	OPT_TID,
	OPT_TIME,
	OPT_TOP
};

static const struct option options[] = {
    {"between-profiler-calls", no_argument, NULL, OPT_BETWEEN},
    {"by", required_argument, NULL, OPT_BY},
    {"clip", no_argument, NULL, OPT_CLIP},
    {"depth", required_argument, NULL, OPT_DEPTH},
    {"device", required_argument, NULL, OPT_DEVICE},
    {"expression", required_argument, NULL, 'e'},
    {"help", no_argument, NULL, 'h'},
    {"invert", no_argument, NULL, 'v'},
    {"key", required_argument, NULL, OPT_KEY},
    {"kinds", required_argument, NULL, 'k'},
    {"merge-short", required_argument, NULL, OPT_MERGE_SHORT},
    {"min-dur", required_argument, NULL, OPT_MIN_DUR},
    {"no-closure", no_argument, NULL, OPT_NO_CLOSURE},
    {"output", required_argument, NULL, 'o'},
    {"pid", required_argument, NULL, OPT_PID},
    {"quiet", no_argument, NULL, 'q'},
    {"range", required_argument, NULL, OPT_RANGE},
    {"rank", required_argument, NULL, OPT_RANK},
    {"redact", no_argument, NULL, OPT_REDACT},
    {"scope", required_argument, NULL, OPT_SCOPE},
    {"set", required_argument, NULL, OPT_SET},
    {"step", required_argument, NULL, OPT_STEP},
    {"stream", required_argument, NULL, OPT_STREAM},
    {"tag", required_argument, NULL, OPT_TAG},
    {"tid", required_argument, NULL, OPT_TID},
    {"time", required_argument, NULL, OPT_TIME},
    {"top", required_argument, NULL, OPT_TOP},
    {"version", no_argument, NULL, 'V'},
    {"zstd", no_argument, NULL, 'z'},
    {0},
};

/* ---- arguments ---- */

static struct expr *
expression(const char *text)
{
	struct expr_error error;
	struct expr *e = expr_condition(span_of(text), &error);

	if (e == NULL) {
		expr_complain(span_of(text), &error);
		exit(TQ_USAGE);
	}
	return e;
}

static int64_t
duration(const char *text)
{
	int64_t ns;

	if (!units_time(text, &ns) || ns < 0)
		errx(TQ_USAGE, "expected a duration like 10us, not '%s'", text);
	return ns;
}

static int64_t
number(const char **text)
{
	char *end;
	int64_t v;

	errno = 0;
	v = strtoll(*text, &end, 10);
	if (**text < '0' || **text > '9' || errno != 0)
		return -1;
	*text = end;
	return v;
}

static int64_t
whole_number(const char *text)
{
	const char *p = text;
	int64_t v = number(&p);

	if (v < 0 || *p != '\0')
		errx(TQ_USAGE, "expected a number, not '%s'", text);
	return v;
}

static void
list(struct choice *c, const char *text)
{
	const char *p = text;

	do {
		int64_t v;

		p += p != text; /* the comma */
		if ((v = number(&p)) < 0 || (*p != ',' && *p != '\0'))
			errx(TQ_USAGE, "expected numbers like 0,2,5, not '%s'",
			    text);
		c->ids = mem_resize(c->ids, c->count + 1, sizeof(*c->ids));
		c->ids[c->count++] = v;
	} while (*p == ',');
}

static void
kinds(struct selection *s, const char *text)
{
	const char *bad;
	size_t len;

	if (!schema_choose(text, &s->kinds, &bad, &len))
		errx(TQ_USAGE, "no kind of record is named '%.*s'", (int)len,
		    bad);
}

static void
range(struct range_spec **specs, size_t *count, const char *text,
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
window(struct where *w, const char *text)
{
	const char *bad;

	if (w->has_time)
		errx(TQ_USAGE, "there is one --time only");
	bad = window_parse(&w->time, text);
	if (bad != NULL)
		errx(TQ_USAGE, "--time %s: %s", text, bad);
	w->has_time = true;
}

/* is it the second of two words? */
static bool
second_of(const char *text, const char *first, const char *second)
{
	if (strcmp(text, first) != 0 && strcmp(text, second) != 0)
		errx(TQ_USAGE, "expected %s or %s, not '%s'", first, second,
		    text);
	return strcmp(text, second) == 0;
}

/* ---- all of them ---- */

/* what only counts together with others */
struct raw {
	const char *expression, *key;
	bool by, by_time, redact;
};

static void
selection(struct options *o, int option)
{
	struct selection *s = &o->select;
	struct where *w = &o->where;

	switch (option) {
	case 'k':
		kinds(s, optarg);
		break;
	case OPT_BETWEEN:
		w->profiler = true;
		break;
	case OPT_DEPTH:
		s->depth = whole_number(optarg);
		break;
	case OPT_DEVICE:
		list(&s->choices[0], optarg);
		break;
	case OPT_STREAM:
		list(&s->choices[1], optarg);
		break;
	case OPT_PID:
		list(&s->choices[2], optarg);
		break;
	case OPT_TID:
		list(&s->choices[3], optarg);
		break;
	case OPT_RANK:
		list(&s->ranks, optarg);
		break;
	case OPT_MIN_DUR:
		s->min_dur = duration(optarg);
		break;
	case OPT_RANGE:
		range(&w->ranges, &w->range_count, optarg, range_spec_parse);
		break;
	case OPT_STEP:
		range(&w->steps, &w->step_count, optarg, range_spec_parse_step);
		break;
	case OPT_TIME:
		window(w, optarg);
		break;
	case OPT_TOP:
		if ((o->top = (size_t)whole_number(optarg)) == 0)
			errx(TQ_USAGE, "expected a number above 0");
		break;
	}
}

static void
change(struct options *o, struct raw *raw, int option)
{
	struct change *c = &o->change;

	switch (option) {
	case OPT_MERGE_SHORT:
		if ((c->merge_short = duration(optarg)) == 0)
			errx(TQ_USAGE, "expected a duration above 0");
		break;
	case OPT_REDACT:
		raw->redact = true;
		break;
	case OPT_SET:
		set_add(&c->set, optarg);
		break;
	case OPT_TAG:
		tag_free(c->tag);
		c->tag = tag_open(optarg);
		break;
	}
}

/* combinations that make no sense, and what follows from others */
static void
settle(struct options *o, const struct raw *raw)
{
	const struct where *w = &o->where;

	o->closure &= !o->invert;
	if (raw->expression != NULL)
		o->select.expr = expression(raw->expression);
	if (raw->key != NULL && !raw->redact)
		errx(TQ_USAGE, "--key is the key of --redact");
	if (o->change.clip && !o->closure)
		errx(TQ_USAGE, "--clip needs the ranges of the closure");
	if (raw->redact) {
		if (raw->key == NULL)
			warnx("warning: without --key, who guesses a name "
			      "can tell that it is right");
		o->change.redact =
		    redact_open(raw->key != NULL ? raw->key : "");
	}
	/* a plain filter looks at nothing but the record */
	o->where.by_time = raw->by ? raw->by_time
				   : !o->closure && w->range_count == 0 &&
					 w->step_count == 0 && !w->profiler;
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
is_expression(const struct raw *raw, const char *operand)
{
	return operand != NULL && raw->expression == NULL &&
	       strcmp(operand, "-") != 0 && access(operand, F_OK) != 0 &&
	       !like_a_file(operand);
}

void
options_parse(struct options *o, int argc, char *argv[])
{
	struct raw raw = {0};
	int c;

	*o = (struct options){.closure = true};
	selection_init(&o->select);
	while (
	    (c = getopt_long(argc, argv, "e:hk:o:qvVz", options, NULL)) != -1)
		switch (c) {
		case 'e':
			if (raw.expression != NULL)
				errx(TQ_USAGE, "there is one expression only: "
					       "join them with && or ||");
			raw.expression = optarg;
			break;
		case 'h':
			status_help(help);
		case 'o':
			o->output = optarg;
			break;
		case 'q':
			o->quiet = true;
			break;
		case 'v':
			o->invert = true;
			break;
		case 'V':
			status_version("tq-filter");
		case 'z':
			o->zstd = true;
			break;
		case OPT_BY:
			raw.by = true;
			raw.by_time = second_of(optarg, "launch", "time");
			break;
		case OPT_CLIP:
			o->change.clip = true;
			break;
		case OPT_KEY:
			raw.key = optarg;
			break;
		case OPT_NO_CLOSURE:
			o->closure = false;
			break;
		case OPT_SCOPE:
			o->where.per_process =
			    second_of(optarg, "thread", "process");
			break;
		case OPT_MERGE_SHORT:
		case OPT_REDACT:
		case OPT_SET:
		case OPT_TAG:
			change(o, &raw, c);
			break;
		case '?':
			status_usage(help);
		default:
			selection(o, c);
		}
	o->operands = argv + optind;
	if (is_expression(&raw, *o->operands))
		raw.expression = *o->operands++;
	settle(o, &raw);
}
