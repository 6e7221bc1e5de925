/*
 * tq-diff - what changed between recordings
 *
 * Each side becomes accounts, one for each recording; all else is computed from
 * these.
 */

#include <err.h>
#include <stdlib.h>

#include "tq/account/account_file.h"
#include "tq/ask/expr.h"
#include "tq/io/opts.h"
#include "tq/io/output.h"
#include "tq/io/status.h"

#include "side.h"

struct diff_options {
	const char *file;
	enum zio_format format;
	const char *per[2]; /* of A and B */
	const char *step;
};

static void
take_per(void *member, const char *value)
{
	const char **per = member;

	if (per[0] != NULL && per[1] != NULL)
		errx(TQ_USAGE, "--per is given three times");
	per[per[0] != NULL] = value;
}

#define OPT_STRUCT struct diff_options
static const struct opt options[] = {
    {OPT_HELP},
    {OPT_OUTPUT},
    {OPT_VERSION},
    {OPT_ZSTD},
    {0, "per", "UNIT",
	"compare per step, kernel~REGEX[/N], range~REGEX,\n"
	"graph, span or launch; given twice, for A and for B",
	OPT_TAKE(per, take_per)},
    {0, "step", "STEPS", "compare per step, of these", OPT_TEXT(step)},
    {0},
};

static const struct opts opts = {
    "usage: tq-diff [-hVz] [-o file] [--per UNIT] [--step STEPS] a b\n"
    "       tq-diff [options] a ... : b ...",
    options,
    .column = 21,
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

static void
read_side(
    struct side *s, char **operands, const struct diff_options *o, int side)
{
	struct account_units units;

	parse_units(&units, o, side);
	side_read(s, operands, &units);
	account_units_free(&units);
}

static void
read_sides(struct side sides[2], char **operands, const struct diff_options *o)
{
	char **b = split_operands(operands);

	if (b == NULL) {
		char *first[] = {operands[0], NULL};

		read_side(&sides[0], first, o, 0);
		read_side(&sides[1], operands + 1, o, 1);
	} else {
		read_side(&sides[0], operands, o, 0);
		read_side(&sides[1], b, o, 1);
	}
}

int
main(int argc, char *argv[])
{
	struct diff_options o = {0};
	char **operands = opts_parse(&opts, &o, argc, argv);
	struct side sides[2] = {{{0}}};
	struct output out;
	int status;

	if (o.per[0] != NULL && o.step != NULL)
		errx(TQ_USAGE, "--per and --step exclude each other");
	output_open(&out, o.file, zio_format_for(o.format, o.file));
	read_sides(sides, operands, &o);
	status = sides[0].status | sides[1].status;
	for (size_t i = 0; i < 2; i++) /* until there is a comparison */
		for (size_t n = 0; n < sides[i].recordings.count; n++)
			account_file_write(
			    &out.buf, sides[i].recordings.all[n]);
	side_free(&sides[0]);
	side_free(&sides[1]);
	output_finish(&out, status == TQ_OK);
	return status;
}
