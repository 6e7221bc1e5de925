/* comparability.c - may two sides be compared? */

#include <stdlib.h>

#include "comparability.h"
#include "command_words.h"
#include "matched_work.h"
#include "statistics/quantiles.h"
#include "tq/base/array.h"
#include "tq/base/time.h"
#include "tq/evidence/evidence.h"
#include "tq/show/amount.h"

/* the values of a check */
struct checking {
	struct comparability *c;
	const struct match *m;
	const struct comparability_settings *s;
};

static const double PROGRAM_FACTOR = 3;   /* of launches per unit */
static const double PROGRAM_SHARE = 0.05; /* of time in matched names */
static const double WALL_FACTOR = 1.5;    /* of a unit */
static const double ROWS_SHARE = 0.5;
static const double LOSS_SHARE = 0.001;
static const double DEVICE_SHARE = 0.01;
static const double CLOCK_OFF = 0.02;
static const double OVERHEAD_SHARE = 0.05, OVERHEAD_OFF = 0.05;

void
comparability_add(struct comparability *c, struct check_result r)
{
	r.a = region_copy(&c->region, r.a);
	r.b = region_copy(&c->region, r.b);
	r.says = region_copy(&c->region, r.says);
	if (r.state == CHECK_DIFFERS)
		c->limits |= r.limits;
	*array_add(&c->all, &c->count, &c->cap) = r;
}

const struct check_result *
comparability_find(const struct comparability *c, unsigned limit)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->all[i].state == CHECK_DIFFERS &&
		    (c->all[i].limits & limit) != 0)
			return &c->all[i];
	return NULL;
}

void
comparability_free(struct comparability *c)
{
	free(c->all);
	region_free(&c->region);
}

/* ---- texts that a side has ---- */

/* Append a text of a recording; false if it is unknown. */
typedef bool describe(
    struct text *t, const struct account *a, const char *name);

/* The different texts of a side, in order, with commas; unknown ones too. */
static void
describe_side(const struct accounts *side, describe *one, const char *name,
    struct text *t)
{
	struct intern seen = {0};
	struct text each = {0};

	for (size_t r = 0; r < side->count; r++) {
		uint32_t number;

		each.len = 0;
		if (!one(&each, side->all[r], name))
			continue;
		number = (uint32_t)seen.count;
		if (intern_get(&seen, text_span(&each)) != number)
			continue;
		text_add_str(t, t->len > 0 ? ", " : "");
		text_add_span(t, text_span(&each));
	}
	text_free(&each);
	intern_free(&seen);
}

/* Compare the values of both sides; add the check. */
static void
compare(const struct checking *k, const char *name, describe *one,
    const char *fact, unsigned limits, const char *says)
{
	struct text t[SIDES] = {{0}, {0}};
	struct span a, b;

	for (int side = 0; side < SIDES; side++)
		describe_side(k->m->sides[side], one, fact, &t[side]);
	a = text_span(&t[SIDE_A]);
	b = text_span(&t[SIDE_B]);
	comparability_add(
	    k->c, (struct check_result){
		      .name = name,
		      .state = a.len == 0 || b.len == 0 ? CHECK_UNKNOWN
			       : span_eq(a, b)          ? CHECK_SAME
							: CHECK_DIFFERS,
		      .limits = limits,
		      .a = a,
		      .b = b,
		      .says = span_of(says),
		  });
	text_free(&t[SIDE_A]);
	text_free(&t[SIDE_B]);
}

static bool
describe_fact(struct text *t, const struct account *a, const char *name)
{
	text_add_span(t, account_fact(a, name));
	return t->len > 0;
}

static int64_t
device_ops(const struct account *a)
{
	int64_t ops = 0;

	for (size_t i = 0; i < a->device_count; i++)
		ops = time_end(ops, a->devices[i].ops);
	return ops;
}

