/*
 * tq-chrome - draw a stream as Chrome trace JSON, for chrome://tracing,
 * Perfetto, and what else reads that
 */

#include <err.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tq/draw/program.h"
#include "tq/io/status.h"

#include "chrome_trace.h"

static const char help[] =
    "usage: tq-chrome [-hqVz] [-o file] [--color-map file] [--gzip]\n"
    "                 [--no-flows] [file ...]\n"
    "\n"
    "  -h, --help            show this help\n"
    "  -o, --output FILE     write to FILE, which appears when it is "
    "complete\n"
    "  -q, --quiet           do not tell what was drawn\n"
    "  -V, --version         show the version\n"
    "  -z, --zstd            compress with zstd\n"
    "      --color-map FILE  colour slices: lines of a regex and a colour\n"
    "      --gzip            compress with gzip\n"
    "      --no-flows        draw no arrows from calls to operations\n";

enum { OPT_COLOR_MAP = 256, OPT_GZIP, OPT_NO_FLOWS };

static const struct option options[] = {
    {"color-map", required_argument, NULL, OPT_COLOR_MAP},
    {"gzip", no_argument, NULL, OPT_GZIP},
    {"help", no_argument, NULL, 'h'},
    {"no-flows", no_argument, NULL, OPT_NO_FLOWS},
    {"output", required_argument, NULL, 'o'},
    {"quiet", no_argument, NULL, 'q'},
    {"version", no_argument, NULL, 'V'},
    {"zstd", no_argument, NULL, 'z'},
    {0},
};

/* bytes of JSON that chrome://tracing does not open any more */
static const int64_t too_large = 500000000;

int
main(int argc, char *argv[])
{
	static struct program d = {.sink = &chrome_trace_sink};
	static struct chrome_trace trace;
	const char *file = NULL;
	enum zio_format format = ZIO_PLAIN;
	bool quiet = false;
	unsigned layout = LAYOUT_FLOWS;
	int opt, status;

	trace.colors = colors_new();
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
			status_version("tq-chrome");
		case 'z':
			format = ZIO_ZSTD;
			break;
		case OPT_COLOR_MAP:
			colors_read(trace.colors, optarg);
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
	d.arg = &trace;
	d.layout = layout_new(d.sink, d.arg, layout);
	trace.out = &d.out;
	trace.layout = d.layout;

	program_run(&d, argv + optind);
	output_write(&d.out);
	if (format != ZIO_GZIP && d.out.bytes > too_large)
		warnx("warning: %" PRId64 " MB are too much for "
		      "chrome://tracing: write gzip, or draw less",
		    d.out.bytes / 1000000);
	status = program_finish(&d, quiet);
	chrome_trace_free(&trace);
	colors_free(trace.colors);
	return status;
}
