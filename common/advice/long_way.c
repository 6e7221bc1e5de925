/* long_way.c - the time before the first operation and after the last one */

#include <inttypes.h>

#include "tq/base/wide.h"
#include "tq/show/amount.h"

#include "tq/advice/long_way.h"

enum { FEW_SAMPLES = 10 };

/* True if it is so many thousandths of the whole, or more. */
static bool
is_part(int64_t part, int64_t whole, int thousandths)
{
	return (wide)part * 1000 >= (wide)whole * thousandths;
}

/* ---- how long ---- */

/* Add up the sections; the number of those with records. */
static size_t
add_sections(struct long_way *w, const struct survey *s, int64_t *active)
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
		*active = time_end(*active, time_between(x->first, until));
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

/* "/31.4s": up to the first operation, or a little later */
static void
add_until(struct text *t, int64_t ts)
{
	static const char *const units[] = {"us", "ms", "s"};
	int64_t tenth = 100;
	size_t i = 0;

	for (; i < 2 && ts >= tenth * 10000; i++)
		tenth *= 1000;
	ts = ts / tenth + (ts % tenth > 0);
	text_printf(
	    t, "/%" PRId64 ".%" PRId64 "%s", ts / 10, ts % 10, units[i]);
}

/* A command for the word FILE: what of the host is in the time before, where
   that shows rows. */
static void
add_look(struct text *t, const struct host_before *h, int64_t first)
{
	bool calls = (h->kinds >> KIND_api & 1) != 0;
	bool os = (h->kinds >> KIND_osrt & 1) != 0;

	text_printf(t,
	    "tq-stats -r %s%s%s --filter-time=", calls ? "cuda_api_sum" : "",
	    calls && os ? "," : "",
	    os       ? "osrt_sum"
	    : !calls ? "nvtx_sum:folded"
		     : "");
	add_until(t, first);
	text_add_str(t, " FILE");
}

/* ---- the whole ---- */

static void
describe(struct long_way *w, const struct survey *s,
    const struct host_before *h, size_t sections)
{
	const uint64_t host = (uint64_t)1 << KIND_api |
			      (uint64_t)1 << KIND_osrt |
			      (uint64_t)1 << KIND_range;
	bool first = w->leads || w->before >= w->after;
	int64_t begin = s->sections[0].first;

	add_edges(w, first);
	if (sections == 1 && is_part(w->before, w->recorded, 10)) {
		add_names(w, h);
		add_functions(w, h);
	}
	if (s->section == 1 && begin > 0 && (h->kinds & host) != 0)
		add_look(&w->look, h, begin);
	else
		text_add_str(&w->look, "tq-stats -r run FILE");
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
	int64_t active = 0;
	size_t sections;

	if (!engine_has_devices(e) || s->chosen ||
	    s->window.from != WINDOW_OPEN || s->window.to != WINDOW_OPEN)
		return false;
	sections = add_sections(w, s, &active);
	if (is_part(active, w->recorded, 950))
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
