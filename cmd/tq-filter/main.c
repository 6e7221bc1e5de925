/*
 * tq-filter - keep the records that are chosen, and the records they need
 *
 * A choice by the keys of a record itself is made as the record goes by.  If
 * the choice depends on other records, passes before that find out which
 * records stay: see closure.h.
 */

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tq/io/emit.h"
#include "tq/io/reader.h"
#include "tq/io/status.h"
#include "tq/names/model.h"

#include "closure/closure.h"

#include "defs.h"
#include "filter_options.h"

struct filter_run {
	struct filter_options ask;
	struct reader in;
	struct model model; /* of the survey */
	struct output out;
	struct defs defs;
	struct expr_symbols symbols;
	struct closure closure;
	struct top top;

	bool everything;            /* stays, but for changes */
	bool decided;               /* closure.keep has the records that stay */
	bool never[KIND_COUNT + 1]; /* no record of the kind is chosen */
	bool covers;                /* the times of sections are needed */
	bool open;                  /* a section is */
	bool in_section;            /* and began with a trace record */
	uint64_t sections;          /* that began in this pass */
	uint64_t records;           /* of this pass, but trace and end */
	uint64_t matched;           /* are in the output */
	struct event record, definition; /* to be written */
	struct keyset want[KIND_COUNT + 1], refer[KIND_COUNT + 1];
};

static bool
is_definition(const struct event *ev)
{
	return schema_role(ev->kind) == ROLE_DEF;
}

static struct section *
section(struct filter_run *f)
{
	return &f->closure.sections[f->closure.section];
}

/* end with the error of an expression, if there is one */
static void
check(const struct filter_run *f, const char *error)
{
	if (error != NULL)
		errx(TQ_FAIL, "%s:%zu: %s", f->in.in.name, f->in.in.lineno,
		    error);
}

/* the keys that every pass needs */
static void
want_always(struct filter_run *f)
{
	for (size_t k = 0; k <= KIND_COUNT; k++)
		keyset_add(&f->want[k], KEY_kind);
	defs_keys_define(f->want);
	keyset_add(&f->want[KIND_process], KEY_rank);
	keyset_add(&f->want[KIND_trace], KEY_rank);
}

/* ---- a pass ---- */

struct filter_pass {
	void (*begin)(struct filter_run *f); /* of a section; may be NULL */
	void (*record)(struct filter_run *f);
	void (*end)(struct filter_run *f, bool complete);
};

/* a section begins, in any pass */
static void
begin_section(struct filter_run *f)
{
	uint64_t n = f->sections++;

	closure_section(&f->closure, n);
	where_section(&f->ask.where, n, &f->closure.sections[n]);
	selection_trace(&f->ask.select, &f->in.event);
	defs_reset(&f->defs);
	f->open = true;
}

static void
run_pass(struct filter_run *f, const struct filter_pass *pass)
{
	const struct event *ev = &f->in.event;

	f->sections = f->records = 0;
	f->open = f->in_section = false;
	while (reader_next(&f->in)) {
		bool edge = ev->kind == KIND_trace ||
			    f->in.in_section != f->in_section || !f->open;

		f->in_section = f->in.in_section;
		if (edge && f->open)
			pass->end(f, ev->kind == KIND_end);
		if (edge)
			f->open = false;
		if (ev->kind == KIND_end)
			continue;
		if (edge) {
			begin_section(f);
			if (pass->begin != NULL)
				pass->begin(f);
		}
		if (ev->kind != KIND_trace) {
			pass->record(f);
			f->records++;
		}
	}
	if (f->open)
		pass->end(f, false);
}

/* ---- the passes before ---- */

/* a definition, which is not written in this pass */
static void
note_definition(struct filter_run *f)
{
	const struct event *ev = &f->in.event;

	selection_definition(&f->ask.select, ev);
	defs_note(&f->defs, ev);
}

static void
survey_record(struct filter_run *f)
{
	if (is_definition(&f->in.event))
		return;
	section_cover(section(f), &f->in.event);
	f->in.event.model = &f->model;
	model_event(&f->model, &f->in.event);
	where_survey(&f->ask.where, &f->in.event);
	check(f, f->ask.where.error);
}

static void
survey_end(struct filter_run *f, bool complete)
{
	(void)complete;
	where_survey_end(&f->ask.where);
}

static void
decide_record(struct filter_run *f)
{
	if (is_definition(&f->in.event))
		note_definition(f);
	else
		closure_event(&f->closure, f->records, &f->in.event);
	check(f, f->closure.error);
	check(f, f->ask.select.error);
	check(f, f->ask.where.error);
}

static void
decide_end(struct filter_run *f, bool complete)
{
	(void)complete;
	closure_section_end(&f->closure);
}

static const struct filter_pass survey = {NULL, survey_record, survey_end};
static const struct filter_pass decide = {NULL, decide_record, decide_end};

/* only keys of definitions: the other records are decided */
static void
want_definitions(struct filter_run *f)
{
	memset(f->want, 0, sizeof(f->want));
	selection_keys(&f->ask.select, f->want);
	for (size_t k = 0; k <= KIND_COUNT; k++)
		if (schema_role((enum kind)k) != ROLE_DEF)
			f->want[k] = (struct keyset){0};
	want_always(f);
}

