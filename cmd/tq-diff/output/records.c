/* records.c - a comparison for programs */

#include <stdlib.h>
#include <string.h>

#include "look_at.h"
#include "records.h"
#include "sections.h"
#include "tq/base/mem.h"
#include "tq/base/time.h"
#include "tq/show/col.h"
#include "tq/show/column_doc.h"
#include "tq/show/json_rows.h"

/* what lines are made of */
struct records {
	const struct comparison *c;
	const struct gates *gates;
	int64_t *deltas;
};

/* Add the lines of a kind, as rows. */
typedef void add_lines(struct table *t, const struct records *r);

int64_t *
records_deltas(const struct comparison *c, int64_t ns)
{
	size_t n = c->match.row_count;
	wide *values = mem_resize(NULL, n + ACCOUNT_PARTS, sizeof(*values));
	int64_t *rounded =
	    mem_resize(NULL, n + ACCOUNT_PARTS, sizeof(*rounded));
	wide unit = c->terms.scale > 0 ? c->terms.scale * ns : 1;

	for (size_t i = 0; i < n; i++)
		values[i] = c->terms.rows[i].sum;
	for (size_t p = 0; p < ACCOUNT_PARTS; p++)
		values[n + p] = c->terms.idle[p];
	wall_terms_round(
	    values, n + ACCOUNT_PARTS, c->terms.delta, unit, rounded);
	free(values);
	return rounded;
}

static void
add_int(struct table *t, const char *name, int64_t v)
{
	col_int(t, name, UNIT_NONE, v);
}

static void
add_word(struct table *t, const char *name, const char *word)
{
	col_text(t, name, span_of(word));
}

static void
add_real(struct table *t, const char *name, double v)
{
	col_six_digits_if(t, name, true, v);
}

static void
add_verdict(struct table *t, const struct verdict *v)
{
	bool any = v->a > 0 && v->b > 0;

	add_word(t, "verdict", verdict_word(v->word));
	col_six_digits_if(t, "ratio", any, v->ratio);
	col_six_digits_if(t, "low", any && v->interval, v->low);
	col_six_digits_if(t, "high", any && v->interval, v->high);
	col_six_digits_if(t, "p", any && v->tested, v->p);
	col_six_digits_if(t, "least_p", any && v->tested, v->least);
}

static int64_t
mean_of(const struct wall_terms *t, int side, int64_t sum)
{
	int64_t units = t->units[side];

	/* half up, in integers: a sum may be as long as they are */
	return units > 0 ? sum / units + (sum % units >= units - sum % units)
			 : 0;
}

static void
add_gates(struct table *t, const struct records *r)
{
	gate_rows(t, r->gates);
}

/* of a unit */
static int64_t
mean(const struct comparison *c, int side, int64_t sum)
{
	return mean_of(&c->terms, side, sum);
}

/* that was found */
static void
add_period(struct table *t, const struct comparison *c)
{
	const struct account *a = sections_period(c);

	if (a == NULL)
		return;
	col_text(t, "period", a->period_name);
	add_int(t, "every", a->period_every);
	add_real(t, "fit", (double)a->period_fit / 1000);
	add_real(t, "equal", (double)a->period_equal / 1000);
}

static void
verdict_row(struct table *t, const struct comparison *c)
{
	const struct check_result *refused =
	    comparability_find(&c->checks, CHECK_REFUSED);

	add_word(t, "kind", "verdict");
	add_word(t, "metric", "wall");
	add_int(t, "a", mean(c, SIDE_A, c->terms.wall[SIDE_A]));
	add_int(t, "b", mean(c, SIDE_B, c->terms.wall[SIDE_B]));
	add_int(t, "delta", wall_terms_ns(&c->terms, c->terms.delta));
	add_verdict(t, &c->wall);
	if (refused != NULL)
		col_text(t, "reason", refused->says);
	else if (c->wall.help != NULL)
		add_word(t, "reason", c->wall.help);
	add_word(t, "unit", account_by_name(comparison_by(c)));
	add_period(t, c);
	add_int(t, "units_a", c->terms.units[SIDE_A]);
	add_int(t, "units_b", c->terms.units[SIDE_B]);
	add_int(t, "n_a", (int64_t)c->match.sides[SIDE_A]->count);
	add_int(t, "n_b", (int64_t)c->match.sides[SIDE_B]->count);
	col_six_digits_if(t, "work", c->pace.known, c->pace.work);
	col_six_digits_if(t, "pace", c->pace.known, c->pace.pace);
	col_six_digits_if(t, "within", c->within, c->wall.ratio);
	col_six_digits_if(t, "within_low", c->within, c->within_low);
	col_six_digits_if(t, "within_high", c->within, c->within_high);
	add_int(t, "suspects", c->suspects);
}

