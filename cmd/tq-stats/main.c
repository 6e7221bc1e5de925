/*
 * tq-stats - what a stream adds up to: the reports of nsys stats, and others
 */

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tq/account/account_units.h"
#include "tq/advice/adviser.h"
#include "tq/advice/rule_file.h"
#include "tq/ask/expr.h"
#include "tq/base/mem.h"
#include "tq/base/near.h"
#include "tq/base/units.h"
#include "tq/io/opts.h"
#include "tq/io/reader.h"
#include "tq/io/status.h"
#include "tq/line/json.h"

#include "choose.h"
#include "live/live.h"
#include "needs.h"
#include "nsys_filter.h"
#include "table/format.h"
#include "table/order.h"
#include "page/html/web_page.h"
#include "page/parts.h"
#include "page/text/pager.h"
#include "page/text/text_page.h"
#include "pstats/pstats.h"
#include "table/display.h"
#include "partial/partial.h"
#include "ranks.h"

struct stats {
	const char *file;   /* NULL: stdout */
	const char *pstats; /* a file of cProfile, instead of a stream */
	struct report_settings settings;
	struct format_options format;
	struct order order;
	bool chosen, merge, partial;
	struct reports chosen_reports;
	struct ranks ranks;
	struct nsys_filter filter;
	struct live live;
	struct reader in;
	struct output out;
	struct names names;
	struct wall wall;
	bool correlated; /* tq-correlate has written the stream */
	bool covers;     /* a report needs the wall */
	bool saturated;  /* a sum did not fit its cell */
	bool whole;      /* a report reads what the filter drops */
	bool columns;    /* list the columns of the reports instead */
	bool page;       /* the page for people, not the tables of overview */
	bool no_pager;
	struct adviser adviser; /* open if settings.adviser is set */
	struct keyset advice_keys[KIND_COUNT + 1]; /* of its second pass */
	enum terminal_color color;
	bool needs; /* print what they need instead */
};

/* ---- reports ---- */

/* a report without a kind */
static struct report
empty_report(const struct stats *s)
{
	return (struct report){.settings = &s->settings,
	    .names = &s->names,
	    .wall = &s->wall,
	    .dropped = &s->ranks.dropped};
}

static void
add_reports(struct stats *s, const char *list)
{
	const struct report like = empty_report(s);

	choose_reports(&s->chosen_reports, &like, list);
}

/* The overview, and nothing else, where it is for people. */
static bool
is_page(const struct stats *s)
{
	const struct reports *rs = &s->chosen_reports;

	if ((s->format.format != FORMAT_HTML &&
		s->format.format != FORMAT_TABLE) ||
	    s->ranks.apart || s->merge || s->partial || s->columns ||
	    s->order.column.len > 0 || s->order.top > 0 || s->settings.compat ||
	    s->format.time_unit != 1)
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
	const struct report like = empty_report(s);

	for (size_t i = 0; i < s->chosen_reports.count; i++)
		report_free(&s->chosen_reports.all[i]);
	s->chosen_reports.count = 0;
	s->settings.approx = true; /* its memory is bounded */
	s->page = true;
	choose_page(&s->chosen_reports, &like, parts_of_page);
}

static void
check_format(const struct stats *s)
{
	const struct reports *rs = &s->chosen_reports;

	for (size_t i = 0; i < rs->count; i++) {
		if (rs->all[i].kind->text == NULL)
			continue;
		if (s->format.format != FORMAT_TABLE)
			errx(TQ_USAGE, "%s is text: only -f table prints it",
			    rs->all[i].name);
		if (s->order.column.len > 0 || s->order.top > 0)
			errx(TQ_USAGE, "%s is text: %s needs tables",
			    rs->all[i].name,
			    s->order.top > 0 ? "--top" : "--sort");
	}
}

/* ---- the order of rows ---- */

static void
list_columns(const struct stats *s, FILE *f)
{
	struct ranks none = ranks_without_records(&s->ranks);

	for (size_t i = 0; i < s->chosen_reports.count; i++) {
		struct table all = {0};

		if (s->chosen_reports.all[i].kind->text == NULL &&
		    !s->chosen_reports.all[i].hidden)
			order_list(f, ranks_table(&none, i, &all));
		table_free(&all);
	}
	ranks_free(&none);
}