/* "2 x NVIDIA H100, 132 SMs" of devices that do more than 1 % of the work */
static bool
describe_devices(struct text *t, const struct account *a, const char *name)
{
	int64_t least = (int64_t)(DEVICE_SHARE * (double)device_ops(a));
	const struct account_device *last = NULL;
	size_t count = 0;

	(void)name;
	for (size_t i = 0; i < a->device_count; i++)
		if (a->devices[i].ops > least) {
			last = &a->devices[i];
			count++;
		}
	if (last == NULL || last->name.len == 0)
		return false;
	if (count > 1)
		text_printf(t, "%zu x ", count);
	text_add_span(t, last->name);
	if (last->sms != NO_ID)
		text_printf(t, ", %lld SMs", (long long)last->sms);
	return true;
}

/* the kinds that were captured */
static bool
describe_kinds(struct text *t, const struct account *a, const char *name)
{
	static const char *const kinds[] = {
	    "kernel", "graph", "api", "range", "osrt", "sched", "sample"};
	struct text fact = {0};

	(void)name;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		fact.len = 0;
		text_printf(&fact, "count.%s", kinds[i]);
		text_add_char(&fact, '\0');
		if (account_fact_int(a, fact.p, 0) > 0) {
			text_add_str(t, t->len > 0 ? " " : "");
			text_add_str(t, kinds[i]);
		}
	}
	text_free(&fact);
	return t->len > 0;
}

static bool
describe_units(struct text *t, const struct account *a, const char *name)
{
	(void)name;
	if (a->by == ACCOUNT_BY_KERNEL && a->period_name.len > 0) {
		text_printf(t, "kernel=%.*s/%lld", (int)a->period_name.len,
		    a->period_name.p, (long long)a->period_every);
		return true;
	}
	text_add_str(t, account_by_name(a->by));
	return true;
}

/* ---- numbers of a side ---- */

static int64_t
fact_sum(const struct accounts *side, const char *name)
{
	int64_t sum = 0;

	for (size_t r = 0; r < side->count; r++)
		sum = time_end(sum, account_fact_int(side->all[r], name, 0));
	return sum;
}

static int64_t
record_count_of(const struct account *a)
{
	int64_t sum = 0;

	for (size_t i = 0; i < a->fact_count; i++)
		if (span_begins(a->facts[i].name, SPAN("count.")) &&
		    !span_eq(a->facts[i].name, SPAN("count.trace")) &&
		    !span_eq(a->facts[i].name, SPAN("count.end")))
			sum = time_end(
			    sum, account_fact_int(a, a->facts[i].name.p, 0));
	return sum;
}

static int64_t
record_count(const struct accounts *side)
{
	int64_t sum = 0;

	for (size_t r = 0; r < side->count; r++)
		sum = time_end(sum, record_count_of(side->all[r]));
	return sum;
}

static int64_t
side_units(const struct accounts *side)
{
	int64_t units = 0;

	for (size_t r = 0; r < side->count; r++)
		for (size_t d = 0; d < side->all[r]->device_count; d++)
			units += side->all[r]->devices[d].units;
	return units;
}

static int64_t
side_wall(const struct accounts *side)
{
	int64_t wall = 0;

	for (size_t r = 0; r < side->count; r++)
		for (size_t d = 0; d < side->all[r]->device_count; d++)
			wall = time_end(wall, side->all[r]->devices[d].wall);
	return wall;
}

static void
add_numbers(const struct checking *k, const char *name, bool differs,
    const int64_t n[SIDES], const char *unit, unsigned limits, const char *says)
{
	struct text a = {0}, b = {0};

	text_printf(&a, "%lld%s", (long long)n[SIDE_A], unit);
	text_printf(&b, "%lld%s", (long long)n[SIDE_B], unit);
	comparability_add(k->c,
	    (struct check_result){name, differs ? CHECK_DIFFERS : CHECK_SAME,
		limits, text_span(&a), text_span(&b), span_of(says)});
	text_free(&a);
	text_free(&b);
}

