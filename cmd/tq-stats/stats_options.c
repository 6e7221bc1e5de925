/* stats_options.c - the command line of tq-stats */

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tq/account/account_units.h"
#include "tq/ask/expr.h"
#include "tq/base/units.h"
#include "tq/io/opts.h"
#include "tq/io/pager.h"
#include "tq/io/status.h"

#include "choose.h"
#include "stats_options.h"

static void
add_reports(struct stats_options *o, const char *list)
{
	choose_reports(&o->reports, o->like, list);
}

static const char *
parse_time_unit(void *ns, const char *name)
{
	return format_time_unit(name, ns) ? NULL : "expected ns, us, ms or s";
}

static void
take_reports(void *options, const char *list)
{
	struct stats_options *o = options;

	o->chosen = true;
	add_reports(o, list);
}

static void
take_group(void *options, const char *list)
{
	struct stats_options *o = options;
	size_t len;
	const char *bad = group_parse(list, &o->settings, &len);

	if (bad != NULL)
		opts_no_key(bad, len);
	o->chosen = true;
	o->group_at = o->reports.count;
}

/* The report of the keys of -g, in the place of -g, unless -r names it. */
static void
add_group(struct stats_options *o)
{
	struct report *all = o->reports.all, group;

	for (size_t i = 0; i < o->reports.count; i++)
		if (all[i].kind->grouped)
			return;
	add_reports(o, "group");
	all = o->reports.all;
	group = all[o->reports.count - 1];
	memmove(&all[o->group_at + 1], &all[o->group_at],
	    (o->reports.count - 1 - o->group_at) * sizeof(*all));
	all[o->group_at] = group;
}

static const char *
parse_compat(void *settings, const char *text)
{
	struct report_settings *s = settings;
	int i = opts_word("2023.4|2024.6", text);

	s->compat = true;
	s->version = 2023 + i;
	return i < 0 ? "expected 2023.4 or 2024.6" : NULL;
}

static const char *
parse_filter_nvtx(void *filter, const char *text)
{
	return nsys_filter_nvtx(filter, text);
}

static void
take_step(void *settings, const char *text)
{
	step_choose(settings, text);
}

static const char *
parse_sort(void *options, const char *text)
{
	struct stats_options *o = options;

	o->columns = strcmp(text, "help") == 0;
	o->order.column = (struct span){0};
	if (o->columns)
		return NULL;
	order_parse(&o->order, text);
	return o->order.column.len > 0 ? NULL : "expected a column";
}

/* refused here, also where no report needs it */
static void
take_per(void *per, const char *text)
{
	const char **to = per, *bad;
	struct account_units units;
	size_t at;

	bad = account_units_parse(&units, text, &at);
	if (bad != NULL) {
		expr_complain_at(span_of(text), at, bad);
		exit(TQ_USAGE);
	}
	account_units_free(&units);
	*to = text;
}

enum { DIGEST_DEFAULT = 4096, DIGEST_LEAST = 256, DIGEST_MOST = 1 << 30 };

/* "--digest 4k" is "--digest=4k", unless that is a file. */
static void
take_digest_operand(struct stats_options *o)
{
	int64_t size;

	if (o->digest != DIGEST_DEFAULT || *o->operands == NULL ||
	    access(*o->operands, F_OK) == 0 ||
	    !units_size(*o->operands, &size) || size < DIGEST_LEAST ||
	    size > DIGEST_MOST)
		return;
	o->digest = size;
	o->operands++;
}

static void
show_reports(void *options, const char *list)
{
	struct stats_options *o = options;

	o->described = o->columns = true;
	if (list != NULL)
		take_reports(o, list);
}

/* "--help-reports NAME" is "--help-reports=NAME" */
static void
describe_reports(struct stats_options *o)
{
	for (; *o->operands != NULL; o->operands++)
		take_reports(o, *o->operands);
	if (o->chosen)
		return;
	choose_list(stdout);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TQ_FAIL, "<stdout>");
	exit(TQ_OK);
}

