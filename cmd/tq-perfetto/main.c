/* tq-perfetto - draw a stream as a trace in Perfetto's own format */

#include <err.h>
#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

#include "tq/reader.h"
#include "tq/status.h"

#include "trace.h"

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
    {"color-map",        required_argument, NULL, OPT_COLOR_MAP},
    {"gpu-model",              required_argument, NULL, OPT_GPU_MODEL},
    {"gzip",		  no_argument, NULL, OPT_GZIP},
    {"help",no_argument, NULL, 'h'},
    {"no-flows",     no_argument, NULL, OPT_NO_FLOWS},
    {"output",             required_argument, NULL, 'o'},
    {"quiet",	      no_argument, NULL, 'q'},
    {"version",		  no_argument, NULL, 'V'},
    {"zstd",		    no_argument, NULL, 'z'},
    {0	      },
};

struct perfetto {
	struct reader in;
	struct output out;
	struct layout layout;
	struct trace trace;
};

/* ---- the end, also where the input is no stream ---- */

static struct perfetto *reading; /* while an error means bad input */

/* so that a reader of our output gets whole packets, and all there are */
static void
close_trace(void)
{
	struct perfetto *c = reading;

	reading = NULL;
	if (c == NULL || c->out.target != NULL || !c->trace.begun)
		return;
	layout_end(&c->layout);
	trace_finish(&c->trace);
	output_finish(&c->out);
}

static void
flush(void *arg)
{
	struct perfetto *c = arg;

	reading = NULL;
	trace_pause(&c->trace);
	output_flush(&c->out);
	reading = c;
}

static bool
next(struct perfetto *c)
{
	bool more;

	reading = c;
	more = reader_next(&c->in);
	reading = NULL;
	return more;
}

/* ---- */

static void
draw(struct perfetto *c)
{
	while (next(c)) {
		layout_record(&c->layout, &c->in.event);
		if (c->in.event.kind == KIND_trace)
			trace_section(&c->trace);
	}
	layout_end(&c->layout);
	trace_finish(&c->trace);
}

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
	static struct perfetto c;
	const char *file = NULL;
	enum zio_format format = ZIO_PLAIN;
	bool quiet = false, arrows = true;
	int opt;

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
			if (c.trace.colors == NULL)
				c.trace.colors = colors_new();
			colors_read(c.trace.colors, optarg);
			break;
		case OPT_GPU_MODEL:
			c.trace.with_stages = is_render_stages(optarg);
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
	if (isatty(c.out.fd))
		errx(TQ_USAGE, "%s: is a terminal; use -o or a pipe",
		    c.out.name);
	trace_init(&c.trace, &c.out, &c.layout);
	layout_init(&c.layout, &trace_sink, &c.trace, arrows);
	c.layout.tracks.apart = true;
	reader_init(&c.in, argv + optind, NULL, NULL);
	c.in.in.idle = flush;
	c.in.in.idle_arg = &c;
	atexit(close_trace);

	draw(&c);
	output_finish(&c.out);
	layout_tell_losses(&c.layout);
	if (!quiet)
		layout_tell(&c.layout);

	reader_free(&c.in);
	layout_free(&c.layout);
	trace_free(&c.trace);
	return c.in.status;
}