/* ---- the checks ---- */

/* True if b has as many records of each kind that a has. */
static bool
equal_counts(const struct account *a, const struct account *b)
{
	for (size_t i = 0; i < a->fact_count; i++) {
		struct span name = a->facts[i].name;

		if (span_begins(name, SPAN("count.")) &&
		    !span_eq(a->facts[i].value, account_fact(b, name.p)))
			return false;
	}
	return true;
}

/* The time of a row on all devices, in all units. */
static int64_t
row_time(const struct account *a, const struct account_row *row)
{
	int64_t dur = 0;

	for (size_t i = 0; i < a->device_count; i++)
		dur = time_end(dur, row->on[i].dur);
	return dur;
}

static bool
equal_times(const struct account *a, const struct account *b)
{
	if (a->row_count != b->row_count || a->call_count != b->call_count)
		return false;
	for (size_t i = 0; i < a->row_count; i++)
		if (!span_eq(a->rows[i].full, b->rows[i].full) ||
		    row_time(a, &a->rows[i]) != row_time(b, &b->rows[i]))
			return false;
	for (size_t i = 0; i < a->call_count; i++)
		if (!span_eq(a->calls[i].name, b->calls[i].name) ||
		    a->calls[i].dur != b->calls[i].dur)
			return false;
	return true;
}

/* The units launch the same rows in the same order, as far as it is known. */
static bool
equal_order(const struct account *a, const struct account *b)
{
	if (a->sequence_count == 0 || b->sequence_count == 0)
		return true;
	if (a->sequence_count != b->sequence_count)
		return false;
	for (size_t i = 0; i < a->sequence_count; i++) {
		const struct account_sequence *x = &a->sequences[i];
		const struct account_sequence *y = &b->sequences[i];

		if (x->count != y->count || x->units != y->units)
			return false;
		for (size_t k = 0; k < x->count; k++)
			if (x->all[k].row != y->all[k].row)
				return false;
	}
	return true;
}

/* What an account has of its units, if both are of the same ones. */
static bool
equal_units(const struct account *a, const struct account *b)
{
	if (a->by != b->by || a->unit_count != b->unit_count ||
	    !span_eq(a->per, b->per) || a->correlated != b->correlated)
		return true;
	return equal_times(a, b) && equal_order(a, b);
}

/*
 * Begun at one time on one host, with the same first and last records, and with
 * the same launches, as long as these.
 */
static bool
same_recording(const struct account *a, const struct account *b)
{
	static const char *const facts[] = {"origin_utc_ns", "origin_clock",
	    "host", "first.record", "last.record", "last"};

	if (account_fact(a, "first.record").len == 0)
		return false;
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (!span_eq(
			account_fact(a, facts[i]), account_fact(b, facts[i])))
			return false;
	return equal_counts(a, b) && equal_counts(b, a) && device_ops(a) > 0 &&
	       equal_units(a, b);
}

static void
check_recordings(const struct checking *k)
{
	const struct accounts *a = k->m->sides[SIDE_A];
	const struct accounts *b = k->m->sides[SIDE_B];

	for (size_t i = 0; i < a->count; i++)
		for (size_t j = 0; j < b->count; j++)
			if (same_recording(a->all[i], b->all[j])) {
				comparability_add(k->c,
				    (struct check_result){"recording",
					CHECK_DIFFERS,
					CHECK_NO_WALL | CHECK_NO_ROWS,
					a->all[i]->name, b->all[j]->name,
					SPAN("the same recording twice")});
				return;
			}
}

/* What the account of a recording is of. */
static const char *
work_of(const struct account *a)
{
	struct span work = account_fact(a, "work");

	return span_eq(work, SPAN("host"))      ? "calls and ranges of the host"
	       : span_eq(work, SPAN("samples")) ? "samples"
						: "operations of a device";
}

