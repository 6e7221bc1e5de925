/*
 * tq-stats - sums of a stream: the reports of nsys stats, and others
 */

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tq/base/mem.h"
#include "tq/base/suggestion.h"
#include "tq/io/note.h"
#include "tq/io/reader.h"
#include "tq/line/json.h"
#include "tq/io/status.h"
#include "tq/names/model.h"

#include "choose.h"
#include "column_docs.h"
#include "needs.h"
#include "page/html/web_page.h"
#include "page/page_reports.h"
#include "page/text/text_page.h"
#include "pstats/pstats.h"
#include "tq/show/display.h"
#include "partial/partial.h"
#include "ranks.h"
#include "stats_options.h"
#include "stats_rules.h"

struct stats {
	struct stats_options ask;
	struct ranks ranks;
	struct live live;
	struct reader in;
	struct output out;
	struct names names;
	struct model model;
	struct wall wall;
	struct recordings recordings; /* of a partial */
	bool correlated;              /* tq-correlate has written the stream */
	bool covers;                  /* a report needs the wall */
	bool saturated;               /* a sum did not fit its cell */
	bool whole;  /* a report reads records that the filter drops */
	bool stacks; /* or call stacks, by their ids */
	bool page;   /* the page for people, not the tables of overview */
	struct stats_rules rules; /* open if ask.settings.adviser is set */
};

/* ---- reports ---- */

/* The overview, and nothing else, where it is for people. */
static bool
is_page(const struct stats *s)
{
	const struct reports *rs = &s->ask.reports;

	if ((s->ask.format.format != FORMAT_HTML &&
		s->ask.format.format != FORMAT_TABLE) ||
	    s->ranks.apart || s->ask.merge || s->ask.partial ||
	    s->ask.columns || s->ask.order.column.len > 0 ||
	    s->ask.order.top > 0 || s->ask.settings.compat ||
	    s->ask.format.time_unit != 1)
		return false;
	for (size_t i = 0; i < rs->count; i++)
		if (!rs->all[i].page)
			return false;
	return true;
}

/* The reports of the page instead of those of overview. */
static void
choose_page_reports(struct stats *s)
{
	for (size_t i = 0; i < s->ask.reports.count; i++)
		report_free(&s->ask.reports.all[i]);
	s->ask.reports.count = 0;
	s->ask.settings.approx = true; /* its memory is bounded */
	s->page = true;
	choose_page(&s->ask.reports, s->ask.like, page_reports_of_page);
}

/* True if the report is lines of text, and not a table. */
static bool
is_text(const struct stats *s, const struct report_kind *k)
{
	return k->text != NULL &&
	       (k->table == NULL ||
		   (s->ask.format.format == FORMAT_TABLE && !s->ranks.apart &&
		       s->ask.order.column.len == 0 && s->ask.order.top == 0));
}

static void
check_format(const struct stats *s)
{
	const struct reports *rs = &s->ask.reports;

	for (size_t i = 0; i < rs->count; i++) {
		if (!is_text(s, rs->all[i].kind) || s->ask.settings.profile)
			continue;
		if (s->ask.format.format != FORMAT_TABLE)
			errx(TQ_USAGE, "%s is text: only -f table prints it",
			    rs->all[i].name);
		if (s->ask.order.column.len > 0 || s->ask.order.top > 0)
			errx(TQ_USAGE, "%s is text: %s needs tables",
			    rs->all[i].name,
			    s->ask.order.top > 0 ? "--top" : "--sort");
	}
}

/* ---- the order of rows ---- */

static void
list_table(const struct stats *s, FILE *f, struct table *t)
{
	t->docs = column_docs;
	order_list(f, t, s->ask.described);
}

static void
list_columns(const struct stats *s, FILE *f)
{
	struct ranks none = ranks_without_records(&s->ranks);

	for (size_t i = 0; i < s->ask.reports.count; i++) {
		struct table all = {0};

		if (s->ask.described)
			choose_describe(f, &s->ask.reports.all[i]);
		if ((s->ask.reports.all[i].kind->text == NULL ||
			s->ask.reports.all[i].kind->table != NULL) &&
		    !s->ask.reports.all[i].hidden)
			list_table(s, f, ranks_table(&none, i, &all));
		table_free(&all);
	}
	ranks_free(&none);
}

