/* finding_text.c - the texts of a rule, with values of the finding */

#include <inttypes.h>

#include "tq/base/ascii.h"
#include "tq/base/shell.h"
#include "tq/base/utf8.h"
#include "tq/show/amount.h"

#include "tq/advice/finding_text.h"

#include "finding_remedy.h"

enum { WHAT_MOST = 120 }; /* bytes of a name */

/* ---- places ---- */

/* Names of C++ may have thousands of bytes. */
static void
add_what(struct text *t, const struct engine *e, const struct finding *f)
{
	const unsigned char *p, *end;
	struct span what;

	if (f->what == INTERN_NONE && f->best[0].dur == 0)
		return;
	what = intern_text(
	    &e->texts, f->what != INTERN_NONE ? f->what : f->best[0].what);
	p = (const unsigned char *)what.p;
	end = p + what.len;
	while (p < end && p < (const unsigned char *)what.p + WHAT_MOST)
		utf8_next(&p, end);
	text_add(t, what.p, (size_t)(p - (const unsigned char *)what.p));
	if (p < end)
		text_add_str(t, "...");
}

/* What limits the occupancy of most of the time. */
static void
add_limit(struct text *t, const struct engine *e, const struct finding *f)
{
	const struct rule_tally *tally =
	    &e->match.tally[f->rule - e->rules->all];
	enum occupancy_limit most = OCCUPANCY_UNKNOWN;

	for (size_t i = 0; i < OCCUPANCY_LIMITS; i++)
		if (tally->limits[most] < tally->limits[i])
			most = (enum occupancy_limit)i;
	text_add_str(t, occupancy_limit_name(most));
}

static void
add_runs(struct text *t, const struct engine *e, const struct finding *f)
{
	const struct runs *r = &e->survey->runs;

	(void)f;
	amount_share(t, finding_ppm(r->covered, r->launches), PPM);
	text_add_str(t, " %");
}

static void
add_longest(struct text *t, const struct engine *e, const struct finding *f)
{
	(void)f;
	text_add_int(t, e->survey->runs.longest);
}

static void
add_count(struct text *t, const struct engine *e, const struct finding *f)
{
	(void)e;
	text_add_int(t, f->matched);
}

/* The most calls in a row that ask whether a device is done. */
static void
add_polls(struct text *t, const struct engine *e, const struct finding *f)
{
	text_add_int(t, e->match.tally[f->rule - e->rules->all].polls);
}

static void
add_pieces(struct text *t, const struct engine *e, const struct finding *f)
{
	(void)e;
	text_add_int(t, f->pieces);
}

static void
add_when(struct text *t, const struct engine *e, const struct finding *f)
{
	(void)e;
	shell_add_quoted(t, f->rule->when_text);
}

static void
add_thread(struct text *t, const struct engine *e, const struct finding *f)
{
	(void)f;
	text_add_str(t, e == NULL || engine_has_devices(e)
			    ? "The thread that launches"
			    : "The thread of the steps");
}

static void
add_idle(struct text *t, const struct engine *e, const struct finding *f)
{
	(void)f;
	text_add_str(
	    t, e == NULL || engine_has_devices(e) ? "The device" : "The step");
}

/* The reports of tq-stats that show the calls in which the host was. */
static void
add_osrt(struct text *t, const struct engine *e, const struct finding *f)
{
	bool line = f != NULL && f->line.ns > 0;
	bool file = f != NULL && f->file.ns > 0;

	(void)e;
	text_printf(t, "%s%s%s", line ? "osrt_lines" : "",
	    line && file ? "," : "",
	    file    ? "io_sum"
	    : !line ? "osrt_sum"
		    : "");
}

/* A hundredth of what it claims, or more. */
static bool
is_large(const struct finding *f, int64_t ns)
{
	return ns > 0 && finding_ppm(ns, f->gain) >= PPM / 100;
}

/* What to record so that time of the host has a name, where there is such time
   and the recording lacks it. */
