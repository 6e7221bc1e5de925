/* recording_remarks.c - remarks of the page on itself */

#include <inttypes.h>

#include "finding_draft.h"

enum { FEW_SAMPLES = 10 };

static void
find_uncorrelated(struct finding_draft *x)
{
	const struct run_report_total *r = x->f->recorded;

	if (r->work == 0 || r->correlated || r->joined > 0)
		return;
	finding_draft_begin(
	    x, SPAN("not-correlated"), SPAN("Why GPUs wait is unknown"));
	finding_draft_add(x,
	    "Causes need tq-correlate: it finds the call that launched each "
	    "operation.");
	finding_draft_command(x, SPAN("tq-correlate FILE | tq-stats"));
}

/* "/31.4s": up to the first operation, or a little later */
static void
add_time_before(struct text *t, int64_t ts)
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

/* What of the host is in the time before: the command shows rows. */
static void
command_before(struct finding_draft *x, const struct account_trace *t)
{
	struct text c = {0};
	bool calls = t->before[KIND_api] > 0, os = t->before[KIND_osrt] > 0;
	bool ranges = t->before[KIND_range] > 0;

	if (x->f->account->trace_count > 1 || t->first <= 0 ||
	    !(calls || os || ranges)) {
		finding_draft_command(x, SPAN("tq-stats -r run FILE"));
		return;
	}
	text_printf(&c,
	    "tq-stats -r %s%s%s --filter-time=", calls ? "cuda_api_sum" : "",
	    calls && os ? "," : "",
	    os       ? "osrt_sum"
	    : !calls ? "nvtx_sum:folded"
		     : "");
	add_time_before(&c, t->first);
	text_add_str(&c, " FILE");
	finding_draft_command(x, text_span(&c));
	text_free(&c);
}

/* The time before first, or after. */
static void
say_edges(struct finding_draft *x, int64_t before, int64_t after, bool first)
{
	int64_t most = first ? before : after, least = first ? after : before;

	finding_draft_add(x, "%t of %t recorded (%p) pass %s", most,
	    x->p->recorded, most, x->p->recorded,
	    first ? "before the first GPU operation"
		  : "after the last GPU operation");
	if (least > 0)
		finding_draft_add(x, ", %t %s", least,
		    first ? "after the last" : "before the first");
}

/* What the host does before the first operation, as far as it was recorded. */
static void
say_before(struct finding_draft *x, int64_t before)
{
	const struct host_before *h = &x->f->account->before;
	const struct before_name *most[HOST_BEFORE_MOST];
	int64_t of;
	size_t n = host_before_most(h, false, most, &of);

	for (size_t i = 0; i < n && page_draft_is_part(most[i]->ns, before, 5);
	     i++)
		finding_draft_add(x,
		    i == 0 ? " Before the first the host is %t in %n"
			   : ", %t in %n",
		    most[i]->ns,
		    region_copy(
			&x->p->life, intern_text(&h->texts, most[i]->name)));
	if (n > 0 && page_draft_is_part(most[0]->ns, before, 5))
		finding_draft_add(x, ".");
	n = host_before_most(h, true, most, &of);
	n = of < FEW_SAMPLES ? 0 : n;
	for (size_t i = 0; i < n; i++) {
		struct span f = region_copy(
		    &x->p->life, intern_text(&h->texts, most[i]->name));

		if (i == 0)
			finding_draft_add(x, " Of its %c samples %c are in %n",
			    of, most[i]->ns, f);
		else
			finding_draft_add(x, ", %c in %n", most[i]->ns, f);
	}
	if (n > 0)
		finding_draft_add(x, ".");
}

/* Most of the recording is start-up, and most of that before the first
   operation: the first advice is to record without it. */
static void
advise_later(struct finding_draft *x, const struct start_up *s)
{
	x->now->evidence = true;
	text_add_char(&x->f->text, ' ');
	start_up_add_do(&x->f->text, s);
	finding_draft_words(x, page_draft_text(x->f));
	if (s->until != NO_ID)
		finding_draft_rest(x, s);
}

void
recording_remarks_edges(
    struct finding_draft *x, const struct start_up *start_up)
{
	const struct gpu_account *s = x->f->account;
	bool leads = start_up != NULL && start_up_leads(start_up) &&
		     start_up->once <= start_up->before,
	     first;
	int64_t before = 0, after = 0;

	for (size_t i = 0; i < s->trace_count; i++) {
		const struct account_trace *t = &s->traces[i];

		if (!t->any)
			continue;
		before = time_end(before, time_between(t->from, t->first));
		after = time_end(after, time_between(t->until, t->to));
	}
	if (x->p->gpu_count == 0 || !x->p->active_only)
		return;
	first = leads || before >= after;
	finding_draft_begin(x, SPAN("long-way"),
	    first ? SPAN("It is a long way to the first operation")
		  : SPAN("The recording goes on long after the last "
			 "operation"));
	x->now->once = true;
	say_edges(x, before, after, first);
	finding_draft_add(x, ".");
	if (before > 0 && s->trace_count == 1)
		say_before(x, before);
	command_before(x, &s->traces[s->gpus[0]->trace]);
	if (leads)
		advise_later(x, start_up);
}

/* one recording twice: all sums are doubled */
static void
find_repeated(struct finding_draft *x)
{
	size_t a, b;

	if (!run_report_repeats(x->f->recorded, &a, &b))
		return;
	finding_draft_begin(
	    x, SPAN("repeated"), SPAN("A recording is read twice"));
	x->now->evidence = true;
	finding_draft_add(x,
	    "Traces %c and %c have the same start, host and number of records "
	    "of each kind: sums count them twice. Give each recording once.",
	    (int64_t)a, (int64_t)b);
	finding_draft_command(x, SPAN("tq-stats -r run FILE"));
}

void
recording_remarks(struct finding_draft *x)
{
	find_repeated(x);
	if (x->p->gpu_count > 0)
		find_uncorrelated(x);
}
