/*
 * tq-extract - turn an Nsight Systems export, or a stream that was captured
 * live, into a stream of events in order of their time
 */

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "check_report.h"
#include "nsys/definitions.h"
#include "nsys/event_index.h"
#include "row_merge.h"
#include "schema_print.h"
#include "sort_stream.h"
#include "tq/base/mem.h"
#include "tq/base/units.h"
#include "tq/io/emit.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"

struct extract_options {
	const char *file;
	enum zio_format format;
	uint64_t kinds;
	struct time_window window;
	bool check, live, sqlite, schema;
	enum schema_print_form schema_form;
};

/* ---- progress ---- */

struct progress {
	const char *name;
	time_t start;
	int64_t total, done;
	bool wanted, shown;
};

static void
progress_begin(struct progress *p, const char *name, int64_t total)
{
	*p = (struct progress){.name = name,
	    .start = time(NULL),
	    .total = total,
	    .wanted = isatty(STDERR_FILENO)};
}

static void
progress_step(struct progress *p)
{
	if ((++p->done & 0x3fff) != 0 || !p->wanted ||
	    time(NULL) - p->start < 2)
		return;
	fprintf(stderr, "\rtq-extract: %s: %d%%", p->name,
	    (int)(p->done * 100 / (p->total > 0 ? p->total : 1)));
	p->shown = true;
}

static void
progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
}

/* ---- a section ---- */

/* a record for each table and reason of a loss */
static int64_t
write_lost(struct output *o, const struct event_table *tables, size_t count,
    int64_t ts)
{
	for (size_t i = 0; i < count; i++)
		for (int k = ROW_LOST; k < ROW_IS_COUNT; k++) {
			if (tables[i].rows[k] == 0)
				continue;
			emit_open(o, KIND_lost);
			emit_int(o, KEY_ts, ts);
			emit_str(o, KEY_reason,
			    span_of(check_report_reason((enum row_is)k)));
			emit_str(o, KEY_what, span_of(tables[i].name));
			emit_int(o, KEY_count, tables[i].rows[k]);
			emit_close(o);
		}
	return check_report_lost(tables, count);
}

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

/* write all of an export; false if rows were lost */
static bool
extract_export(const struct operand *from, const struct extract_options *s,
    struct output *o)
{
	struct nsys *x = mem_alloc(sizeof(*x));
	struct progress progress;
	struct row_writer writer;
	struct event_table *tables;
	struct row_merge merge;
	struct merge_cursor *c;
	int64_t total = 0, last = 0, lost;
	size_t count;

	nsys_open(x, from, !s->sqlite, o);
	row_writer_init(&writer, x);
	tables = event_table_find_all(x, s->kinds, &count);
	event_index_build(x, tables, count, &s->window);
	for (size_t i = 0; i < count; i++)
		total += event_table_rows(&tables[i]);
	definitions_write(&writer);

	progress_begin(&progress, x->db.name, total);
	row_merge_open(&merge, x, tables, count, &s->window);
	while ((c = row_merge_next(&merge)) != NULL) {
		row_writer_row(&writer, &c->table->record, &c->rows);
		last = c->rows.row.bytes->ts;
		progress_step(&progress);
	}
	row_merge_close(&merge);
	progress_end(&progress);

	database_check_unchanged(&x->db);
	lost = write_lost(o, tables, count, last);
	write_end(o, lost);
	if (s->check)
		check_report_print(&writer, tables, count, s->kinds);
	else if (lost > 0)
		warnx("warning: %s: %" PRId64 " rows dropped; --check lists "
		      "them",
		    x->db.name, lost);
	event_table_free_all(tables, count);
	nsys_close(x);
	free(x);
	return lost == 0;
}

/*
 * Write all of one operand.  Returns TQ_FAIL for a stream that is cut short,
 * and with --check for an export with lost rows.
 */