static void
add_capture(struct text *t, const struct engine *e, const struct finding *f)
{
	static const struct {
		enum kind kind;
		const char *name;
	} all[] = {{KIND_range, "ranges"}, {KIND_osrt, "OS calls"},
	    {KIND_sched, "scheduling"}, {KIND_sample, "CPU samples"}};
	const char *lacks[sizeof(all) / sizeof(*all)];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (f == NULL || (e->survey->kinds >> all[i].kind & 1) == 0)
			lacks[n++] = all[i].name;
	if (f != NULL && !is_large(f, f->unnamed))
		return;
	if (f != NULL && (e->survey->kinds >> KIND_sample & 1) != 0)
		text_add_str(t, " tq-stats -r functions counts the CPU samples "
				"of the recording.");
	if (n == 0)
		return;
	text_add_str(t, " To name ");
	if (f != NULL)
		amount_time(t, f->unnamed);
	text_add_str(
	    t, f != NULL ? " more of it, record " : "more of it, record ");
	for (size_t i = 0; i < n; i++)
		text_printf(t, "%s%s",
		    i == 0      ? ""
		    : i + 1 < n ? ", "
				: " or ",
		    lacks[i]);
	text_add_char(t, '.');
}

/* How much slower the steps become that do so at once, or bit by bit. */
static void
add_slower(struct text *t, const struct engine *e, const struct finding *f)
{
	const struct process_steps *p = steps_slower(&e->survey->by_step);

	(void)f;
	if (p == NULL)
		return;
	if (p->level > 0)
		text_printf(t, "by %" PRId64 " %% from step %" PRId64 " on",
		    p->level, p->level_from);
	else {
		text_add_str(t, "by ");
		amount_share(t, p->drift, PPM);
		text_add_str(t, " % in ten steps");
	}
}

/* The longest of the gaps that matched, and whether there are others. */
static void
add_gap(struct text *t, const struct engine *e, const struct finding *f)
{
	const struct rule_tally *tally =
	    &e->match.tally[f->rule - e->rules->all];
	bool one = tally->gaps <= 1;

	text_add_str(
	    t, one ? "A single gap of " : "Single gaps, the longest of ");
	amount_time(t, tally->longest);
	text_add_str(t, one ? " is" : ", are");
}

/* plain: it has a value without a finding, which is NULL then */
static const struct {
	const char *name;
	void (*add)(
	    struct text *t, const struct engine *e, const struct finding *f);
	bool plain;
} places[] = {
    {"{capture}", add_capture, true},
    {"{count}", add_count, false},
    {"{gap}", add_gap, false},
    {"{idle}", add_idle, true},
    {"{limit}", add_limit, false},
    {"{longest}", add_longest, false},
    {"{osrt}", add_osrt, true},
    {"{overlap}", finding_remedy_overlap, true},
    {"{pieces}", add_pieces, false},
    {"{polls}", add_polls, false},
    {"{pool}", finding_remedy_pool, true},
    {"{precision}", finding_remedy_precision, true},
    {"{runs}", add_runs, false},
    {"{slower}", add_slower, false},
    {"{thread}", add_thread, true},
    {"{what}", add_what, false},
    {"{when}", add_when, false},
};

/* {one: ONE|MORE}: the words for one record that counts, or for more.  The
   length of the place, or 0. */
static size_t
fill_number(struct text *t, const struct finding *f, struct span text)
{
	static const struct span begin = {"{one: ", 6};
	const char *bar, *close;
	bool one = f != NULL && f->matched == 1;

	if (!span_begins(text, begin) ||
	    (close = memchr(text.p, '}', text.len)) == NULL ||
	    (bar = memchr(text.p, '|', (size_t)(close - text.p))) == NULL)
		return 0;
	if (one)
		text_add(
		    t, text.p + begin.len, (size_t)(bar - text.p) - begin.len);
	else
		text_add(t, bar + 1, (size_t)(close - bar - 1));
	return (size_t)(close - text.p) + 1;
}

/* Fill in the place that a text begins with, and return its length, or 0. */
static size_t
fill_place(struct text *t, const struct engine *e, const struct finding *f,
    struct span text)
{
	size_t number = fill_number(t, f, text);

	if (number > 0)
		return number;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (!span_begins(text, span_of(places[i].name)) ||
		    (f == NULL && !places[i].plain))
			continue;
		places[i].add(t, e, f);
		return strlen(places[i].name);
	}
	return dialect_place(e != NULL ? &e->survey->dialect : NULL, text, t);
}

