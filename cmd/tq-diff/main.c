/*
 * tq-diff - differences between recordings
 *
 * Each side becomes one account of each recording, see side_recordings.h; their
 * comparison has the contents of the output, see comparison.h.
 */

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "comparison.h"
#include "gate.h"
#include "output/comment.h"
#include "output/noise.h"
#include "output/records.h"
#include "output/screen.h"
#include "output/web_diff.h"
#include "common_unit.h"
#include "side_recordings.h"
#include "tq/ask/expr.h"
#include "tq/io/opts.h"
#include "tq/io/output.h"
#include "tq/io/status.h"

struct diff_options {
	const char *file, *names, *step;
	const char *per[SIDES]; /* of A and B */
	enum zio_format format;
	enum format form;
	unsigned by; /* enum match_by */
	struct screen_settings screen;
	struct comparison_settings settings;
	struct gates gates;
	bool noise, no_pager, or_pass;
	struct json_head head; /* the operands */
	char **sides[SIDES];   /* the operands of each */
	char *first[2];        /* the only operand of A, and NULL */
};

static void
take_per(void *member, const char *value)
{
	const char **per = member;

	if (per[0] != NULL && per[1] != NULL)
		errx(TQ_USAGE, "--per is given three times");
	per[per[0] != NULL] = value;
}

static const char *
parse_across(void *settings, const char *value)
{
	struct diff_options *o = settings;
	int word = opts_word("devices|programs", value);

	if (word == 0)
		o->settings.checks.across_devices = true;
	if (word == 1)
		o->settings.checks.across_programs = true;
	return word < 0 ? "expected devices or programs" : NULL;
}

static void
take_gate(void *member, const char *value)
{
	gate_add(member, value);
}

#define PERCENT_MOST (1000LL * UNITS_PERCENT)

#define OPT_STRUCT struct diff_options
static const struct opt options[] = {
    {'f', "format", "FORMAT",
	"table (default), csv, tsv, json, ndjson,\n"
	"markdown, html, json1",
	OPT_WORD(form, FORMAT_TABLES)},
    {OPT_HELP},
    {'n', "top", "N", "rows of each table (default 10; 0: all)",
	OPT_COUNT(screen.rows, 0, 1000000)},
    {'n', "rows", "N", OPT_OLD_NAME},
    {OPT_OUTPUT},
    {OPT_QUIET},
    {OPT_VERSION},
    {OPT_ZSTD},
    {0, "across", "WHAT", "compare across devices, or programs",
	.how = OPT_PARSER, .parse = parse_across},
    {0, "by", "WHAT",
	"a row is a base (default), name, family,\ncategory, path of ranges, "
	"or name,grid",
	OPT_WORD(by, MATCH_BY_WORDS)},
    {0, "fail-if", "GATE",
	"exit with 3 if METRIC OP CHANGE is true,\n"
	"as 'wall > +3%'; repeatable",
	OPT_TAKE(gates, take_gate)},
    {0, "min-effect", "PERCENT", "the least change of the wall (default 1%)",
	OPT_SHARE(settings.least_wall, 0, PERCENT_MOST)},
    {0, "names", "FILE", "rules for names (default: names.rules)",
	OPT_TEXT(names)},
    {0, "no-pager", NULL, "do not run a pager", OPT_SET(no_pager, true)},
    {0, "noise", "[=PERCENT]",
	"how much recordings of one thing differ;\n"
	"or that two equal ones differ by PERCENT",
	OPT_SHARE(settings.noise, 0, PERCENT_MOST), .number = -1},
    {0, "or-pass", NULL, "a gate that cannot be answered is passed",
	OPT_SET(or_pass, true)},
    {0, "per", "UNIT",
	"auto (default), step, span, launch,\n"
	"kernel~REGEX[/N], range~REGEX or graph[/N];\n"
	"give it twice to set A and B separately; serve:\n"
	"each class of steps of an inference server",
	OPT_TAKE(per, take_per)},
    {0, "step", "NAME", "compare per step, of ranges of this name",
	OPT_TEXT(step)},
    {0},
};

static const struct opts opts = {
    .tool = "tq-diff",
    .operands = "A B | A ... : B ...",
    .all = options,
    .column = 28,
    .status = TQ_USAGE,
};

/* ---- operands ---- */

/* The operands of B: those behind a lone ":", which becomes NULL. */
static char **
split_operands(char **operands)
{
	char **colon = NULL;
	size_t n = 0;

	for (; operands[n] != NULL; n++)
		if (strcmp(operands[n], ":") == 0) {
			if (colon != NULL)
				errx(TQ_USAGE, "\":\" is given twice");
			colon = &operands[n];
		}
	if (colon == NULL) {
		if (n != 2)
			opts_usage(&opts);
		return NULL;
	}
	*colon = NULL;
	if (colon == operands || colon[1] == NULL)
		errx(TQ_USAGE, "a side of \":\" is empty");
	return colon + 1;
}

