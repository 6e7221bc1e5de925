/* finding.c - which rules fire, and the time that each may claim */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/time.h"

#include "tq/advice/finding.h"

__extension__ typedef __int128 finding_wide;

/* while rules claim rows */
struct claiming_run {
	const struct engine *e;
	const struct recording_evidence *evidence;
	struct findings *f;
	unsigned *takes; /* of each device: what the evidence takes away */
	bool shared;     /* or that other processes work on its GPU */
	size_t *owner;   /* of each row: rule + 1, or 0 */
	size_t *part;    /* rule + 1 that it is a part of, or 0 */
	int64_t *share;  /* ns that the current rule has of each device */
	int64_t *behind; /* and ns that it lost to the host */
	int64_t *text;   /* and of each text of places */
};

int64_t
finding_ppm(int64_t ns, int64_t of)
{
	return of > 0 ? (int64_t)((finding_wide)ns * PPM / of) : 0;
}

int64_t
finding_behind(const struct finding *f)
{
	return f->behind >= time_end(f->gain, f->behind) / 100 ? f->behind : 0;
}

/* ---- shared GPUs ---- */

static uint32_t
gpu_of(const struct engine *e, size_t device)
{
	const struct survey_device *d =
	    survey_find_device(e->survey, e->devices[device].number);

	return d != NULL ? d->gpu : INTERN_NONE;
}

bool
finding_is_shared(const struct engine *e, size_t device)
{
	const struct engine_device *all = e->devices;
	uint32_t gpu = gpu_of(e, device);
	size_t first = device; /* of the section, whose devices are together */
	int64_t busy = 0;      /* others */

	if (!engine_has_devices(e) || gpu == INTERN_NONE)
		return false;
	while (first > 0 && all[first - 1].section == all[device].section)
		first--;
	for (size_t i = first;
	     i < e->device_count && all[i].section == all[device].section; i++)
		if (i != device && gpu_of(e, i) == gpu)
			busy = time_end(
			    busy, all[i].parts[PART_COMPUTE] +
				      all[i].parts[PART_COMMUNICATION] +
				      all[i].parts[PART_COPY]);
	return busy > 0 && busy >= all[device].wall / 20;
}

/* ---- conditions ---- */

/*
 * The share that a rule may claim of the time for which the host is late, in
 * ppm.
 */
static int64_t
share_of_host(const struct engine *e, size_t rule)
{
	int64_t part = 0, all = 0;

	for (size_t i = 0; i < e->device_count; i++)
		all = time_end(all, e->devices[i].parts[PART_HOST]);
	for (size_t i = 0; i < e->rows.count; i++)
		if (e->rows.all[i].part == PART_HOST &&
		    (e->rows.all[i].mask >> rule & 1) != 0)
			part = time_end(part, e->rows.all[i].ns);
	return finding_ppm(part, all);
}

static bool
condition_holds(const struct engine *e, const struct rule_tally *t,
    const struct rule_condition *c, int64_t what, int64_t all)
{
	const struct runs *runs = &e->survey->runs;
	int64_t value = what, wall = 0;

	for (size_t i = 0; i < e->device_count; i++)
		wall = time_end(wall, e->devices[i].wall);
	if (c->of == CONDITION_HOST && !engine_has_devices(e))
		return true; /* all time is the host's */
	if (c->of == CONDITION_HOST)
		value = share_of_host(e, (size_t)(t - e->match.tally));
	else if (c->of == CONDITION_SHARE)
		value = finding_ppm(what, all);
	else if (c->of == CONDITION_TIME)
		value = finding_ppm(what, wall);
	else if (c->of == CONDITION_RUNS)
		value = finding_ppm(runs->covered, runs->launches);
	else if (c->of == CONDITION_EXPOSED)
		value = finding_ppm(t->exposed, t->dur);
	return c->below == (value < c->limit);
}

static bool
also_holds(const struct engine *e, size_t rule)
{
	const struct rule *r = &e->rules->all[rule];
	const struct rule_tally *t = &e->match.tally[rule];

	if (rule_match_count(&e->match, rule) < r->count)
		return false;
	for (size_t i = 0; i < r->also_count; i++)
		if (!condition_holds(
			e, t, &r->also[i], t->also[i].what, t->also[i].all))
			return false;
	return true;
}

/* True if the diagnosis stands on one signal only; the second ones are of
   devices. */
