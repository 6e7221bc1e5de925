/* gate.c - --fail-if: thresholds */

#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "gate.h"
#include "tq/ask/pattern.h"
#include "tq/base/array.h"
#include "tq/base/time.h"
#include "tq/base/units.h"
#include "tq/io/status.h"
#include "tq/show/amount.h"
#include "tq/show/col.h"

enum {
	GATE_WALL = ACCOUNT_PARTS, /* below: a part */
	GATE_PACE,
	GATE_IDLE,
	GATE_LAUNCHES,
	GATE_MEMORY,
	GATE_LOST,
	GATE_TIME,
	GATE_CALLS,
	GATE_RANGE,
	GATE_METRICS
};

static const struct {
	const char *name;
	bool exact; /* a count: without noise */
	bool pattern;
} metrics[GATE_METRICS] = {
    [GATE_WALL] = {"wall", false, false},
    [GATE_PACE] = {"pace", false, false},
    [GATE_IDLE] = {"idle", false, false},
    [GATE_LAUNCHES] = {"launches", true, false},
    [GATE_MEMORY] = {"memory.peak", true, false},
    [GATE_LOST] = {"lost", true, false},
    [GATE_TIME] = {"time", false, true},
    [GATE_CALLS] = {"calls", true, true},
    [GATE_RANGE] = {"range", false, true},
};

static struct span
metric_name(int metric)
{
	return span_of(metric < ACCOUNT_PARTS
			   ? account_part_name((enum account_part)metric)
			   : metrics[metric].name);
}

/* ---- parsing ---- */

static void
skip_blanks(struct span *s)
{
	while (s->len > 0 && (*s->p == ' ' || *s->p == '\t'))
		*s = (struct span){s->p + 1, s->len - 1};
}

static _Noreturn void
wrong(const struct gate *g, const char *problem)
{
	errx(TQ_USAGE, "--fail-if '%s': %s", g->text, problem);
}

/* ("REGEX") */
static void
parse_pattern(struct gate *g, struct span *s)
{
	const char *end, *error;
	size_t at;

	if (!span_begins(*s, SPAN("(\"")))
		wrong(g, "expected (\"REGEX\")");
	*s = (struct span){s->p + 2, s->len - 2};
	end = memmem(s->p, s->len, "\")", 2);
	if (end == NULL)
		wrong(g, "expected \")");
	g->pattern = pattern_regex(
	    (struct span){s->p, (size_t)(end - s->p)}, false, &error, &at);
	if (g->pattern == NULL)
		wrong(g, error);
	s->len -= (size_t)(end - s->p) + 2;
	s->p = end + 2;
}

static void
parse_metric(struct gate *g, struct span *s)
{
	size_t len = 0;

	while (len < s->len && strchr(" \t<>(", s->p[len]) == NULL)
		len++;
	for (g->metric = 0; g->metric < GATE_METRICS; g->metric++)
		if (span_eq(metric_name(g->metric), (struct span){s->p, len}))
			break;
	if (g->metric == GATE_METRICS)
		wrong(g,
		    "expected wall, pace, compute, communication, copy, idle, "
		    "sync, host, launch, next, queue, unknown, launches, "
		    "memory.peak, lost, time(\"...\"), calls(\"...\") or "
		    "range(\"...\")");
	*s = (struct span){s->p + len, s->len - len};
	if (metrics[g->metric].pattern)
		parse_pattern(g, s);
}

/* "+2ms", "+10MiB", or a number of launches */
static bool
parse_amount(const struct gate *g, const char *text, double *amount)
{
	bool counted = metrics[g->metric].exact;
	int64_t v;
	char *end;

	text += *text == '+';
	if (g->metric == GATE_MEMORY ? units_size(text, &v)
				     : !counted && units_time(text, &v)) {
		*amount = (double)v;
		return true;
	}
	*amount = strtod(text, &end);
	return counted && *end == '\0';
}