/* some are common: launched before the recording, or by a library */
static void
warn_orphans(int64_t n, int64_t of)
{
	if (n > of / 100)
		warnx("warning: %" PRId64 " operations have no API call in "
		      "the stream: their launch time and range are unknown",
		    n);
}

/* find out which records stay, and go back to the beginning */
static void
look_ahead(struct filter_run *f)
{
	if (where_needs_survey(&f->ask.where)) {
		where_keys(&f->ask.where, f->want);
		run_pass(f, &survey);
		reader_rewind(&f->in);
	}
	closure_keys(&f->closure, f->want);
	if (f->ask.top > 0) {
		f->top.collecting = true;
		run_pass(f, &decide);
		reader_rewind(&f->in);
		f->top.collecting = false;
		f->closure.operations = f->closure.orphans = 0;
	}
	run_pass(f, &decide);
	reader_rewind(&f->in);
	want_definitions(f);
	warn_orphans(f->closure.orphans, f->closure.operations);
	if (!where_found(
		&f->ask.where, f->closure.sections, f->closure.section_count))
		exit(TQ_FAIL);
}

/* ---- writing ---- */

/* parse a line that was read in part: all keys, or the ids of definitions */
static void
read_on(struct filter_run *f, struct event *ev, struct span line, bool all)
{
	if (!event_parse(ev, line, all ? NULL : f->refer))
		check(f, ev->error);
}

static void
write_definition(void *arg, struct span line)
{
	struct filter_run *f = arg;

	if (f->ask.quiet)
		return;
	if (!change_any(&f->ask.change)) {
		output_line(&f->out, line);
		return;
	}
	read_on(f, &f->definition, line, true);
	change_write(&f->ask.change, &f->definition, false, NULL);
	check(f, f->ask.change.error);
}

static void
write_begin(struct filter_run *f)
{
	f->out.lines = 0;
	if (f->in.event.kind != KIND_trace || f->ask.quiet || f->ask.only)
		return;
	if (change_any(&f->ask.change)) {
		read_on(f, &f->record, f->in.event.line, true);
		change_trace(&f->ask.change, &f->record);
	} else
		output_line(&f->out, f->in.event.line);
	f->out.lines = 0;
}

static void
write_end(struct filter_run *f, bool complete)
{
	const struct event *ev = &f->in.event;
	struct output *o = &f->out;
	int64_t events;

	change_section_end(&f->ask.change);
	if (!complete || f->ask.quiet || f->ask.only)
		return;
	events = o->lines;
	if (events == event_int(ev, KEY_events, -1)) {
		output_line(o, ev->line);
		return;
	}
	emit_open(o, KIND_end);
	emit_int(o, KEY_events, events);
	if (event_has(ev, KEY_dropped))
		emit_json(o, KEY_dropped, ev->value[KEY_dropped]);
	emit_close(o);
}

/* true if the record is chosen by its own keys */
static bool
matches(struct filter_run *f)
{
	const struct event *ev = &f->in.event;
	const struct where *w = &f->ask.where;
	int64_t ts = event_int(ev, KEY_ts, 0);
	bool whole = true, yes;

	yes = selection_allows(&f->ask.select, ev, 0) &&
	      selection_matches(&f->ask.select, ev, &f->symbols) &&
	      f->ask.top == 0 &&
	      (!where_given(w) ||
		  (event_has(ev, KEY_ts) &&
		      where_inside(w, NO_ID, NO_ID, ts, ts, &whole)));
	check(f, f->ask.select.error);
	return yes != f->ask.invert;
}

/* with the closure, only a definition whose kind is selected is chosen */
static bool
definition_chosen(struct filter_run *f)
{
	const struct event *ev = &f->in.event;

	if (f->everything)
		return !f->ask.only;
	if ((f->ask.closure || f->ask.only) &&
	    !selection_names_definition(&f->ask.select, ev->kind))
		return false;
	return matches(f);
}

static void
add_definition(struct filter_run *f)
{
	const struct event *ev = &f->in.event;
	bool chosen;

	selection_definition(&f->ask.select, ev);
	chosen = definition_chosen(f);
	if (chosen && f->ask.quiet)
		exit(TQ_OK);
	if (f->ask.closure &&
	    (ev->kind == KIND_process || ev->kind == KIND_device))
		chosen = true;
	if (chosen)
		f->matched++;
	if (chosen && !f->ask.count) {
		defs_written(&f->defs, ev);
		write_definition(f, ev->line);
	} else if (f->ask.closure)
		defs_add(&f->defs, ev);
	else
		defs_note(&f->defs, ev);
}