static void
add_verdict_row(struct table *t, const struct records *r)
{
	col_row(t, verdict_row, r->c);
}

static void
check_row(struct table *t, const struct check_result *k)
{
	static const char *const states[] = {"same", "differs", "unknown"};

	add_word(t, "kind", "check");
	add_word(t, "name", k->name);
	add_word(t, "state", states[k->state]);
	col_text(t, "a", k->a);
	col_text(t, "b", k->b);
	col_text_if(
	    t, "says", k->state == CHECK_DIFFERS && k->says.len > 0, k->says);
}

static void
add_checks(struct table *t, const struct records *r)
{
	for (size_t i = 0; i < r->c->checks.count; i++)
		col_row(t, check_row, &r->c->checks.all[i]);
}

static int
by_wall(const void *x, const void *y)
{
	double a = comparison_wall(*(const struct account *const *)x);
	double b = comparison_wall(*(const struct account *const *)y);

	return (a > b) - (a < b);
}

static void
unit_row(struct table *t, int side, const struct account *a)
{
	add_word(t, "kind", "unit");
	add_word(t, "side", side == SIDE_A ? "a" : "b");
	add_int(t, "units", (int64_t)a->unit_count);
	add_int(t, "left_out", a->left_out);
	add_int(t, "wall", (int64_t)comparison_wall(a));
}

/* the recordings of a side, the fastest first */
static void
add_units(struct table *t, const struct records *r)
{
	for (int side = 0; side < SIDES; side++) {
		const struct accounts *all = r->c->match.sides[side];
		struct account **order =
		    mem_resize(NULL, all->count + 1, sizeof(struct account *));

		memcpy(order, all->all, all->count * sizeof(struct account *));
		qsort(order, all->count, sizeof(struct account *), by_wall);
		for (size_t i = 0; i < all->count; i++)
			col_row(t, unit_row, side, order[i]);
		free(order);
	}
}

static void
part_row(struct table *table, const struct records *r, int p)
{
	const struct wall_terms *t = &r->c->terms;
	wide delta = (wide)t->parts[SIDE_B][p] * t->units[SIDE_A] -
		     (wide)t->parts[SIDE_A][p] * t->units[SIDE_B];

	add_word(table, "kind", "part");
	add_word(table, "name", account_part_name((enum account_part)p));
	add_int(table, "a", mean(r->c, SIDE_A, t->parts[SIDE_A][p]));
	add_int(table, "b", mean(r->c, SIDE_B, t->parts[SIDE_B][p]));
	add_int(table, "delta",
	    p < PART_SYNC ? wall_terms_ns(t, delta)
			  : r->deltas[r->c->match.row_count + (size_t)p]);
}

static void
add_parts(struct table *t, const struct records *r)
{
	for (int p = 0; p < ACCOUNT_PARTS; p++)
		col_row(t, part_row, r, p);
}

/* a finer cause of idle time, which adds up to its part */
static void
idle_row(struct table *table, const struct records *r, enum account_part part,
    enum idle_cause cause, int64_t delta)
{
	const struct wall_terms *t = &r->c->terms;

