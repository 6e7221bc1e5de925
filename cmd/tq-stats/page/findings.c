/*
 * findings.c - what costs the most: findings of the rules of tq-advise, see
 * tq/advice/adviser.h, and their place on the page
 *
 * A rule's own words have the problem and the advice; the page adds GPUs,
 * names, and numbers of its own tables.  The cost of a finding is time of GPUs;
 * where no GPU works, of the steps of threads.
 */

#include <stdlib.h>

#include "tq/advice/adviser.h"
#include "tq/advice/finding_text.h"
#include "tq/base/mem.h"

#include "tq/show/amount.h"
#include "page_reports.h"
#include "finding_draft.h"

enum { MOST_FINDINGS = 7 };

/* ---- times of GPUs ---- */

/* the time of a GPU of the page; of several processes of it the most */
struct gpu_part {
	size_t gpu;
	int64_t time;
};

static int
by_time(const void *pa, const void *pb)
{
	const struct gpu_part *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return (a->gpu > b->gpu) - (a->gpu < b->gpu);
}

/* The GPU of the page that a device of the rules is; SIZE_MAX if it is none. */
static size_t
gpu_of_device(const struct finding_draft *x, const struct engine_device *d)
{
	size_t gpu = gpu_account_find(x->f->account, d->number);

	return gpu != SIZE_MAX ? x->f->gpu_of[gpu] : SIZE_MAX;
}

/* The times of a finding on the GPUs but the worst one, the most first; free(3)
   them. */
static struct gpu_part *
list_others(const struct finding_draft *x, const struct adviser *a,
    const struct finding *of, size_t worst)
{
	const struct page *p = x->p;
	struct gpu_part *all = mem_resize(NULL, p->gpu_count, sizeof(*all));

	for (size_t i = 0; i < p->gpu_count; i++)
		all[i] = (struct gpu_part){i, i == worst ? INT64_MIN : 0};
	for (size_t i = 0; i < a->engine.device_count; i++) {
		size_t gpu = gpu_of_device(x, &a->engine.devices[i]);

		if (gpu != SIZE_MAX && gpu != worst &&
		    all[gpu].time < of->time[i])
			all[gpu].time = of->time[i];
	}
	qsort(all, p->gpu_count, sizeof(*all), by_time);
	return all;
}

/* On which GPU it has most, and how much the others have. */
static void
say_gpus(
    struct finding_draft *x, const struct adviser *a, const struct finding *of)
{
	const struct page *p = x->p;
	size_t worst = gpu_of_device(x, &a->engine.devices[of->worst]);
	struct gpu_part *others, *median;

	if (p->gpu_count < 2 || worst == SIZE_MAX || of->of_processes)
		return;
	others = list_others(x, a, of, worst);
	median = &others[p->gpu_count > 2 ? (p->gpu_count - 3) / 2 : 0];
	finding_draft_add(x, " on %n", p->gpus[worst].name);
	if (p->gpu_count == 2 && others[0].time > 0)
		finding_draft_add(x, " and %t on %n", others[0].time,
		    p->gpus[others[0].gpu].name);
	if (p->gpu_count > 2)
		finding_draft_add(x,
		    others[0].time > of->time[of->worst]
			? ", the largest share of %c GPUs, and %t on %n, "
			  "their median"
			: ", the most of %c GPUs, and %t on %n, their median",
		    (int64_t)p->gpu_count, median->time,
		    p->gpus[median->gpu].name);
	free(others);
}

/* ---- numbers of the page for it ---- */

/* Where the host was in it, and why that was exposed. */
static void
say_places(
    struct finding_draft *x, const struct adviser *a, const struct finding *of)
{
	struct finding_where where[WHERE_MOST];
	size_t n = finding_text_where(of, where);

	for (size_t i = 0; i < n; i++)
		finding_draft_add(x,
		    i == 0      ? where[i].queued ? " Of it %t pass %s%n"
						  : " Of it the host is %t %s%n"
		    : i + 1 < n ? ", %t %s%n"
				: " and %t %s%n",
		    where[i].ns, where[i].words,
		    region_copy(&x->p->life, where[i].text));
	finding_draft_add(x, n > 0 ? "." : "");
	x->f->text.len = 0;
	if (finding_text_add_exposed(&x->f->text, &a->engine, of)) {
		bool all = span_begins(text_span(&x->f->text), SPAN("exposed"));

		finding_draft_add(x, all ? " It is " : " ");
		finding_draft_words(x, page_draft_text(x->f));
		finding_draft_add(x, ".");
	}
}