static int
extract(const char *arg, const struct extract_options *s, struct output *o)
{
	const struct sort_stream_settings sort = {s->kinds, s->window, s->live};
	struct operand from;
	int status = TQ_OK;

	operand_open(&from, arg);
	if (!operand_is_stream(&from)) {
		if (!extract_export(&from, s, o) && s->check)
			status = TQ_FAIL;
	} else if (s->check)
		errx(TQ_FAIL, "%s: is a stream, and --check is for exports",
		    from.name);
	else
		status = sort_stream_run(&from, &sort, o);
	operand_close(&from);
	return status;
}

/* ---- the command line ---- */

static void
take_time(void *ns, const char *text)
{
	if (!units_time(text, ns))
		errx(TQ_USAGE, "expected a time like 1.5s, not '%s'", text);
}

static void
take_kinds(void *kinds, const char *list)
{
	uint64_t *bits = kinds;

	*bits = 0;
	opts_kinds(list, bits);
}

static void
take_schema(void *settings, const char *form)
{
	struct extract_options *s = settings;
	int n = form != NULL ? opts_word(SCHEMA_PRINT_NAMES, form) : 0;

	if (n < 0)
		errx(TQ_USAGE, "--schema: unknown form '%s' (%s)", form,
		    opts_list(SCHEMA_PRINT_NAMES));
	s->schema = true;
	s->schema_form = (enum schema_print_form)n;
}

#define OPT_STRUCT struct extract_options
static const struct opt options[] = {
    {OPT_HELP},
    {'k', "kinds", "KINDS", "only events of these kinds, separated by commas",
	OPT_TAKE(kinds, take_kinds)},
    {OPT_OUTPUT},
    {OPT_VERSION},
    {OPT_ZSTD},
    {0, "check", NULL, "print how many rows became records, by table",
	OPT_SET(check, true)},
    {0, "from", "TIME", "only events that end after TIME (1.5s, 20ms)",
	OPT_TAKE(window.from, take_time)},
    {0, "live", NULL, "sort a stream while it grows, by its slack",
	OPT_SET(live, true)},
    {0, "reader", "HOW", "how to read large tables: direct or sqlite",
	OPT_WORD(sqlite, "direct|sqlite")},
    {0, "schema", "[=FORM]",
	"print kinds and keys as ndjson (default),\n"
	"columns for duckdb, clickhouse, or a view for sqlite",
	OPT_CALL(take_schema)},
    {0, "to", "TIME", "only events that start before TIME",
	OPT_TAKE(window.to, take_time)},
    {0},
};

static const struct opts opts = {
    "usage: tq-extract [-hVz] [-k kinds] [-o file] [--from time] "
    "[--to time]\n"
    "                  [--check] [--live] [--reader which]\n"
    "                  [--schema[=form]] [file ...]",
    options,
    .column = 21,
    .status = TQ_USAGE,
};

int
main(int argc, char *argv[])
{
	struct extract_options s = {
	    .kinds = UINT64_MAX, .window = {INT64_MIN, INT64_MAX}};
	static char dash[] = "-", *stdin_only[] = {dash, NULL};
	char **operands = opts_parse(&opts, &s, argc, argv);
	struct output out;
	int status = TQ_OK;

	if (s.window.from >= s.window.to)
		errx(TQ_USAGE, "--from is not before --to");
	if (!s.schema)
		opts_need_input(&opts, operands);
	s.format = zio_format_for(s.format, s.file);

	output_open(
	    &out, s.check && !s.schema ? "/dev/null" : s.file, s.format);
	if (*operands == NULL)
		operands = stdin_only;
	if (s.schema)
		schema_print(&out.buf, s.schema_form);
	else
		for (; *operands != NULL; operands++)
			status |= extract(*operands, &s, &out);
	output_finish(&out, status == TQ_OK);
	if (s.check && (fflush(stdout) != 0 || ferror(stdout)))
		err(TQ_FAIL, "<stdout>");
	return status;
}
