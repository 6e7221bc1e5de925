/* tq-perfetto - draw a stream as a trace in Perfetto's own format */

#include <err.h>
#include <getopt.h>
#include <unistd.h>

#include "tq/draw/program.h"
#include "tq/io/status.h"

#include "perfetto_trace.h"

static const char help[] =
    "usage: tq-perfetto [-hqVz] [-o file] [--color-map file]\n"
    "                   [--gpu-model tracks|render-stages] [--gzip]\n"
    "                   [--no-flows] [file ...]\n"
    "\n"
    "  -h, --help             show this help\n"
    "  -o, --output FILE      write to FILE, which appears when it is "
    "complete\n"
    "  -q, --quiet            do not tell what was drawn\n"
    "  -V, --version          show the version\n"
    "  -z, --zstd             compress with zstd\n"
    "      --color-map FILE   colour slices: lines of a regex and a colour\n"
    "      --gpu-model MODEL  draw operations as slices: tracks (default), "
    "or\n"
    "                         in Perfetto's model of a GPU: render-stages\n"
    "      --gzip             compress with gzip\n"
    "      --no-flows         draw no arrows from calls to operations\n";

enum { OPT_COLOR_MAP = 256, OPT_GPU_MODEL, OPT_GZIP, OPT_NO_FLOWS };

static const struct option options[] = {
    {"color-map", required_argument, NULL, OPT_COLOR_MAP},
    {"gpu-model", required_argument, NULL, OPT_GPU_MODEL},
    {"gzip", no_argument, NULL, OPT_GZIP},
    {"help", no_argument, NULL, 'h'},
    {"no-flows", no_argument, NULL, OPT_NO_FLOWS},
    {"output", required_argument, NULL, 'o'},
    {"quiet", no_argument, NULL, 'q'},
    {"version", no_argument, NULL, 'V'},
    {"zstd", no_argument, NULL, 'z'},
    {0},
};

static bool
is_render_stages(const char *model)
{
	if (strcmp(model, "render-stages") == 0)
		return true;
	if (strcmp(model, "tracks") != 0)
		errx(TQ_USAGE, "--gpu-model: %s: not tracks or render-stages",
		    model);
	return false;
}

int
main(int argc, char *argv[])
{
	static struct program d = {.sink = &perfetto_trace_sink};
	static struct perfetto_trace trace;
	const char *file = NULL;
	enum zio_format format = ZIO_PLAIN;
	bool quiet = false;
	unsigned layout = LAYOUT_FLOWS | LAYOUT_APART;
	int opt, status;

	while ((opt = getopt_long(argc, argv, "ho:qVz", options, NULL)) != -1)
		switch (opt) {
		case 'h':
			status_help(help);
		case 'o':
			file = optarg;
			break;
		case 'q':
			quiet = true;
			break;
		case 'V':
			status_version("tq-perfetto");
		case 'z':
			format = ZIO_ZSTD;
			break;
		case OPT_COLOR_MAP:
			if (trace.colors == NULL)
				trace.colors = colors_new();
			colors_read(trace.colors, optarg);
			break;
		case OPT_GPU_MODEL:
			trace.with_stages = is_render_stages(optarg);
			break;
		case OPT_GZIP:
			format = ZIO_GZIP;
			break;
		case OPT_NO_FLOWS:
			layout &= ~(unsigned)LAYOUT_FLOWS;
			break;
		default:
			status_usage(help);
		}
	if (format == ZIO_PLAIN && file != NULL)
		format = zio_format_of(file);

	output_open(&d.out, file, format);
	if (isatty(d.out.fd))
		errx(TQ_USAGE, "%s: is a terminal; use -o or a pipe",
		    d.out.name);
	d.arg = &trace;
	d.layout = layout_new(d.sink, d.arg, layout);
	perfetto_trace_init(&trace, &d.out, layout_names(d.layout));

	program_run(&d, argv + optind);
	status = program_finish(&d, quiet);
	perfetto_trace_free(&trace);
	return status;
}
