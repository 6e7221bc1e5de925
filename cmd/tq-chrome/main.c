/*
 * tq-chrome - draw a stream as Chrome trace JSON, for chrome://tracing,
 * Perfetto, and what else reads that
 */

#include <err.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tq/reader.h"
#include "tq/status.h"

#include "trace.h"

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
    {"color-map",  required_argument, NULL, OPT_COLOR_MAP},
    {"gzip",        no_argument, NULL, OPT_GZIP},
    {"help",            no_argument, NULL, 'h'},
    {"no-flows",no_argument, NULL, OPT_NO_FLOWS},
    {"output",    required_argument, NULL, 'o'},
    {"quiet",       no_argument, NULL, 'q'},
    {"version",        no_argument, NULL, 'V'},
    {"zstd",            no_argument, NULL, 'z'},
    {0       },
};

/* bytes of JSON that chrome://tracing does not open any more */
static const int64_t too_large = 500000000;

struct chrome {
	struct reader in;
	struct output out;
	struct layout layout;
	struct trace trace;
};

/* ---- the end, also where the input is no stream ---- */

static struct chrome *reading; /* while an error means bad input */

/* so that a reader of our output gets JSON, if less of it */
static void
close_trace(void)
{
	struct chrome *c = reading;

	reading = NULL;
	if (c == NULL || c->out.target != NULL)
		return;
	layout_end(&c->layout);
	trace_finish(&c->trace, true);
	output_finish(&c->out);
}

static void
flush(void *arg)
{
	struct chrome *c = reading;

	reading = NULL;
	output_flush(arg);
	reading = c;
}

static bool
next(struct chrome *c)
{
	bool more;

	reading = c;
	more = reader_next(&c->in);
	reading = NULL;
	return more;
}

/* ---- */

int
main(int argc, char *argv[])
{
	static struct chrome c;
	const char *file = NULL;
	enum zio_format format = ZIO_PLAIN;
	bool quiet = false, arrows = true;
	int opt;

	c.trace.colors = colors_new();
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
			colors_read(c.trace.colors, optarg);
			break;
		case OPT_GZIP:
			format = ZIO_GZIP;
			break;
		case OPT_NO_FLOWS:
			arrows = false;
			break;
		default:
			status_usage(help);
		}
	if (format == ZIO_PLAIN && file != NULL)
		format = zio_format_of(file);

	output_open(&c.out, file, format);
	c.trace.out = &c.out;
	c.trace.layout = &c.layout;
	layout_init(&c.layout, &trace_sink, &c.trace, arrows);
	reader_init(&c.in, argv + optind, NULL, NULL);
	c.in.in.idle = flush;
	c.in.in.idle_arg = &c.out;
	atexit(close_trace);

	while (next(&c)) {
		if (c.in.event.kind == KIND_trace)
			trace_about(&c.trace, &c.in.event);
		layout_record(&c.layout, &c.in.event);
	}
	layout_end(&c.layout);
	trace_finish(&c.trace, c.in.status != TQ_OK);
	output_write(&c.out);
	if (format != ZIO_GZIP && c.out.bytes > too_large)
		warnx("warning: %" PRId64 " MB are too much for "
		      "chrome://tracing: write gzip, or draw less",
		    c.out.bytes / 1000000);
	output_finish(&c.out);
	layout_tell_losses(&c.layout);
	if (!quiet)
		layout_tell(&c.layout);

	reader_free(&c.in);
	layout_free(&c.layout);
	trace_free(&c.trace);
	colors_free(c.trace.colors);
	return c.in.status;
}