	add_word(table, "kind", "idle");
	add_word(table, "name", account_part_name(part));
	add_word(table, "cause", idle_cause_name(cause));
	for (int side = 0; side < SIDES; side++)
		add_int(table, side == SIDE_A ? "a" : "b",
		    mean(r->c, side, t->causes[side][part - PART_SYNC][cause]));
	add_int(table, "delta", delta);
}

static void
add_idle(struct table *table, const struct records *r)
{
	const struct wall_terms *t = &r->c->terms;
	const int64_t *deltas = r->deltas + r->c->match.row_count;

	for (enum account_part p = PART_SYNC; p < ACCOUNT_PARTS; p++) {
		int64_t rounded[IDLE_CAUSES];

		if (!wall_terms_round_causes(t, p, deltas[p], 1, rounded))
			continue;
		for (enum idle_cause c = 0; c < IDLE_CAUSES; c++)
			if (t->causes[SIDE_A][p - PART_SYNC][c] > 0 ||
			    t->causes[SIDE_B][p - PART_SYNC][c] > 0)
				col_row(table, idle_row, r, p, c, rounded[c]);
	}
}

static const char *
term_key(enum term k)
{
	return k == TERM_PER_CALL ? "per_call" : wall_terms_name(k);
}

/* What per call is the sum of, where launches have grids. */
static void
add_shapes(struct table *t, const struct records *r,
    const struct wall_terms_row *row, int64_t per_call)
{
	wide values[] = {row->shape, row->all[TERM_PER_CALL] - row->shape};
	wide scale = r->c->terms.scale;
	int64_t rounded[2] = {0};

	if (row->by_grid)
		wall_terms_round(
		    values, 2, (wide)per_call * scale, scale, rounded);
	col_int_if(t, "shape", UNIT_NONE, row->by_grid, rounded[0]);
	col_int_if(t, "same_shape", UNIT_NONE, row->by_grid, rounded[1]);
}

static void
add_terms(struct table *t, const struct records *r, size_t i)
{
	const struct wall_terms_row *row = &r->c->terms.rows[i];
	int64_t rounded[TERMS];
	wide scale = r->c->terms.scale;

	wall_terms_round(row->all, TERMS, (wide)r->deltas[i] * scale,
	    scale > 0 ? scale : 1, rounded);
	for (int k = 0; k < TERMS; k++)
		add_int(t, term_key((enum term)k), rounded[k]);
	add_shapes(t, r, row, rounded[TERM_PER_CALL]);
}

/* The sum of rows and idle parts, as their lines have it. */
static void
sum_row(struct table *table, const struct records *r)
{
	const struct wall_terms *t = &r->c->terms;
	const int64_t *idle = r->deltas + r->c->match.row_count;
	int64_t rows = 0, rounded[TERMS], shapes[2];

	for (size_t i = 0; i < r->c->match.row_count; i++)
		rows = wall_terms_sum(rows, r->deltas[i]);
	wall_terms_round(t->total.all, TERMS, (wide)rows * t->scale,
	    t->scale > 0 ? t->scale : 1, rounded);
	add_word(table, "kind", "sum");
	add_int(table, "delta", wall_terms_ns(t, t->delta));
	for (int k = 0; k < TERMS; k++)
		add_int(table, term_key((enum term)k), rounded[k]);
	sections_shapes(r->c, rounded[TERM_PER_CALL], 1, shapes);
	col_int_if(table, "shape", UNIT_NONE, t->total.by_grid, shapes[0]);
	col_int_if(table, "same_shape", UNIT_NONE, t->total.by_grid, shapes[1]);
	for (int p = PART_SYNC; p < ACCOUNT_PARTS; p++)
		add_int(
		    table, account_part_name((enum account_part)p), idle[p]);
}

static void
add_sum(struct table *t, const struct records *r)
{
	col_row(t, sum_row, r);
}

static void
add_sides(struct table *t, const struct records *r, const struct match_row *m)
{
	static const char *const names[SIDES][3] = {
	    {"a", "launches_a", "exposed_a"}, {"b", "launches_b", "exposed_b"}};

	for (int side = 0; side < SIDES; side++) {
		const struct account_sum *on = &m->on[side];

		col_six_digits_if(t, names[side][0], on->n > 0,
		    (double)on->dur / (double)on->n);
		col_six_digits_if(t, names[side][1],
		    r->c->terms.units[side] > 0,
		    (double)on->n / (double)r->c->terms.units[side]);
		add_int(t, names[side][2], mean(r->c, side, on->exposed));
	}
}

