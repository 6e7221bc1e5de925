/*
 * tq-correlate - add to each device operation the call that launched it and
 * its range, and to the stream the work of the devices for each range
 *
 * Records keep their order; see correlate.h, also for live sections.
 */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tq/io/emit.h"
#include "tq/io/note.h"
#include "tq/io/opts.h"
#include "tq/io/reader.h"
#include "tq/io/status.h"

#include "correlate.h"
#include "gap_stage.h"
#include "graph_annotation.h"

/* operands, and NULL; {0} is empty */
struct file_list {
	char **all;
	size_t count;
};

struct correlate_options {
	const char *file;
	enum zio_format format;
	uint64_t kinds;                   /* of events that are written */
	struct file_list captures, steps; /* of -g, and --graph-eager */
	int64_t percent;                  /* of --graph-min, or 0 */
	bool verbose, paths, per_process, gaps, graphs, loose, own_steps;
};

static void
add_file(struct file_list *l, const char *file)
{
	l->all = mem_resize(l->all, l->count + 2, sizeof(*l->all));
	l->all[l->count++] = (char *)(uintptr_t)file;
	l->all[l->count] = NULL;
}

static void
take_capture(void *options, const char *file)
{
	struct correlate_options *o = options;

	add_file(&o->captures, file);
	o->graphs = true;
}

/* "-" is the recording itself */
static void
take_steps(void *options, const char *file)
{
	struct correlate_options *o = options;

	if (strcmp(file, "-") == 0)
		o->own_steps = true;
	else
		add_file(&o->steps, file);
	o->graphs = true;
}

static void
take_loose(void *options, const char *value)
{
	struct correlate_options *o = options;

	(void)value;
	o->loose = o->graphs = true;
}

static void
take_kinds(void *kinds, const char *list)
{
	uint64_t *bits = kinds;

	*bits = 0;
	opts_kinds(list, bits);
}

#define OPT_STRUCT struct correlate_options
static const struct opt options[] = {
    {'g', "graph-file", "FILE",
	"name operations of graphs by the captures in FILE, too",
	OPT_CALL(take_capture)},
    {OPT_HELP},
    {'k', "kind", "KINDS", "write only events of these kinds",
	OPT_TAKE(kinds, take_kinds)},
    {OPT_OUTPUT},
    {OPT_QUIET},
    {OPT_VERBOSE("print how many operations were resolved")},
    {OPT_VERSION},
    {OPT_ZSTD},
    {0, "gaps", NULL,
	"add records of kind gap: when a device had nothing to\n"
	"do, and why",
	OPT_SET(gaps, true)},
    {0, "graph", NULL,
	"name operations of graphs by the captures of the\n"
	"recording: it is read twice",
	OPT_SET(graphs, true)},
    {0, "graph-eager", "FILE",
	"name operations of graphs also by steps in FILE that\n"
	"are no graphs, which they resemble; -: the input",
	OPT_CALL(take_steps)},
    {0, "graph-loose", NULL,
	"kernels that differ in shapes or tiles resemble each\n"
	"other",
	OPT_CALL(take_loose)},
    {0, "graph-min", "PCT",
	"the least that a graph has to resemble (default 60;\n"
	"80 with --graph-loose)",
	OPT_PERCENT(percent, UNITS_PERCENT, 100LL * UNITS_PERCENT)},
    {0, "path", NULL, "add the names of all enclosing ranges",
	OPT_SET(paths, true)},
    {0, "scope", "SCOPE",
	"a range encloses the API calls of its thread\n"
	"(default), or of its process",
	OPT_WORD(per_process, "thread|process")},
    {0},
};

static const struct opts opts = {
    .tool = "tq-correlate",
    .operands = "[FILE ...]",
    .all = options,
    .column = 21,
    .status = TQ_USAGE,
};

struct correlate_stream {
	struct reader in;
	struct output out;
	struct correlate section;
	struct gap_stage gaps; /* behind section, with --gaps */
	struct text counts;    /* of the end */
	int status;            /* of the files of -g */
	bool in_section;       /* that began with a trace record */
	bool verbose, with_gaps;
};

static struct span
graph_counts(struct correlate_stream *s, const struct graph_tally *g)
{
	s->counts.len = 0;
	text_printf(&s->counts,
	    "{\"graph_ops\":%" PRId64 ",\"graph_named\":%" PRId64
	    ",\"graph_ambiguous\":%" PRId64 ",\"graph_refused\":%" PRId64 "}",
	    g->ops, g->named, g->ambiguous, g->refused);
	return text_span(&s->counts);
}

static void
write_end(struct correlate_stream *s)
{
	const struct event *ev = &s->in.event;
	const struct tally *t = &s->section.tally;
	const struct graph_tally *g = &s->section.graphs.tally;
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
	if (g->ops > 0)
		emit_json(o, KEY_args, graph_counts(s, g));
	emit_close(o);
}

static void
report_graphs(const struct correlate *c)
{
	struct text how = {0};

	if (c->survey != NULL)
		graph_survey_describe(c->survey, &how);
	text_add_char(&how, '\0');
	graph_names_report(&c->graphs, how.p, c->survey != NULL);
	if (c->survey != NULL && c->graphs.tally.refused > 0)
		graph_survey_refusal(c->survey);
	text_free(&how);
}