/* of that table, or if it is NULL of the reports */
static _Noreturn void
no_column(const struct stats *s, const struct suggestion *near, struct table *t)
{
	char *guesses = suggestion_text(near);

	warnx("no column is named '%.*s'%s", (int)near->word.len, near->word.p,
	    near->best[0].text != NULL ? guesses : "; there are:");
	free(guesses);
	if (near->best[0].text == NULL && t != NULL)
		order_list(stderr, t, false);
	else if (near->best[0].text == NULL)
		list_columns(s, stderr);
	exit(TQ_USAGE);
}

/* Known columns are those of the reports without a record. */
static void
check_column(const struct stats *s)
{
	struct ranks none = ranks_without_records(&s->ranks);
	struct suggestion near = {.word = s->ask.order.column};
	struct order_seen seen = {0};
	bool known = false;

	for (size_t i = 0; !known && i < s->ask.reports.count; i++) {
		struct table all = {0}, *t = ranks_table(&none, i, &all);

		known = order_column(&s->ask.order, t) != SIZE_MAX;
		order_near(&near, &seen, t);
		table_free(&all);
	}
	ranks_free(&none);
	if (!known)
		no_column(s, &near, NULL);
	order_seen_free(&seen);
}

/* After the reports are open. */
static void
start_ranks(struct stats *s, const struct keyset *want)
{
	bool sorted = s->ask.order.column.len > 0;

	for (size_t i = 0; s->ask.order.top > 0 && i < s->ask.reports.count;
	     i++) {
		struct report *r = &s->ask.reports.all[i];

		/* a page has reports whole that fit it */
		if (!r->page || r->limit > 0)
			r->limit = s->ask.order.top;
	}
	ranks_init(&s->ranks, s->ask.reports, want);
	s->ranks.whole = sorted || (s->ranks.apart && s->ask.order.top > 0);
	if (s->ask.columns) {
		list_columns(s, stdout);
		exit(TQ_OK);
	}
	if (sorted)
		check_column(s);
}

/* ---- what rules find ---- */

/* A stream that is read once, or a sum of partials, has no findings. */
static bool
wants_rules(const struct stats *s)
{
	const struct reports *rs = &s->ask.reports;

	if (s->live.every > 0 || s->ranks.apart || s->ask.merge ||
	    s->ask.partial)
		return false;
	for (size_t i = 0; i < rs->count; i++)
		if (rs->all[i].kind->advice)
			return true;
	return s->page;
}

static bool
has_rules(const struct stats *s)
{
	return s->ask.settings.adviser != NULL;
}

/* The rules have the steps and the time of the reports. */
static void
open_rules(struct stats *s, struct keyset *want)
{
	if (!wants_rules(s))
		return;
	stats_rules_open(&s->rules, &s->ask.settings, &s->ask.filter);
	if (s->rules.beside && !s->ask.needs)
		return;
	for (enum kind k = 0; k <= KIND_COUNT; k++)
		keyset_add_set(&want[k], &s->rules.first[k]);
}

static void
open_reports(struct stats *s, struct keyset *want)
{
	struct reports *rs = &s->ask.reports;

	for (enum kind k = 0; k <= KIND_COUNT; k++)
		keyset_add(&want[k], KEY_kind);
	for (size_t i = 0; i < rs->count; i++) {
		struct report *r = &rs->all[i];

		if (r->kind->grouped && s->ask.settings.group == NULL)
			errx(TQ_USAGE, "%s needs -g", r->kind->name);
		if (is_text(s, r->kind) && s->ranks.apart)
			errx(TQ_USAGE, "%s is text: --by-rank needs tables",
			    r->name);
		if (r->kind->all_ranks && s->ranks.apart)
			errx(TQ_USAGE, "%s compares ranks: --by-rank has one",
			    r->name);
		report_open(r); /* its argument may make it of another kind */
		s->covers |= r->kind->wall || r->pct || s->ask.partial ||
			     s->ask.settings.profile;
		s->whole |= r->kind->whole;
		s->stacks |= r->kind->stacks;
		s->names.with_mangled |= report_wants_mangled(r);
	}
	check_format(s);
	choose_keys(rs, want);
	open_rules(s, want);
	nsys_filter_keys(&s->ask.filter, want);
	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		if (s->ranks.apart)
			keyset_add(&want[k], KEY_pid);
		if (s->covers) {
			keyset_add(&want[k], KEY_ts);
			keyset_add(&want[k], KEY_dur);
		}
	}
	if (s->covers)
		keyset_add(&want[KIND_sample], KEY_args);
	/* all keys of records that are no events, unknown ones included */
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (schema_kinds[k].role == ROLE_DEF ||
		    schema_kinds[k].role == ROLE_FRAME)
			want[k] = keyset_all();
	start_ranks(s, want);
}