/* of that table, or if it is NULL of the reports */
static _Noreturn void
no_column(const struct stats *s, const struct near *near, struct table *t)
{
	char *guesses = near_text(near);

	warnx("no column is named '%.*s'%s", (int)near->word.len, near->word.p,
	    near->best[0].text != NULL ? guesses : "; there are:");
	free(guesses);
	if (near->best[0].text == NULL && t != NULL)
		order_list(stderr, t);
	else if (near->best[0].text == NULL)
		list_columns(s, stderr);
	exit(TQ_USAGE);
}

/* Known columns are those of the reports without a record. */
static void
check_column(const struct stats *s)
{
	struct ranks none = ranks_without_records(&s->ranks);
	struct near near = {.word = s->order.column};
	struct order_seen seen = {0};
	bool known = false;

	for (size_t i = 0; !known && i < s->chosen_reports.count; i++) {
		struct table all = {0}, *t = ranks_table(&none, i, &all);

		known = order_column(&s->order, t) != SIZE_MAX;
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
	bool sorted = s->order.column.len > 0;

	for (size_t i = 0; s->order.top > 0 && i < s->chosen_reports.count;
	     i++) {
		struct report *r = &s->chosen_reports.all[i];

		/* a page has reports whole that fit it */
		if (!r->page || r->limit > 0)
			r->limit = s->order.top;
	}
	ranks_init(&s->ranks, s->chosen_reports, want);
	s->ranks.whole = sorted || (s->ranks.apart && s->order.top > 0);
	if (s->columns) {
		list_columns(s, stdout);
		exit(TQ_OK);
	}
	if (sorted)
		check_column(s);
}

/* ---- what rules find ---- */

/* A stream that is read once, or a sum of partials, has no findings. */
static bool
wants_advice(const struct stats *s)
{
	const struct reports *rs = &s->chosen_reports;

	if (s->live.every > 0 || s->ranks.apart || s->merge || s->partial)
		return false;
	for (size_t i = 0; i < rs->count; i++)
		if (rs->all[i].kind->advice)
			return true;
	return s->page;
}

/* The rules have the steps and the time of the reports. */
static void
open_adviser(struct stats *s, struct keyset *want)
{
	struct adviser *a = &s->adviser;
	size_t at;

	if (!wants_advice(s))
		return;
	rule_file_read(&a->rules, "default");
	if (s->settings.step_text != NULL && !s->settings.step.median)
		range_spec_parse_step(
		    &a->survey.step, s->settings.step_text, &at);
	if (s->wall.after != INT64_MIN)
		a->survey.window.from = WINDOW_FROM_START;
	if (s->wall.before != INT64_MAX)
		a->survey.window.to = WINDOW_FROM_START;
	a->survey.window.from_ns = s->wall.after;
	a->survey.window.to_ns = s->wall.before;
	adviser_open(a);
	adviser_first_keys(a, want);
	adviser_second_keys(a, s->advice_keys);
	nsys_filter_keys(&s->filter, s->advice_keys);
	s->settings.adviser = a;
}

/* The stream once more, for the rules. */
static void
read_again(struct stats *s)
{
	struct adviser *a = &s->adviser;
	const char *error;

	if (s->settings.adviser == NULL)
		return;
	adviser_first_end(a);
	if (a->survey.ops == 0)
		return; /* rules say nothing without operations */
	reader_rewind(&s->in);
	s->in.want = s->advice_keys;
	nsys_filter_restart(&s->filter);
	while (reader_next(&s->in)) {
		if (nsys_filter_given(&s->filter) &&
		    !nsys_filter_keeps(&s->filter, &s->in.event))
			continue;
		if ((error = adviser_second(a, &s->in.event)) != NULL)
			errx(TQ_FAIL, "%s:%zu: %s", s->in.in.name,
			    s->in.in.lineno, error);
	}
	adviser_second_end(a);
}

static void
open_reports(struct stats *s, struct keyset *want)
{
	struct reports *rs = &s->chosen_reports;

	for (enum kind k = 0; k <= KIND_COUNT; k++)
		keyset_add(&want[k], KEY_kind);
	for (size_t i = 0; i < rs->count; i++) {
		struct report *r = &rs->all[i];

		if (r->kind->grouped && s->settings.group == NULL)
			errx(TQ_USAGE, "%s needs -g", r->kind->name);
		if (r->kind->text != NULL && s->ranks.apart)
			errx(TQ_USAGE, "%s is text: --by-rank needs tables",
			    r->name);
		if (r->kind->all_ranks && s->ranks.apart)
			errx(TQ_USAGE, "%s compares ranks: --by-rank has one",
			    r->name);
		report_open(r); /* its argument may make it of another kind */
		s->covers |= r->kind->wall || r->pct || s->partial;
		s->whole |= r->kind->whole;
		s->names.with_mangled |= report_wants_mangled(r);
	}
	check_format(s);
	choose_keys(rs, want);
	open_adviser(s, want);
	nsys_filter_keys(&s->filter, want);
	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		if (s->ranks.apart)
			keyset_add(&want[k], KEY_pid);
		if (s->covers) {
			keyset_add(&want[k], KEY_ts);
			keyset_add(&want[k], KEY_dur);
		}
	}
	/* all keys of records that are no events, unknown ones included */
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (schema_kinds[k].role == ROLE_DEF ||
		    schema_kinds[k].role == ROLE_FRAME)
			memset(&want[k], 0xff, sizeof(want[k]));
	start_ranks(s, want);
}

