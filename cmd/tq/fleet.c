/* fleet.c - tq fleet: the recordings of a job, summed up rank by rank */

#include <err.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tq/base/mem.h"
#include "tq/base/text.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"

#include "fleet.h"

struct fleet_options {
	int64_t jobs; /* 0: as many as processors */
	const char *out, *reports, *trace, *partition, *account, *step;
	unsigned place;
	bool dry_run, quiet;
};

#define OPT_STRUCT struct fleet_options
static const struct opt options[] = {
    {OPT_HELP},
    {'j', "jobs", "N",
	"on this machine, so many recordings at once (all\n"
	"processors)",
	OPT_COUNT(jobs, 1, INT64_MAX)},
    {'n', "dry-run", NULL, "print what is to be done, and do nothing",
	OPT_SET(dry_run, true)},
    {'o', "output", "DIR", "write into the folder DIR (DIR.fleet)",
	OPT_TEXT(out)},
    {'q', "quiet", NULL, "print no progress", OPT_SET(quiet, true)},
    {'r', "report", "LIST", "sums of all recordings, as tq stats names them",
	OPT_TEXT(reports)},
    {0, "account", "NAME", "of the jobs of Slurm", OPT_TEXT(account)},
    {0, "on", "PLACE", "slurm, local, or auto: Slurm where sbatch is (default)",
	OPT_WORD(place, "auto|slurm|local")},
    {0, "partition", "NAME", "of the jobs of Slurm", OPT_TEXT(partition)},
    {0, "step", "STEP", NULL, OPT_TEXT(step)}, /* of the script */
    {0, "trace", "RANKS", "make a trace of these ranks, as 0,7",
	OPT_NUMBERS(trace)},
    {0},
};

static const struct opts opts = {
    .tool = "tq fleet",
    .operands = "DIR|LIST",
    .all = options,
    .column = 24,
    .status = TQ_USAGE,
};

static void
pass(const char *name, const char *value)
{
	if (value != NULL && setenv(name, value, 1) < 0)
		err(TQ_FAIL, "%s", name);
}

/* what the script reads */
static void
pass_options(const struct fleet_options *o)
{
	static const char *const places[] = {"auto", "slurm", "local"};
	struct text jobs = {0};

	text_printf(&jobs, "%" PRId64 "%c",
	    o->jobs > 0 ? o->jobs : (int64_t)sysconf(_SC_NPROCESSORS_ONLN),
	    '\0');
	pass("FLEET_JOBS", jobs.p);
	pass("FLEET_REPORTS", o->reports);
	pass("FLEET_TRACE", o->trace);
	pass("FLEET_PARTITION", o->partition);
	pass("FLEET_ACCOUNT", o->account);
	pass("FLEET_ON", places[o->place]);
	pass("FLEET_DRY_RUN", o->dry_run ? "1" : NULL);
	pass("FLEET_QUIET", o->quiet ? "1" : NULL);
	text_free(&jobs);
}

/* Become the shell that runs a step. */
static _Noreturn void
run_step(const char *step, char **operands)
{
	const char **words;
	struct text script = {0};
	size_t n = 0;

	for (size_t i = 0; fleet_script[i] != NULL; i++)
		text_printf(&script, "%s\n", fleet_script[i]);
	text_add_char(&script, '\0');
	while (operands[n] != NULL)
		n++;
	words = mem_alloc((n + 6) * sizeof(*words));
	words[0] = "sh";
	words[1] = "-c";
	words[2] = script.p;
	words[3] = "tq fleet"; /* of its messages */
	words[4] = step;
	memcpy(words + 5, operands, n * sizeof(*words));
	execvp("sh", (char *const *)(uintptr_t)words);
	err(TQ_FAIL, "sh");
}

int
fleet_main(int argc, char *argv[])
{
	struct fleet_options o = {0};
	struct text out = {0};
	const char *source[3] = {NULL};
	size_t length;
	struct stat st;
	char **operands;

	optind = 0; /* getopt begins again */
	operands = opts_parse(&opts, &o, argc, argv);
	if (o.step != NULL && strcmp(o.step, "states") == 0 &&
	    operands[0] != NULL)
		return fleet_states(operands[0]);
	if (o.step != NULL && strcmp(o.step, "rank") == 0 &&
	    operands[0] != NULL)
		return fleet_names_rank(operands[0]);
	if (o.step != NULL && strcmp(o.step, "of-ranks") == 0)
		return fleet_names_of_ranks();
	if (o.step != NULL)
		run_step(o.step, operands);
	if (operands[0] == NULL || operands[1] != NULL)
		opts_usage(&opts);
	if (stat(operands[0], &st) < 0)
		err(TQ_FAIL, "%s", operands[0]);
	length = strlen(operands[0]);
	while (length > 1 && operands[0][length - 1] == '/')
		length--;
	text_printf(&out, "%.*s.fleet%c", (int)length, operands[0], '\0');
	pass_options(&o);
	source[0] = operands[0];
	source[1] = o.out != NULL ? o.out : out.p;
	run_step("run", (char **)(uintptr_t)source);
}