static void
report(const struct correlate *c)
{
	const struct tally *t = &c->tally;

	note("%" PRId64 " operations: %" PRId64 " resolved (%" PRId64
	     " launched by a graph), %" PRId64
	     " without an API call in the stream, %" PRId64
	     " ambiguous; %" PRId64 " range%s never closed",
	    t->resolved + t->unresolved, t->resolved, t->by_graph,
	    t->unresolved, t->ambiguous, c->project.unclosed,
	    c->project.unclosed == 1 ? "" : "s");
	report_graphs(c);
}

/* the section is over; complete: the current record is its end */
static void
finish(struct correlate_stream *s, bool complete)
{
	correlate_finish(&s->section);
	if (s->with_gaps) {
		gap_stage_pass(&s->gaps);
		gap_stage_reset(&s->gaps);
	}
	if (s->verbose && (s->in_section || s->out.lines > 0))
		report(&s->section);
	else if (s->section.survey != NULL)
		report_graphs(&s->section);
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
			s->section.live = s->in.live;
			if (s->section.survey != NULL)
				graph_survey_section(s->section.survey);
		} else if (ev->kind != KIND_end) {
			correlate_event(&s->section, ev);
			if (s->with_gaps)
				gap_stage_pass(&s->gaps);
		}
	}
	finish(s, false);
}

/* before a wait for input */
static int
release_all(void *stream)
{
	struct correlate_stream *s = stream;
	int again = correlate_idle(&s->section);

	if (s->with_gaps)
		gap_stage_pass(&s->gaps);
	output_flush(&s->out);
	return again;
}

/* records of another recording, or of the one that is correlated */
static void
survey(struct graph_survey *g, struct reader *in)
{
	while (reader_next(in))
		if (in->event.kind != KIND_end)
			graph_survey_event(g, &in->event);
}

/* read the files that are annotations; what is left */
static char **
take_annotations(struct graph_survey *g, char **files)
{
	size_t left = 0;

	for (size_t i = 0; files[i] != NULL; i++)
		if (graph_annotation_is(files[i]))
			graph_annotation_read(g, files[i]);
		else
			files[left++] = files[i];
	files[left] = NULL;
	return files;
}

/* other recordings: with captures, or steps that are no graphs */
static void
survey_others(struct correlate_stream *s, struct graph_survey *g, char **files,
    bool eager)
{
	struct reader in;

	if (files == NULL || *files == NULL)
		return;
	graph_survey_next(g, true, eager);
	reader_init(&in, files, graph_survey_keys(), NULL);
	survey(g, &in);
	if (in.status != TQ_OK)
		s->status = in.status;
	reader_free(&in);
}

/* Launches that no capture fits are read once more, to be compared. */
static void
compare(struct graph_survey *g, struct reader *in)
{
	graph_survey_rewind(g);
	while (reader_next(in))
		graph_survey_collect(g, &in->event);
	reader_rewind(in);
	graph_survey_compare(g);
}

static void
survey_all(struct correlate_stream *s, const struct correlate_options *o,
    struct graph_survey *g)
{
	enum { LEAST = 60, LEAST_LOOSE = 80 };

	graph_survey_open(g);
	g->loose = o->loose;
	g->percent = o->percent > 0 ? o->percent
		     : o->loose     ? LEAST_LOOSE
				    : LEAST;
	if (o->captures.count > 0)
		survey_others(
		    s, g, take_annotations(g, o->captures.all), false);
	survey_others(s, g, o->steps.all, true);
	graph_survey_next(g, false, o->own_steps);
	input_keep(&s->in.in);
	s->in.want = graph_survey_keys();
	survey(g, &s->in);
	reader_rewind(&s->in);
	if (graph_survey_decide(g))
		compare(g, &s->in);
	s->in.want = correlate_keys();
	graph_survey_rewind(g);
	s->section.survey = g;
	s->section.graphs.keep_origins = g->annotated.count > 0;
}

int
main(int argc, char *argv[])
{
	struct correlate_stream s = {0};
	struct correlate_options o = {.kinds = UINT64_MAX};
	struct graph_survey graphs = {0};
	char **operands = opts_parse(&opts, &o, argc, argv);

	opts_need_input(&opts, operands);
	o.format = zio_format_for(o.format, o.file);
	s.verbose = o.verbose;
	output_open(&s.out, o.file, o.format);
	s.with_gaps = o.gaps;
	gap_stage_open(&s.gaps, &s.out, o.kinds);
	correlate_init(
	    &s.section, o.gaps ? &s.gaps.in : &s.out, o.per_process, o.paths);
	if (!o.gaps)
		correlate_choose(&s.section, o.kinds);
	reader_init(&s.in, operands, correlate_keys(), NULL);
	s.in.takes_live = true;
	s.in.in.idle = release_all;
	s.in.in.idle_arg = &s;
	if (o.graphs || o.percent > 0)
		survey_all(&s, &o, &graphs);
	correlate(&s);
	if (s.in.status == TQ_OK)
		s.in.status = s.status;
	output_finish(&s.out, s.in.status == TQ_OK);
	correlate_free(&s.section);
	gap_stage_free(&s.gaps);
	text_free(&s.counts);
	graph_survey_free(&graphs);
	free(o.captures.all);
	free(o.steps.all);
	reader_free(&s.in);
	return s.in.status;
}
