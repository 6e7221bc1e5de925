/*
 * tq-align - recordings of many ranks on one clock
 *
 * Each rank becomes its points, see rank_points.h; these become a line for each
 * clock, see solve.h; and each stream is written on the common clock, see
 * apply.h.  The options --points, --solve and --apply do one of the three, for
 * many machines; without them all is done at once, with the same bytes.
 *
 * A recording is a section of a stream.  Only where all is done at once may an
 * operand have several.
 */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tq/base/array.h"
#include "tq/base/mem.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"

#include "apply.h"

struct align_options {
	const char *file, *offsets;
	enum zio_format format;
	unsigned table; /* enum format, of --report */
	unsigned by;    /* enum align_by */
	int64_t reference, rank;
	bool no_pager, points, solve, report, automatic;
};

/* json1 is of tools that had it once */
#define ALIGN_FORMATS "table|csv|tsv|json|ndjson|markdown|html"

#define OPT_STRUCT struct align_options
static const struct opt options[] = {
    {'f', "format", "FORMAT",
	"of --report: table (default), csv, tsv, json,\n"
	"ndjson, markdown, html",
	OPT_WORD(table, ALIGN_FORMATS)},
    {OPT_HELP},
    {'o', "output", "FILE",
	"write to FILE; in a folder, a file for each\n"
	"operand, with its name",
	OPT_TAKE(file, opts_take_file)},
    {OPT_QUIET},
    {OPT_VERSION},
    {OPT_ZSTD},
    {0, "apply", "FILE", "write streams on the clocks of --solve",
	OPT_TEXT(offsets)},
    {0, "auto", NULL,
	"change nothing, unless these are ranks whose\n"
	"clocks their collectives prove",
	OPT_SET(automatic, true)},
    {0, "by", "WHAT", "collectives (default), utc, none",
	OPT_WORD(by, "collectives|utc|none")},
    {0, "no-pager", NULL, "do not run a pager", OPT_SET(no_pager, true)},
    {0, "points", NULL, "write the communication of one rank",
	OPT_SET(points, true)},
    {0, "rank", "N", "rank of a recording that does not say it",
	OPT_COUNT(rank, 0, INT64_MAX)},
    {0, "reference", "RANK", "the rank whose clock is the common one",
	OPT_COUNT(reference, 0, INT64_MAX)},
    {0, "report", NULL, "print a table of clocks, and no streams",
	OPT_SET(report, true)},
    {0, "solve", NULL, "write the clocks of ranks, from their points",
	OPT_SET(solve, true)},
    {0},
};

static const struct opts opts = {
    .tool = "tq-align",
    .operands = "[FILE ...]",
    .all = options,
    .column = 24,
    .status = TQ_USAGE,
};

struct align_run {
	struct align_options ask;
	char **operands;
	size_t count;
	char **named;             /* each operand, and a NULL behind it */
	struct rank_points *kept; /* of each recording */
	size_t kept_count, kept_cap;
	bool *is_kept;         /* with --solve, of each operand */
	size_t *first;         /* the first recording of each operand */
	struct reader **pipes; /* operands that are copied as they are read */
	int status;
	/* keys of points, and of times as well; of clocks */
	struct keyset points[KIND_COUNT + 1], both[KIND_COUNT + 1],
	    clocks[KIND_COUNT + 1];
};

/* ---- reading ---- */

/* a file that is read again costs no memory until then */
static bool
is_file(const char *name)
{
	struct stat st;

	return strcmp(name, "-") != 0 && stat(name, &st) == 0 &&
	       S_ISREG(st.st_mode);
}

/* the reader of an operand that will be read again */
static struct reader *
keep_pipe(struct align_run *r, size_t i, char **operands)
{
	struct reader *in = mem_alloc(sizeof(*in));

	reader_init(in, operands, r->both, NULL);
	input_keep(&in->in);
	r->pipes[i] = in;
	return in;
}

/* Read a section; --rank names the rank of a recording that has none. */
static bool
read_section(struct align_run *r, struct reader *in, struct rank_points *p,
    bool heads, bool begun)
{
	bool another = rank_points_read(p, in, heads, begun);

	if (p->rank == NO_ID)
		p->rank = r->ask.rank;
	return another;
}

