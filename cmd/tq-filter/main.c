/*
 * tq-filter - pass on the records that are chosen, and what they need
 *
 * What a record tells alone is decided as it goes by.  Where the choice hangs
 * on others, passes before that find out which records stay: see plan.h.
 */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tq/io/emit.h"
#include "tq/io/reader.h"
#include "tq/io/status.h"

#include "defs.h"
#include "options.h"
#include "plan.h"

struct filter {
	struct options ask;
	struct reader in;
	struct output out;
	struct defs defs;
	struct expr_symbols symbols;
	struct plan plan;
	struct top top;

	bool everything;               /* is asked for */
	bool planned;                  /* plan.keep says what stays */
	bool never[KIND_COUNT + 1];    /* chosen, whatever a record tells */
	bool covers;                   /* which time a section has, matters */
	bool open;                     /* a section is */
	bool in_section;               /* and began with a trace record */
	uint64_t sections;             /* that began in this pass */
	uint64_t records;              /* of this pass, but trace and end */
	struct event kept, definition; /* to be written */
	struct keyset want[KIND_COUNT + 1], refer[KIND_COUNT + 1];
};

static bool
is_definition(const struct event *ev)
{
	return schema_role(ev->kind) == ROLE_DEF;
}

static struct section *
section(struct filter *f)
{
	return &f->plan.sections[f->plan.section];
}

/* an expression was given up on */
static void
check(const struct filter *f, const char *error)
{
	if (error != NULL)
		errx(TQ_FAIL, "%s:%zu: %s", f->in.in.name, f->in.in.lineno,
		    error);
}

/* what every pass wants to know */
static void
ask_always(struct filter *f)
{
	for (size_t k = 0; k <= KIND_COUNT; k++)
		keyset_add(&f->want[k], KEY_kind);
	defs_keys_define(f->want);
	keyset_add(&f->want[KIND_process], KEY_rank);
	keyset_add(&f->want[KIND_trace], KEY_rank);
}

/* ---- a pass ---- */

struct pass {
	void (*begin)(struct filter *f); /* a section; may be NULL */
	void (*record)(struct filter *f);
	void (*end)(struct filter *f, bool complete);
};

/* what is the same for all */
static void
begin_section(struct filter *f)
{
	uint64_t n = f->sections++;

	plan_section(&f->plan, n);
	where_section(&f->ask.where, n, &f->plan.sections[n]);
	select_trace(&f->ask.select, &f->in.event);
	defs_reset(&f->defs);
	f->open = true;
}

static void
run(struct filter *f, const struct pass *pass)
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

/* a definition tells of what comes */
static void
look_at_definition(struct filter *f)
{
	const struct event *ev = &f->in.event;

	if (ev->kind == KIND_process)
		select_process(&f->ask.select, ev);
	defs_tell(&f->defs, ev);
}

static void
survey_record(struct filter *f)
{
	if (is_definition(&f->in.event))
		return;
	section_cover(section(f), &f->in.event);
	where_survey(&f->ask.where, &f->in.event);
	check(f, f->ask.where.error);
}

static void
survey_end(struct filter *f, bool complete)
{
	(void)complete;
	where_survey_end(&f->ask.where);
}

static void
plan_record(struct filter *f)
{
	if (is_definition(&f->in.event))
		look_at_definition(f);
	else
		plan_event(&f->plan, f->records, &f->in.event);
	check(f, f->plan.error);
	check(f, f->ask.select.error);
	check(f, f->ask.where.error);
}

static void
plan_end(struct filter *f, bool complete)
{
	(void)complete;
	plan_section_end(&f->plan);
}

static const struct pass survey = {NULL, survey_record, survey_end};
static const struct pass plan = {NULL, plan_record, plan_end};

/* the plan says the rest */
static void
ask_for_definitions(struct filter *f)
{
	memset(f->want, 0, sizeof(f->want));
	select_keys(&f->ask.select, f->want);
	for (size_t k = 0; k <= KIND_COUNT; k++)
		if (schema_role((enum kind)k) != ROLE_DEF)
			f->want[k] = (struct keyset){0};
	ask_always(f);
}

static void
warn_of_orphans(int64_t n)
{
	if (n > 0)
		warnx("warning: %" PRId64 " operations have no call in the "
		      "stream: where they were launched is not known",
		    n);
}