/* The recording of a side that has work of another kind than the first of A. */
static const char *
other_work(const struct match *m)
{
	const char *first = work_of(m->sides[SIDE_A]->all[0]);

	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < m->sides[side]->count; r++)
			if (work_of(m->sides[side]->all[r]) != first)
				return work_of(m->sides[side]->all[r]);
	return NULL;
}

/* Add "B has no records" where the side has nothing to compare. */
static void
add_lack(struct text *says, const struct checking *k, int side)
{
	const struct accounts *all = k->m->sides[side];
	const char *letter = side == SIDE_A ? "A" : "B";

	for (size_t r = 0; r < all->count; r++)
		if (device_ops(all->all[r]) == 0) {
			text_printf(says, "%s%s has no %s",
			    says->len > 0 ? ", and " : "", letter,
			    record_count_of(all->all[r]) == 0
				? "records"
				: "operation, call, range or sample");
			return;
		}
	if (all->count == 0)
		text_printf(says, "%s%s has no recording",
		    says->len > 0 ? ", and " : "", letter);
}

static void
check_operations(const struct checking *k)
{
	int64_t ops[SIDES] = {0};
	struct text says = {0};

	for (int side = 0; side < SIDES; side++) {
		const struct accounts *s = k->m->sides[side];

		for (size_t r = 0; r < s->count; r++)
			ops[side] = time_end(ops[side], device_ops(s->all[r]));
		add_lack(&says, k, side);
	}
	if (says.len == 0 && other_work(k->m) != NULL)
		text_printf(&says, "A has %s, and %s has %s",
		    work_of(k->m->sides[SIDE_A]->all[0]),
		    work_of(k->m->sides[SIDE_B]->all[0]) ==
			    work_of(k->m->sides[SIDE_A]->all[0])
			? "another recording"
			: "B",
		    other_work(k->m));
	text_add_char(&says, '\0');
	add_numbers(
	    k, "operations", says.len > 1, ops, "", CHECK_REFUSED, says.p);
	text_free(&says);
}

/* Samples whose length the recordings do not have. */
static void
check_samples(const struct checking *k)
{
	int64_t assumed[SIDES] = {
	    fact_sum(k->m->sides[SIDE_A], "samples.assumed"),
	    fact_sum(k->m->sides[SIDE_B], "samples.assumed")};
	bool one = (assumed[SIDE_A] > 0) != (assumed[SIDE_B] > 0);

	if (assumed[SIDE_A] > 0 || assumed[SIDE_B] > 0)
		add_numbers(k, "samples", true, assumed, " of unknown length",
		    one ? CHECK_NO_WALL : CHECK_NOTE,
		    one ? "samples of one side have no length"
			: "each counts as 1 ms");
}

static void
check_losses(const struct checking *k)
{
	int64_t lost[SIDES], all[SIDES];
	bool any = false, many = false, cut = false, bare = false;

	for (int side = 0; side < SIDES; side++) {
		const struct accounts *s = k->m->sides[side];

		lost[side] =
		    time_end(fact_sum(s, "lost"), fact_sum(s, "dropped"));
		all[side] = record_count(s);
		any |= lost[side] > 0;
		many |= (double)lost[side] > LOSS_SHARE * (double)all[side];
		cut |= fact_sum(s, "truncated") > 0;
		bare |= fact_sum(s, "count.trace") == 0;
	}
	if (cut)
		add_numbers(k, "losses", true, lost, " lost",
		    CHECK_NO_WALL | CHECK_NO_COUNTS,
		    bare ? "a side has no trace record, and may have been cut "
			   "short: no verdict on counts and wall"
			 : "a recording is cut short: no verdict on counts and "
			   "wall");
	else if (any)
		add_numbers(k, "losses", true, lost, " lost",
		    many ? CHECK_NO_WALL | CHECK_NO_COUNTS : CHECK_NOTE,
		    many ? "no verdict on counts and wall"
			 : "less than 0.1 % of the records");
}