static bool
only_hinted(const struct engine *e, size_t rule)
{
	const struct rule *r = &e->rules->all[rule];
	const struct rule_tally *t = &e->match.tally[rule];

	for (size_t i = 0; engine_has_devices(e) && i < r->second_count; i++)
		if (!condition_holds(e, t, &r->second[i], t->second[i].what,
			t->second[i].all))
			return true;
	return false;
}

/* ---- abstention ---- */

static bool
abstain(struct findings *f, const struct rule *r, const char *reason,
    const char *needs)
{
	*array_add(&f->abstained, &f->abstained_count, &f->abstained_cap) =
	    (struct abstention){r, reason, needs};
	return true;
}

/*
 * True if the stream lacks records that the rule needs.  A stream with
 * operations but no copy has none: nothing is unknown there.
 */
static bool
abstains(const struct claiming_run *x, const struct rule *r)
{
	const struct survey *s = x->e->survey;

	if (r->needs_steps && s->steps < FEW_STEPS)
		return abstain(x->f, r,
		    s->steps == 0 ? "no steps" : "fewer than 3 steps", "steps");
	if (r->needs_cc && !s->knows_cc)
		return abstain(
		    x->f, r, "no compute capability that is known", "cc");
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if ((r->needs & ~s->kinds) >> k & 1 &&
		    schema_role(k) != ROLE_WORK)
			return abstain(
			    x->f, r, "no records", schema_kinds[k].name);
	return false;
}

/* ---- evidence ---- */

static bool
is_of_class(const struct rule *r, const char *class)
{
	return span_eq(r->class, span_of(class));
}

/* What must not be taken away for the rule: bits. */
static unsigned
stands_on(const struct rule *r)
{
	const unsigned gaps = 1u << CLAIM_GAPS | 1u << CLAIM_AFTER |
			      1u << CLAIM_BY | 1u << CLAIM_OVER |
			      1u << CLAIM_SINCE;
	unsigned on = EVIDENCE_TAKES_ADVICE | EVIDENCE_TAKES_SHARES;

	if (is_of_class(r, "recording"))
		return 0;
	if ((r->claims & gaps) != 0 || is_of_class(r, "host") ||
	    is_of_class(r, "sync") || is_of_class(r, "launch"))
		on |= EVIDENCE_TAKES_IDLE;
	return r->asks_runs ? on | EVIDENCE_TAKES_GRAPHS : on;
}

/*
 * Take from x->share the devices of which the rule can know nothing; true if
 * it had fired on one of them.
 */
static bool
take_away(struct claiming_run *x, const struct rule *r)
{
	const struct engine *e = x->e;
	unsigned on = stands_on(r);
	bool fired = false;

	for (size_t i = 0; i < e->device_count; i++) {
		if ((x->takes[i] & on) == 0)
			continue;
		fired |= x->share[i] > 0 &&
			 rule_band(r, finding_ppm(x->share[i],
					  e->devices[i].wall)) != SEVERITY_NONE;
		x->share[i] = 0;
	}
	return fired;
}

/* Causes of idle time by launches and queues need one clock. */
static enum rule_confidence
confidence_of(const struct claiming_run *x, const struct finding *f)
{
	const struct rule *r = f->rule;

	return is_of_class(r, "launch") && x->e->device_count > 0 &&
		       (x->takes[f->worst] & EVIDENCE_TAKES_QUEUE) != 0
		   ? RULE_HINT
		   : r->confidence;
}

static enum severity
severity_of(const struct evidence_fact *fact, const struct rule *r)
{
	if (r->note)
		return SEVERITY_NOTE;
	if ((fact->takes & ~(unsigned)EVIDENCE_TAKES_QUEUE) != 0)
		return SEVERITY_CRITICAL;
	return fact->check == EVIDENCE_FAILED ? SEVERITY_WARNING
					      : SEVERITY_NOTE;
}

static struct finding *
add_fact(struct claiming_run *x, const struct rule *r,
    const struct evidence_fact *fact)
{
	struct finding *f = array_add(&x->f->all, &x->f->count, &x->f->cap);

	*f = (struct finding){.rule = r,
	    .what = INTERN_NONE,
	    .fact = fact,
	    .severity = severity_of(fact, r),
	    .rank = severity_of(fact, r),
	    .confidence = r->confidence,
	    .matched = fact->count,
	    .time = mem_alloc((x->e->device_count + 1) * sizeof(int64_t))};
	return f;
}

/* The fact that has the name of the rule. */
static void
try_evidence(struct claiming_run *x, const struct rule *r)
{
	for (size_t i = 0; i < x->evidence->fact_count; i++) {
		const struct evidence_fact *fact = &x->evidence->facts[i];

		if (span_eq(r->name, span_of(evidence_name(fact->check))))
			add_fact(x, r, fact);
	}
}