#define OPT_STRUCT struct stats_options
static const struct opt all[] = {
    {'f', "format", "FORMAT", "of tables (default: table)",
	OPT_WORD(format.format, FORMAT_NAMES)},
    {'g', "group", "KEYS", "sum durations by these keys of the records",
	OPT_CALL(take_group)},
    {OPT_HELP},
    {'n', "top", "N", "show the first N rows of each report",
	OPT_COUNT(order.top, 1, INT64_MAX)},
    {OPT_OUTPUT},
    {OPT_QUIET},
    {'r', "report", "LIST", "these reports, as NAME[:ARGUMENT]",
	OPT_CALL(take_reports)},
    {OPT_VERSION},
    {0, "approx", NULL, "medians and percentiles in bounded memory",
	OPT_SET(settings.approx, true)},
    {0, "by-rank", NULL, "print all reports for each rank",
	OPT_SET(by_rank, true)},
    {0, "color", "WHEN",
	"of the page: always, never, auto (default), which is on\n"
	"a terminal unless NO_COLOR is set",
	OPT_WORD(color, TERMINAL_COLORS)},
    {0, "compat", "VERSION",
	"reproduce nsys's output, errors included:\n"
	"2023.4, 2024.6",
	OPT_PARSE(settings, parse_compat)},
    {0, "digest", "[=SIZE]", "what matters most, in so many bytes (4k)",
	OPT_SIZE(digest, DIGEST_LEAST, DIGEST_MOST), .number = DIGEST_DEFAULT},
    {0, "every", "TIME", "print sums of a growing stream, every TIME",
	OPT_DURATION_TO(every, 10000000, 86400000000000)},
    {0, "filter-nvtx", "RANGE", "only events in RANGE: NAME[@DOMAIN][/INDEX]",
	OPT_PARSE(filter, parse_filter_nvtx)},
    {0, "filter-time", "WINDOW", NULL, OPT_WINDOW(filter.time)},
    {0, "help-reports", "[=LIST]", "list the reports, or the columns of\nthese",
	OPT_CALL(show_reports)},
    {0, "merge", NULL, "merge the files that --partial wrote",
	OPT_SET(merge, true)},
    {0, "needs", NULL, "print what the reports need of tq-extract",
	OPT_SET(needs, true)},
    {0, "no-pager", NULL, "do not run a pager", OPT_SET(no_pager, true)},
    {0, "partial", NULL, "write sums that --merge can read",
	OPT_SET(partial, true)},
    {0, "per", "UNIT",
	"units of account: step, kernel~REGEX[/N],\n"
	"range~REGEX, graph, span, launch",
	OPT_TAKE(settings.per, take_per)},
    {0, "plain-keys", NULL, "csv and tsv name columns as json: total_ns",
	OPT_SET(format.plain_keys, true)},
    {0, "pstats", "FILE", "print the totals of a .prof file of cProfile",
	OPT_TEXT(pstats)},
    {0, "serve-rules", "FILE", "rules of serve (default: serve.rules)",
	OPT_TEXT(settings.serve_rules)},
    {0, "sort", "COLUMN",
	"sort rows by this column: TITLE[:asc|:desc]\n"
	"(help: list the columns)",
	.how = OPT_PARSER, .parse = parse_sort},
    {0, "step", "SPEC",
	"training steps: NAME, K, A..B, median;\nserve:CLASS of a server",
	OPT_TAKE(settings, take_step)},
    {0, "tables", NULL, "write finished tables, which --merge prints",
	OPT_SET(tables, true)},
    {0, "time", "A:B", "only events that overlap A to B; -T: before the end",
	OPT_WINDOW(filter.time)},
    {0, "timeunit", "UNIT", "show times in ns, us, ms, s",
	OPT_PARSE(format.time_unit, parse_time_unit)},
    {0},
};

static const struct opts opts = {
    .tool = "tq-stats",
    .operands = "[FILE ...]",
    .all = all,
    .column = 25,
    .status = TQ_USAGE,
};