/*
 * True if the input is several files, and rows of the reports, or their places
 * in time, are of single ones: clocks of ranks have to agree then.  Sums do not
 * depend on clocks.
 */
static bool
needs_clocks(const struct stats *s)
{
	char *const *operands = s->ask.settings.operands;

	if (*operands == NULL || operands[1] == NULL || s->ask.partial ||
	    s->ask.settings.compat)
		return false;
	for (size_t i = 0; i < s->ask.reports.count; i++) {
		const struct report_kind *kind = s->ask.reports.all[i].kind;

		if (!kind->as_recorded &&
		    (kind->sum == NULL || kind->row_parts))
			return true;
	}
	return false;
}

/* Print the options of the tools that make a stream for the reports. */
static _Noreturn void
print_needs(const struct stats *s, struct keyset *want)
{
	uint64_t kinds = nsys_filter_needs(&s->ask.filter, want);
	struct output out;

	for (size_t i = 0; i < s->ask.reports.count; i++)
		kinds |= report_kinds_read(&s->ask.reports.all[i]);
	output_open(&out, NULL, ZIO_PLAIN);
	/* the wall is the time of all records; any record makes a rank */
	needs_print(&out.buf, kinds,
	    s->covers || s->ranks.apart ||
		nsys_filter_needs_survey(&s->ask.filter),
	    needs_clocks(s), want);
	output_finish(&out, true);
	exit(TQ_OK);
}

/* ---- the stream ---- */

static bool
is_live(const struct stats *s)
{
	return s->live.every > 0;
}

/* Text for people that is complete at the end of the stream. */
static bool
is_paged(const struct stats *s)
{
	return s->ask.format.format == FORMAT_TABLE && !s->ask.no_pager &&
	       !s->ask.settings.profile && !is_live(s);
}

/* Keep the wall of a section.  A section may end twice; the second end has no
   wall. */
static void
note_window(struct stats *s)
{
	if (!s->wall.any)
		return;
	s->ask.format.head.from = s->wall.from;
	s->ask.format.head.to = s->wall.to;
}

static void
end_section(struct stats *s)
{
	if (is_live(s))
		live_section_end(&s->live);
	wall_section_end(&s->wall);
	if (s->ask.partial)
		recordings_section_end(&s->recordings, &s->wall);
	note_window(s);
	ranks_section_end(&s->ranks);
	names_reset(&s->names);
}

/* --time cuts the wall; with a range the wall covers its events only. */
static void
cover_time(struct stats *s, const struct event *ev)
{
	if (ev->kind == KIND_trace)
		wall_begin(&s->wall, ev);
	else if ((!s->ranks.dropped || !s->ask.filter.by_range) &&
		 event_has(ev, KEY_ts))
		wall_add(&s->wall, ev);
}

static void
define(struct stats *s, const struct event *ev)
{
	if (ev->kind != KIND_stack || s->stacks) /* the largest */
		names_define(&s->names, ev);
}

static void
note_origin(struct stats *s, const struct event *ev)
{
	struct text t = {0};
	int64_t ns;

	if (s->ask.settings.origin == NO_ID &&
	    json_int(event_str(ev, KEY_origin_utc_ns, &t), &ns))
		s->ask.settings.origin = ns;
	text_free(&t);
}

/* The window of time may be another one in each section. */
static void
cut_wall(struct stats *s)
{
	const struct nsys_filter *filter = &s->ask.filter;
	bool cut = window_given(&filter->time) && !filter->by_range;

	s->wall.after = cut ? filter->from : INT64_MIN;
	s->wall.before = cut ? filter->to : INT64_MAX;
}