static bool
has_first_step(const struct findings *f)
{
	for (size_t i = 0; i < f->count; i++)
		if ((f->all[i].rule->claims >> CLAIM_FIRST_STEP & 1) != 0)
			return true;
	return false;
}

/* It has no share: its time is outside of what shares are of. */
static void
try_long_way(struct claiming_run *x, const struct host_before *before)
{
	const struct rule *r = rule_find(x->e->rules, SPAN(LONG_WAY_RULE));
	struct long_way *w = &x->f->long_way;
	struct finding *f;

	if (r == NULL || !rule_is_evidence(r) ||
	    !long_way_find(w, x->e, &x->f->start_up, before))
		return;
	f = add_fact(x, r, &w->fact);
	if (w->leads && !has_first_step(x->f)) /* which says it better */
		f->start_up = &x->f->start_up;
}

bool
finding_leads(const struct findings *f, const struct finding *x)
{
	return x->rule->once == start_up_leads(&f->start_up);
}

/* ns of each device that rules of the group one-time claimed, in x->share. */
static void
sum_once(const struct claiming_run *x)
{
	const struct engine *e = x->e;

	memset(x->share, 0, (e->device_count + 1) * sizeof(*x->share));
	for (size_t i = 0; i < x->f->count; i++) {
		const struct finding *f = &x->f->all[i];

		if (!f->rule->once || f->gain == 0 ||
		    f->rule->confidence == RULE_HINT)
			continue;
		for (size_t d = 0; d < e->device_count; d++) {
			int64_t left = e->devices[d].first_left;
			bool first = f->rule->claims >> CLAIM_FIRST_STEP & 1;

			x->share[d] = time_end(x->share[d],
			    time_end(f->time[d], first ? left : 0));
		}
	}
}

bool
finding_is_first(const struct finding *f)
{
	return (f->fact != NULL && f->start_up != NULL) ||
	       (is_of_class(f->rule, "recording") &&
		   (f->fact != NULL || !f->rule->note));
}

/* ---- time ---- */

/* Add up the time that the rule may claim on each device. */
static void
sum_rows(struct claiming_run *x, size_t rule, bool all)
{
	const struct engine *e = x->e;

	memset(x->share, 0, (e->device_count + 1) * sizeof(*x->share));
	for (size_t i = 0; i < e->rows.count; i++) {
		const struct claim_row *row = &e->rows.all[i];

		if ((row->mask >> rule & 1) != 0 && (all || x->owner[i] == 0))
			x->share[row->device] =
			    time_end(x->share[row->device], row->ns);
	}
}

/* True if it is of the device: its own, or of its process. */
static bool
is_cost_of(const struct rule_cost *c, const struct engine_device *d)
{
	return d->section == c->section && d->pid == c->pid &&
	       (c->device == NO_ID || d->device == c->device);
}

/* What its records cost a device, or each device of their process. */
static void
sum_costs(struct claiming_run *x, size_t rule)
{
	const struct engine *e = x->e;

	memset(x->share, 0, (e->device_count + 1) * sizeof(*x->share));
	for (size_t n = 0; n < e->costs.count; n++) {
		const struct rule_cost *c = &e->costs.all[n];

		for (size_t i = 0; c->rule == rule && i < e->device_count;
		     i++) {
			const struct engine_device *d = &e->devices[i];
			int64_t ns = time_end(x->share[i], c->ns);

			if (is_cost_of(c, d))
				x->share[i] = ns < d->wall ? ns : d->wall;
		}
	}
}

/* Add up what the rule may claim, or of the time of its operations gains by its
   estimate, on each device. */
static void
sum_claims(struct claiming_run *x, size_t rule, bool all)
{
	int64_t gain = x->e->rules->all[rule].gain;

	sum_rows(x, rule, all);
	for (size_t i = 0; gain > 0 && i < x->e->device_count; i++)
		x->share[i] = (int64_t)((finding_wide)x->share[i] * gain / PPM);
}

/*
 * The same of what no other rule has, but not more than the devices gain: of
 * all that the rule may claim, what is not behind the host.
 */