/* What the evidence of a recording takes away from a comparison. */
static unsigned
limits_of(const struct accounts *side)
{
	const unsigned times = EVIDENCE_TAKES_ADVICE | EVIDENCE_TAKES_VERDICT |
			       EVIDENCE_TAKES_SHARES;
	unsigned limits = CHECK_NOTE;

	for (size_t r = 0; r < side->count; r++)
		if ((account_fact_int(side->all[r], "evidence", 0) & times) !=
		    0)
			limits = CHECK_NO_WALL | CHECK_NO_COUNTS;
	return limits;
}

/* A fact that a side has, and not the other one, or another one. */
static void
check_fact(const struct checking *k, enum evidence_check fact, unsigned limits)
{
	struct text name = {0}, t[SIDES] = {{0}, {0}};
	struct span none = SPAN("no");

	text_printf(&name, "evidence.%s", evidence_name(fact));
	text_add_char(&name, '\0');
	for (int side = 0; side < SIDES; side++)
		describe_side(
		    k->m->sides[side], describe_fact, name.p, &t[side]);
	if (t[SIDE_A].len + t[SIDE_B].len > 0)
		comparability_add(k->c,
		    (struct check_result){.name = evidence_name(fact),
			.state = CHECK_DIFFERS,
			.limits = limits,
			.a = t[SIDE_A].len > 0 ? text_span(&t[SIDE_A]) : none,
			.b = t[SIDE_B].len > 0 ? text_span(&t[SIDE_B]) : none,
			.says = limits != CHECK_NOTE
				    ? SPAN("no verdict on counts and wall")
				    : SPAN("of the recording itself")});
	text_free(&name);
	text_free(&t[SIDE_A]);
	text_free(&t[SIDE_B]);
}

/* Losses have a check of their own; messages cost a comparison nothing. */
static void
check_evidence(const struct checking *k)
{
	unsigned limits =
	    limits_of(k->m->sides[SIDE_A]) | limits_of(k->m->sides[SIDE_B]);

	for (int f = 0; f < EVIDENCE_CHECKS; f++)
		if (f == EVIDENCE_FAILED || f == EVIDENCE_MERGED ||
		    f == EVIDENCE_WITHOUT_OPERATION || f == EVIDENCE_DURATIONS)
			check_fact(k, (enum evidence_check)f, limits);
		else if (f == EVIDENCE_WITHOUT_TIME || f == EVIDENCE_CLOCKS)
			check_fact(k, (enum evidence_check)f, CHECK_NOTE);
}

static void
check_units(const struct checking *k)
{
	int64_t units[SIDES];
	bool none = false, warm_up = false, few = false;

	for (int side = 0; side < SIDES; side++) {
		const struct accounts *s = k->m->sides[side];

		units[side] = side_units(s);
		none |= units[side] == 0;
		for (size_t r = 0; r < s->count && units[side] == 0; r++)
			warm_up |= s->all[r]->left_out > 0;
		few |= units[side] < 3;
	}
	compare(k, "unit", describe_units, NULL,
	    k->s->own_units ? CHECK_NOTE : CHECK_NO_WALL | CHECK_NO_COUNTS,
	    "the sides are counted in different units: no verdict on counts "
	    "and wall");
	if (none)
		add_numbers(k, "units", true, units, "", CHECK_REFUSED,
		    warm_up ? "only first steps, which are warm-up"
			    : "no unit of work on a side: see --per");
	else
		add_numbers(k, "units", units[SIDE_A] != units[SIDE_B], units,
		    "", CHECK_NOTE,
		    few ? "no interval within a side"
			: "means per unit are compared");
}

/* Launches of a unit; the nodes of a graph are no launches of the other side.
 */
static double
unit_launches(const struct checking *k, int side)
{
	int64_t units = side_units(k->m->sides[side]);
	double n = 0;

	for (size_t i = 0; i < k->m->row_count; i++)
		n += k->m->rows[i].level == MATCH_GRAPH
			 ? (double)units
			 : (double)k->m->rows[i].on[side].n;
	return n / (double)units;
}