static void
take_operands(struct diff_options *o, char **operands)
{
	char **b = split_operands(operands);

	o->first[0] = operands[0];
	o->sides[SIDE_A] = b != NULL ? operands : o->first;
	o->sides[SIDE_B] = b != NULL ? b : operands + 1;
	o->head.operands = operands;
	o->head.others = b;
}

static void
parse_units(struct account_units *u, const struct diff_options *o, int side)
{
	const char *text = o->per[side] != NULL ? o->per[side] : o->per[0];
	const char *bad;
	size_t at;

	if (text != NULL)
		bad = account_units_parse(u, text, &at);
	else
		bad = account_units_step(u, text = o->step, &at);
	if (bad == NULL)
		return;
	expr_complain_at(span_of(text), at, bad);
	exit(TQ_USAGE);
}

static bool
is_auto(const struct diff_options *o)
{
	if (o->per[SIDE_A] == NULL)
		return o->step == NULL;
	return strcmp(o->per[SIDE_A], "auto") == 0 && o->per[SIDE_B] == NULL;
}

static void
find_units(struct common_unit *p, struct side sides[SIDES],
    const struct diff_options *o, struct account_units units[SIDES])
{
	if (!is_auto(o)) {
		for (int side = 0; side < SIDES; side++)
			parse_units(&units[side], o, side);
		return;
	}
	for (int side = 0; side < SIDES; side++)
		if (sides[side].input != NULL)
			side_recordings_look(&sides[side], &p->sides[side]);
	common_unit_units(p, units);
}

static void
read_sides(
    struct side sides[SIDES], char **a, char **b, const struct diff_options *o)
{
	struct account_units units[SIDES];
	struct common_unit probe = {0};

	side_recordings_open(&sides[SIDE_A], a);
	if (b != NULL)
		side_recordings_open(&sides[SIDE_B], b);
	find_units(&probe, sides, o, units);
	side_recordings_read_both(sides, units);
	for (int side = 0; side < SIDES; side++) {
		struct accounts *all = &sides[side].recordings;

		for (size_t i = 0; i < all->count; i++)
			common_unit_describe(&probe, all->all[i]);
		account_units_free(&units[side]);
	}
	common_unit_free(&probe);
}

/* Read the operands; the status of an input that was cut short. */
static int
read_operands(struct side sides[SIDES], char **operands, struct diff_options *o)
{
	if (o->noise) {
		o->head.operands = operands;
		opts_need_input(&opts, operands);
		read_sides(sides, operands, NULL, o);
	} else {
		take_operands(o, operands);
		read_sides(sides, o->sides[SIDE_A], o->sides[SIDE_B], o);
	}
	return sides[SIDE_A].status | sides[SIDE_B].status;
}

/* ---- output ---- */

static void
write_comparison(struct output *out, const struct comparison *c,
    const struct diff_options *o)
{
	switch (o->form) {
	case FORMAT_TABLE:
		screen_add(&out->buf, c, &o->screen);
		break;
	case FORMAT_MARKDOWN:
		comment_add(&out->buf, c, &o->screen);
		break;
	case FORMAT_HTML:
		web_diff_add(&out->buf, c, &o->screen);
		break;
	default:
		records_write(out, &o->head, c, &o->gates, o->form);
	}
}

/* True if all gates held. */
static bool
compare_sides(
    struct diff_options *o, const struct side *sides, struct output *out)
{
	struct name_rules *rules = name_rules_open(o->names);
	struct comparison c;
	bool held;

	o->settings.by = (enum match_by)o->by;
	o->settings.checks.own_units = o->per[SIDE_B] != NULL;
	comparison_make(&c, &sides[SIDE_A].recordings,
	    &sides[SIDE_B].recordings, rules, &o->settings);
	gate_answer(&o->gates, &c, o->settings.noise);
	o->screen.gates = &o->gates;
	for (int side = 0; side < SIDES; side++)
		o->screen.operands[side] =
		    sides[side].has_accounts ? NULL : o->sides[side];
	write_comparison(out, &c, o);
	held = gate_held(&o->gates, o->or_pass);
	comparison_free(&c);
	name_rules_free(rules);
	return held;
}

/* ---- steps of an inference server ---- */

/* --per serve: one comparison after the other, of each class of steps */
static bool
is_by_class(const struct diff_options *o)
{
	for (int side = 0; side < SIDES; side++)
		if (o->per[side] != NULL && strcmp(o->per[side], "serve") == 0)
			return true;
	return false;
}

static void
check_by_class(const struct diff_options *o)
{
	if (o->per[SIDE_B] != NULL)
		errx(TQ_USAGE, "--per serve is of both sides");
	if (o->form != FORMAT_TABLE || o->noise)
		errx(TQ_USAGE,
		    "--per serve prints a table for each class of steps; for "
		    "one of them, in any format: --step serve:decode");
}