/* Print what has to be in a stream for the reports. */
static _Noreturn void
print_needs(const struct stats *s, struct keyset *want)
{
	uint64_t kinds = nsys_filter_needs(&s->filter, want);
	struct output out;

	for (size_t i = 0; i < s->chosen_reports.count; i++)
		kinds |= report_kinds_read(&s->chosen_reports.all[i]);
	output_open(&out, NULL, ZIO_PLAIN);
	/* the wall is the time of all records; any record makes a rank */
	needs_print(&out.buf, kinds, s->covers || s->ranks.apart, want);
	output_finish(&out, true);
	exit(TQ_OK);
}

/* ---- the stream ---- */

static bool
is_live(const struct stats *s)
{
	return s->live.every > 0;
}

static void
end_section(struct stats *s)
{
	if (is_live(s))
		live_section_end(&s->live);
	wall_section_end(&s->wall);
	ranks_section_end(&s->ranks);
	names_reset(&s->names);
}

/* --filter-time cuts the wall; with a range the wall covers its events only. */
static void
cover_time(struct stats *s, const struct event *ev)
{
	if (ev->kind == KIND_trace)
		wall_begin(&s->wall, ev);
	else if ((!s->ranks.dropped || !s->filter.by_range) &&
		 event_has(ev, KEY_ts))
		wall_add(&s->wall, ev);
}

static void
define(struct stats *s, const struct event *ev)
{
	if (ev->kind != KIND_stack) /* the largest */
		names_define(&s->names, ev);
}