static bool
within(double ratio, double factor)
{
	return ratio < factor && ratio > 1 / factor;
}

/* Time of operations of a unit: each launch as long as its name takes on both
   sides, or as it was: B's by A's. */
static double
work_ratio(const struct checking *k, bool as_it_was)
{
	double work[SIDES] = {0};

	for (size_t i = 0; i < k->m->row_count; i++) {
		const struct account_sum *on = k->m->rows[i].on;
		bool graph = k->m->rows[i].level == MATCH_GRAPH;
		double mean =
		    ((double)on[SIDE_A].dur + (double)on[SIDE_B].dur) /
		    ((double)on[SIDE_A].n + (double)on[SIDE_B].n + 1);

		for (int side = 0; side < SIDES; side++)
			work[side] +=
			    (graph || as_it_was ? (double)on[side].dur
						: mean * (double)on[side].n) /
			    (double)side_units(k->m->sides[side]);
	}
	return work[SIDE_A] > 0 ? work[SIDE_B] / work[SIDE_A] : 0;
}

/*
 * True if a unit has about as many launches, or as long ones in all, which a
 * fusion leaves as they are.  A span may be longer: then all kernels that both
 * sides have were launched as much more often.
 */
static bool
is_same_work(const struct checking *k, bool span)
{
	int64_t units[SIDES] = {
	    side_units(k->m->sides[SIDE_A]), side_units(k->m->sides[SIDE_B])};
	struct matched_work w = {.median = 1};

	if (span) {
		w = matched_work_of(k->m, units);
		w.median = w.known ? w.median : 1;
		if (w.known && w.high > PROGRAM_FACTOR * w.low)
			return false;
	}
	return within(work_ratio(k, false) / w.median, PROGRAM_FACTOR) ||
	       within(work_ratio(k, true) / w.median, PROGRAM_FACTOR);
}

static enum check_state
state_of(const struct comparability *c, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->all[i].name, name) == 0)
			return c->all[i].state;
	return CHECK_UNKNOWN;
}

/* B's mean wall of a unit by A's. */
static double
wall_ratio(const struct match *m)
{
	double mean[SIDES];

	for (int side = 0; side < SIDES; side++)
		mean[side] = (double)side_wall(m->sides[side]) /
			     (double)side_units(m->sides[side]);
	return mean[SIDE_A] > 0 ? mean[SIDE_B] / mean[SIDE_A] : 0;
}

/*
 * Another program: hardly a kernel has the same name; or what runs, how much of
 * it, and how long it takes all differ.  One that fuses its kernels is the
 * same.
 */
static bool
is_other_program(const struct checking *k, double share)
{
	enum account_by by = k->m->sides[SIDE_A]->all[0]->by;
	bool span = by == ACCOUNT_BY_SPAN || by == ACCOUNT_BY_LAUNCH;
	enum check_state command = state_of(k->c, "command");
	double wall = wall_ratio(k->m);
	bool known =
	    command == CHECK_SAME || (by == ACCOUNT_BY_STEP && share > 0);

	if (match_on_host(k->m) && share < ROWS_SHARE && command != CHECK_SAME)
		return true;
	if (share < PROGRAM_SHARE &&
	    (!known || span || !within(wall, PROGRAM_FACTOR)))
		return true;
	return (share < ROWS_SHARE || match_grid_share(k->m) < ROWS_SHARE ||
		   command == CHECK_DIFFERS ||
		   state_of(k->c, "device") == CHECK_DIFFERS) &&
	       !is_same_work(k, span) && (span || !within(wall, WALL_FACTOR));
}

