/*
 * tq-correlate - add to each device operation the call that launched it and
 * its range, and to the stream the work of the devices for each range
 *
 * Records keep their order; see correlate.h.
 */

#include <err.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "tq/io/emit.h"
#include "tq/io/reader.h"
#include "tq/io/status.h"

#include "correlate.h"

static const char help[] =
    "usage: tq-correlate [-hvVz] [-o file] [--path] [--scope thread|process]\n"
    "                    [file ...]\n"
    "\n"
    "  -h, --help         show this help\n"
    "  -o, --output FILE  write to FILE, which appears when it is complete\n"
    "  -v, --verbose      tell how many operations were resolved\n"
    "  -V, --version      show the version\n"
    "  -z, --zstd         compress with zstd\n"
    "      --path         add the names of all enclosing ranges\n"
    "      --scope SCOPE  whose calls a range has: thread (default), process\n";

enum { OPT_PATH = 256, OPT_SCOPE };

static const struct option options[] = {
    {"help", no_argument, NULL, 'h'},
    {"output", required_argument, NULL, 'o'},
    {"path", no_argument, NULL, OPT_PATH},
    {"scope", required_argument, NULL, OPT_SCOPE},
    {"verbose", no_argument, NULL, 'v'},
    {"version", no_argument, NULL, 'V'},
    {"zstd", no_argument, NULL, 'z'},
    {0},
};

struct correlate_stream {
	struct reader in;
	struct output out;
	struct correlate section;
	bool in_section; /* that began with a trace record */
	bool verbose;
};

static void
write_end(struct correlate_stream *s)
{
	const struct event *ev = &s->in.event;
	const struct tally *t = &s->section.tally;
	struct output *o = &s->out;
	int64_t events = o->lines;

	emit_open(o, KIND_end);
	emit_int(o, KEY_events, events);
	if (event_has(ev, KEY_dropped))
		emit_json(o, KEY_dropped, ev->value[KEY_dropped]);
	emit_int(o, KEY_resolved, t->resolved);
	emit_int(o, KEY_by_graph, t->by_graph);
	emit_int(o, KEY_unresolved, t->unresolved);
	emit_int(o, KEY_ambiguous, t->ambiguous);
	emit_close(o);
}

static void
report(const struct correlate *c)
{
	const struct tally *t = &c->tally;

	warnx("%" PRId64 " operations: %" PRId64 " resolved (%" PRId64
	      " launched by a graph), %" PRId64
	      " without a call in the stream, %" PRId64 " ambiguous; %" PRId64
	      " range%s never closed",
	    t->resolved + t->unresolved, t->resolved, t->by_graph,
	    t->unresolved, t->ambiguous, c->project.unclosed,
	    c->project.unclosed == 1 ? "" : "s");
}

/* the section is over; complete: the current record is its end */
static void
finish(struct correlate_stream *s, bool complete)
{
	correlate_finish(&s->section);
	if (s->verbose && (s->in_section || s->out.lines > 0))
		report(&s->section);
	if (complete)
		write_end(s);
	correlate_reset(&s->section);
	s->out.lines = 0;
}

static void
correlate(struct correlate_stream *s)
{
	const struct event *ev = &s->in.event;

	while (reader_next(&s->in)) {
		/* the reader leaves a section that is cut short, too */
		if (ev->kind == KIND_trace ||
		    s->in.in_section != s->in_section) {
			finish(s, ev->kind == KIND_end);
			s->in_section = s->in.in_section;
		}
		if (ev->kind == KIND_trace) {
			output_line(&s->out, ev->line);
			s->out.lines = 0;
		} else if (ev->kind != KIND_end)
			correlate_event(&s->section, ev);
	}
	finish(s, false);
}

/* true for process */
static bool
scope_argument(const char *name)
{
	if (strcmp(name, "process") != 0 && strcmp(name, "thread") != 0)
		errx(TQ_USAGE, "expected thread or process, not '%s'", name);
	return *name == 'p';
}

int
main(int argc, char *argv[])
{
	struct correlate_stream s = {0};
	const char *file = NULL;
	bool zstd = false, paths = false, per_process = false;
	int c;

	while ((c = getopt_long(argc, argv, "ho:vVz", options, NULL)) != -1)
		switch (c) {
		case 'h':
			status_help(help);
		case 'o':
			file = optarg;
			break;
		case 'v':
			s.verbose = true;
			break;
		case 'V':
			status_version("tq-correlate");
		case 'z':
			zstd = true;
			break;
		case OPT_PATH:
			paths = true;
			break;
		case OPT_SCOPE:
			per_process = scope_argument(optarg);
			break;
		default:
			status_usage(help);
		}

	output_open(&s.out, file,
	    zstd ? ZIO_ZSTD : zio_format_of(file != NULL ? file : ""));
	correlate_init(&s.section, &s.out, per_process, paths);
	reader_init(&s.in, argv + optind, correlate_keys(), &s.out);
	correlate(&s);
	output_finish(&s.out);
	correlate_free(&s.section);
	reader_free(&s.in);
	return s.in.status;
}