/* True if the word, and no longer one, stands in text at i. */
static bool
is_word(struct span text, size_t i, struct span word)
{
	struct span rest = {text.p + i, text.len - i};

	return span_begins(rest, word) &&
	       (i == 0 || !ascii_is_word(text.p[i - 1])) &&
	       (rest.len == word.len || !ascii_is_word(rest.p[word.len]));
}

/* ---- texts ---- */

size_t
finding_text_where(
    const struct finding *f, struct finding_where where[WHERE_MOST])
{
	size_t n = 0;

	for (size_t i = 0; i < NAMES_MOST && is_large(f, f->names[i].ns); i++)
		where[n++] = (struct finding_where){f->names[i].ns,
		    f->names[i].queued ? "in the queue, behind " : "in ",
		    f->names[i].text, f->names[i].queued};
	if (is_large(f, f->unnamed))
		where[n++] = (struct finding_where){f->unnamed,
		    "in nothing that was recorded", SPAN(""), false};
	if (f->file.ns > 0)
		where[n++] = (struct finding_where){
		    f->file.ns, "on the file ", f->file.text, false};
	if (f->line.ns > 0)
		where[n++] = (struct finding_where){
		    f->line.ns, "at ", f->line.text, false};
	return n;
}

/* "each step ends" or "12 of 40 steps end" with a wait; false if waits end no
   steps, or few. */
static bool
add_step_ends(struct text *t, const struct engine *e, const struct finding *f)
{
	const struct engine_device *d = &e->devices[f->worst];
	const struct survey_device *of =
	    survey_find_device(e->survey, d->number);
	const struct survey_steps *steps =
	    of != NULL ? survey_find_steps(e->survey, of->process) : NULL;

	if (steps == NULL || f->step_exposed < f->exposed / 2 ||
	    d->dry.ends == 0)
		return false;
	if (d->dry.ends + 1 >= steps->count) /* nothing follows the last one */
		text_add_str(t, "each step ends");
	else
		text_printf(t, "%" PRId64 " of %" PRId64 " steps end",
		    d->dry.ends, steps->count);
	text_add_str(t, " with a wait");
	return true;
}

bool
finding_text_add_exposed(
    struct text *t, const struct engine *e, const struct finding *f)
{
	if (f->exposed == 0 || f->exposed < f->gain / 2)
		return false;
	if (f->exposed < f->gain - f->gain / 20) {
		amount_time(t, f->exposed);
		text_add_str(t, " of it is ");
	}
	text_add_str(t, "exposed because ");
	if (!add_step_ends(t, e, f))
		text_add_str(t, "the device runs dry at a wait");
	for (size_t i = 0; i < WAITS_MOST && f->waits[i].ns > 0; i++) {
		text_add_str(t, i == 0 ? " (" : ", ");
		text_add_span(t, f->waits[i].call);
		if (f->waits[i].range.len > 0)
			text_add_str(t, " in ");
		text_add_span(t, f->waits[i].range);
	}
	text_add_char(t, ')');
	return true;
}

void
finding_text_add_behind(struct text *t, const struct finding *f)
{
	if (finding_behind(f) == 0)
		return;
	text_add_str(t, ", and ");
	amount_time(t, f->behind);
	text_add_str(t, f->gain > 0 ? " more" : "");
	text_add_str(t, " that would only be idle time behind the host");
}

void
finding_text_add(struct text *t, const struct engine *e,
    const struct finding *f, struct span text, struct span file)
{
	for (size_t i = 0; i < text.len; i++) {
		struct span rest = {text.p + i, text.len - i};
		size_t place = fill_place(t, e, f, rest);

		if (place > 0)
			i += place - 1;
		else if (file.len > 0 && is_word(text, i, SPAN("FILE"))) {
			text_add_span(t, file);
			i += 3;
		} else
			text_add_char(t, text.p[i]);
	}
}

void
finding_text_add_do(struct text *t, const struct engine *e,
    const struct finding *f, struct span file)
{
	if (f->start_up != NULL) {
		start_up_add_do(t, f->start_up);
		if (f->fact != NULL) /* the long way */
			return;
		text_add_char(t, ' ');
	}
	finding_text_add(t, e, f,
	    f->fact != NULL && f->fact->to_do.len > 0 ? f->fact->to_do
						      : f->rule->to_do,
	    file);
}