static void
parse_change(struct gate *g, struct span s)
{
	char *text = mem_copy(s.p, s.len), *end;
	double v = strtod(text, &end);
	bool good = end != text && isfinite(v), unit;

	g->has_percent |= good && strcmp(end, "%") == 0;
	if (good && strcmp(end, "%") == 0) {
		g->percent = v / 100;
		unit = true;
	} else {
		g->has_amount |= good;
		/* a bare number of ns is too easily a slip */
		unit = good && (*end != '\0' || metrics[g->metric].exact) &&
		       parse_amount(g, text, &g->amount);
	}
	free(text);
	if (!good)
		wrong(g, "expected a change, as +3%, +2ms or both with 'and'");
	if (!unit)
		wrong(g, "expected a change with % or a unit");
}

/* the next change, up to "and"; *more: another has to follow */
static struct span
cut_change(struct span *s, bool *more)
{
	const char *and = memmem(s->p, s->len, " and ", 5);
	size_t len = and != NULL ? (size_t)(and-s->p) : s->len;
	struct span change = {s->p, len};

	*more = and != NULL;
	*s = and != NULL ? (struct span){and+5, s->len - len - 5}
			 : (struct span){s->p + len, 0};
	while (change.len > 0 && change.p[change.len - 1] == ' ')
		change.len--;
	return change;
}

void
gate_add(struct gates *all, const char *text)
{
	struct gate *g = array_add(&all->all, &all->count, &all->cap);
	struct span s = span_of(text);
	bool more;

	*g = (struct gate){.text = text};
	skip_blanks(&s);
	parse_metric(g, &s);
	skip_blanks(&s);
	if (s.len == 0 || (*s.p != '>' && *s.p != '<'))
		wrong(g, "expected > or <");
	g->below = *s.p == '<';
	s = (struct span){s.p + 1, s.len - 1};
	do {
		skip_blanks(&s);
		parse_change(g, cut_change(&s, &more));
	} while (more);
}

/* ---- values of a recording ---- */

static double
matching_rows(const struct gate *g, const struct account *a, bool count)
{
	double sum = 0;

	for (size_t i = 0; i < a->row_count; i++) {
		struct account_sum on = account_row_sum(a, &a->rows[i]);

		if (g->pattern == NULL ||
		    pattern_match(g->pattern, a->rows[i].full) == PATTERN_YES)
			sum += (double)(count ? on.n : on.dur);
	}
	return sum;
}

static double
matching_ranges(const struct gate *g, const struct account *a)
{
	double sum = 0;
	struct text path = {0};

	for (size_t i = 0; i < a->path_count; i++) {
		path.len = 0;
		account_path_add(&path, a, i);
		if (pattern_match(g->pattern, text_span(&path)) == PATTERN_YES)
			sum += (double)a->paths[i].dur;
	}
	text_free(&path);
	return sum;
}

/* of all units; -1 if it is unknown */
static double
value_of(const struct gate *g, const struct account *a)
{
	double sum = 0, launches;

	switch (g->metric) {
	case GATE_WALL:
		return comparison_wall(a);
	case GATE_PACE:
		launches = matching_rows(g, a, true);
		return launches > 0 ? comparison_wall(a) / launches : -1;
	case GATE_MEMORY:
		return a->memory_peak == NO_ID ? -1 : (double)a->memory_peak;
	case GATE_LOST:
		return (double)account_fact_int(a, "lost", 0) +
		       (double)account_fact_int(a, "dropped", 0);
	case GATE_LAUNCHES:
	case GATE_CALLS:
		sum = matching_rows(g, a, true);
		break;
	case GATE_TIME:
		sum = matching_rows(g, a, false);
		break;
	case GATE_RANGE:
		sum = matching_ranges(g, a);
		break;
	default:
		for (size_t d = 0; d < a->device_count; d++)
			for (int p = 0; p < ACCOUNT_PARTS; p++)
				if (p == g->metric ||
				    (g->metric == GATE_IDLE && p >= PART_SYNC))
					sum += (double)a->devices[d].parts[p];
	}
	return a->unit_count > 0 ? sum / (double)a->unit_count : -1;
}

/* True if 0 is a value as others, and not the lack of one. */
static bool
may_be_zero(const struct gate *g)
{
	return g->metric < ACCOUNT_PARTS || g->metric == GATE_IDLE ||
	       metrics[g->metric].exact;
}

