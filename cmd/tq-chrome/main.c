/*
 * tq-chrome - draw a stream as Chrome trace JSON, for chrome://tracing,
 * Perfetto, and what else reads that
 */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tq/draw/program.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"

#include "chrome_trace.h"

struct chrome_options {
	const char *file;
	enum zio_format format;
	bool ranks;
	unsigned layout;
	struct colors *colors;
	const char *made_of;
};

#define OPT_STRUCT struct chrome_options
static const struct opt options[] = {
    {OPT_HELP},
    {OPT_OUTPUT},
    {OPT_QUIET},
    {OPT_VERSION},
    {OPT_ZSTD},
    {0, "color-map", "FILE", "colour slices: lines of a regex and a colour",
	OPT_TAKE(colors, colors_take)},
    {0, "gzip", NULL, "compress with gzip", OPT_SET(format, ZIO_GZIP)},
    {0, "made-of", "TEXT", NULL, OPT_TEXT(made_of)}, /* for tq view */
    {0, "no-flows", NULL, "draw no arrows",
	OPT_SET(layout, LAYOUT_CALLS_INSIDE)},
    {0, "rank-flows", NULL, "draw arrows between ranks, and who waits for whom",
	OPT_SET(ranks, true)},
    {0},
};

static const struct opts opts = {
    .tool = "tq-chrome",
    .operands = "[FILE ...]",
    .all = options,
    .column = 24,
    .status = TQ_USAGE,
};

/* bytes of JSON that chrome://tracing does not open any more */
static const int64_t too_large = 500000000;

int
main(int argc, char *argv[])
{
	static struct program d = {.sink = &chrome_trace_sink};
	static struct chrome_trace trace;
	struct chrome_options o = {
	    .layout = LAYOUT_FLOWS | LAYOUT_WAITS | LAYOUT_CALLS_INSIDE};
	char **operands;
	int status;

	o.colors = trace.colors = colors_new();
	operands = opts_parse(&opts, &o, argc, argv);
	opts_need_input(&opts, operands);
	program_suffix(o.file, ".pftrace", "tq-perfetto");
	o.format = zio_format_for(o.format, o.file);

	output_open(&d.out, o.file, o.format);
	d.arg = &trace;
	d.with_ranks = o.ranks;
	d.layout = layout_new(d.sink, d.arg, o.layout);
	trace.out = &d.out;
	trace.layout = d.layout;
	trace.made_of = o.made_of;

	program_run(&d, operands);
	output_write(&d.out);
	if (o.format != ZIO_GZIP && d.out.bytes > too_large)
		warnx("warning: %" PRId64 " MB are too much for "
		      "chrome://tracing: write gzip, or draw less",
		    d.out.bytes / 1000000);
	status = program_finish(&d);
	chrome_trace_free(&trace);
	colors_free(trace.colors);
	return status;
}