static void
match_row(struct table *t, const struct records *r, size_t i)
{
	const struct match_row *m = &r->c->match.rows[i];
	const struct comparison_row *row = &r->c->rows[i];

	add_word(t, "kind", "row");
	col_text(t, "name", m->name);
	col_text_if(t, "category", m->kind != KIND_range,
	    span_of(account_part_name((enum account_part)m->group)));
	add_int(t, "level", match_level(m));
	add_sides(t, r, m);
	add_int(t, "delta", r->deltas[i]);
	add_terms(t, r, i);
	add_verdict(t, &row->verdict);
	if (r->c->checks.clock > 0)
		col_six_digits_if(t, "at_equal_clock",
		    sections_has_clock(r->c, m),
		    sections_at_equal_clock(r->c, m));
	add_word(t, "suspect", row->suspect ? "yes" : "no");
	col_six_digits_if(
	    t, "widths", row->control.count > 0, row->control.widths);
	add_int(t, "controls", (int64_t)row->control.count);
}

static void
add_rows(struct table *t, const struct records *r)
{
	for (size_t i = 0; i < r->c->match.row_count; i++)
		col_row(t, match_row, r, r->c->order[i]);
}

/* a call or a range, which alone is exposed */
static void
host_row(struct table *t, const struct comparison *c, const struct host_row *h)
{
	const struct host_sum *a = &h->on[SIDE_A], *b = &h->on[SIDE_B];
	wide delta = (wide)b->dur * c->terms.units[SIDE_A] -
		     (wide)a->dur * c->terms.units[SIDE_B];
	bool range = h->kind == KIND_range;
	struct text name = {0};

	add_word(t, "kind", range ? "range" : "call");
	host_rows_add_name(&name, &c->host, h);
	col_text(t, "name", text_span(&name));
	add_int(t, "a", mean(c, SIDE_A, a->dur));
	add_int(t, "b", mean(c, SIDE_B, b->dur));
	add_int(t, "delta", wall_terms_ns(&c->terms, delta));
	add_real(t, "calls_a", (double)a->n / (double)c->terms.units[SIDE_A]);
	add_real(t, "calls_b", (double)b->n / (double)c->terms.units[SIDE_B]);
	col_int_if(
	    t, "exposed_a", UNIT_NONE, range, mean(c, SIDE_A, a->exposed));
	col_int_if(t, "idle_a", UNIT_NONE, range, mean(c, SIDE_A, a->idle));
	col_int_if(
	    t, "exposed_b", UNIT_NONE, range, mean(c, SIDE_B, b->exposed));
	col_int_if(t, "idle_b", UNIT_NONE, range, mean(c, SIDE_B, b->idle));
	text_free(&name);
}

/* calls and ranges of the host, per unit */
static void
add_host(struct table *t, const struct records *r)
{
	for (size_t i = 0; i < r->c->host.count; i++)
		col_row(t, host_row, r->c, &r->c->host.all[i]);
}

/* the terms of a device, which add up to its difference */
static void
device_row(struct table *table, const struct device_term *d)
{
	const struct wall_terms *t = &d->terms;
	int64_t rounded[TERMS_AND_PARTS];

	wall_terms_round_all(t, 1, rounded);
	add_word(table, "kind", "device");
	col_id(table, "rank", d->rank);
	add_int(table, "device", d->device);
	col_text(table, "name", d->name);
	for (int side = 0; side < SIDES; side++)
		add_int(table, side == SIDE_A ? "a" : "b",
		    mean_of(t, side, t->wall[side]));
	add_int(table, "delta", wall_terms_ns(t, t->delta));
	for (size_t k = 0; k < TERMS; k++)
		add_int(table, term_key((enum term)k), rounded[k]);
	for (size_t p = PART_SYNC; p < ACCOUNT_PARTS; p++)
		add_int(table, account_part_name((enum account_part)p),
		    rounded[TERMS + p]);
}