/* ---- noise ---- */

/* By how much n values differ: 0.02 is 2 %; 0 where that is unknown. */
static double
spread(const double *all, size_t n)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < n; i++) {
		least = all[i] < least ? all[i] : least;
		most = all[i] > most ? all[i] : most;
	}
	return n > 1 && least > 0 ? most / least - 1 : 0;
}

/* A threshold that equal recordings may pass is a wrong one. */
static void
warn_of_noise(const struct gate *g, double from)
{
	double percent =
	    g->has_percent ? fabs(g->percent) : fabs(g->amount) / from;

	if (g->has_percent && g->has_amount && fabs(g->amount) / from > percent)
		percent = fabs(g->amount) / from;
	if (percent < g->noise)
		warnx("warning: --fail-if '%s': recordings of one side differ "
		      "by %.2f %%",
		    g->text, g->noise * 100);
}

/* ---- results ---- */

static bool
passes(const struct gate *g, double a, double b)
{
	double sign = g->below ? -1 : 1;

	if (g->has_percent &&
	    !(sign * (b - a) > sign * g->percent * a && b != a))
		return false;
	return !g->has_amount || sign * (b - a) > sign * g->amount;
}

static void
no_answer(struct gate *g, const char *why)
{
	g->result = GATE_NO_ANSWER;
	g->why = why;
}

/* the values of the recordings of a side, and what they count as */
struct gate_values {
	double *all;
	size_t n;
	double sum, weight; /* the mean of a unit is sum / weight */
};

/* The verdict is known. */
static void
decide(struct gate *g)
{
	const struct verdict *v = &g->verdict;

	if (metrics[g->metric].exact)
		g->result = passes(g, v->a, v->b) ? GATE_FAILED : GATE_HELD;
	else if (!passes(g, v->a, v->b)) {
		g->result = GATE_HELD;
		if (!v->tested)
			no_answer(g, v->help);
	} else if (g->below ? verdict_faster(v) : verdict_slower(v))
		g->result = GATE_FAILED;
	else if (v->word == VERDICT_NO_CHANGE)
		g->result = GATE_HELD;
	else
		no_answer(g, v->help != NULL
				 ? v->help
				 : "the recordings of a side differ too much");
}

/* A unit of several recordings takes their mean; bytes have none. */
static void
estimate(struct gate *g, const struct gate_values v[SIDES])
{
	double mean[SIDES];

	if (g->metric == GATE_MEMORY || g->metric == GATE_LOST)
		return;
	for (int side = 0; side < SIDES; side++)
		mean[side] =
		    v[side].weight > 0 ? v[side].sum / v[side].weight : 0;
	if (metrics[g->metric].exact || (mean[SIDE_A] > 0 && mean[SIDE_B] > 0))
		verdict_estimate(&g->verdict, mean[SIDE_A], mean[SIDE_B], 0);
}

/* Values of both sides, which are known; 0 has no ratio, and counts as 1 ns. */
static void
decide_values(struct gate *g, struct gate_values v[SIDES], double noise)
{
	bool zero[SIDES];

	for (int side = 0; side < SIDES; side++)
		for (size_t i = 0; i < v[side].n && !metrics[g->metric].exact;
		     i++)
			v[side].all[i] =
			    v[side].all[i] > 1 ? v[side].all[i] : 1;
	verdict_of(&g->verdict, v[SIDE_A].all, v[SIDE_A].n, v[SIDE_B].all,
	    v[SIDE_B].n, 0, noise);
	estimate(g, v);
	decide(g);
	zero[SIDE_A] = !metrics[g->metric].exact && g->verdict.a <= 1;
	zero[SIDE_B] = !metrics[g->metric].exact && g->verdict.b <= 1;
	if (g->noise > 0 && !zero[SIDE_A])
		warn_of_noise(g, g->verdict.a);
	if (zero[SIDE_A])
		g->verdict.a = 0;
	if (zero[SIDE_B])
		g->verdict.b = 0;
}

