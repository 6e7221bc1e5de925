/* long_way.c - the time before the first operation and after the last one */

#include <inttypes.h>

#include "tq/base/wide.h"
#include "tq/show/amount.h"

#include "tq/advice/long_way.h"

enum { FEW_SAMPLES = 10, LONG_WAY_PART = 100 };

/* True if it is so many thousandths of the whole, or more. */
static bool
is_part(int64_t part, int64_t whole, int thousandths)
{
	return (wide)part * 1000 >= (wide)whole * thousandths;
}

/* ---- how long ---- */

/* Add up the sections; the number of those with records. */
static size_t
add_sections(struct long_way *w, const struct survey *s)
{
	size_t sections = 0;

	for (size_t i = 0; i < s->section; i++) {
		const struct survey_section *x = &s->sections[i];
		int64_t until = x->until < x->wall.to ? x->until : x->wall.to;

		if (!x->wall.any)
			continue;
		sections++;
		w->recorded = time_end(
		    w->recorded, time_between(x->wall.from, x->wall.to));
		if (x->first == INT64_MAX)
			continue;
		w->before =
		    time_end(w->before, time_between(x->wall.from, x->first));
		w->after = time_end(w->after, time_between(until, x->wall.to));
	}
	return sections;
}

/* ---- words ---- */

static void
add_edges(struct long_way *w, bool first)
{
	int64_t most = first ? w->before : w->after;
	int64_t least = first ? w->after : w->before;

	amount_time(&w->text, most);
	text_add_str(&w->text, " of ");
	amount_time(&w->text, w->recorded);
	text_add_str(&w->text, " recorded (");
	amount_share(&w->text, most, w->recorded);
	text_printf(&w->text, " %%) pass %s",
	    first ? "before the first GPU operation"
		  : "after the last GPU operation");
	if (least > 0) {
		text_add_str(&w->text, ", ");
		amount_time(&w->text, least);
		text_add_str(
		    &w->text, first ? " after the last" : " before the first");
	}
	text_add_char(&w->text, '.');
}

/* " Before the first the host is 50 ms in load model, 30 ms in cudaMalloc." */
static void
add_names(struct long_way *w, const struct host_before *h)
{
	const struct before_name *most[HOST_BEFORE_MOST];
	int64_t of;
	size_t n = host_before_most(h, false, most, &of), said = 0;

	for (; said < n && is_part(most[said]->ns, w->before, 5); said++) {
		text_add_str(&w->text,
		    said == 0 ? " Before the first the host is " : ", ");
		amount_time(&w->text, most[said]->ns);
		text_add_str(&w->text, " in ");
		text_add_span(
		    &w->text, intern_text(&h->texts, most[said]->name));
	}
	text_add_str(&w->text, said > 0 ? "." : "");
}

/* " Of its 12 samples 9 are in parse (a.so), 3 in dlopen (b.so)." */
static void
add_functions(struct long_way *w, const struct host_before *h)
{
	const struct before_name *most[HOST_BEFORE_MOST];
	int64_t of;
	size_t n = host_before_most(h, true, most, &of);

	n = of < FEW_SAMPLES ? 0 : n;
	for (size_t i = 0; i < n; i++) {
		text_add_str(&w->text, i == 0 ? " Of its " : ", ");
		if (i == 0) {
			amount_count(&w->text, of);
			text_add_str(&w->text, " samples ");
		}
		amount_count(&w->text, most[i]->ns);
		text_add_str(&w->text, i == 0 ? " are in " : " in ");
		text_add_span(&w->text, intern_text(&h->texts, most[i]->name));
	}
	text_add_str(&w->text, n > 0 ? "." : "");
}

/* ":31400us": up to the first operation, "40600us:": from the last one on; to
   the us, so that the window has no other operation */
static void
add_window(struct text *t, int64_t ts, bool first)
{
	int64_t us = ts / 1000 + (first && ts % 1000 > 0);

	text_printf(
	    t, "%s%" PRId64 "us%s", first ? ":" : "", us, first ? "" : ":");
}

static bool
has_kind(const struct host_before *h, enum kind k, bool first, int64_t last)
{
	return first ? (h->kinds >> k & 1) != 0 : h->last[k] > last;
}

/* A command for the word FILE: what of the host is in the time before, or
   after, where that shows rows. */
static void
add_look(struct text *t, const struct survey *s, const struct host_before *h,
    bool first)
{
	int64_t ts = first ? s->sections[0].first : s->sections[0].until;
	bool calls = has_kind(h, KIND_api, first, ts);
	bool os = has_kind(h, KIND_osrt, first, ts);

	if (s->section > 1 || ts <= 0 ||
	    !(calls || os || has_kind(h, KIND_range, first, ts))) {
		text_add_str(t, "tq-stats -r run FILE");
		return;
	}
	text_printf(t,
	    "tq-stats -r %s%s%s --time=", calls ? "cuda_api_sum" : "",
	    calls && os ? "," : "",
	    os       ? "osrt_sum"
	    : !calls ? "nvtx_sum:folded"
		     : "");
	add_window(t, ts, first);
	text_add_str(t, " FILE");
}

/* ---- the whole ---- */

static void
describe(struct long_way *w, const struct survey *s,
    const struct host_before *h, size_t sections)
{
	bool first = w->leads || w->before >= w->after;

	add_edges(w, first);
	if (sections == 1 && is_part(w->before, w->recorded, 10)) {
		add_names(w, h);
		add_functions(w, h);
	}
	add_look(&w->look, s, h, first);
	text_add_char(&w->look, '\0');
	w->fact = (struct evidence_fact){.check = EVIDENCE_CHECKS,
	    .count = 1,
	    .ts = NO_ID,
	    .title = first ? SPAN("It is a long way to the first operation")
			   : SPAN("The recording goes on long after the last "
				  "operation"),
	    .text = text_span(&w->text),
	    .look = w->look.p};
}

bool
long_way_find(struct long_way *w, const struct engine *e,
    const struct start_up *start_up, const struct host_before *h)
{
	const struct survey *s = e->survey;
	size_t sections;

	if (!engine_has_devices(e) || s->chosen ||
	    s->window.from != WINDOW_OPEN || s->window.to != WINDOW_OPEN)
		return false;
	sections = add_sections(w, s);
	if (!is_part(w->before, w->recorded, LONG_WAY_PART) &&
	    !is_part(w->after, w->recorded, LONG_WAY_PART))
		return false;
	w->leads =
	    start_up_leads(start_up) && start_up->once <= start_up->before;
	describe(w, s, h, sections);
	return true;
}

void
long_way_free(struct long_way *w)
{
	text_free(&w->text);
	text_free(&w->look);
}