static void
add_devices(struct table *t, const struct records *r)
{
	for (size_t i = 0; i < r->c->devices.count; i++)
		col_row(t, device_row, &r->c->devices.all[i]);
}

static void
look_row(struct table *t, struct span name, struct span command)
{
	add_word(t, "kind", "look");
	col_text(t, "name", name);
	col_text(t, "command", command);
}

static void
add_look(struct table *t, const struct records *r)
{
	struct text command = {0};
	const struct match_row *m = look_at_add(&command, r->c);

	if (m != NULL)
		col_row(t, look_row, m->name, text_span(&command));
	text_free(&command);
}

enum { KINDS_REFUSED = 3 }; /* of a comparison that is refused: the first */
static const struct record_kind {
	const char *name; /* of its report in json */
	add_lines *add;
	const char *title;
	const char *reason; /* why there may be none */
} kinds[] = {
    {"gates", add_gates, "Conditions of --fail-if", "--fail-if is not given"},
    {"verdict", add_verdict_row, "Is B slower", NULL},
    {"checks", add_checks, "Are A and B comparable", NULL},
    {"units", add_units, "Recordings of each side", NULL},
    {"parts", add_parts, "Parts of the wall of a unit", NULL},
    {"sum", add_sum, "Terms of the change of the wall", NULL},
    {"devices", add_devices, "Terms of each device",
	"the sides have a single device each"},
    {"rows", add_rows, "Operations of both sides",
	"no operation of a device in the streams"},
    {"host", add_host, "API calls and ranges of both sides",
	"no API call and no range in the streams"},
    {"look", add_look, "Where to look first", "no row is a suspect"},
    {"idle", add_idle, "Idle time by its finer causes",
	"the devices are not idle"},
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static void
write_lines(struct text *t, struct table *lines)
{
	json_rows_add(t, lines, "\n");
	text_add_str(t, table_rows(lines) > 0 ? "\n" : "");
}

static void
write_array(struct text *t, struct table *lines, const char *name)
{
	text_printf(t, "\"%s\":[\n  ", name);
	json_rows_add(t, lines, ",\n  ");
	text_add_char(t, ']');
}

/* ---- json ---- */

static const struct column_doc docs[] = {
    DOC_VALUE("kind", "what the row is"),
    DOC_KEY("metric", "what is compared"),
    DOC_KEY("name", "name of what the row is of"),
    DOC_KEY("cause", "finer cause of idle time"),
    DOC_KEY("side", "a or b"),
    DOC_KEY("rank", "rank in the job"),
    DOC_KEY("device", "number of the device in its process"),
    DOC_KEY("gate", "condition of --fail-if"),
    DOC_VALUE("result", "whether it is true"),
    DOC_VALUE("noise", "difference that equal recordings may have"),
    DOC_IN("checks", "a", VALUE, "what A has"),
    DOC_IN("checks", "b", VALUE, "what B has"),
    {"rows", "a", COLUMN_VALUE, "mean of a launch in A", "ns"},
    {"rows", "b", COLUMN_VALUE, "mean of a launch in B", "ns"},
    DOC_IN("devices", "name", VALUE, "name of the device"),
    DOC_NUMBER("a", "ns", "of a unit of A"),
    DOC_NUMBER("b", "ns", "of a unit of B"),
    DOC_NUMBER(
	"delta", "ns", "contribution to the change of the wall of a unit"),
    DOC_VALUE("verdict", "what the numbers allow to say"),
    DOC_VALUE("ratio", "B by A"),
    DOC_VALUE("low", "lower end of the interval of the ratio"),
    DOC_VALUE("high", "upper end of the interval of the ratio"),
    DOC_VALUE("p", "probability of such a difference by chance"),
    DOC_VALUE("least_p", "the least that so many recordings can have"),
    DOC_VALUE("reason", "why there is no other verdict"),
    DOC_VALUE("unit", "unit of work"),
    DOC_VALUE("period", "name that begins a unit"),
    DOC_VALUE("every", "every so manieth of them"),
    DOC_VALUE("fit", "share of the work that repeats"),
    DOC_VALUE("equal", "share of equal units"),
    DOC_VALUE("units_a", "units of A"),
    DOC_VALUE("units_b", "units of B"),
    DOC_VALUE("n_a", "recordings of A"),
    DOC_VALUE("n_b", "recordings of B"),
    DOC_VALUE("work", "work of B by that of A"),
    DOC_VALUE("pace", "time of equal work, B by A"),
    DOC_VALUE("within", "B by A of units of one recording"),
    DOC_VALUE("within_low", "lower end of its interval"),
    DOC_VALUE("within_high", "upper end of its interval"),
    DOC_VALUE("suspects", "rows that are suspects"),
    DOC_VALUE("state", "same, differs or unknown"),
    DOC_VALUE("says", "what the difference means"),
    DOC_VALUE("units", "units of work"),
    DOC_VALUE("left_out", "units that are not compared"),
    DOC_NUMBER("wall", "ns", "wall of a unit"),
    DOC_NUMBER("calls", "ns", "by another number of launches"),
    DOC_NUMBER("per_call", "ns", "by another time of a launch"),
    DOC_NUMBER("overlap", "ns", "by another overlap"),
    DOC_NUMBER("new", "ns", "operations that only B has"),
    DOC_NUMBER("gone", "ns", "operations that only A has"),
    DOC_NUMBER("replaced", "ns", "others at the same place"),
    DOC_NUMBER("shape", "ns", "of per_call: other grids"),
    DOC_NUMBER("same_shape", "ns", "of per_call: the same grids"),
    DOC_IDLE_PARTS,
    DOC_VALUE("category", "what the operation is for"),
    DOC_VALUE("level", "how the rows of A and B were matched"),
    DOC_VALUE("launches_a", "launches in a unit of A"),
    DOC_VALUE("launches_b", "launches in a unit of B"),
    DOC_NUMBER("exposed_a", "ns", "exposed in a unit of A"),
    DOC_NUMBER("exposed_b", "ns", "exposed in a unit of B"),
    DOC_NUMBER("idle_a", "ns", "device idle within, in a unit of A"),
    DOC_NUMBER("idle_b", "ns", "device idle within, in a unit of B"),
    DOC_VALUE("calls_a", "calls in a unit of A"),
    DOC_VALUE("calls_b", "calls in a unit of B"),
    DOC_VALUE("at_equal_clock", "ratio at equal clocks"),
    DOC_VALUE("suspect", "yes if the row is a suspect"),
    DOC_VALUE("widths", "ratio by the spread of its controls"),
    DOC_VALUE("controls", "rows that it is compared with"),
    DOC_VALUE("command", "command that shows it"),
    DOC_VALUE("median", "median of the differences of pairs; 0.02: 2 %"),
    DOC_VALUE("largest", "largest of them"),
    DOC_VALUE("threshold", "that, rounded up"),
    {0},
};

static void
write_report(struct output *o, const struct format_options *f,
    struct table *lines, const struct record_kind *kind, bool first)
{
	lines->report = kind->name;
	lines->title = kind->title;
	lines->reason = kind->reason;
	lines->docs = docs;
	format_table(o, f, lines, first);
}

void
records_write_one(struct output *o, const struct json_head *head,
    struct table *lines, const char *name, const char *reason,
    enum format format)
{
	const struct record_kind kind = {name, NULL, lines->title, reason};
	const struct format_options f = {
	    .format = FORMAT_JSON, .time_unit = 1, .head = *head};

	if (format == FORMAT_NDJSON) {
		write_lines(&o->buf, lines);
	} else if (format == FORMAT_JSON1) {
		text_add_char(&o->buf, '{');
		write_array(&o->buf, lines, name);
		text_add_str(&o->buf, "}\n");
	} else {
		format_begin(o, &f);
		write_report(o, &f, lines, &kind, true);
		format_end(o, &f);
	}
}

/* ---- csv and tsv ---- */

/* The column of this name; it is added if there is none. */
static size_t
column_of(struct table *t, const struct column *c)
{
	for (size_t i = 0; i < t->column_count; i++)
		if (strcmp(t->columns[i].name, c->name) == 0)
			return i;
	table_column(t, c->name, c->unit);
	return t->column_count - 1;
}

static void
copy_cell(
    struct table *to, const struct table *from, const struct table_cell *c)
{
	if (c->type == CELL_INT)
		table_int(to, c->i);
	else if (c->type == CELL_REAL)
		table_real(to, c->d, c->decimals);
	else if (c->type == CELL_TEXT)
		table_text(to, table_cell_text(from, c));
	else
		table_empty(to);
}

/* Add the rows of a table, whose columns the other has. */
static void
append(struct table *to, struct table *from)
{
	struct table_cell *cells =
	    mem_resize(NULL, to->column_count + 1, sizeof(*cells));

	for (size_t row = 0; row < table_rows(from); row++) {
		const struct table_cell *of = table_row(from, row);

		memset(cells, 0, to->column_count * sizeof(*cells));
		for (size_t i = 0; i < from->column_count; i++)
			cells[column_of(to, &from->columns[i])] = of[i];
		for (size_t i = 0; i < to->column_count; i++)
			copy_cell(to, from, &cells[i]);
	}
	free(cells);
}

/* Lines of all kinds; the columns of rows come first. */
static void
write_table(struct output *o, struct table *all, size_t count, size_t first,
    enum format format)
{
	const struct format_options f = {.format = format, .time_unit = 1};
	struct table t = {0};

	for (size_t i = 0; i <= count; i++) {
		struct table *of = &all[i == 0 ? first : i - 1];

		for (size_t k = 0; k < of->column_count; k++)
			column_of(&t, &of->columns[k]);
	}
	for (size_t i = 0; i < count; i++)
		append(&t, &all[i]);
	format_table(o, &f, &t, true);
	table_free(&t);
}

/* ---- all ---- */

/* json1: one object of arrays */
static void
write_arrays(struct output *o, struct table *all, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		text_add_str(&o->buf, i > 0 ? ",\n" : "{");
		write_array(&o->buf, &all[i], kinds[i].name);
	}
	text_add_str(&o->buf, "}\n");
}