/* The verdict on a metric, if the checks allow one. */
static const struct check_result *
obstacle(const struct gate *g, const struct comparison *c)
{
	unsigned limits = CHECK_REFUSED;

	if (g->metric == GATE_LOST)
		return NULL;
	if (metrics[g->metric].exact)
		limits |= g->metric == GATE_MEMORY ? 0U : CHECK_NO_COUNTS;
	else
		limits |= CHECK_NO_WALL;
	return comparability_find(&c->checks, limits);
}

static void
answer(struct gate *g, const struct comparison *c, double noise)
{
	const struct check_result *k = obstacle(g, c);
	struct gate_values values[SIDES] = {{0}, {0}};
	bool known = true, any = false;

	for (int side = 0; side < SIDES; side++) {
		const struct accounts *all = c->match.sides[side];
		struct gate_values *to = &values[side];

		to->all = mem_resize(NULL, all->count + 1, sizeof(double));
		for (size_t r = 0; r < all->count; r++) {
			double v = value_of(g, all->all[r]);
			double units = (double)all->all[r]->unit_count;

			known &= v > 0 || (v >= 0 && may_be_zero(g));
			any |= v > 0;
			to->all[to->n++] = v;
			to->sum += v * units;
			to->weight += units;
		}
		if (!metrics[g->metric].exact &&
		    spread(to->all, to->n) > g->noise)
			g->noise = spread(to->all, to->n);
	}
	if (!metrics[g->metric].exact && noise > g->noise)
		g->noise = noise;
	if (k != NULL)
		no_answer(g, k->says.p);
	else if (g->metric == GATE_WALL && (c->pace.cut || c->pace.other))
		no_answer(g, c->wall.help);
	else if (!known || values[SIDE_A].n == 0 || values[SIDE_B].n == 0)
		no_answer(g, "the recordings do not have it");
	else if (any || metrics[g->metric].exact)
		decide_values(g, values, noise);
	for (int side = 0; side < SIDES; side++)
		free(values[side].all);
}

void
gate_answer(struct gates *g, const struct comparison *c, double noise)
{
	for (size_t i = 0; i < g->count; i++)
		answer(&g->all[i], c, noise);
}

bool
gate_held(const struct gates *g, bool or_pass)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->all[i].result == GATE_FAILED ||
		    (g->all[i].result == GATE_NO_ANSWER && !or_pass))
			return false;
	return true;
}

/* ---- output ---- */

static const char *const result_words[] = {"held", "failed", "cannot tell"};

void
gate_add_text(struct text *t, const struct gate *g)
{
	const struct verdict *v = &g->verdict;

	text_printf(t, "fail-if %s: %s", g->text, result_words[g->result]);
	if (v->a > 0 && v->b > 0) {
		text_add_str(t, " (");
		amount_change(t, v->ratio);
		if (v->interval) {
			text_add_str(t, ", ");
			amount_change_range(t, v->low, v->high);
		}
		text_add_char(t, ')');
	} else if (g->why == NULL)
		text_printf(t, " (%.6g -> %.6g)", v->a, v->b);
	if (g->why != NULL)
		text_printf(t, ": %s", g->why);
}

void
gate_add_lines(struct text *t, const struct gates *g)
{
	for (size_t i = 0; i < g->count; i++) {
		gate_add_text(t, &g->all[i]);
		text_add_char(t, '\n');
	}
}

static void
gate_row(struct table *t, const struct gate *g)
{
	const struct verdict *v = &g->verdict;
	struct span why = span_of(g->why != NULL ? g->why : "");

	col_text(t, "kind", SPAN("gate"));
	col_text(t, "gate", span_of(g->text));
	col_text(t, "result", span_of(result_words[g->result]));
	col_six_digits_if(t, "ratio", v->a > 0 && v->b > 0, v->ratio);
	col_six_digits_if(t, "noise", g->noise > 0, g->noise);
	col_text_if(t, "reason", g->why != NULL, why);
}

void
gate_rows(struct table *t, const struct gates *g)
{
	for (size_t i = 0; i < g->count; i++)
		col_row(t, gate_row, &g->all[i]);
}

void
gate_free(struct gates *g)
{
	for (size_t i = 0; i < g->count; i++)
		pattern_free(g->all[i].pattern);
	free(g->all);
}