/* "other program: 2.6 % of the time ...": what differs */
static void
add_program(struct text *says, const struct checking *k, double share,
    const double launches[SIDES])
{
	enum account_by by = k->m->sides[SIDE_A]->all[0]->by;
	bool host = match_on_host(k->m);

	text_printf(says,
	    "other program: %.1f %% of the time is in %s of the same name, "
	    "%.1f and %.1f %s a %s of ",
	    share * 100, host ? "calls and functions" : "operations",
	    launches[SIDE_A], launches[SIDE_B], host ? "of them" : "launches",
	    account_by_word(by));
	for (int side = 0; side < SIDES; side++) {
		const struct accounts *all = k->m->sides[side];
		int64_t units = side_units(all);

		text_add_str(says, side == SIDE_B ? " and " : "");
		amount_time(says, units > 0 ? side_wall(all) / units : 0);
	}
	if (!k->s->across_programs)
		text_add_str(says, "; see --across programs, and --per, once "
				   "for each side");
}

static void
check_work(const struct checking *k)
{
	double n[SIDES] = {unit_launches(k, SIDE_A), unit_launches(k, SIDE_B)};
	double share = match_share(k->m);
	struct text a = {0}, b = {0}, says = {0};

	text_printf(&a, "%.1f launches a unit", n[SIDE_A]);
	text_printf(&b, "%.1f launches a unit", n[SIDE_B]);
	add_program(&says, k, share, n);
	comparability_add(k->c,
	    (struct check_result){.name = "work",
		.state =
		    is_other_program(k, share) ? CHECK_DIFFERS : CHECK_SAME,
		.limits = k->s->across_programs ? CHECK_NOTE : CHECK_REFUSED,
		.a = text_span(&a),
		.b = text_span(&b),
		.says = text_span(&says),
		.in_full = true});
	text_free(&a);
	text_free(&b);
	text_free(&says);
}

static void
check_names(const struct checking *k)
{
	double share = match_share(k->m);
	struct text t = {0};

	text_printf(&t, "%.1f %% of the time has the same names", share * 100);
	comparability_add(k->c,
	    (struct check_result){"names",
		share < ROWS_SHARE ? CHECK_DIFFERS : CHECK_SAME, CHECK_NO_ROWS,
		text_span(&t), text_span(&t), SPAN("no verdict on rows")});
	text_free(&t);
}

/* "1.20 ms, 3.4 %": of a unit, and of the wall */
static void
describe_overhead(struct text *t, const struct accounts *side, double share)
{
	int64_t units = side_units(side);

	amount_time(t, fact_sum(side, "overhead") / (units > 0 ? units : 1));
	text_printf(t, ", %.1f %%", share * 100);
}

static void
check_overhead(const struct checking *k)
{
	double share[SIDES];
	bool off;
	struct text a = {0}, b = {0};

	for (int side = 0; side < SIDES; side++)
		share[side] = (double)fact_sum(k->m->sides[side], "overhead") /
			      ((double)side_wall(k->m->sides[side]) + 1);
	off = share[SIDE_A] - share[SIDE_B] > OVERHEAD_OFF ||
	      share[SIDE_B] - share[SIDE_A] > OVERHEAD_OFF;
	if (!off && share[SIDE_A] < OVERHEAD_SHARE &&
	    share[SIDE_B] < OVERHEAD_SHARE)
		return;
	describe_overhead(&a, k->m->sides[SIDE_A], share[SIDE_A]);
	describe_overhead(&b, k->m->sides[SIDE_B], share[SIDE_B]);
	comparability_add(k->c,
	    (struct check_result){"overhead", CHECK_DIFFERS,
		off ? CHECK_NO_WALL : CHECK_NOTE, text_span(&a), text_span(&b),
		off ? SPAN("of the profiler: no verdict on the wall")
		    : SPAN("of the profiler, of the wall")});
	text_free(&a);
	text_free(&b);
}

/* Of two commands: which words differ. */
static void
name_words(struct comparability *c)
{
	struct check_result *k = &c->all[c->count - 1];
	struct text t = {0};

	if (k->state != CHECK_DIFFERS)
		return;
	command_words_add(&t, k->a, k->b);
	k->says = region_copy(&c->region, text_span(&t));
	k->in_full = true;
	text_free(&t);
}