/* the reader of an operand, which is *file unless it is written afterwards, and
   cannot be opened again */
static struct reader *
open_operand(struct align_run *r, size_t i, struct reader *file)
{
	bool written = !r->ask.points && !r->ask.solve && !r->ask.report;

	if (written && !is_file(r->operands[i]))
		return keep_pipe(r, i, &r->named[2 * i]);
	reader_init(file, &r->named[2 * i], r->points, NULL);
	return file;
}

static void
close_operand(struct align_run *r, struct reader *in, struct reader *file)
{
	r->status |= in->status;
	if (in == file)
		reader_free(file);
}

/* of an operand that is one recording */
static void
read_points(struct align_run *r, size_t i, struct rank_points *p, bool heads)
{
	struct reader file, *in = open_operand(r, i, &file);

	if (read_section(r, in, p, heads, false))
		errx(TQ_FAIL, "%s:%zu: a second section: a file is of one rank",
		    in->in.name, in->in.lineno);
	close_operand(r, in, &file);
}

/* the recordings of an operand */
static void
read_recordings(struct align_run *r, size_t i)
{
	struct reader file, *in = open_operand(r, i, &file);
	bool begun = false;

	r->first[i] = r->kept_count;
	do {
		struct rank_points *p =
		    array_add(&r->kept, &r->kept_count, &r->kept_cap);

		begun = read_section(r, in, p, false, begun);
	} while (begun);
	close_operand(r, in, &file);
}

/* ---- the clocks of all ---- */

static const struct rank_points *
points_at(void *run, size_t i, bool heads)
{
	struct align_run *r = run;

	(void)heads;
	return &r->kept[i];
}

static void
keep_points(void *run, size_t i)
{
	(void)run;
	(void)i;
}

/* with --solve, files are read a second time, so that two ranks are held at a
   time */
static const struct rank_points *
load_points(void *run, size_t i, bool heads)
{
	struct align_run *r = run;

	if (!r->is_kept[i])
		read_points(
		    r, i, &r->kept[i], heads && is_file(r->operands[i]));
	r->is_kept[i] = true;
	return &r->kept[i];
}

static void
release_points(void *run, size_t i)
{
	struct align_run *r = run;

	if (!is_file(r->operands[i]))
		return;
	rank_points_free(&r->kept[i]);
	r->is_kept[i] = false;
}

static void
solve_recordings(struct align_run *r, struct solution *s)
{
	struct points_source from = {load_points, release_points, r, r->count};

	if (r->ask.solve) {
		r->kept = mem_alloc((r->count + 1) * sizeof(*r->kept));
		r->kept_count = r->count;
	} else {
		from = (struct points_source){
		    points_at, keep_points, r, r->kept_count};
	}
	solve(s, &from,
	    &(struct solve_settings){
		(enum align_by)r->ask.by, r->ask.reference});
}

/* True if each recording says its rank, and each another one. */
static bool
are_ranks(const struct align_run *r)
{
	for (size_t i = 0; i < r->kept_count; i++) {
		if (r->kept[i].rank == NO_ID)
			return false;
		for (size_t k = 0; k < i; k++)
			if (r->kept[k].rank == r->kept[i].rank)
				return false;
	}
	return r->kept_count > 1;
}

/* True if operations prove the clock of a rank beside the reference. */
static bool
is_proved(const struct solution *s)
{
	size_t proved = 0;

	for (size_t i = 0; i < s->count; i++)
		proved += s->all[i].proved;
	return proved > 1;
}

/* ---- writing ---- */

/* c: the clock of its first recording; NULL: it stays as it is */
static void
apply_operand(struct align_run *r, size_t i, const struct solution *s,
    const struct rank_clock *c, struct output *o)
{
	struct reader file, *in = r->pipes[i];

	if (in == NULL)
		reader_init(in = &file, &r->named[2 * i], r->both, o);
	else
		reader_rewind(in);
	if (c != NULL)
		apply(in, c, s->utc, o);
	else
		apply_nothing(in, o);
	r->status |= in->status;
	if (in == &file)
		reader_free(&file);
}