/* find out what stays, and be ready for the pass that writes */
static void
look_ahead(struct filter *f)
{
	if (where_needs_survey(&f->ask.where)) {
		where_keys(&f->ask.where, f->want);
		run(f, &survey);
		reader_rewind(&f->in);
	}
	plan_keys(&f->plan, f->want);
	if (f->ask.top > 0) {
		f->top.collecting = true;
		run(f, &plan);
		reader_rewind(&f->in);
		f->top.collecting = false;
		f->plan.orphans = 0;
	}
	run(f, &plan);
	reader_rewind(&f->in);
	ask_for_definitions(f);
	warn_of_orphans(f->plan.orphans);
	if (!where_found(
		&f->ask.where, f->plan.sections, f->plan.section_count))
		exit(TQ_FAIL);
}

/* ---- writing ---- */

/* all, or all that want asks for, of a line of which a part was read */
static void
read_on(struct filter *f, struct event *ev, struct span line, bool all)
{
	if (!event_parse(ev, line, all ? NULL : f->refer))
		check(f, ev->error);
}

static void
write_definition(void *arg, struct span line)
{
	struct filter *f = arg;

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
write_begin(struct filter *f)
{
	f->out.lines = 0;
	if (f->in.event.kind != KIND_trace || f->ask.quiet)
		return;
	if (change_any(&f->ask.change)) {
		read_on(f, &f->kept, f->in.event.line, true);
		change_trace(&f->ask.change, &f->kept);
	} else
		output_line(&f->out, f->in.event.line);
	f->out.lines = 0;
}

static void
write_end(struct filter *f, bool complete)
{
	const struct event *ev = &f->in.event;
	struct output *o = &f->out;
	int64_t events;

	change_section_end(&f->ask.change);
	if (!complete || f->ask.quiet)
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

/* is it chosen for itself? */
static bool
matches(struct filter *f)
{
	const struct event *ev = &f->in.event;
	const struct where *w = &f->ask.where;
	int64_t ts = event_int(ev, KEY_ts, 0);
	bool whole = true, yes;

	yes = select_allows(&f->ask.select, ev, 0) &&
	      select_record(&f->ask.select, ev, &f->symbols) &&
	      f->ask.top == 0 &&
	      (!where_given(w) ||
		  (event_has(ev, KEY_ts) &&
		      where_inside(w, NO_ID, NO_ID, ts, ts, &whole)));
	check(f, f->ask.select.error);
	return yes != f->ask.invert;
}

/* with the closure, only when it was asked for as such */
static bool
definition_chosen(struct filter *f)
{
	const struct event *ev = &f->in.event;

	if (f->everything)
		return true;
	if (f->ask.closure && !select_asks_definition(&f->ask.select, ev->kind))
		return false;
	return matches(f);
}

static void
definition(struct filter *f)
{
	const struct event *ev = &f->in.event;
	bool chosen;

	if (ev->kind == KIND_process)
		select_process(&f->ask.select, ev);
	chosen = definition_chosen(f);
	if (chosen && f->ask.quiet)
		exit(TQ_OK);
	if (f->ask.closure &&
	    (ev->kind == KIND_process || ev->kind == KIND_device))
		chosen = true;
	if (chosen) {
		defs_written(&f->defs, ev);
		write_definition(f, ev->line);
	} else if (f->ask.closure)
		defs_add(&f->defs, ev);
	else
		defs_tell(&f->defs, ev);
}

static void
write_record(struct filter *f)
{
	const struct event *ev = &f->in.event;
	bool cut;

	if (is_definition(ev)) {
		definition(f);
		return;
	}
	if (f->covers)
		section_cover(section(f), ev);
	if (f->never[ev->kind])
		return;
	if (f->planned ? !marks_has(&f->plan.keep, f->records)
		       : !f->everything && !matches(f))
		return;
	if (f->ask.quiet)
		exit(TQ_OK);
	cut = ev->kind == KIND_range && f->planned && f->ask.closure &&
	      marks_has(&f->plan.cut, f->records);
	if (!cut && !f->ask.closure && !change_any(&f->ask.change)) {
		output_line(&f->out, ev->line);
		return;
	}
	read_on(f, &f->kept, ev->line, cut || change_any(&f->ask.change));
	if (f->ask.closure && !f->everything)
		defs_use(&f->defs, &f->kept);
	if (cut || change_any(&f->ask.change)) {
		change_write(&f->ask.change, &f->kept, cut, section(f));
		check(f, f->ask.change.error);
	} else
		output_line(&f->out, ev->line);
}

static const struct pass writing = {write_begin, write_record, write_end};

/* ---- the whole ---- */

/* does the closure have anything to add that comes before what asks for it? */
static bool
closure_looks_ahead(const struct options *ask)
{
	uint64_t kinds = ask->select.kinds, launched = 0;

	if (!ask->closure ||
	    (!select_given(&ask->select) && !where_given(&ask->where)))
		return false;
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (schema_kinds[k].role == ROLE_WORK ||
		    schema_kinds[k].role == ROLE_EVENT)
			launched |= (uint64_t)1 << k;
	return kinds == 0 || (kinds >> KIND_range & 1) != 0 ||
	       ((kinds >> KIND_api & 1) != 0 && (kinds & launched) != 0);
}

static bool
looks_ahead(const struct options *ask)
{
	const struct where *w = &ask->where;

	return (!ask->quiet && closure_looks_ahead(ask)) ||
	       where_needs_survey(w) || (w->has_time && !w->by_time) ||
	       ask->top > 0 || ask->select.depth != NO_ID;
}

/* does it matter what came before a record? */
static bool
needs_order(const struct options *ask)
{
	const struct where *w = &ask->where;

	return w->profiler || w->range_count > 0 || w->step_count > 0 ||
	       ask->change.merge_short > 0;
}

static void
tell_of_copy(const char *name)
{
	warnx("%s: is no file, but the selection needs two passes: "
	      "goes through a temporary one",
	    name);
}

static void
begin(struct filter *f)
{
	struct options *ask = &f->ask;

	f->symbols = (struct expr_symbols){defs_symbol, &f->defs};
	plan_init(&f->plan, &ask->select, &ask->where, &f->symbols);
	f->plan.closure = ask->closure && !ask->quiet;
	f->plan.invert = ask->invert;
	if (ask->top > 0) {
		f->top.count = ask->top;
		f->plan.top = &f->top;
	}
	f->everything = select_all(&ask->select) && !ask->invert &&
			!where_given(&ask->where) && ask->top == 0;
	f->planned = !f->everything && looks_ahead(ask);
	for (enum kind k = 0; k <= KIND_COUNT; k++)
		f->never[k] =
		    !f->planned && !ask->invert && select_none(&ask->select, k);
	ask_always(f);
	defs_keys_use(f->refer);
}

int
main(int argc, char *argv[])
{
	struct filter f = {0};
	struct options *ask = &f.ask;

	options_parse(ask, argc, argv);
	begin(&f);
	reader_init(&f.in, ask->operands, f.want, &f.out);
	f.in.any_order = !needs_order(ask);
	if (f.planned) {
		input_keep(&f.in.in, tell_of_copy);
		look_ahead(&f);
	} else {
		select_keys(&ask->select, f.want);
		if (where_given(&ask->where))
			where_keys(&ask->where, f.want);
	}
	f.defs.write = write_definition;
	f.defs.arg = &f;
	if (!ask->quiet)
		output_open(&f.out, ask->output,
		    ask->zstd ? ZIO_ZSTD
			      : zio_format_of(
				    ask->output != NULL ? ask->output : ""));
	ask->change.symbols = &f.symbols;
	change_begin(&ask->change, &f.out);
	f.covers = !f.planned &&
		   (where_given(&ask->where) || change_any(&ask->change));
	run(&f, &writing);
	if (!f.planned &&
	    !where_found(&ask->where, f.plan.sections, f.plan.section_count))
		exit(TQ_FAIL);
	if (ask->quiet)
		exit(TQ_FAIL); /* nothing matched */
	output_finish(&f.out);
	change_free(&ask->change);
	where_free(&ask->where);
	select_free(&ask->select);
	plan_free(&f.plan);
	top_free(&f.top);
	defs_free(&f.defs);
	event_free(&f.kept);
	event_free(&f.definition);
	reader_free(&f.in);
	return f.in.status;
}
