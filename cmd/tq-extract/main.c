/*
 * tq-extract - turn an Nsight Systems export, or a stream that was captured
 * live, into a stream of events in order of their time
 */

#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include "evidence_report.h"
#include "schema_print.h"
#include "source.h"
#include "tq/ask/window.h"
#include "tq/io/emit.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"

struct extract_options {
	const char *file;
	enum zio_format format;
	struct source_settings source;
	const char *source_name;
	bool sources, schema, count, no_args;
	enum schema_print_form schema_form;
	struct check_sheet sheet;
};

/* ---- a section ---- */

static void
write_end(struct output *o, int64_t dropped)
{
	int64_t events = o->lines;

	emit_open(o, KIND_end);
	emit_int(o, KEY_events, events);
	emit_int(o, KEY_dropped, dropped);
	emit_close(o);
	o->lines = events;
}

/* the section of a recording; returns the exit status */
static int
write_section(const struct source *source, const struct source_input *in,
    struct check_sheet *sheet)
{
	bool check = in->settings->check;
	void *recording = source->open(in);
	struct source_result end;

	if (in->counts != NULL) {
		int status = source->count(recording, in->counts);

		source->close(recording);
		return status;
	}
	source->definitions(recording);
	end = source->records(recording);
	if (!end.cut)
		write_end(in->frames, end.lost);
	if (check) {
		source->check(recording, sheet);
		check_sheet_end(sheet, in->frames->lines, end.lost);
	} else if (end.lost > 0 && !end.told) {
		warnx("warning: %s: %" PRId64 " rows dropped; --check lists "
		      "them",
		    in->from->name, end.lost);
	}
	source->close(recording);
	return end.cut || (check && end.lost > 0) ? TQ_FAIL : end.status;
}

/*
 * Write all of one operand.  Returns TQ_FAIL for one that is cut short, and
 * with --check for one with lost rows.
 */
static int
extract(const char *arg, struct extract_options *s, struct source_input in)
{
	struct operand from;
	struct database db;
	const struct source *source;
	int status;

	in.from = &from;
	operand_open(&from, arg);
	source = source_find(&in, &db, s->source_name);
	if (in.counts != NULL && source->pass == NULL && source->count == NULL)
		errx(TQ_FAIL,
		    "%s: --kinds cannot count the events of a source %s",
		    from.name, source->name);
	status = source->pass != NULL ? source->pass(&in)
				      : write_section(source, &in, &s->sheet);
	if (in.db != NULL)
		database_close(in.db);
	operand_close(&from);
	return status;
}

/* ---- the command line ---- */

static const char *
parse_window(void *window, const char *text)
{
	struct time_window *to = window;
	struct window w;
	const char *bad = window_parse(&w, text);

	if (bad != NULL)
		return bad;
	if (window_needs_end(&w))
		return "a time before the end is for --time of tq-filter";
	window_place(&w, 0, &to->from, &to->to);
	return NULL;
}

static void
take_kinds(void *kinds, const char *list)
{
	uint64_t *bits = kinds;

	if (strcmp(list, "help") == 0)
		puts("kinds (tq-extract --kinds FILE counts those in FILE):");
	*bits = 0;
	opts_kinds(list, bits);
}

static void
take_keys(void *keys, const char *list)
{
	key_choice_take(keys, list);
}

static const char *
parse_source(void *name, const char *text)
{
	const char **to = name;

	*to = text;
	return source_exists(text) ? NULL
				   : "expected a source of --list-sources";
}

static void
take_schema(void *settings, const char *form)
{
	struct extract_options *s = settings;
	int n = form != NULL ? opts_word(SCHEMA_PRINT_NAMES, form) : 0;

	if (n < 0)
		opts_refuse_word(
		    TQ_USAGE, "schema", span_of(form), SCHEMA_PRINT_NAMES);
	s->schema = true;
	s->schema_form = (enum schema_print_form)n;
}