/* the folder of -o; NULL: it is a file, or stdout */
static const char *
folder_of(const struct align_options *ask)
{
	struct stat st;

	return ask->file != NULL && stat(ask->file, &st) == 0 &&
		       S_ISDIR(st.st_mode)
		   ? ask->file
		   : NULL;
}

static char *
name_in(const char *folder, const char *operand)
{
	struct text t = {0};

	text_printf(&t, "%s/%s%c", folder, basename(operand), '\0');
	return t.p;
}

/*
 * the output of operand i is neither the operand nor the output of an earlier
 * one
 */
static void
check_name(const struct align_run *r, const char *folder, size_t i)
{
	char *name = name_in(folder, r->operands[i]);

	output_refuse_input(name, r->operands[i]);
	free(name);
	for (size_t k = 0; k < i; k++)
		if (strcmp(basename(r->operands[i]),
			basename(r->operands[k])) == 0)
			errx(TQ_USAGE, "%s and %s would be one file in %s",
			    r->operands[k], r->operands[i], folder);
}

/* each output has a name of its own, which is no operand's */
static void
check_names(const struct align_run *r, const char *folder)
{
	for (size_t i = 0; folder != NULL && i < r->count; i++) {
		if (strcmp(r->operands[i], "-") == 0)
			errx(TQ_USAGE, "stdin has no name for a file in %s",
			    folder);
		check_name(r, folder, i);
	}
}

/* each operand on its clock: into a folder, or one after the other */
static void
apply_all(struct align_run *r, const struct solution *s,
    const struct rank_clock *(*clock_of)(
	struct align_run *r, size_t i, const struct solution *s))
{
	const char *folder = folder_of(&r->ask);
	struct output o = {0};

	check_names(r, folder);
	for (size_t i = 0; i < r->count; i++) {
		const struct rank_clock *c = clock_of(r, i, s);

		if (folder != NULL || i == 0) {
			char *name = folder != NULL
					 ? name_in(folder, r->operands[i])
					 : NULL;

			o = (struct output){0};
			output_open(&o, name != NULL ? name : r->ask.file,
			    zio_format_for(r->ask.format,
				name != NULL ? name : r->ask.file));
			apply_operand(r, i, s, c, &o);
			if (folder != NULL)
				output_finish(&o, r->status == TQ_OK);
			free(name);
		} else {
			apply_operand(r, i, s, c, &o);
		}
	}
	if (folder == NULL)
		output_finish(&o, r->status == TQ_OK);
}

static const struct rank_clock *
clock_at(struct align_run *r, size_t i, const struct solution *s)
{
	return &s->all[r->first[i]];
}

static const struct rank_clock *
no_clock(struct align_run *r, size_t i, const struct solution *s)
{
	(void)r;
	(void)i;
	(void)s;
	return NULL;
}

/* the clock of the recording's rank, found by reading it */
static const struct rank_clock *
clock_by_rank(struct align_run *r, size_t i, const struct solution *s)
{
	const struct rank_clock *c;
	struct rank_points p;
	int64_t rank;

	read_points(r, i, &p, true);
	rank = p.rank;
	rank_points_free(&p);
	if (rank == NO_ID)
		errx(TQ_FAIL, "%s: does not say its rank: --rank does",
		    r->operands[i]);
	c = solve_find(s, rank);
	if (c == NULL)
		errx(TQ_FAIL, "%s: %s has no clock of rank %" PRId64,
		    r->operands[i], r->ask.offsets, rank);
	return c;
}

/* ---- the modes of the command line ---- */

static void
write_clocks(struct align_run *r, const struct solution *s)
{
	struct output o = {0};

	output_open(
	    &o, r->ask.file, zio_format_for(r->ask.format, r->ask.file));
	solve_write(s, &o);
	output_finish(&o, r->status == TQ_OK);
}

static void
write_report(struct align_run *r, const struct solution *s)
{
	const char *file = r->ask.solve ? NULL : r->ask.file;
	struct output o = {0};

	output_open(&o, file, zio_format_for(r->ask.format, file));
	if (r->ask.table == FORMAT_TABLE && !r->ask.no_pager)
		output_page(&o);
	solve_report(s, (enum format)r->ask.table, r->operands, &o);
	output_finish(&o, r->status == TQ_OK);
}