/* a record for the reports */
static inline void
report_record(struct stats *s, const struct event *ev)
{
	if (nsys_filter_given(&s->ask.filter))
		s->ranks.dropped = !nsys_filter_keeps(&s->ask.filter, ev);
	if (ev->kind == KIND_trace)
		cut_wall(s);
	if (s->ask.partial)
		recordings_record(&s->recordings, ev);
	/* rules cut the stream at a window themselves */
	if (has_rules(s) && (!s->ranks.dropped || !s->ask.filter.by_range))
		stats_rules_record(&s->rules, ev);
	if (ev->kind == KIND_trace)
		note_origin(s, ev);
	if (schema_role(ev->kind) == ROLE_DEF)
		define(s, ev);
	else if (s->covers)
		cover_time(s, ev);
	if (s->ranks.dropped && !s->whole)
		return;
	s->correlated |= event_has(ev, KEY_api_ts) ||
			 event_has(ev, KEY_resolved) || report_projected(ev);
	ranks_event(&s->ranks, ev);
}

/* the same, behind the live page */
static void
take_record(void *stats, const struct event *ev)
{
	report_record(stats, ev);
}

/* a record of which only the live page is made */
static void
take_definition(void *stats, const struct event *ev)
{
	if (schema_role(ev->kind) == ROLE_DEF)
		define(stats, ev);
}

static void
read_stream(struct stats *s)
{
	const struct event *ev = &s->in.event;
	bool in_section = false;

	while (reader_next(&s->in)) {
		if (ev->kind == KIND_trace ||
		    (ev->kind != KIND_end && s->in.in_section != in_section))
			end_section(s);
		in_section = s->in.in_section;
		model_event(&s->model, ev);
		if (is_live(s))
			live_event(&s->live, ev, s->in.live);
		else
			report_record(s, ev);
		if (ev->kind == KIND_end)
			end_section(s);
	}
	end_section(s);
}

static void
open_stream(struct stats *s, const struct keyset *want)
{
	bool survey = nsys_filter_needs_survey(&s->ask.filter);

	reader_init(&s->in, s->ask.operands, want, NULL);
	s->in.event.model = &s->model;
	s->in.grep = true; /* sums of chosen records of several streams */
	if (survey || has_rules(s))
		input_keep(&s->in.in);
	if (survey && !nsys_filter_survey(&s->ask.filter, &s->in) &&
	    s->ask.filter.by_range)
		errx(TQ_FAIL, "no range of that name is in the stream");
}

static void
open_live(struct stats *s, struct keyset *want)
{
	struct live *l = &s->live;

	live_sums_keys(want);
	l->file = s->ask.file;
	l->step = &s->ask.settings.step;
	l->names = &s->names;
	l->out = &s->out;
	l->want = want;
	l->color = s->ask.color;
	l->hand_on = l->form == LIVE_SCREEN ? take_record : take_definition;
	l->arg = s;
	reader_init(&s->in, s->ask.operands, want, NULL);
	s->in.event.model = l->waited.model = &s->model;
	s->in.grep = s->in.takes_live = true;
	s->in.in.idle = live_idle;
	s->in.in.idle_arg = l;
	live_begin(l);
}

static void
open_any(struct stats *s, struct keyset *want)
{
	if (is_live(s))
		open_live(s, want);
	else
		open_stream(s, want);
}

static void
close_live(struct stats *s)
{
	if (!is_live(s))
		return;
	live_finish(&s->live);
	live_free(&s->live);
}

/* ---- results ---- */

static struct partial
partial_of(struct stats *s)
{
	return (struct partial){.settings = &s->ask.settings,
	    .names = &s->names,
	    .wall = &s->wall,
	    .recordings = &s->recordings,
	    .reports = s->ask.reports.all,
	    .set = &s->ask.reports,
	    .count = s->ask.reports.count,
	    .chosen = s->ask.chosen,
	    .merged = s->ask.merge,
	    .tables = s->ask.tables,
	    .correlated = s->correlated};
}