/* "decode, mixed", "none" */
static const char *
class_words(struct text *t, unsigned classes)
{
	t->len = 0;
	for (unsigned i = 0; i < SERVE_CLASSES; i++)
		if ((classes >> i & 1) != 0) {
			text_add_str(t, t->len > 0 ? ", " : "");
			text_add_span(
			    t, serve_rules_class((enum serve_class)i));
		}
	if (t->len == 0)
		text_add_str(t, "none");
	text_add_char(t, '\0');
	return t->p;
}

/* True if all gates held. */
static bool
compare_class(struct diff_options *o, struct side *sides, struct output *out,
    enum serve_class class)
{
	struct span word = serve_rules_class(class);
	struct account_units units;
	struct text spec = {0};
	size_t at;
	bool held;

	text_printf(&out->buf, "class      %.*s\n", (int)word.len, word.p);
	text_printf(&spec, "serve:%.*s%c", (int)word.len, word.p, '\0');
	account_units_step(&units, spec.p, &at);
	units.or_span = false;
	for (int side = 0; side < SIDES; side++)
		side_recordings_read(&sides[side], &units, true);
	held = compare_sides(o, sides, out);
	for (int side = 0; side < SIDES; side++)
		side_recordings_free(&sides[side]);
	account_units_free(&units);
	text_free(&spec);
	return held;
}

/* True if all gates held for each class. */
static bool
compare_classes(struct diff_options *o, struct side *sides, char **operands,
    struct output *out)
{
	const unsigned idle = 1u << SERVE_IDLE; /* launches nothing */
	unsigned classes[SIDES], both;
	struct text a = {0}, other = {0};
	bool held = true;

	take_operands(o, operands);
	for (int side = 0; side < SIDES; side++)
		side_recordings_open(&sides[side], o->sides[side]);
	for (int side = 0; side < SIDES; side++)
		classes[side] = side_recordings_classes(&sides[side]) & ~idle;
	both = classes[SIDE_A] & classes[SIDE_B];
	if (both == 0)
		errx(TQ_FAIL,
		    "no class of steps of an inference server is on both "
		    "sides: A has %s, B has %s",
		    class_words(&a, classes[SIDE_A]),
		    class_words(&other, classes[SIDE_B]));
	for (unsigned i = 0; i < SERVE_CLASSES; i++)
		if ((both >> i & 1) != 0) {
			held &=
			    compare_class(o, sides, out, (enum serve_class)i);
			text_add_char(&out->buf, '\n');
		}
	if (classes[SIDE_A] != classes[SIDE_B])
		text_printf(&out->buf, "only in A: %s; only in B: %s\n",
		    class_words(&a, classes[SIDE_A] & ~both),
		    class_words(&other, classes[SIDE_B] & ~both));
	for (int side = 0; side < SIDES; side++)
		side_recordings_close(&sides[side]);
	text_free(&a);
	text_free(&other);
	return held;
}

/* True if all gates held; the status of an input that was cut short. */
static bool
compare_all(struct diff_options *o, struct side *sides, char **operands,
    struct output *out, int *status)
{
	bool held = true;

	if (is_by_class(o)) {
		held = compare_classes(o, sides, operands, out);
		*status = sides[SIDE_A].status | sides[SIDE_B].status;
		return held;
	}
	*status = read_operands(sides, operands, o);
	if (o->noise)
		noise_write(out, &o->head, &sides[SIDE_A].recordings, o->form);
	else
		held = compare_sides(o, sides, out);
	return held;
}

int
main(int argc, char *argv[])
{
	struct diff_options o = {.screen = {10},
	    .settings = {.least_wall = 0.01, .least_row = 0.02}};
	char **operands = opts_parse(&opts, &o, argc, argv);
	struct side sides[SIDES] = {0};
	struct output out;
	bool held;
	int status;

	if (o.settings.noise < 0) { /* without a value */
		o.noise = true;
		o.settings.noise = 0;
	}
	if (o.form == FORMAT_TABLE)
		o.form = (enum format)opts_word_of_file(FORMAT_TABLES, o.file);
	if (o.per[SIDE_A] != NULL && o.step != NULL)
		errx(TQ_USAGE, "--per and --step exclude each other");
	if (o.noise && o.gates.count > 0)
		errx(TQ_USAGE,
		    "--fail-if compares two sides, --noise has one; a known "
		    "noise is --noise=PERCENT");
	if (is_by_class(&o))
		check_by_class(&o);
	output_open(&out, o.file, zio_format_for(o.format, o.file));
	if (o.form == FORMAT_TABLE && !o.no_pager)
		output_page(&out);
	held = compare_all(&o, sides, operands, &out, &status);
	output_finish(&out, status == TQ_OK);
	for (int side = 0; side < SIDES; side++)
		side_recordings_free(&sides[side]);
	gate_free(&o.gates);
	return status != TQ_OK ? status : held ? TQ_OK : TQ_GATE;
}
