/* tq-perfetto - draw a stream as a trace in Perfetto's own format */

#include "tq/draw/program.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"

#include "perfetto_trace.h"

struct perfetto_options {
	const char *file;
	enum zio_format format;
	bool render_stages, ranks, profile;
	unsigned layout;
	struct colors *colors;
	const char *made_of;
};

#define OPT_STRUCT struct perfetto_options
static const struct opt options[] = {
    {OPT_HELP},
    {OPT_OUTPUT},
    {OPT_QUIET},
    {OPT_VERSION},
    {OPT_ZSTD},
    {0, "color-map", "FILE", "colour slices: lines of a regex and a colour",
	OPT_TAKE(colors, colors_take)},
    {0, "cpu-profile", NULL, "write samples as Perfetto's own profile, too",
	OPT_SET(profile, true)},
    {0, "gpu-model", "MODEL",
	"draw operations as slices: tracks (default), or\n"
	"in Perfetto's model of a GPU: render-stages",
	OPT_WORD(render_stages, "tracks|render-stages")},
    {0, "gzip", NULL, "compress with gzip", OPT_SET(format, ZIO_GZIP)},
    {0, "made-of", "TEXT", NULL, OPT_TEXT(made_of)}, /* for tq view */
    {0, "no-flows", NULL, "draw no arrows", OPT_SET(layout, LAYOUT_APART)},
    {0, "rank-flows", NULL, "draw arrows between ranks, and who waits for whom",
	OPT_SET(ranks, true)},
    {0},
};

static const struct opts opts = {
    .tool = "tq-perfetto",
    .operands = "[FILE ...]",
    .all = options,
    .column = 25,
    .status = TQ_USAGE,
};

int
main(int argc, char *argv[])
{
	static struct program d = {.sink = &perfetto_trace_sink};
	static struct perfetto_trace trace;
	struct perfetto_options o = {
	    .layout = LAYOUT_FLOWS | LAYOUT_APART | LAYOUT_WAITS};
	char **operands = opts_parse(&opts, &o, argc, argv);
	int status;

	opts_need_input(&opts, operands);
	program_suffix(o.file, ".json", "tq-chrome");
	o.format = zio_format_for(o.format, o.file);

	trace.colors = o.colors;
	trace.with_stages = o.render_stages;
	trace.with_profile = o.profile;
	trace.made_of = o.made_of;
	output_open(&d.out, o.file, o.format);
	output_refuse_terminal(&d.out);
	d.arg = &trace;
	d.with_ranks = o.ranks;
	if (o.render_stages)
		o.layout &= ~(unsigned)LAYOUT_WAITS;
	d.layout = layout_new(d.sink, d.arg, o.layout);
	perfetto_trace_init(&trace, &d.out, layout_names(d.layout));

	program_run(&d, operands);
	status = program_finish(&d);
	perfetto_trace_free(&trace);
	return status;
}