/* instead of a stream */
static void
read_partials(struct stats *s)
{
	struct partial p = partial_of(s);

	partial_read(&p, s->ask.operands);
	s->ask.reports = (struct reports){p.reports, p.count};
	s->ask.tables = p.tables;
	if (s->ask.tables)
		choose_mergeable(&s->ask.reports, false, true);
	s->correlated = p.correlated;
	s->in.status = p.status;
	check_format(s);
	start_ranks(s, NULL);
}

/* True if --partial writes lines of a single report. */
static bool
writes_lines(const struct stats *s)
{
	return s->ask.partial && s->ask.reports.count == 1 &&
	       s->ask.reports.all[0].kind->lines != NULL;
}

/* instead of tables */
static size_t
write_partial(struct stats *s)
{
	const struct partial p = partial_of(s);

	if (writes_lines(s))
		p.reports[0].kind->lines(&p.reports[0], &s->out);
	else
		partial_write(&s->out, &p);
	return 1; /* a partial without groups counts, too */
}

/* why a report is empty */
static const char *
reason_of(const struct stats *s, const struct report *r)
{
	if (r->kind->correlated && !s->correlated)
		return "the stream did not go through tq-correlate";
	if (r->merged)
		return "no part has a row of it";
	if (r->missing != NULL)
		return r->missing;
	return r->kind->missing != NULL ? r->kind->missing
					: "nothing of it in the stream";
}

static void
warn_missing(const struct stats *s, const struct report *r)
{
	if (!r->page)
		note("%s: %s", r->kind->name, reason_of(s, r));
}

static bool
write_text(struct stats *s, struct report *r, bool first)
{
	size_t before = s->out.buf.len;

	if (!first)
		text_add_char(&s->out.buf, '\n');
	if (r->kind->text(r, &s->out))
		return true;
	s->out.buf.len = before;
	return false;
}

/* True if a single section has a wall. */
static bool
has_one_wall(const struct stats *s)
{
	return s->wall.windows + s->wall.spans == 1;
}

/* The base of a column "Of Wall", or "Busy of Wall". */
static void
take_wall(const struct stats *s, const struct report *r, struct table *t)
{
	if (t->base != NULL || !r->kind->wall_title || !has_one_wall(s))
		return;
	for (size_t i = 0; i < t->column_count; i++)
		if (strstr(t->columns[i].name, "f Wall") != NULL) {
			t->base = "wall";
			t->base_ns = s->wall.ns;
		}
}

/* What a program is told of a table, with rows or without. */
static void
explain(struct stats *s, size_t i, struct table *t)
{
	const struct report *r = &s->ranks.like.all[i];

	if (s->ranks.count > 0)
		r = &s->ranks.all[0]->reports.all[i];
	t->docs = column_docs;
	t->reason = reason_of(s, r);
	take_wall(s, r, t);
	if (t->title == NULL)
		t->title = r->kind->title;
	if (!s->ask.merge) /* partials are no recordings */
		t->next = table_rows(t) > 0 ? column_docs_next(r->kind->name)
					    : "tq-extract --kinds FILE";
}

/* Returns the number of rows, and sets *written if anything is. */
static size_t
write_table(struct stats *s, size_t i, bool first, bool *written)
{
	struct table all = {0}, *t = ranks_table(&s->ranks, i, &all);
	size_t rows = table_rows(t);

	*written = rows > 0 || s->ask.format.format == FORMAT_JSON;
	explain(s, i, t);
	if (s->ranks.whole)
		t->limit = s->ask.reports.all[i].limit;
	order_rows(&s->ask.order, t);
	if (*written)
		format_table(&s->out, &s->ask.format, t, first);
	order_reset(t); /* reports behind it read it as it was */
	s->saturated |= t->saturated;
	table_free(&all);
	return rows;
}

/* False if nothing is written, as of an empty report that is no json. */
static bool
write_report(struct stats *s, size_t i, bool first)
{
	struct report *r = &s->ask.reports.all[i];
	bool written = false, empty;

	if (r->hidden)
		return false;
	if (s->ask.settings.profile)
		written = r->kind->profile(r, &s->out.buf);
	else if (is_text(s, r->kind))
		written = write_text(s, r, first);
	empty = !written;
	if (empty && !s->ask.settings.profile &&
	    (!is_text(s, r->kind) || r->kind->table != NULL))
		empty = write_table(s, i, first, &written) == 0;
	if (empty && s->ask.chosen)
		warn_missing(s, r);
	return written;
}