static void
write_document(struct output *o, const struct json_head *head,
    struct table *all, size_t count)
{
	const struct format_options f = {
	    .format = FORMAT_JSON, .time_unit = 1, .head = *head};

	format_begin(o, &f);
	for (size_t i = 0; i < count; i++)
		write_report(o, &f, &all[i], &kinds[i], i == 0);
	format_end(o, &f);
}

static void
write_all(struct output *o, const struct json_head *head, struct table *all,
    size_t count, enum format format)
{
	size_t rows = 0;

	switch (format) {
	case FORMAT_JSON:
		write_document(o, head, all, count);
		break;
	case FORMAT_JSON1:
		write_arrays(o, all, count);
		break;
	case FORMAT_NDJSON:
		for (size_t i = 0; i < count; i++)
			write_lines(&o->buf, &all[i]);
		break;
	default:
		for (size_t i = 0; i < count; i++)
			if (kinds[i].add == add_rows)
				rows = i;
		write_table(o, all, count, rows, format);
	}
}

void
records_write(struct output *o, const struct json_head *head,
    const struct comparison *c, const struct gates *gates, enum format format)
{
	struct records r = {c, gates, records_deltas(c, 1)};
	size_t count = comparison_refused(c) ? KINDS_REFUSED : KINDS;
	struct table all[KINDS] = {{0}};

	for (size_t i = 0; i < count; i++)
		kinds[i].add(&all[i], &r);
	write_all(o, head, all, count, format);
	for (size_t i = 0; i < count; i++)
		table_free(&all[i]);
	free(r.deltas);
}