/* a record for the reports */
static inline void
report_record(struct stats *s, const struct event *ev)
{
	if (nsys_filter_given(&s->filter))
		s->ranks.dropped = !nsys_filter_keeps(&s->filter, ev);
	if (s->settings.adviser != NULL && !s->ranks.dropped)
		adviser_first(&s->adviser, ev);
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
open_stream(struct stats *s, char **operands, const struct keyset *want)
{
	reader_init(&s->in, operands, want, NULL);
	s->in.grep = true; /* sums of what was chosen from several streams */
	if (s->filter.by_range || s->settings.adviser != NULL)
		input_keep(&s->in.in);
	if (s->filter.by_range && !nsys_filter_survey(&s->filter, &s->in))
		errx(TQ_FAIL, "no range of that name is in the stream");
}

static void
open_live(struct stats *s, char **operands, struct keyset *want)
{
	struct live *l = &s->live;

	live_sums_keys(want);
	l->file = s->file;
	l->step = &s->settings.step;
	l->names = &s->names;
	l->out = &s->out;
	l->want = want;
	l->color = s->color;
	l->hand_on = l->form == LIVE_SCREEN ? take_record : take_definition;
	l->arg = s;
	reader_init(&s->in, operands, want, NULL);
	s->in.grep = s->in.takes_live = true;
	s->in.in.idle = live_idle;
	s->in.in.idle_arg = l;
	live_begin(l);
}

static void
open_any(struct stats *s, char **operands, struct keyset *want)
{
	if (is_live(s))
		open_live(s, operands, want);
	else
		open_stream(s, operands, want);
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
	return (struct partial){.settings = &s->settings,
	    .wall = &s->wall,
	    .reports = s->chosen_reports.all,
	    .count = s->chosen_reports.count,
	    .chosen = s->chosen,
	    .correlated = s->correlated};
}

/* instead of a stream */
static void
read_partials(struct stats *s, char **operands)
{
	struct partial p = partial_of(s);

	partial_read(&p, operands);
	s->chosen_reports = (struct reports){p.reports, p.count};
	s->correlated = p.correlated;
	s->in.status = p.status;
	check_format(s);
	start_ranks(s, NULL);
}

/* True if --partial writes what only one report has. */
static bool
writes_lines(const struct stats *s)
{
	return s->partial && s->chosen_reports.count == 1 &&
	       s->chosen_reports.all[0].kind->lines != NULL;
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

static void
warn_missing(const struct stats *s, const struct report *r)
{
	if (s->settings.quiet || r->page)
		return;
	if (r->kind->correlated && !s->correlated)
		warnx("%s: the stream did not go through tq-correlate",
		    r->kind->name);
	else
		warnx("%s: %s", r->kind->name,
		    r->missing != NULL ? r->missing : r->kind->missing);
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

/* False if the report is empty. */
static bool
write_report(struct stats *s, size_t i, bool first)
{
	struct table all = {0};
	struct table *t;
	bool any;

	if (s->chosen_reports.all[i].hidden)
		return false;
	if (s->chosen_reports.all[i].kind->text != NULL)
		return write_text(s, &s->chosen_reports.all[i], first);
	t = ranks_table(&s->ranks, i, &all);
	any = table_rows(t) > 0;
	if (s->ranks.whole)
		t->limit = s->chosen_reports.all[i].limit;
	order_rows(&s->order, t);
	if (any)
		format_table(&s->out, &s->format, t, first);
	order_reset(t); /* reports behind it read it as it was */
	s->saturated |= t->saturated;
	table_free(&all);
	return any;
}

static size_t
write_reports(struct stats *s)
{
	const struct partial p = partial_of(s);
	size_t written = 0;
	bool approximated = false;

	format_begin(&s->out, &s->format);
	for (size_t i = 0; i < p.count; i++) {
		approximated |= ranks_approximated(&s->ranks, i);
		if (write_report(s, i, written == 0))
			written++;
		else if (s->chosen)
			warn_missing(s, &p.reports[i]);
		if (s->merge)
			partial_hand_on(&p, i);
		ranks_done(&s->ranks, i);
	}
	format_end(&s->out, &s->format);
	if (approximated && !s->settings.quiet)
		warnx("%s", report_approximation);
	return written;
}

static void
write_text_page(struct stats *s, const struct page *p)
{
	struct text *t = &s->out.buf;
	struct terminal on;

	display_begin();
	terminal_find(&on, s->file == NULL, s->color);
	text_page_add(t, &on, p);
	if (on.is && !s->no_pager && pager_show(text_span(t)))
		t->len = 0;
}

static size_t
write_page(struct stats *s, char *const *operands)
{
	struct page p;
	bool any = page_fill(&p, &s->ranks.all[0]->reports, operands);

	if (any && s->format.format == FORMAT_HTML)
		web_page(&s->out.buf, &p);
	else if (any)
		write_text_page(s, &p);
	s->saturated |= p.saturated;
	page_free(&p);
	return any;
}

static void
choose_format(struct stats *s)
{
	s->format.compat = s->settings.compat;
	s->format.binary = s->settings.compat && s->settings.version == 2024;
	s->format.several = s->chosen_reports.count > 1;
	if (s->format.format == FORMAT_TABLE && s->file == NULL &&
	    isatty(STDOUT_FILENO)) {
		s->format.width = terminal_columns();
		s->format.human = true;
	}
}

/* ---- the command line ---- */

static void
take_time_unit(void *ns, const char *name)
{
	if (!format_time_unit(name, ns))
		errx(TQ_USAGE, "no unit of time is named '%s' (ns, us, ms, s)",
		    name);
}

static void
take_reports(void *stats, const char *list)
{
	struct stats *s = stats;

	s->chosen = true;
	add_reports(s, list);
}

static void
take_group(void *stats, const char *list)
{
	struct stats *s = stats;
	size_t len;
	const char *bad = group_parse(list, &s->settings, &len);

	if (bad != NULL)
		opts_no_key(bad, len);
	if (!s->chosen)
		add_reports(s, "group");
	s->chosen = true;
}

static void
take_compat(void *settings, const char *text)
{
	struct report_settings *s = settings;

	s->compat = true;
	if (strcmp(text, "2023.4") == 0)
		s->version = 2023;
	else if (strcmp(text, "2024.6") == 0)
		s->version = 2024;
	else
		errx(TQ_USAGE, "expected 2023.4 or 2024.6, not '%s'", text);
}

static void
check_filter(const char *error, const char *text)
{
	if (error != NULL)
		errx(TQ_USAGE, "'%s': %s", text, error);
}

static void
take_filter_nvtx(void *filter, const char *text)
{
	check_filter(nsys_filter_nvtx(filter, text), text);
}

static void
take_filter_time(void *filter, const char *text)
{
	check_filter(nsys_filter_time(filter, text), text);
}

static void
take_every(void *every, const char *text)
{
	static const int64_t least = 10000000, most = 86400000000000;
	int64_t *ns = every;

	if (!units_time(text, ns) || *ns < least || *ns > most)
		errx(TQ_USAGE, "--every: expected 10ms to 24h, not '%s'", text);
}

static void
take_step(void *settings, const char *text)
{
	step_choose(settings, text);
}

static void
take_sort(void *stats, const char *text)
{
	struct stats *s = stats;

	s->columns = strcmp(text, "help") == 0;
	s->order.column = (struct span){0};
	if (s->columns)
		return;
	order_parse(&s->order, text);
	if (s->order.column.len == 0)
		errx(TQ_USAGE, "--sort: expected a column, not '%s'", text);
}

/* refused here, also where no report needs it */
static void
take_per(void *per, const char *text)
{
	const char **to = per, *bad;
	struct account_units units;
	size_t at;

	bad = account_units_parse(&units, text, &at);
	if (bad != NULL) {
		expr_complain_at(span_of(text), at, bad);
		exit(TQ_USAGE);
	}
	account_units_free(&units);
	*to = text;
}

static void
take_top(void *top, const char *text)
{
	int64_t v;

	if (!json_int(span_of(text), &v) || v < 1)
		errx(TQ_USAGE, "--top: expected a number of rows, not '%s'",
		    text);
	*(size_t *)top = (size_t)v;
}

static void
show_reports(void *stats, const char *value)
{
	(void)stats;
	(void)value;
	choose_list(stdout);
	exit(TQ_OK);
}

#define OPT_STRUCT struct stats
static const struct opt options[] = {
    {'f', "format", "FORMAT", "of tables (default: table)",
	OPT_WORD(format.format, FORMAT_NAMES)},
    {'g', "group", "KEYS", "sum durations by these keys of the records",
	OPT_CALL(take_group)},
    {OPT_HELP},
    {OPT_OUTPUT},
    {'q', "quiet", NULL, "do not mention empty reports",
	OPT_SET(settings.quiet, true)},
    {'r', "report", "LIST", "these reports, as NAME[:ARGUMENT]",
	OPT_CALL(take_reports)},
    {OPT_VERSION},
    {0, "approx", NULL, "medians and percentiles in bounded memory",
	OPT_SET(settings.approx, true)},
    {0, "by-rank", NULL, "print all reports for each rank",
	OPT_SET(ranks.apart, true)},
    {0, "color", "WHEN",
	"of the page: always, never, auto (default), which is on\n"
	"a terminal unless NO_COLOR is set",
	OPT_WORD(color, TERMINAL_COLORS)},
    {0, "compat", "VERSION",
	"reproduce nsys's output, errors included:\n"
	"2023.4, 2024.6",
	OPT_TAKE(settings, take_compat)},
    {0, "every", "TIME", "print sums of a growing stream, every TIME",
	OPT_TAKE(live.every, take_every)},
    {0, "filter-nvtx", "N", "only events in range N: NAME[@DOMAIN][/INDEX]",
	OPT_TAKE(filter, take_filter_nvtx)},
    {0, "filter-time", "W", "only events that overlap W: [START]/[END]",
	OPT_TAKE(filter, take_filter_time)},
    {0, "help-reports", NULL, "list the reports", OPT_CALL(show_reports)},
    {0, "merge", NULL, "merge the files that --partial wrote",
	OPT_SET(merge, true)},
    {0, "needs", NULL, "print what tq-extract has to write for the reports",
	OPT_SET(needs, true)},
    {0, "no-pager", NULL, "do not run a pager for the page",
	OPT_SET(no_pager, true)},
    {0, "partial", NULL, "write sums that --merge can read",
	OPT_SET(partial, true)},
    {0, "per", "UNIT",
	"units of account: step, kernel~REGEX[/N],\n"
	"range~REGEX, graph, span, launch",
	OPT_TAKE(settings.per, take_per)},
    {0, "plain-keys", NULL, "csv, tsv and json name columns as total_ns",
	OPT_SET(format.plain_keys, true)},
    {0, "pstats", "FILE", "print the totals of a .prof file of cProfile",
	OPT_TEXT(pstats)},
    {0, "sort", "COLUMN",
	"sort rows by this column: TITLE[:asc|:desc]\n"
	"(help: list the columns)",
	OPT_CALL(take_sort)},
    {0, "step", "SPEC", "training steps: NAME, K, A..B, median",
	OPT_TAKE(settings, take_step)},
    {0, "timeunit", "UNIT", "show times in ns, us, ms, s",
	OPT_TAKE(format.time_unit, take_time_unit)},
    {0, "top", "N", "show the first N rows of each report",
	OPT_TAKE(order.top, take_top)},
    {0},
};

static const struct opts opts = {
    "usage: tq-stats [-hqV]\n"
    "                [-f table|csv|tsv|json|ndjson|markdown|html|openmetrics]\n"
    "                [-g keys] [-o file] [-r reports] [--approx] [--by-rank]\n"
    "                [--color when] [--compat version] [--every time]\n"
    "                [--filter-nvtx range] [--filter-time start/end]\n"
    "                [--help-reports] [--merge] [--needs] [--no-pager]\n"
    "                [--partial] [--per unit] [--plain-keys] [--pstats file]\n"
    "                [--sort column] [--step spec] [--timeunit unit] [--top "
    "n]\n"
    "                [file ...]",
    options,
    .column = 25,
    .status = TQ_USAGE,
};

static void
check_live(struct stats *s)
{
	switch (s->format.format) {
	case FORMAT_TABLE:
		s->live.form = s->file == NULL && isatty(STDOUT_FILENO) &&
				       !terminal_is_dumb()
				   ? LIVE_SCREEN
				   : LIVE_NDJSON;
		break;
	case FORMAT_NDJSON:
		s->live.form = LIVE_NDJSON;
		break;
	case FORMAT_OPENMETRICS:
		s->live.form = LIVE_METRICS;
		break;
	default:
		errx(TQ_USAGE, "--every needs -f ndjson or openmetrics");
	}
	if (s->merge || s->needs || s->partial || s->ranks.apart ||
	    nsys_filter_given(&s->filter))
		errx(TQ_USAGE,
		    "--every excludes --by-rank, --filter-nvtx, --filter-time, "
		    "--merge, --needs and --partial");
	if (s->chosen)
		errx(TQ_USAGE, "--every has no reports: -r and -g exclude it");
}

static void
check_options(struct stats *s)
{
	bool metrics = s->format.format == FORMAT_OPENMETRICS;

	if (metrics && (!is_live(s) || s->file == NULL))
		errx(TQ_USAGE, "-f openmetrics needs --every and -o");
	if (is_live(s))
		check_live(s);
	if (s->needs && s->merge)
		errx(TQ_USAGE, "--merge reads no stream: it excludes --needs");
	if ((s->merge || s->partial) && s->ranks.apart)
		errx(TQ_USAGE, "--by-rank excludes --partial and --merge");
	if (s->merge && nsys_filter_given(&s->filter))
		errx(TQ_USAGE, "partials cannot be filtered");
	if (s->partial && (s->order.column.len > 0 || s->order.top > 0))
		errx(TQ_USAGE, "--partial excludes --sort and --top");
	if (s->format.plain_keys && !format_has_keys(&s->format))
		errx(
		    TQ_USAGE, "--plain-keys needs -f csv, tsv, json or ndjson");
	s->filter.compat = s->settings.compat;
	s->wall.after = INT64_MIN;
	s->wall.before = INT64_MAX;
	if (s->filter.by_time && !s->filter.by_range) {
		s->wall.after = s->filter.from;
		s->wall.before = s->filter.to;
	}
}

/* instead of reports */
static int
run_live(struct stats *s, char **operands, struct keyset *want)
{
	bool metrics = s->live.form == LIVE_METRICS;

	open_reports(s, want); /* none */
	if (!metrics)
		output_open(
		    &s->out, s->file, zio_format_for(ZIO_PLAIN, s->file));
	open_live(s, operands, want);
	read_stream(s);
	close_live(s);
	if (!metrics)
		output_finish(&s->out, s->in.status == TQ_OK);
	ranks_free(&s->ranks);
	names_free(&s->names);
	range_spec_free(&s->settings.step);
	reader_free(&s->in);
	return s->in.status;
}

static void
check_pstats(const struct stats *s, char *const *operands)
{
	if (*operands != NULL || is_live(s) || s->chosen || s->merge ||
	    s->needs || s->partial || s->ranks.apart ||
	    nsys_filter_given(&s->filter))
		errx(TQ_USAGE,
		    "--pstats reads its file only: it excludes operands, -g, "
		    "-r, --by-rank, --every, --filter-nvtx, --filter-time, "
		    "--merge, --needs and --partial");
}

/* instead of a stream; returns the status */
static int
run_pstats(struct stats *s, char *const *operands)
{
	struct near near = {.word = s->order.column};
	struct order_seen seen = {0};
	struct table t = {0};

	check_pstats(s, operands);
	pstats_table_of(s->pstats, &t);
	if (s->columns) {
		order_list(stdout, &t);
		exit(TQ_OK);
	}
	order_near(&near, &seen, &t);
	if (near.word.len > 0 && order_column(&s->order, &t) == SIZE_MAX)
		no_column(s, &near, &t);
	order_seen_free(&seen);
	choose_format(s);
	t.limit = s->order.top;
	order_rows(&s->order, &t);
	output_open(&s->out, s->file, zio_format_for(ZIO_PLAIN, s->file));
	format_begin(&s->out, &s->format);
	format_table(&s->out, &s->format, &t, true);
	format_end(&s->out, &s->format);
	output_finish(&s->out, true);
	order_reset(&t);
	table_free(&t);
	return TQ_OK;
}

/* the reports that the options ask for, ready for records */
static void
prepare(struct stats *s, struct keyset *want)
{
	if (!s->chosen && !s->merge)
		add_reports(s, "overview");
	if (is_page(s))
		choose_page_reports(s);
	s->settings.input = &s->in.in.name;
	if ((s->merge || s->partial) && !writes_lines(s))
		choose_mergeable(&s->chosen_reports, s->chosen);
	if (!s->merge)
		open_reports(s, want);
}

/* returns the bytes that were written */
static size_t
write_all(struct stats *s, char **operands)
{
	choose_format(s);
	if (s->page)
		return write_page(s, operands);
	return s->partial ? write_partial(s) : write_reports(s);
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
	if (written == 0 && !s->settings.quiet && !s->chosen)
		warnx("all reports are empty");
	if (s->settings.adviser != NULL)
		adviser_free(&s->adviser);
	ranks_free(&s->ranks);
	nsys_filter_free(&s->filter);
	names_free(&s->names);
	free(s->settings.group);
	range_spec_free(&s->settings.step);
	reader_free(&s->in);
}

int
main(int argc, char *argv[])
{
	struct stats s = {.settings.version = 2024, .format.time_unit = 1};
	static struct keyset want[KIND_COUNT + 1];
	char **operands = opts_parse(&opts, &s, argc, argv);
	size_t written;

	if (!s.columns && !s.needs && s.pstats == NULL)
		opts_need_input(&opts, operands);
	check_options(&s);
	if (s.pstats != NULL)
		return run_pstats(&s, operands);
	if (is_live(&s) && s.live.form != LIVE_SCREEN)
		return run_live(&s, operands, want);
	prepare(&s, want);
	if (s.needs)
		print_needs(&s, want);
	output_open(&s.out, s.file, zio_format_for(ZIO_PLAIN, s.file));
	if (s.merge) {
		read_partials(&s, operands);
	} else {
		open_any(&s, operands, want);
		read_stream(&s);
		close_live(&s);
		read_again(&s);
	}
	written = write_all(&s, operands);
	finish(&s, written);
	return written > 0 ? s.in.status : TQ_FAIL;
}