/* The longest gap, where it is among the longest of the page. */
static void
say_longest(struct finding_draft *x, const struct finding *of)
{
	const struct report *gaps = page_draft_report(x->f, "gaps");
	const struct evidence *v = &of->best[0];
	struct gap_listed g;

	for (size_t i = 0; v->dur > 0 && gaps_longest(gaps, i, &g); i++) {
		if (v->ts < g.start || v->ts >= time_end(g.start, g.dur))
			continue;
		if (v->dur < g.dur / 2) /* others have most of that gap */
			return;
		finding_draft_add(x, " Longest: %t", v->dur);
		if (g.next.len > 0)
			finding_draft_add(x, " before %n", g.next);
		if (g.range.len > 0)
			finding_draft_add(
			    x, " in %n", page_draft_range(x->f, g.range));
		finding_draft_add(x, ".");
		return;
	}
}

static void
say_gaps(
    struct finding_draft *x, const struct adviser *a, const struct finding *of)
{
	int64_t idle = 0;

	for (enum account_part p = PART_SYNC; p < ACCOUNT_PARTS; p++)
		idle = time_end(idle, of->of_parts[p]);
	if (idle == 0)
		return;
	say_places(x, a, of);
	say_longest(x, of);
}

/* What compute hides, of a finding that is communication. */
static void
say_hidden(struct finding_draft *x, const struct finding *of)
{
	const struct gpu_account *s = x->f->account;
	int64_t all = 0, hidden = 0;

	if (of->of_parts[PART_COMMUNICATION] == 0)
		return;
	for (size_t i = 0; i < s->gpu_count; i++) {
		const struct device_time *t = &s->gpus[i]->time;

		all = time_end(all, t->total[DEVICE_COMMUNICATION]);
		hidden = time_end(hidden, t->total[DEVICE_COMMUNICATION] -
					      t->exposed[DEVICE_COMMUNICATION]);
	}
	if (hidden == 0)
		finding_draft_add(x, " Compute hides no communication.");
	else
		finding_draft_add(
		    x, " Compute hides %p of all communication.", hidden, all);
}

/* What most of the time of copies is; false if that is fills. */
static bool
say_direction(struct finding_draft *x)
{
	struct report *r = page_draft_report(x->f, "page_copies");
	const struct group *g;
	int64_t time, bytes;

	if (r->groups.count == 0)
		return true;
	g = r->groups.all[0]; /* the table has sorted them */
	if (span_eq(groups_key(g, 0), SPAN("fill")))
		return false;
	time = (int64_t)g->values.sum;
	bytes = g->numbers[PARTS_BYTES];
	if (time <= 0 || bytes == 0 ||
	    !page_draft_is_part(time, x->p->copies.whole, 500))
		return true;
	finding_draft_add(x, " Most is %z %n at %r.", bytes,
	    region_copy(&x->p->life, groups_key(g, 0)),
	    (int64_t)((dist_wide)bytes * 1000000000 / time));
	return true;
}

/* The first progress with so much of one of its numbers; NULL: none. */
static const struct account_progress *
find_progress(const struct account_gpu *g, int64_t computed, int64_t copied)
{
	for (size_t i = 0; i < g->progress_count; i++)
		if (g->progress[i].computed > computed ||
		    g->progress[i].copied > copied)
			return &g->progress[i];
	return NULL;
}

/*
 * The time in which 95 % was copied, of the GPU that took longest; 0 unless
 * that was over before a tenth was computed.
 */
static int64_t
loading_time(const struct finding_draft *x)
{
	const struct gpu_account *s = x->f->account;
	int64_t early = 0, longest = 0;

	for (size_t i = 0; i < s->gpu_count; i++) {
		const struct account_gpu *g = s->gpus[i];
		const int64_t *time = g->gpu.time;
		const struct account_progress *p =
		    find_progress(g, time[PAGE_COMPUTE] / 10, INT64_MAX);
		int64_t from = x->p->gpus[x->f->gpu_of[i]].from;

		if (p == NULL)
			continue;
		early = time_end(early, p->copied);
		p = find_progress(g, INT64_MAX, time[PAGE_COPY] / 20 * 19);
		if (p != NULL && longest < time_between(from, p->at))
			longest = time_between(from, p->at);
	}
	return page_draft_is_part(early, x->p->time[PAGE_COPY], 950) ? longest
								     : 0;
}

/* The copies of a finding that has half of the time of copies. */
static void
say_copies(struct finding_draft *x, const struct finding *of)
{
	int64_t loading;

	if (of->of_parts[PART_COPY] == 0 ||
	    !page_draft_is_part(
		of->of_parts[PART_COPY], x->p->time[PAGE_COPY], 500))
		return;
	if (!say_direction(x) || (loading = loading_time(x)) == 0)
		return;
	finding_draft_add(x,
	    " Nearly all in the first %t, before the kernels: loading "
	    "(likely).",
	    loading);
	x->now->most = 2;
}