static void
sum_gains(struct claiming_run *x, size_t rule)
{
	const struct engine *e = x->e;
	bool any = false;

	memset(x->behind, 0, (e->device_count + 1) * sizeof(*x->behind));
	for (size_t i = 0; i < e->device_count; i++)
		any |=
		    host_bound_behind(&e->devices[i].bound, (unsigned)rule) > 0;
	if (any) {
		sum_claims(x, rule, true);
		for (size_t i = 0; i < e->device_count; i++)
			x->behind[i] =
			    time_between(host_bound_behind(&e->devices[i].bound,
					     (unsigned)rule),
				x->share[i]); /* that can be gained */
	}
	sum_claims(x, rule, false);
	for (size_t i = 0; i < e->device_count; i++) {
		int64_t ns = x->share[i];

		if (any && ns > x->behind[i] &&
		    host_bound_behind(&e->devices[i].bound, (unsigned)rule) > 0)
			x->share[i] = x->behind[i];
		x->behind[i] = ns - x->share[i];
	}
}

/* The time of the worst device of which that is a part. */
static int64_t
sum_matched(const struct claiming_run *x, const struct finding *f, size_t rule)
{
	const struct engine *e = x->e;
	int64_t ns = 0;

	for (size_t i = 0; f->rule->gain > 0 && i < e->rows.count; i++)
		if (x->owner[i] == rule + 1 &&
		    e->rows.all[i].device == f->worst)
			ns = time_end(ns, e->rows.all[i].ns);
	return ns;
}

static void
set_worst(const struct claiming_run *x, struct finding *f, size_t i)
{
	f->worst = i;
	f->of = x->e->devices[i].wall;
	f->gain = x->share[i];
	f->ppm = finding_ppm(f->gain, f->of);
}

/* a device that worked for a shorter part of the longest time is never the
   worst one: all of its time is next to nothing */
enum { SHORT_WALL = 100 };

static int64_t
longest_wall(const struct engine *e)
{
	int64_t most = 0;

	for (size_t i = 0; i < e->device_count; i++)
		if (most < e->devices[i].wall)
			most = e->devices[i].wall;
	return most;
}

/* what a rule matched on a device */
struct matched_what {
	const struct rule_what *most; /* NULL: nothing that was counted */
	size_t names;                 /* of operations that it matched */
};

/* The same of each device, for free(). */
static struct matched_what *
list_whats(const struct engine *e, size_t rule)
{
	struct matched_what *all =
	    mem_alloc((e->device_count + 1) * sizeof(*all));

	for (size_t i = 0; i < e->whats.count; i++) {
		const struct rule_what *w = &e->whats.all[i];
		struct matched_what *of;

		if (w->rule != rule || w->ns == 0) /* perhaps of no device */
			continue;
		of = &all[w->device];
		of->names++;
		if (of->most == NULL || of->most->ns < w->ns)
			of->most = w;
	}
	return all;
}

/* True if the rule matched operations of one name at most on each device. */
static bool
has_one_each(const struct engine *e, const struct matched_what *all)
{
	for (size_t i = 0; i < e->device_count; i++)
		if (all[i].names > 1)
			return false;
	return true;
}

/* The finding names one kernel: leave out devices that do not run it. */
static void
keep_one(
    struct claiming_run *x, struct finding *f, const struct matched_what *all)
{
	f->one_what = true;
	f->matched = 0;
	for (size_t i = 0; i < x->e->device_count; i++) {
		const struct rule_what *w = all[i].most;

		if (w == NULL || w->what != f->what)
			x->share[i] = 0;
		else if (x->share[i] > 0)
			f->matched = time_end(f->matched, w->count);
	}
}

/* The name of what has most, on the device where that is most. */
static void
find_what(struct claiming_run *x, struct finding *f, size_t rule, bool all)
{
	const struct engine *e = x->e;
	struct matched_what *whats;
	const struct rule_what *w = NULL;
	int64_t most = 0, least = longest_wall(e) / SHORT_WALL;

	if ((e->with_what >> rule & 1) == 0)
		return;
	whats = list_whats(e, rule);
	for (size_t i = 0; i < e->device_count; i++) {
		int64_t ppm = finding_ppm(x->share[i], e->devices[i].wall);

		if (ppm <= most || e->devices[i].wall < least)
			continue;
		most = ppm;
		w = whats[i].most;
	}
	if (w != NULL)
		f->what = w->what;
	if (w != NULL && all && has_one_each(e, whats))
		keep_one(x, f, whats);
	free(whats);
}

