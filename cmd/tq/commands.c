/* commands.c - the commands of tq */

#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tq/base/suggestion.h"
#include "tq/io/status.h"

#include "commands.h"
#include "fleet.h"
#include "help.h"
#include "view.h"

/* clang-format off */
const struct command commands[] = {
	{"extract", "turn a recording into a stream of events", NULL, FEED_ALL},
	{"correlate", "add to each GPU operation its API call and range", NULL, FEED_STREAM},
	{"filter", "keep the records that an expression, a time, a range names", NULL, FEED_STREAM, .expression = true},
	{"info", "print what is in a recording, and whether it is whole", NULL, FEED_REPORTS, .report = "info"},
	{"stats", "print a page of summaries, or reports by name", NULL, FEED_REPORTS},
	{"advise", "print what costs most, and what to do about it", NULL, FEED_LAUNCHES},
	{"diff", "compare recordings of before and after a change", NULL, FEED_EACH},
	{"align", "bring the recordings of many ranks onto one clock", NULL, FEED_EACH},
	{"chrome", "make a trace for Perfetto and chrome://tracing", NULL, FEED_LAUNCHES},
	{"perfetto", "make a trace in Perfetto's own format", NULL, FEED_LAUNCHES},
	{"table", "write tables for DuckDB, pandas, Spark: Parquet", NULL, FEED_LAUNCHES},
	{"capture", "run a command, and record its CUDA and NVTX events", NULL, FEED_ALL},
	{"view", "make a trace of a recording, and say how to open it", view_main, FEED_ALL},
	{"fleet", "sum up the recordings of many ranks, and find who holds them up", fleet_main, FEED_ALL},
	{"help", "show the manual of a command", help_main, FEED_ALL},
	{0}
};
/* clang-format on */

static char folder[PATH_MAX];

const struct command *
commands_find(const char *name)
{
	for (const struct command *c = commands; c->name != NULL; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/* words of other suites, and the commands that do the same */
static const char *const words[][2] = {
    {"analyze", "advise"},
    {"compare", "diff"},
    {"convert", "extract or view"},
    {"export", "extract or view"},
    {"merge", "align"},
    {"open", "view"},
    {"profile", "capture"},
    {"record", "capture"},
    {"report", "stats"},
    {"summary", "stats"},
};

_Noreturn void
commands_refuse(const char *name)
{
	struct suggestion near = {.word = span_of(name)};
	struct text all = {0};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i][0], name) == 0)
			errx(TQ_USAGE,
			    "no command is named '%s': did you mean %s?", name,
			    words[i][1]);
	for (const struct command *c = commands; c->name != NULL; c++) {
		suggestion_consider(&near, c->name);
		text_printf(&all, "%s%s", c == commands ? "" : ", ", c->name);
	}
	if (near.best[0].text != NULL)
		errx(TQ_USAGE, "no command is named '%s'%s", name,
		    suggestion_text(&near));
	errx(TQ_USAGE, "no command is named '%s' (%.*s)", name, (int)all.len,
	    all.p);
}

void
commands_locate(const char *argv0)
{
	ssize_t n = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
	const char *path = getenv("PATH");
	char *all;

	if (n < 0 && strchr(argv0, '/') != NULL)
		n = snprintf(folder, sizeof(folder), "%s", argv0);
	if (n <= 0 || (size_t)n >= sizeof(folder))
		return;
	*strrchr(folder, '/') = '\0';
	if (asprintf(&all, "%s%s%s", folder, path != NULL ? ":" : "",
		path != NULL ? path : "") < 0 ||
	    setenv("PATH", all, 1) < 0)
		err(TQ_FAIL, "PATH");
	free(all);
}

const char *
commands_folder(void)
{
	return folder;
}