/* ---- findings of rules ---- */

/* A text of a rule; the word FILE is the input. */
static struct span
rule_text(struct finding_draft *x, const struct adviser *a,
    const struct finding *of, struct span text)
{
	x->f->text.len = 0;
	finding_text_add(
	    &x->f->text, &a->engine, of, text, text_span(&x->f->input.files));
	return page_draft_text(x->f);
}

/* The command of a rule. */
static void
rule_command(struct finding_draft *x, const struct adviser *a,
    const struct finding *of, struct span look)
{
	struct text command = {0};

	finding_text_add(&command, &a->engine, of, look, SPAN(""));
	finding_draft_command(x, text_span(&command));
	text_free(&command);
}

static struct span
what_to_do(
    struct finding_draft *x, const struct adviser *a, const struct finding *of)
{
	x->f->text.len = 0;
	finding_text_add_do(&x->f->text, &a->engine, of, SPAN(""));
	return page_draft_text(x->f);
}

static const enum page_confidence confidence[] = {[RULE_SURE] = PAGE_SURE,
    [RULE_LIKELY] = PAGE_LIKELY,
    [RULE_HINT] = PAGE_HINT};

/* How much time it has, of the worst GPU or thread. */
static void
say_time(
    struct finding_draft *x, const struct adviser *a, const struct finding *of)
{
	const struct engine *e = &a->engine;
	int64_t time = e->device_count > 0 ? of->time[of->worst] : 0;

	if (of->gain > 0 && !of->demoted) {
		x->now->note = false;
		x->now->cost = of->gain;
		x->now->of = of->of;
	}
	if (time == 0 && of->behind == 0)
		return;
	if (time == 0)
		finding_draft_add(x, "No gain");
	else
		finding_draft_add(x, of->gain > 0 ? "At most %t" : "%t", time);
	if (engine_has_devices(e))
		say_gpus(x, a, of);
	else if (e->device_count > 1)
		finding_draft_add(
		    x, " in thread %c", e->devices[of->worst].tid);
	if (of->matched_ns > 0)
		finding_draft_add(
		    x, ", %p of their time", of->rule->gain, (int64_t)PPM);
	if (finding_behind(of) > 0)
		finding_draft_add(x,
		    time > 0 ? ", and %t more that would only be idle time "
			       "behind the host"
			     : ", and %t that would only be idle time behind "
			       "the host",
		    of->behind);
	finding_draft_confidence(x, confidence[of->confidence]);
	finding_draft_add(x, ".");
}

/* A fact of the recording. */
static void
begin_fact(
    struct finding_draft *x, struct span name, const struct evidence_fact *fact)
{
	finding_draft_begin(x, name, region_copy(&x->p->life, fact->title));
	finding_draft_words(x, region_copy(&x->p->life, fact->text));
	if (fact->look != NULL)
		finding_draft_command(x, span_of(fact->look));
}

/* One that can take conclusions away; severity is that of its finding. */
static void
find_evidence(struct finding_draft *x, const struct evidence_fact *fact,
    enum severity severity)
{
	begin_fact(x, span_of(evidence_name(fact->check)), fact);
	x->now->evidence = true;
	x->now->loss =
	    severity > SEVERITY_NOTE || fact->check == EVIDENCE_LOSSES;
}

/* The first advice is to record without the start-up. */
static void
advise_later(struct finding_draft *x, const struct start_up *s)
{
	text_add_char(&x->f->text, ' ');
	start_up_add_do(&x->f->text, s);
	finding_draft_words(x, page_draft_text(x->f));
	if (s->until != NO_ID)
		finding_draft_rest(x, s);
}

static void
find_fact(struct finding_draft *x, const struct finding *of)
{
	if (of->fact->check == EVIDENCE_CHECKS)
		begin_fact(x, of->rule->name, of->fact);
	else
		find_evidence(x, of->fact, of->severity);
	if (of->fact->look == NULL)
		finding_draft_command(x, of->rule->look);
	if (of->start_up != NULL)
		advise_later(x, of->start_up);
	x->now->evidence = finding_is_first(of);
	x->now->once = of->rule->once;
}

static void
find_by_rule(
    struct finding_draft *x, const struct adviser *a, const struct finding *of)
{
	const struct rule *r = of->rule;