static void
run_points(struct align_run *r)
{
	struct rank_points p;
	struct output o = {0};

	if (r->count > 1)
		errx(TQ_USAGE, "--points takes exactly one file");
	read_points(r, 0, &p, false);
	output_open(
	    &o, r->ask.file, zio_format_for(r->ask.format, r->ask.file));
	rank_points_write(&p, &o);
	output_finish(&o, r->status == TQ_OK);
	rank_points_free(&p);
}

static void
run_apply(struct align_run *r)
{
	char *operands[] = {(char *)(uintptr_t)r->ask.offsets, NULL};
	struct solution s;
	struct reader in;

	reader_init(&in, operands, r->clocks, NULL);
	solve_read(&s, &in);
	r->status |= in.status;
	reader_free(&in);
	apply_all(r, &s, clock_by_rank);
	solve_free(&s);
}

static void
run_solve(struct align_run *r)
{
	struct solution s;

	for (size_t i = 0; i < r->count && !r->ask.solve; i++)
		read_recordings(r, i);
	if (r->ask.automatic && !are_ranks(r)) {
		apply_all(r, &(struct solution){.utc = NO_ID}, no_clock);
		return;
	}
	solve_recordings(r, &s);
	if (r->ask.solve && (!r->ask.report || r->ask.file != NULL))
		write_clocks(r, &s);
	if (r->ask.report)
		write_report(r, &s);
	if (!r->ask.solve && !r->ask.report)
		apply_all(r, &s,
		    r->ask.automatic && !is_proved(&s) ? no_clock : clock_at);
	solve_free(&s);
}

static void
free_run(struct align_run *r)
{
	for (size_t i = 0; i < r->kept_count; i++)
		rank_points_free(&r->kept[i]); /* twice is no harm */
	for (size_t i = 0; i < r->count; i++) {
		if (r->pipes[i] != NULL)
			reader_free(r->pipes[i]);
		free(r->pipes[i]);
	}
	free(r->kept);
	free(r->is_kept);
	free(r->first);
	free(r->pipes);
	free(r->named);
}

int
main(int argc, char *argv[])
{
	static char standard_input[] = "-";
	static char *nothing[] = {standard_input, NULL};
	struct align_run r = {.ask = {.reference = NO_ID, .rank = NO_ID}};

	r.operands = opts_parse(&opts, &r.ask, argc, argv);
	opts_need_input(&opts, r.operands);
	if (r.operands[0] == NULL)
		r.operands = nothing;
	while (r.operands[r.count] != NULL)
		r.count++;
	if (r.ask.points + r.ask.solve + (r.ask.offsets != NULL) > 1)
		errx(TQ_USAGE,
		    "--points, --solve and --apply exclude each other");
	if (r.ask.report && (r.ask.points || r.ask.offsets != NULL))
		errx(TQ_USAGE, "--report excludes --points and --apply");
	if (r.ask.automatic && (r.ask.points || r.ask.solve || r.ask.report ||
				   r.ask.offsets != NULL))
		errx(TQ_USAGE, "--auto excludes --points, --solve, --apply and "
			       "--report");
	if (r.ask.table != FORMAT_TABLE && !r.ask.report)
		errx(TQ_USAGE, "-f needs --report");
	if (r.ask.report && r.ask.table == FORMAT_TABLE && !r.ask.solve)
		r.ask.table =
		    (unsigned)opts_word_of_file(ALIGN_FORMATS, r.ask.file);
	rank_points_keys(r.points);
	rank_points_keys(r.both);
	apply_keys(r.both);
	solve_keys(r.clocks);
	r.is_kept = mem_alloc(r.count * sizeof(*r.is_kept));
	r.first = mem_alloc(r.count * sizeof(*r.first));
	r.pipes = mem_alloc(r.count * sizeof(*r.pipes));
	r.named = mem_alloc(2 * r.count * sizeof(*r.named));
	for (size_t i = 0; i < r.count; i++)
		r.named[2 * i] = r.operands[i];
	if (r.ask.points)
		run_points(&r);
	else if (r.ask.offsets != NULL)
		run_apply(&r);
	else
		run_solve(&r);
	free_run(&r);
	return r.status;
}