#define OPT_STRUCT struct extract_options
static const struct opt options[] = {
    {'f', "check-format", "FORMAT", "of --check: table (default), json",
	OPT_WORD(sheet.form, CHECK_FORMS)},
    {OPT_HELP},
    {'k', "kind", "KINDS", "only events of these kinds, separated by commas",
	OPT_TAKE(source.kinds, take_kinds)},
    {OPT_OUTPUT},
    {OPT_QUIET},
    {OPT_VERSION},
    {OPT_ZSTD},
    {0, "check", NULL, "print how many rows became records, by table",
	OPT_SET(source.check, true)},
    {0, "format", "NAME", "the source is NAME, whatever the content looks like",
	OPT_PARSE(source_name, parse_source)},
    {0, "from", "TIME", NULL, OPT_TIME(source.window.from)},
    {0, "keys", "KEYS", "write only these keys of events",
	OPT_TAKE(source.keys, take_keys)},
    {0, "kinds", NULL, "print how many events of each kind there are",
	OPT_SET(count, true)},
    {0, "launches", NULL, "only API calls that launched something",
	OPT_SET(source.keys.launches, true)},
    {0, "list-sources", NULL, "print the sources that are known",
	OPT_SET(sources, true)},
    {0, "live", NULL, "sort a growing stream; waits up to its \"slack\"",
	OPT_SET(source.live, true)},
    {0, "no-args", NULL, "write events without the key args",
	OPT_SET(no_args, true)},
    {0, "only", NULL, "write events alone: no definitions, no trace, no end",
	OPT_SET(source.only, true)},
    {0, "raw-metrics", NULL,
	"GPU metrics of a report, with the numbers of the file",
	OPT_SET(source.raw_metrics, true)},
    {0, "reader", "HOW", "how to read large tables: direct or sqlite",
	OPT_WORD(source.sqlite, "direct|sqlite")},
    {0, "salvage", NULL, "read a cut or damaged report, as far as it goes",
	OPT_SET(source.salvage, true)},
    {0, "schema", "[=FORM]",
	"print kinds and keys as ndjson (default),\n"
	"columns for duckdb, clickhouse, or a view for sqlite",
	OPT_CALL(take_schema)},
    {0, "time", "A:B", "only events that overlap A to B (1.5s:2s)",
	OPT_PARSE(source.window, parse_window)},
    {0, "to", "TIME", NULL, OPT_TIME(source.window.to)},
    {0, "via-nsys", NULL, "have nsys export a report, and read that",
	OPT_SET(source.via_nsys, true)},
    {0},
};

static const struct opts opts = {
    .tool = "tq-extract",
    .operands = "[FILE ...]",
    .all = options,
    .column = 21,
    .status = TQ_USAGE,
};

/* as samtools idxstats prints them */
static void
print_counts(struct output *o, const int64_t counts[KIND_COUNT])
{
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (counts[k] > 0)
			text_printf(&o->buf, "%s\t%" PRId64 "\n",
			    schema_kinds[k].name, counts[k]);
}

/* returns the exit status */
static int
extract_all(char **operands, struct extract_options *s, struct output *o)
{
	int64_t counts[KIND_COUNT] = {0};
	struct output nowhere;
	struct source_input in = {.settings = &s->source,
	    .out = o,
	    .frames = o,
	    .counts = s->count ? counts : NULL};
	int status = TQ_OK;

	if (s->source.only) {
		output_open(&nowhere, "/dev/null", ZIO_PLAIN);
		in.frames = &nowhere;
	}
	for (; *operands != NULL; operands++)
		status |= extract(*operands, s, in);
	if (s->source.only)
		output_finish(&nowhere, true);
	if (s->count)
		print_counts(o, counts);
	return status;
}

static void
check_options(struct extract_options *s)
{
	if (s->sheet.form != CHECK_LINES && !s->source.check)
		errx(TQ_USAGE,
		    "-f is of --check: a stream is lines of JSON anyway");
	if (s->source.window.from >= s->source.window.to)
		errx(TQ_USAGE, "--from is not before --to");
	if (s->source.check && s->count)
		errx(TQ_USAGE, "--kinds excludes --check");
	if (s->no_args)
		key_choice_drop(&s->source.keys, KEY_args);
	if (s->source.check) /* which counts all records */
		s->source.only = false;
}

static void
begin_sheet(struct extract_options *s, char *const *operands, bool examines)
{
	const struct time_window *w = &s->source.window;
	bool asked = w->from != INT64_MIN || w->to != INT64_MAX;

	check_sheet_begin(&s->sheet,
	    &(struct json_head){.operands = operands,
		.window = asked ? "asked" : NULL,
		.from = w->from,
		.to = w->to},
	    examines);
}

int
main(int argc, char *argv[])
{
	struct extract_options s = {
	    .source = {.kinds = UINT64_MAX, .window = {INT64_MIN, INT64_MAX}}};
	static char dash[] = "-", *stdin_only[] = {dash, NULL};
	char **operands = opts_parse(&opts, &s, argc, argv);
	struct output out;
	struct evidence_report report;
	int status = TQ_OK;
	bool check, examines;

	check_options(&s);
	if (!s.schema && !s.sources)
		opts_need_input(&opts, operands);
	check = s.source.check && !s.schema && !s.sources;
	s.format = zio_format_for(s.format, s.file);

	/* of some kinds, keys or times nothing can be found out */
	examines = check && s.source.kinds == UINT64_MAX &&
		   !s.source.keys.given && s.source.window.from == INT64_MIN &&
		   s.source.window.to == INT64_MAX;
	if (check)
		begin_sheet(&s, operands, examines);
	if (examines)
		evidence_report_open(&report, &s.sheet, &out);
	else
		output_open(&out, check ? "/dev/null" : s.file, s.format);
	if (*operands == NULL)
		operands = stdin_only;
	if (s.schema)
		schema_print(&out.buf, s.schema_form);
	else if (s.sources)
		source_list(&out.buf);
	else
		status = extract_all(operands, &s, &out);
	if (check) /* before the report of the other process */
		check_sheet_operands(&s.sheet);
	output_finish(&out, status == TQ_OK);
	if (examines && evidence_report_close(&report) != TQ_OK)
		status = TQ_FAIL;
	if (check)
		check_sheet_finish(&s.sheet);
	return status;
}