	if (of->fact != NULL) {
		find_fact(x, of);
		return;
	}
	finding_draft_begin(x, r->name, rule_text(x, a, of, r->title));
	say_time(x, a, of);
	if (!engine_has_devices(&a->engine))
		say_places(x, a, of);
	else if (of->gain > 0) {
		say_gaps(x, a, of);
		say_hidden(x, of);
		say_copies(x, of);
	}
	finding_draft_add(x, x->now->count > 0 ? " " : "");
	finding_draft_words(x, what_to_do(x, a, of));
	if (of->start_up != NULL)
		finding_draft_rest(x, of->start_up);
	else
		rule_command(x, a, of, r->look);
	x->now->evidence = finding_is_first(of);
	x->now->once = r->once;
}

/* ---- all ---- */

/* Evidence first, then the remarks of the page, then in the order of
   tq-advise; the first are shown. */
static int
by_order(const void *pa, const void *pb)
{
	const struct page_finding *a = pa, *b = pb;

	if (a->evidence != b->evidence)
		return a->evidence ? -1 : 1;
	if (!a->evidence && a->note != b->note)
		return a->note ? 1 : -1;
	if (!a->evidence && a->behind != b->behind)
		return a->behind ? 1 : -1;
	return (a->order > b->order) - (a->order < b->order);
}

static void
sort_findings(struct page *p, bool once_leads)
{
	for (size_t i = 0; i < p->finding_count; i++) {
		p->findings[i].order = (unsigned)i;
		p->findings[i].behind = p->findings[i].once != once_leads;
	}
	if (p->finding_count > 1)
		qsort(p->findings, p->finding_count, sizeof(*p->findings),
		    by_order);
	while (p->finding_count > MOST_FINDINGS)
		free(p->findings[--p->finding_count].parts);
}

static bool
of_steps(const struct engine *e)
{
	const struct survey *s = e->survey;

	return (s->chosen || s->steps >= FEW_STEPS) &&
	       !window_given(&s->window);
}

/* Of all devices or threads together. */
static int64_t
count_steps(const struct engine *e)
{
	return engine_has_devices(e) ? e->survey->all_steps : e->step_count;
}

static void
add_base_scope(struct text *t, const struct engine *e)
{
	if (window_given(&e->survey->window)) {
		text_add_str(t, " in the window");
	} else if (!of_steps(e)) {
		text_add_str(t, " from first to last operation");
	} else if (e->device_count > 1) {
		text_add_str(t, " in its steps");
	} else {
		text_add_str(t, " in ");
		amount_of(t, count_steps(e), "step", "steps");
	}
}

/* What the shares of findings are of. */
static void
fill_base(struct page_draft *f, const struct engine *e)
{
	struct text *t = &f->text;
	int64_t least = INT64_MAX, most = 0;
	bool any = false;
	const char *of_each =
	    engine_has_devices(e) ? " of each GPU" : " of each thread";

	for (size_t i = 0; i < f->p->finding_count; i++)
		any |= !f->p->findings[i].note;
	for (size_t i = 0; i < e->device_count; i++) {
		int64_t wall = e->devices[i].wall;

		least = least < wall ? least : wall;
		most = most > wall ? most : wall;
	}
	if (!any)
		return;
	text_add_str(t, "Shares of findings are of the ");
	if (most - least < most / 200) { /* they look the same */
		amount_time(t, most);
		text_add_str(t, e->device_count > 1 ? of_each : "");
	} else
		text_printf(t, "time%s", of_each);
	add_base_scope(t, e);
	if (most - least >= most / 200) {
		text_add_str(t, ", at most ");
		amount_time(t, most);
	}
	if (e->device_count > 1 && of_steps(e)) {
		text_add_str(t, "; ");
		amount_of(t, count_steps(e), "step", "steps");
		text_add_str(t, " in all");
	}
	text_add_char(t, '.');
	f->p->base = page_draft_text(f);
}

/* Without a GPU the verdict is of the steps: no time is of two findings. */
static void
fill_steps_verdict(struct page_draft *f, const struct adviser *a)
{
	int64_t cost = 0, of = 0;

	for (size_t i = 0; i < a->engine.device_count; i++) {
		of = time_end(of, a->engine.devices[i].wall);
		for (size_t k = 0; k < a->findings.count; k++)
			if (a->findings.all[k].gain > 0)
				cost =
				    time_end(cost, a->findings.all[k].time[i]);
	}
	if (f->p->gpu_count > 0 || cost == 0)
		return;
	text_add_str(&f->text, "No GPU works in this recording; its steps "
			       "wait ");
	amount_share(&f->text, cost, of);
	text_add_str(&f->text, " % of the time.");
	f->p->sentence = page_draft_text(f);
}