/* The shares of the devices, the worst of which the finding is of. */
static void
find_worst(const struct claiming_run *x, struct finding *f)
{
	const struct engine *e = x->e;
	int64_t least = longest_wall(e) / SHORT_WALL;
	bool any = false;

	f->least_ppm = PPM;
	f->time = mem_alloc((e->device_count + 1) * sizeof(*f->time));
	memcpy(f->time, x->share, e->device_count * sizeof(*f->time));
	for (size_t i = 0; i < e->device_count; i++) {
		int64_t ppm = finding_ppm(x->share[i], e->devices[i].wall);

		if (x->share[i] > 0) {
			f->devices++;
			if (f->least_ppm > ppm)
				f->least_ppm = ppm;
		}
		if (e->devices[i].wall >= least && (f->ppm < ppm || !any)) {
			set_worst(x, f, i);
			any = true;
		}
	}
}

/*
 * True if the rule would have fired, were the host not the bound: the finding
 * is a note, of the device of which that is the most.
 */
static bool
find_behind(const struct claiming_run *x, struct finding *f)
{
	const struct engine *e = x->e;
	int64_t most = 0, least = longest_wall(e) / SHORT_WALL;

	for (size_t i = 0; i < e->device_count; i++) {
		int64_t ppm = finding_ppm(
		    time_end(x->share[i], x->behind[i]), e->devices[i].wall);

		if (x->behind[i] == 0 || ppm <= most ||
		    e->devices[i].wall < least)
			continue;
		most = ppm;
		set_worst(x, f, i);
	}
	return rule_band(f->rule, most) != SEVERITY_NONE;
}

static void
add_part(struct finding *f, const struct rule *r, int64_t ppm)
{
	size_t at = f->part_count;

	if (at < PARTS_MOST)
		f->part_count++;
	else if (f->parts[--at].ppm >= ppm)
		return;
	for (; at > 0 && f->parts[at - 1].ppm < ppm; at--)
		f->parts[at] = f->parts[at - 1];
	f->parts[at] = (struct finding_part){r, ppm};
}

/* The parts of the time that the rule claimed on the worst device. */
static void
add_parts(const struct claiming_run *x, struct finding *f, size_t rule)
{
	const struct engine *e = x->e;

	for (size_t r = 0; r < rule; r++) {
		int64_t ns = 0;

		for (size_t i = 0; i < e->rows.count; i++)
			if (x->owner[i] == rule + 1 && x->part[i] == r + 1 &&
			    e->rows.all[i].device == f->worst)
				ns = time_end(ns, e->rows.all[i].ns);
		if (finding_ppm(ns, f->of) >= PPM / 1000)
			add_part(f, &e->rules->all[r], finding_ppm(ns, f->of));
	}
}

/* Take out the other part of the operation's time, if it is there, and return
   what it has: rules may claim only a part of it. */
static int64_t
take_other_part(struct finding *f, const struct evidence *v)
{
	for (size_t i = 0; i < EVIDENCE; i++) {
		struct evidence *b = &f->best[i];
		int64_t dur = b->dur;

		if (dur == 0 || b->section != v->section || b->ts != v->ts ||
		    b->pid != v->pid || b->device != v->device ||
		    b->corr != v->corr)
			continue;
		memmove(b, b + 1, (EVIDENCE - 1 - i) * sizeof(*b));
		f->best[EVIDENCE - 1] = (struct evidence){0};
		return dur;
	}
	return 0;
}

static void
add_evidence(struct finding *f, const struct evidence *v)
{
	struct evidence whole = *v;
	size_t at = EVIDENCE;

	whole.dur = time_end(v->dur, take_other_part(f, v));
	v = &whole;
	while (at > 0 && (f->best[at - 1].dur < v->dur ||
			     (f->best[at - 1].dur == v->dur &&
				 f->best[at - 1].ts > v->ts)))
		at--;
	if (at == EVIDENCE || v->dur == 0)
		return;
	memmove(
	    &f->best[at + 1], &f->best[at], (EVIDENCE - 1 - at) * sizeof(*v));
	f->best[at] = *v;
}

/* The rule takes its rows, or with all only looks at them. */
static void
take_rows(struct claiming_run *x, struct finding *f, size_t rule, bool all)
{
	const struct engine *e = x->e;

	for (size_t i = 0; i < e->rows.count; i++) {
		const struct claim_row *row = &e->rows.all[i];

		if ((row->mask >> rule & 1) == 0 ||
		    (!all && x->owner[i] != 0) ||
		    (f->one_what && f->time[row->device] == 0))
			continue;
		if (!all)
			x->owner[i] = rule + 1;
		f->pieces += row->count;
		f->of_parts[row->part] =
		    time_end(f->of_parts[row->part], row->ns);
		for (size_t v = 0; v < EVIDENCE; v++)
			add_evidence(f, &row->best[v]);
	}
}