/* The window of the reports, where it is one. */
static void
take_head(struct stats *s)
{
	const struct wall *w = &s->wall;
	struct json_head *h = &s->ask.format.head;

	h->operands = s->ask.operands;
	h->asked = s->ask.settings.window;
	if (w->after != INT64_MIN || w->before != INT64_MAX) {
		h->window = "asked";
		h->from = w->after;
		h->to = w->before;
	} else if (has_one_wall(s)) {
		h->window =
		    w->windows > 0 ? "recorded" : "first_to_last_record";
	}
}

static size_t
write_reports(struct stats *s)
{
	const struct partial p = partial_of(s);
	size_t written = 0;
	bool approximated = false;

	take_head(s);
	format_begin(&s->out, &s->ask.format);
	for (size_t i = 0; i < p.count; i++) {
		approximated |= ranks_approximated(&s->ranks, i);
		written += write_report(s, i, written == 0);
		if (s->ask.merge)
			partial_hand_on(&p, i);
		ranks_done(&s->ranks, i);
	}
	format_end(&s->out, &s->ask.format);
	if (approximated)
		note("%s", report_approximation);
	return written;
}

static void
write_text_page(struct stats *s, const struct page *p)
{
	struct text *t = &s->out.buf;
	struct terminal on;

	display_begin();
	terminal_find(&on, s->ask.file == NULL, s->ask.color);
	if (s->ask.digest > 0) {
		text_page_digest(t, &on, p, (size_t)s->ask.digest);
		return;
	}
	text_page_add(t, &on, p);
}

static size_t
write_page(struct stats *s)
{
	struct page p;
	bool any = page_fill(&p, &s->ranks.all[0]->reports);

	if (any && s->ask.format.format == FORMAT_HTML)
		web_page(&s->out.buf, &p);
	else if (any)
		write_text_page(s, &p);
	s->saturated |= p.saturated;
	page_free(&p);
	return any;
}

/* How many reports have tables. */
static size_t
shown_reports(const struct reports *rs)
{
	size_t n = 0;

	for (size_t i = 0; i < rs->count; i++)
		n += !rs->all[i].hidden;
	return n;
}

static void
choose_format(struct stats *s)
{
	s->ask.format.compat = s->ask.settings.compat;
	s->ask.format.binary =
	    s->ask.settings.compat && s->ask.settings.version == 2024;
	s->ask.format.several = shown_reports(&s->ask.reports) > 1;
	if (s->ask.format.format == FORMAT_TABLE && s->ask.file == NULL &&
	    isatty(STDOUT_FILENO)) {
		s->ask.format.width = terminal_columns();
		s->ask.format.human = true;
	}
}

/* instead of reports */
static int
run_live(struct stats *s, struct keyset *want)
{
	bool metrics = s->live.form == LIVE_METRICS;

	open_reports(s, want); /* none */
	if (!metrics)
		output_open(&s->out, s->ask.file,
		    zio_format_for(ZIO_PLAIN, s->ask.file));
	open_live(s, want);
	read_stream(s);
	close_live(s);
	if (!metrics)
		output_finish(&s->out, s->in.status == TQ_OK);
	ranks_free(&s->ranks);
	names_free(&s->names);
	recordings_free(&s->recordings);
	model_free(&s->model);
	range_spec_free(&s->ask.settings.step);
	reader_free(&s->in);
	return s->in.status;
}

/* instead of a stream; returns the status */
static int
run_pstats(struct stats *s)
{
	struct suggestion near = {.word = s->ask.order.column};
	struct order_seen seen = {0};
	char *const files[] = {(char *)(uintptr_t)s->ask.pstats, NULL};
	struct table t = {0};

	pstats_table_of(s->ask.pstats, &t);
	t.docs = column_docs;
	if (s->ask.columns) {
		order_list(stdout, &t, false);
		exit(TQ_OK);
	}
	order_near(&near, &seen, &t);
	if (near.word.len > 0 && order_column(&s->ask.order, &t) == SIZE_MAX)
		no_column(s, &near, &t);
	order_seen_free(&seen);
	choose_format(s);
	t.limit = s->ask.order.top;
	order_rows(&s->ask.order, &t);
	output_open(
	    &s->out, s->ask.file, zio_format_for(ZIO_PLAIN, s->ask.file));
	if (is_paged(s))
		output_page(&s->out);
	s->ask.format.head.operands = files;
	format_begin(&s->out, &s->ask.format);
	format_table(&s->out, &s->ask.format, &t, true);
	format_end(&s->out, &s->ask.format);
	output_finish(&s->out, true);
	order_reset(&t);
	table_free(&t);
	return TQ_OK;
}