static void
check_live(struct stats_options *o)
{
	switch (o->format.format) {
	case FORMAT_TABLE:
		o->form = o->file == NULL && isatty(STDOUT_FILENO) &&
				  !pager_terminal_is_dumb()
			      ? LIVE_SCREEN
			      : LIVE_NDJSON;
		break;
	case FORMAT_NDJSON:
		o->form = LIVE_NDJSON;
		break;
	case FORMAT_OPENMETRICS:
		o->form = LIVE_METRICS;
		break;
	default:
		errx(TQ_USAGE, "--every needs -f ndjson or openmetrics");
	}
	if (o->merge || o->needs || o->partial || o->by_rank ||
	    nsys_filter_given(&o->filter))
		errx(TQ_USAGE,
		    "--every excludes --by-rank, --filter-nvtx, --merge, "
		    "--needs, --partial and --time");
	if (o->chosen)
		errx(TQ_USAGE, "--every has no reports: -r and -g exclude it");
}

/* A profile is of one report, and of a stream. */
static void
check_profile(struct stats_options *o)
{
	if (!o->chosen)
		errx(TQ_USAGE, "-f pprof needs -r functions or folded");
	if (o->merge || o->partial || o->by_rank || o->order.top > 0 ||
	    o->order.column.len > 0)
		errx(TQ_USAGE,
		    "-f pprof excludes --by-rank, --merge, --partial, --sort "
		    "and --top");
	if (o->reports.count > 1)
		errx(TQ_USAGE, "-f pprof has one report, not %zu",
		    o->reports.count);
	choose_profile(&o->reports, o->like);
	o->settings.profile = true;
}

static void
check_options(struct stats_options *o)
{
	bool metrics = o->format.format == FORMAT_OPENMETRICS;

	if (o->digest > 0 &&
	    (o->chosen || o->format.format != FORMAT_TABLE || o->by_rank ||
		o->every > 0 || o->merge || o->partial || o->order.top > 0 ||
		o->order.column.len > 0 || o->settings.compat))
		errx(TQ_USAGE,
		    "--digest is of the page: it excludes -f, -g, -r, "
		    "--by-rank, --compat, --every, --merge, --partial, --sort "
		    "and --top");
	if (metrics && (o->every == 0 || o->file == NULL))
		errx(TQ_USAGE, "-f openmetrics needs --every and -o");
	if (o->every > 0)
		check_live(o);
	if (o->needs && o->merge)
		errx(TQ_USAGE, "--merge reads no stream: it excludes --needs");
	if ((o->merge || o->partial) && o->by_rank)
		errx(TQ_USAGE, "--by-rank excludes --partial and --merge");
	if (o->merge && nsys_filter_given(&o->filter))
		errx(TQ_USAGE, "partials cannot be filtered");
	if (o->partial && (o->order.column.len > 0 || o->order.top > 0))
		errx(TQ_USAGE, "--partial excludes --sort and --top");
	if (o->format.format == FORMAT_PPROF)
		check_profile(o);
	if (o->format.plain_keys && !format_has_keys(&o->format))
		errx(
		    TQ_USAGE, "--plain-keys needs -f csv, tsv, json or ndjson");
	o->filter.compat = o->settings.compat;
	if (!o->filter.by_range)
		o->settings.window = o->filter.time.text;
	/* the survey places times before the end */
	window_place(
	    &o->filter.time, INT64_MAX, &o->filter.from, &o->filter.to);
}

static void
check_pstats(const struct stats_options *o)
{
	if (*o->operands != NULL || o->every > 0 || o->chosen || o->merge ||
	    o->needs || o->partial || o->by_rank ||
	    nsys_filter_given(&o->filter))
		errx(TQ_USAGE,
		    "--pstats reads its file only: it excludes operands, -g, "
		    "-r, --by-rank, --every, --filter-nvtx, --merge, "
		    "--needs, --partial and --time");
}

void
stats_options_parse(
    struct stats_options *o, const struct report *like, int argc, char *argv[])
{
	o->like = like;
	o->settings.version = 2024;
	o->format.time_unit = 1;
	o->operands = opts_parse(&opts, o, argc, argv);
	o->partial |= o->tables;
	if (o->settings.group != NULL)
		add_group(o);
	take_digest_operand(o);
	if (o->described)
		describe_reports(o);
	if (o->format.format == FORMAT_TABLE)
		o->format.format =
		    (enum format)opts_word_of_file(FORMAT_TABLES, o->file);
	if (!o->columns && !o->needs && o->pstats == NULL)
		opts_need_input(&opts, o->operands);
	check_options(o);
	if (o->pstats != NULL)
		check_pstats(o);
}
