/* fleet.c - tq fleet: the recordings of a job, summed up rank by rank */

#include <err.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tq/base/mem.h"
#include "tq/base/shell.h"
#include "tq/base/text.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"

#include "fleet.h"
#include "recording.h"
#include "stats_needs.h"

enum { MOST_JOBS = 4096 };

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
	OPT_COUNT(jobs, 1, MOST_JOBS)},
    {'n', "dry-run", NULL, "print what is to be done, and write nothing",
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

/* Set a variable of the script, or unset that of the user. */
static void
pass(const char *name, const char *value)
{
	if ((value != NULL ? setenv(name, value, 1) : unsetenv(name)) < 0)
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

/* A closed standard stream stays one that fails with EBADF: else a file or pipe
   of the shell would have its number. */
static void
keep_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		fcntl(fd, F_SETFD, 0);
}

/*
 * A group of processes: the script ends all of them with a signal.  It is in
 * the background of a terminal, where the shell has made it ignore SIGINT.
 */
static void
begin_group(void)
{
	setpgid(0, 0);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGTTOU, SIG_IGN); /* it may write there */
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
	keep_standard_streams();
	if (strcmp(step, "on_this_machine") == 0)
		begin_group();
	execvp("sh", (char *const *)(uintptr_t)words);
	err(TQ_FAIL, "sh");
}

/* The steps of the script that are no shell; false: it is another one. */
static bool
run_inner_step(const char *step, char **operands, int *status)
{
	if (strcmp(step, "of-ranks") == 0)
		*status = fleet_names_of_ranks();
	else if (strcmp(step, "states") == 0 && operands[0] != NULL)
		*status = fleet_states(operands[0], operands[1] != NULL);
	else if (strcmp(step, "rank") == 0 && operands[0] != NULL)
		*status = fleet_names_rank(operands[0]);
	else
		return false;
	return true;
}

/* tq-stats knows which reports can be merged. */
static void
check_reports(const char *list)
{
	const char *const words[] = {
	    "tq-stats", "--partial", "--report", list, NULL};
	struct stats_needs needs;
	int status = stats_needs_ask(&needs, words, false);

	stats_needs_free(&needs);
	if (status != TQ_OK)
		exit(status);
}

/* A list of recordings is none of them. */
static void
refuse_recording(const char *name)
{
	static struct text shown, word; /* no error leaks them */
	enum recording r = recording_of(name);

	if (r == RECORDING_NONE || r == RECORDING_EMPTY ||
	    r == RECORDING_FOREIGN ||
	    (r == RECORDING_JSON && !recording_has_events(name)))
		return;
	shell_add_file(&word, name);
	text_add_char(&word, '\0');
	errx(TQ_USAGE,
	    "%s is one recording, and no list of the recordings of a job: "
	    "tq stats %s",
	    text_visible_name(&shown, name), word.p);
}

/* DIR.fleet, beside the folder or list; of ".", by its own name */
static const char *
folder_of_results(struct text *to, const char *source)
{
	size_t length = strlen(source);
	const char *last;
	char *real = NULL;

	while (length > 1 && source[length - 1] == '/')
		length--;
	last = memrchr(source, '/', length);
	last = last != NULL ? last + 1 : source;
	if (strspn(last, ".") == (size_t)(source + length - last)) {
		if ((real = realpath(source, NULL)) == NULL)
			err(TQ_FAIL, "%s", source);
		source = real;
		length = strlen(real);
	}
	text_printf(to, "%.*s.fleet%c", (int)length, source, '\0');
	free(real);
	return to->p;
}

/* The next run would take results for recordings. */
static void
refuse_source(const char *out, const struct stat *source)
{
	struct stat st;

	if (stat(out, &st) == 0 && st.st_dev == source->st_dev &&
	    st.st_ino == source->st_ino)
		errx(TQ_USAGE,
		    "--output %s: has the recordings: give another "
		    "folder for the results",
		    out);
}

int
fleet_main(int argc, char *argv[])
{
	struct fleet_options o = {0};
	static struct text out; /* no error leaks it */
	const char *words[3] = {NULL};
	struct stat st;
	char **operands;
	int status;

	optind = 0; /* getopt begins again */
	operands = opts_parse(&opts, &o, argc, argv);
	if (o.step != NULL && run_inner_step(o.step, operands, &status))
		return status;
	if (o.step != NULL)
		run_step(o.step, operands);
	if (operands[0] == NULL || operands[1] != NULL)
		opts_usage(&opts);
	if (stat(operands[0], &st) < 0)
		err(TQ_FAIL, "%s", operands[0]);
	refuse_recording(operands[0]);
	words[0] = operands[0];
	words[1] = o.out != NULL ? o.out : folder_of_results(&out, operands[0]);
	refuse_source(words[1], &st);
	if (o.reports != NULL)
		check_reports(o.reports);
	pass_options(&o);
	run_step("run", (char **)(uintptr_t)words);
}