/* True if the text is what operations in a queue waited for. */
static bool
is_queued(const struct engine *e, uint32_t name)
{
	const struct host_places *h = &e->places;

	for (size_t i = 0; i < h->times.count; i++) {
		const struct place_time *t = &h->times.all[i];

		if (e->rows.all[t->row].part == PART_QUEUE &&
		    h->all.all[t->place - 1].text[PLACE_NAME] == name)
			return true;
	}
	return false;
}

/*
 * The names, files or lines with most of the idle time that the rule has
 * claimed of the worst device, the largest first; returns how much of the cause
 * host has one.
 */
static int64_t
find_places(const struct claiming_run *x, const struct finding *f,
    enum place_part part, struct finding_place *most, size_t count)
{
	const struct engine *e = x->e;
	const struct host_places *h = &e->places;
	size_t rule = (size_t)(f->rule - e->rules->all);
	int64_t host = 0;

	memset(x->text, 0, (h->texts.count + 1) * sizeof(*x->text));
	for (size_t i = 0; i < h->times.count; i++) {
		const struct place_time *t = &h->times.all[i];
		const struct claim_row *row = &e->rows.all[t->row];
		uint32_t n = h->all.all[t->place - 1].text[part];

		if (n == INTERN_NONE || x->owner[t->row] != rule + 1 ||
		    row->device != f->worst)
			continue;
		x->text[n] = time_end(x->text[n], t->ns);
		if (row->part == PART_HOST)
			host = time_end(host, t->ns);
	}
	for (uint32_t n = 0; n < h->texts.count; n++) {
		size_t at = count;

		while (at > 0 && x->text[n] > most[at - 1].ns)
			at--;
		if (at == count)
			continue;
		memmove(
		    &most[at + 1], &most[at], (count - 1 - at) * sizeof(*most));
		most[at] = (struct finding_place){intern_text(&h->texts, n),
		    x->text[n], part == PLACE_NAME && is_queued(e, n)};
	}
	return host;
}

/* The file or line with most of it, where that is a fifth of all. */
static void
find_place(const struct claiming_run *x, const struct finding *f,
    enum place_part part, struct finding_place *most)
{
	find_places(x, f, part, most, 1);
	if (finding_ppm(most->ns, f->gain) < PPM / 5)
		*most = (struct finding_place){0};
}

/* Where the host was in the time that the rule has claimed. */
static void
find_host(const struct claiming_run *x, struct finding *f)
{
	const struct engine *e = x->e;
	size_t rule = (size_t)(f->rule - e->rules->all);
	int64_t host = 0, named;

	if (is_of_class(f->rule, "recording"))
		return;
	named = find_places(x, f, PLACE_NAME, f->names, NAMES_MOST);
	find_place(x, f, PLACE_FILE, &f->file);
	find_place(x, f, PLACE_LINE, &f->line);
	if ((f->rule->claims & (1u << CLAIM_GAPS | 1u << CLAIM_AFTER)) == 0)
		return; /* its records have no name of their own */
	for (size_t i = 0; i < e->rows.count; i++)
		if (x->owner[i] == rule + 1 &&
		    e->rows.all[i].part == PART_HOST &&
		    e->rows.all[i].device == f->worst)
			host = time_end(host, e->rows.all[i].ns);
	f->unnamed = time_between(named, host);
}

static void
add_wait(struct finding *f, const struct engine *e, const struct dry_time *t)
{
	size_t at = WAITS_MOST;

	while (at > 0 && t->ns > f->waits[at - 1].ns)
		at--;
	if (at == WAITS_MOST)
		return;
	memmove(&f->waits[at + 1], &f->waits[at],
	    (WAITS_MOST - 1 - at) * sizeof(*f->waits));
	f->waits[at] =
	    (struct finding_wait){intern_text(&e->texts, t->wait.call - 1),
		host_places_text(&e->places, t->wait.range, PLACE_NAME), t->ns};
}

/* Why the time of the host that the rule has claimed was exposed; rules of
   waits say that themselves. */
static void
find_waits(const struct claiming_run *x, struct finding *f)
{
	const struct engine *e = x->e;
	size_t rule = (size_t)(f->rule - e->rules->all);
	struct dry_waits sums = {0};

	if (is_of_class(f->rule, "recording") || is_of_class(f->rule, "sync"))
		return;
	for (size_t i = 0; i < e->dry.times.count; i++) {
		const struct dry_time *t = &e->dry.times.all[i];

		if (x->owner[t->row] != rule + 1 ||
		    e->rows.all[t->row].device != f->worst)
			continue;
		f->exposed = time_end(f->exposed, t->ns);
		f->step_exposed = time_end(f->step_exposed, t->step_ns);
		dry_waits_add(&sums, 0, t->wait, t->ns);
	}
	for (size_t i = 0; i < sums.times.count; i++)
		add_wait(f, e, &sums.times.all[i]);
	dry_waits_free(&sums);
}