/* ---- clocks and versions ---- */

/* "version.KEY" of drivers and libraries */
static bool
describe_versions(struct text *t, const struct account *a, const char *name)
{
	(void)name;
	for (size_t i = 0; i < a->fact_count; i++) {
		struct span fact = a->facts[i].name;

		if (!span_begins(fact, SPAN("version.")))
			continue;
		text_add_str(t, t->len > 0 ? ", " : "");
		text_add(t, fact.p + 8, fact.len - 8);
		text_add_char(t, ' ');
		text_add_span(t, a->facts[i].value);
	}
	return t->len > 0;
}

/* The median of the clocks of the recordings that have one, in MHz; or 0. */
static double
median_clock(const struct accounts *side)
{
	double *all = mem_resize(NULL, side->count + 1, sizeof(*all)), median;
	size_t n = 0;

	for (size_t r = 0; r < side->count; r++) {
		int64_t v = account_fact_int(side->all[r], "clock.sm", 0);

		if (v > 0)
			all[n++] = (double)v;
	}
	quantiles_sort(all, n);
	median = n > 0 ? quantiles_median(all, n) : 0;
	free(all);
	return median;
}

static void
check_clocks(const struct checking *k)
{
	double mhz[SIDES], ratio;
	struct text t[SIDES] = {{0}, {0}};

	for (int side = 0; side < SIDES; side++) {
		mhz[side] = median_clock(k->m->sides[side]);
		if (mhz[side] > 0)
			text_printf(&t[side], "%.0f MHz", mhz[side]);
	}
	ratio = mhz[SIDE_A] > 0 ? mhz[SIDE_B] / mhz[SIDE_A] : 0;
	if (ratio > 0 && (ratio > 1 + CLOCK_OFF || ratio < 1 - CLOCK_OFF))
		k->c->clock = ratio;
	comparability_add(k->c,
	    (struct check_result){.name = "clocks",
		.state = ratio <= 0        ? CHECK_UNKNOWN
			 : k->c->clock > 0 ? CHECK_DIFFERS
					   : CHECK_SAME,
		.a = text_span(&t[SIDE_A]),
		.b = text_span(&t[SIDE_B]),
		.says = SPAN("what runs on multiprocessors takes longer or "
			     "shorter with it")});
	text_free(&t[SIDE_A]);
	text_free(&t[SIDE_B]);
}

void
comparability_make(struct comparability *c, const struct match *m,
    const struct comparability_settings *s)
{
	const struct checking k = {c, m, s};

	*c = (struct comparability){0};
	check_operations(&k);
	if ((c->limits & CHECK_REFUSED) != 0)
		return;
	check_evidence(&k);
	check_recordings(&k);
	check_losses(&k);
	check_samples(&k);
	compare(&k, "device", describe_devices, NULL,
	    s->across_devices ? CHECK_NOTE : CHECK_NO_WALL,
	    s->across_devices ? "compared across devices"
			      : "other devices: see --across devices");
	compare(&k, "kinds", describe_kinds, NULL, CHECK_NOTE,
	    "what was recorded differs, and recording costs time");
	check_units(&k);
	compare(&k, "command", describe_fact, "command", CHECK_NOTE, "");
	name_words(c);
	if ((c->limits & CHECK_REFUSED) == 0)
		check_work(&k);
	check_names(&k);
	compare(&k, "host", describe_fact, "host", CHECK_NOTE, "");
	compare(&k, "system", describe_fact, "os", CHECK_NOTE, "");
	compare(&k, "source", describe_fact, "source", CHECK_NOTE, "");
	compare(&k, "profiler", describe_fact, "producer", CHECK_NOTE, "");
	compare(&k, "versions", describe_versions, NULL, CHECK_NOTE, "");
	check_clocks(&k);
	check_overhead(&k);
}