/* the reports of the options, ready for records */
static void
prepare(struct stats *s, struct keyset *want)
{
	static char *const no_operands[] = {NULL};

	if (!s->ask.chosen && !s->ask.merge)
		choose_reports(&s->ask.reports, s->ask.like, "overview");
	if (is_page(s))
		choose_page_reports(s);
	s->ask.settings.input = &s->in.in.name;
	/* partials are no input of a command */
	s->ask.settings.operands = s->ask.merge ? no_operands : s->ask.operands;
	if ((s->ask.merge || s->ask.partial) && !writes_lines(s))
		choose_mergeable(&s->ask.reports, s->ask.chosen, s->ask.tables);
	if (!s->ask.merge)
		open_reports(s, want);
}

/* returns the bytes that were written */
static size_t
write_all(struct stats *s)
{
	choose_format(s);
	if (s->page)
		return write_page(s);
	return s->ask.partial ? write_partial(s) : write_reports(s);
}

/* all is written, or nothing was */
static void
finish(struct stats *s, size_t written)
{
	if (s->saturated)
		warnx("warning: a sum is 2^63 - 1 or more, and shown as that");
	if (written > 0)
		output_finish(&s->out, s->in.status == TQ_OK);
	else
		output_abandon(&s->out);
	if (written == 0 && (s->in.any || s->ask.merge) && !s->ask.chosen)
		note("all reports are empty");
	if (has_rules(s))
		stats_rules_free(&s->rules);
	ranks_free(&s->ranks);
	nsys_filter_free(&s->ask.filter);
	names_free(&s->names);
	recordings_free(&s->recordings);
	model_free(&s->model);
	free(s->ask.settings.group);
	range_spec_free(&s->ask.settings.step);
	reader_free(&s->in);
}

/* A profile is always compressed, and never for a terminal. */
static void
open_output(struct stats *s)
{
	enum zio_format format = s->ask.settings.profile ? ZIO_GZIP : ZIO_PLAIN;

	output_open(&s->out, s->ask.file, zio_format_for(format, s->ask.file));
	if (is_paged(s))
		output_page(&s->out);
	if (s->ask.settings.profile)
		output_refuse_terminal(&s->out);
}

/* settings that follow from the command line */
static void
begin(struct stats *s)
{
	s->ask.settings.origin = NO_ID;
	s->ranks.apart = s->ask.by_rank;
	s->live.every = s->ask.every;
	s->live.form = s->ask.form;
	cut_wall(s);
}

int
main(int argc, char *argv[])
{
	struct stats s = {0};
	const struct report like = {.settings = &s.ask.settings,
	    .names = &s.names,
	    .wall = &s.wall,
	    .dropped = &s.ranks.dropped};
	static struct keyset want[KIND_COUNT + 1];
	size_t written;

	stats_options_parse(&s.ask, &like, argc, argv);
	if (s.ask.pstats != NULL)
		return run_pstats(&s);
	begin(&s);
	if (is_live(&s) && s.live.form != LIVE_SCREEN)
		return run_live(&s, want);
	prepare(&s, want);
	if (s.ask.needs)
		print_needs(&s, want);
	open_output(&s);
	if (s.ask.merge) {
		read_partials(&s);
	} else {
		open_any(&s, want);
		if (has_rules(&s))
			stats_rules_begin(&s.rules, &s.in);
		read_stream(&s);
		close_live(&s);
		if (has_rules(&s))
			stats_rules_end(&s.rules, &s.in, &s.ask.filter);
		if (s.in.any && !nsys_filter_reached(&s.ask.filter)) {
			output_abandon(&s.out);
			return TQ_FAIL;
		}
	}
	written = write_all(&s);
	finish(&s, written);
	return written > 0 ? s.in.status : TQ_FAIL;
}