/* How much of what the rule has claimed of the worst device computing could
   hide. */
static void
find_overlap(const struct claiming_run *x, struct finding *f, size_t rule)
{
	const struct engine *e = x->e;
	int64_t computes =
	    f->of > 0 ? e->devices[f->worst].parts[PART_COMPUTE] : 0;

	for (size_t i = 0; i < e->rows.count; i++) {
		const struct claim_row *row = &e->rows.all[i];

		if (x->owner[i] == rule + 1 && row->device == f->worst &&
		    (row->part == PART_COPY || row->part == PART_COMMUNICATION))
			f->overlap = time_end(f->overlap, row->ns);
	}
	if (f->overlap > computes)
		f->overlap = computes;
	if (f->overlap > f->gain)
		f->overlap = f->gain;
}

/* True if costs are of processes, one of which has several devices: no device
   has a part of its own. */
static bool
is_of_processes(const struct engine *e, const struct finding *f, size_t rule)
{
	size_t devices = 0;

	for (size_t n = 0; n < e->costs.count; n++) {
		const struct rule_cost *c = &e->costs.all[n];

		if (c->rule != rule)
			continue;
		if (c->device != NO_ID)
			return false;
		devices = 0;
		for (size_t i = 0; i < e->device_count; i++)
			devices +=
			    is_cost_of(c, &e->devices[i]) && f->time[i] > 0;
		if (devices > 1)
			return true;
	}
	return false;
}

/* The records that cost something. */
static void
take_costs(const struct engine *e, struct finding *f, size_t rule)
{
	for (size_t n = 0; n < e->costs.count; n++) {
		const struct rule_cost *c = &e->costs.all[n];

		if (c->rule != rule)
			continue;
		f->pieces += c->count;
		for (size_t v = 0; v < EVIDENCE; v++)
			add_evidence(f, &c->best[v]);
	}
}

/*
 * Below its least share: the time that it would claim is a part of another's.
 */
static void
leave_rows(struct claiming_run *x, size_t rule)
{
	const struct engine *e = x->e;

	for (size_t i = 0; i < e->rows.count; i++)
		if ((e->rows.all[i].mask >> rule & 1) != 0 &&
		    x->owner[i] == 0 && x->part[i] == 0)
			x->part[i] = rule + 1;
}

/* ---- the whole ---- */

/* True if the rule is of time that the stream has. */
static bool
is_of_stream(const struct engine *e, const struct rule *r)
{
	if (engine_has_devices(e))
		return e->ops > 0;
	return e->device_count > 0 && (r->claims >> CLAIM_OVER & 1) != 0;
}

static bool
has_few_operations(const struct engine *e)
{
	return engine_has_devices(e) && e->ops < FEW_OPERATIONS;
}

static void
try_rule(struct claiming_run *x, size_t rule)
{
	const struct rule *r = &x->e->rules->all[rule];
	bool all = r->claims == 1u << CLAIM_NONE && r->gain == 0;
	struct finding f = {.rule = r,
	    .what = INTERN_NONE,
	    .matched = rule_match_count(&x->e->match, rule)};
	bool taken, behind = false;

	if (!is_of_stream(x->e, r) || abstains(x, r) || !also_holds(x->e, rule))
		return;
	if (r->cost.len > 0)
		sum_costs(x, rule);
	else if (all)
		sum_rows(x, rule, true);
	else
		sum_gains(x, rule);
	taken = take_away(x, r);
	find_what(x, &f, rule, all);
	find_worst(x, &f);
	f.severity = f.matched < r->count ? SEVERITY_NONE : rule_band(r, f.ppm);
	f.confidence = confidence_of(x, &f);
	if (f.severity == SEVERITY_NONE && !taken && !all && r->cost.len == 0)
		behind = find_behind(x, &f);
	if (behind)
		f.severity = SEVERITY_NOTE;
	if (f.severity == SEVERITY_NONE && taken)
		abstain(x->f, r,
		    x->shared ? "several processes work on the GPU"
			      : "the recording does not show it",
		    "evidence");
	if (f.severity == SEVERITY_NONE) {
		if (!all)
			leave_rows(x, rule);
		free(f.time);
		return;
	}
	f.demoted = behind || (r->note && r->gain == 0) ||
		    only_hinted(x->e, rule) || has_few_operations(x->e);
	if (f.demoted)
		f.severity = SEVERITY_NOTE;
	f.rank = f.demoted ? SEVERITY_NOTE : rule_rank(r, f.ppm);
	if (r->cost.len > 0) {
		take_costs(x->e, &f, rule);
		f.of_processes = is_of_processes(x->e, &f, rule);
	} else
		take_rows(x, &f, rule, all);
	if (all && r->cost.len == 0)
		f.gain = 0;
	else if (!all) {
		add_parts(x, &f, rule);
		find_host(x, &f);
		find_waits(x, &f);
		find_overlap(x, &f, rule);
		f.matched_ns = sum_matched(x, &f, rule);
		f.behind = r->cost.len > 0 ? 0 : x->behind[f.worst];
	}
	*array_add(&x->f->all, &x->f->count, &x->f->cap) = f;
}