/* How much of the recording is start-up, behind a verdict. */
static void
fill_start_up(struct page_draft *f, const struct start_up *s)
{
	if (f->p->verb_count == 0 || s->recorded == 0 ||
	    !page_draft_is_part(start_up_all(s), s->recorded, 50))
		return;
	start_up_add(&f->text, s);
	f->p->start_up = page_draft_text(f);
}

/* ---- groups ---- */

static bool
is_grouped(const struct page_finding *f)
{
	return !f->evidence && !f->note;
}

struct page_group
findings_group(const struct page *p, size_t finding)
{
	const struct page_finding *f = &p->findings[finding];
	const struct page_finding *before = finding > 0 ? f - 1 : NULL;
	struct page_group g = {0};
	bool once = false;

	if (f->evidence ||
	    (before != NULL && !before->evidence && before->note == f->note &&
		(f->note || before->once == f->once)))
		return g;
	for (size_t i = 0; i < p->finding_count; i++) {
		const struct page_finding *x = &p->findings[i];

		if (!is_grouped(x))
			continue;
		once |= x->once;
		if (!f->note && x->once == f->once) {
			g.cost = time_end(g.cost, x->cost);
			g.of = x->of;
		}
	}
	if (g.cost > g.of)
		g.cost = g.of;
	if (once)
		g.title = f->note ? "Notes" : f->once ? "One-time" : "Steady";
	return g;
}

/* ---- evidence ---- */

/* Sums of partials know only that something was lost. */
static void
find_losses(struct finding_draft *x)
{
	const struct run_report_total *r = x->f->recorded;
	struct recording_evidence e = {
	    .lost = x->p->lost, .lost_at = r->lost_at, .cut = x->p->cut};

	evidence_finish(&e);
	for (size_t i = 0; i < e.fact_count; i++)
		find_evidence(x, &e.facts[i], SEVERITY_NOTE);
	evidence_free(&e);
}

/* What shares are of, where they are not proved. */
static void
mark_shares(struct page_draft *f, struct span *of)
{
	if (of->len == 0)
		return;
	text_add_span(&f->text, *of);
	text_printf(&f->text, "; not proved: %s", f->p->unproved);
	*of = page_draft_text(f);
}

/* Where the recording can't tell what GPUs did, there is no verdict. */
static void
take_verdict(struct page_draft *f, const struct recording_evidence *e)
{
	static const char *const doubts[EVIDENCE_CHECKS] = {
	    [EVIDENCE_HANGS] = "threads hang",
	    [EVIDENCE_FAILED] = "calls failed",
	    [EVIDENCE_MERGED] = "ranks are merged",
	    [EVIDENCE_WITHOUT_OPERATION] = "recorded in part",
	    [EVIDENCE_DURATIONS] = "impossible durations",
	    [EVIDENCE_LOSSES] = "not whole",
	    [EVIDENCE_WITHOUT_TIME] = "times are missing",
	    [EVIDENCE_CLOCKS] = "clocks differ",
	    [EVIDENCE_DIAGNOSTICS] = "see the profiler's messages",
	};
	if (e->fact_count > 0)
		f->p->doubt = doubts[e->facts[0].check];
	for (size_t i = 0; i < e->fact_count; i++) {
		if ((e->facts[i].takes & EVIDENCE_TAKES_ACCOUNT) == 0)
			continue;
		text_add_str(&f->text, "No verdict: ");
		text_add_span(&f->text, e->facts[i].title);
		text_add_char(&f->text, '.');
		f->p->sentence = page_draft_text(f);
		f->p->verb_count = 0;
		f->p->unproved = doubts[e->facts[i].check];
		mark_shares(f, &f->p->time_of_text);
		mark_shares(f, &f->p->waits.of);
		mark_shares(f, &f->p->copies.of);
		return;
	}
}

void
findings_fill(struct page_draft *f)
{
	const struct adviser *a =
	    page_draft_report(f, "run")->settings->adviser;
	struct finding_draft x = {.f = f, .p = f->p};

	if (a == NULL)
		find_losses(&x);
	const struct start_up *s = a != NULL ? &a->findings.start_up : NULL;

	recording_remarks(&x);
	for (size_t i = 0; a != NULL && i < a->findings.count; i++)
		find_by_rule(&x, a, &a->findings.all[i]);
	sort_findings(f->p, s != NULL && start_up_leads(s));
	if (a == NULL)
		return;
	fill_base(f, &a->engine);
	fill_steps_verdict(f, a);
	take_verdict(f, &a->evidence);
	fill_start_up(f, s);
}