static void
write_record(struct filter_run *f)
{
	const struct event *ev = &f->in.event;
	bool cut;

	if (is_definition(ev)) {
		add_definition(f);
		return;
	}
	if (f->covers)
		section_cover(section(f), ev);
	if (f->never[ev->kind])
		return;
	if (f->decided ? !record_set_has(&f->closure.keep, f->records)
		       : !f->everything && !matches(f))
		return;
	if (f->ask.quiet)
		exit(TQ_OK);
	f->matched++;
	if (f->ask.count)
		return;
	cut = ev->kind == KIND_range && f->decided && f->ask.closure &&
	      record_set_has(&f->closure.cut, f->records);
	if (!cut && !f->ask.closure && !change_any(&f->ask.change)) {
		output_line(&f->out, ev->line);
		return;
	}
	read_on(f, &f->record, ev->line, cut || change_any(&f->ask.change));
	if (f->ask.closure && !f->everything)
		defs_use(&f->defs, &f->record);
	if (cut || change_any(&f->ask.change)) {
		change_write(&f->ask.change, &f->record, cut, section(f));
		check(f, f->ask.change.error);
	} else
		output_line(&f->out, ev->line);
}

static void
write_count(struct filter_run *f)
{
	char line[32];
	int n = snprintf(line, sizeof(line), "%" PRIu64, f->matched);

	output_line(&f->out, (struct span){line, (size_t)n});
}

static const struct filter_pass writing = {
    write_begin, write_record, write_end};

/* ---- the whole ---- */

/* true if the closure may add records that come before the chosen ones */
static bool
closure_looks_ahead(const struct filter_options *ask)
{
	uint64_t kinds = ask->select.kinds, launched = 0;

	if (!ask->closure ||
	    (!selection_given(&ask->select) && !where_given(&ask->where)))
		return false;
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (schema_kinds[k].role == ROLE_WORK ||
		    schema_kinds[k].role == ROLE_EVENT)
			launched |= (uint64_t)1 << k;
	return kinds == 0 || (kinds >> KIND_range & 1) != 0 ||
	       ((kinds >> KIND_api & 1) != 0 && (kinds & launched) != 0);
}

static bool
looks_ahead(const struct filter_options *ask)
{
	const struct where *w = &ask->where;

	return (!ask->quiet && closure_looks_ahead(ask)) ||
	       where_needs_survey(w) ||
	       (window_given(&w->time) && !w->by_time) || ask->top > 0 ||
	       ask->select.depth != NO_ID;
}

/* true if records have to be in order of time */
static bool
needs_order(const struct filter_options *ask)
{
	const struct where *w = &ask->where;

	return w->profiler || w->range_count > 0 || w->step_count > 0 ||
	       ask->change.merge_short > 0;
}

static void
set_up(struct filter_run *f)
{
	struct filter_options *ask = &f->ask;

	f->symbols = (struct expr_symbols){names_find_symbol, &f->defs.symbols};
	selection_begin(&ask->select);
	closure_init(&f->closure, &ask->select, &ask->where, &f->symbols);
	f->closure.on = ask->closure && !ask->quiet;
	f->closure.invert = ask->invert;
	if (ask->top > 0) {
		f->top.count = (size_t)ask->top;
		f->closure.top = &f->top;
	}
	f->everything = selection_all(&ask->select) && !ask->invert &&
			!where_given(&ask->where) && ask->top == 0;
	f->decided = !f->everything && looks_ahead(ask);
	for (enum kind k = 0; k <= KIND_COUNT; k++)
		f->never[k] = !f->decided && !ask->invert &&
			      selection_none(&ask->select, k);
	want_always(f);
	defs_keys_use(f->refer);
}

static void
tear_down(struct filter_run *f)
{
	change_free(&f->ask.change);
	where_free(&f->ask.where);
	selection_free(&f->ask.select);
	closure_free(&f->closure);
	top_free(&f->top);
	defs_free(&f->defs);
	event_free(&f->record);
	event_free(&f->definition);
	reader_free(&f->in);
	model_free(&f->model);
}

int
main(int argc, char *argv[])
{
	struct filter_run f = {0};
	struct filter_options *ask = &f.ask;

	filter_options_parse(ask, argc, argv);
	defs_init(&f.defs, write_definition, &f);
	set_up(&f);
	reader_init(&f.in, ask->operands, f.want, &f.out);
	f.in.any_order = !needs_order(ask);
	if (f.decided) {
		input_keep(&f.in.in);
		look_ahead(&f);
	} else {
		selection_keys(&ask->select, f.want);
		/* so that the reader sees the order */
		for (size_t k = 0; needs_order(ask) && k <= KIND_COUNT; k++)
			keyset_add(&f.want[k], KEY_ts);
		if (where_given(&ask->where))
			where_keys(&ask->where, f.want);
	}
	if (!ask->quiet)
		output_open(&f.out, ask->file, ask->format);
	ask->change.symbols = &f.symbols;
	change_begin(&ask->change, &f.out);
	f.covers = !f.decided &&
		   (where_given(&ask->where) || change_any(&ask->change));
	run_pass(&f, &writing);
	if (!f.decided && !where_found(&ask->where, f.closure.sections,
			      f.closure.section_count))
		exit(TQ_FAIL);
	if (ask->quiet)
		exit(TQ_FAIL); /* nothing matched */
	if (ask->count)
		write_count(&f);
	if (!ask->invert)
		absent_warn(&ask->select.absent);
	output_finish(&f.out, f.in.status == TQ_OK);
	tear_down(&f);
	return f.in.status;
}