/* True if it is of time that could be gained. */
static bool
has_cost(const struct finding *f)
{
	return f->gain > 0 && !f->demoted;
}

static int
worst_first(const void *pa, const void *pb, void *findings)
{
	const struct finding *a = pa, *b = pb;
	bool leads = finding_leads(findings, a);

	if (finding_is_first(a) != finding_is_first(b))
		return finding_is_first(a) ? -1 : 1;
	if (finding_is_first(a) &&
	    (a->start_up == NULL) != (b->start_up == NULL))
		return a->start_up == NULL ? -1 : 1; /* the long way is last */
	if (has_cost(a) != has_cost(b))
		return has_cost(a) ? -1 : 1;
	if (finding_is_first(a) == 0 && leads != finding_leads(findings, b))
		return leads ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	if ((a->gain > 0) != (b->gain > 0))
		return a->gain > 0 ? -1 : 1;
	if (a->ppm != b->ppm)
		return a->ppm > b->ppm ? -1 : 1;
	return (a->rule > b->rule) - (a->rule < b->rule);
}

/*
 * What happens once leads, and has more time than passes before the first
 * operation: the first advice is to record without it.
 */
static void
advise_later(struct findings *f)
{
	const struct start_up *s = &f->start_up;

	for (size_t i = 0;
	     start_up_leads(s) && s->once > s->before && i < f->count; i++)
		if (f->all[i].rule->once && f->all[i].gain > 0) {
			f->all[i].start_up = s;
			return;
		}
}

/* What must not be concluded of a device. */
static unsigned
takes_on(struct claiming_run *x, size_t device)
{
	const struct engine_device *d = &x->e->devices[device];
	unsigned takes = evidence_takes(x->evidence, d->section, d->pid);

	if ((takes & EVIDENCE_TAKES_IDLE) != 0 ||
	    !finding_is_shared(x->e, device))
		return takes;
	x->shared = true;
	return takes | EVIDENCE_TAKES_IDLE;
}

void
finding_make(struct findings *f, const struct engine *e,
    const struct recording_evidence *evidence, const struct host_before *before)
{
	struct claiming_run x = {.e = e, .evidence = evidence, .f = f};

	x.takes = mem_alloc((e->device_count + 1) * sizeof(*x.takes));
	for (size_t i = 0; i < e->device_count; i++)
		x.takes[i] = takes_on(&x, i);
	x.owner = mem_alloc((e->rows.count + 1) * sizeof(*x.owner));
	x.part = mem_alloc((e->rows.count + 1) * sizeof(*x.part));
	x.share = mem_alloc((e->device_count + 1) * sizeof(*x.share));
	x.behind = mem_alloc((e->device_count + 1) * sizeof(*x.behind));
	x.text = mem_alloc((e->places.texts.count + 1) * sizeof(*x.text));
	for (size_t i = 0; i < e->rules->matching; i++)
		try_rule(&x, i);
	sum_once(&x);
	start_up_find(&f->start_up, e, evidence, x.share);
	for (size_t i = e->rules->matching; i < e->rules->count; i++)
		try_evidence(&x, &e->rules->all[i]);
	try_long_way(&x, before);
	if (f->count > 0)
		qsort_r(f->all, f->count, sizeof(*f->all), worst_first, f);
	advise_later(f);
	free(x.owner);
	free(x.part);
	free(x.share);
	free(x.behind);
	free(x.text);
	free(x.takes);
}

void
finding_free(struct findings *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->all[i].time);
	free(f->all);
	long_way_free(&f->long_way);
	free(f->abstained);
}
