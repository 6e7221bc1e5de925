/* help.c - tq help: the manual of a command */

#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tq/base/text.h"
#include "tq/io/status.h"

#include "commands.h"
#include "help.h"
#include "pipeline.h"

void
help_list(FILE *to)
{
	for (const struct command *c = commands; c->name != NULL; c++)
		fprintf(to, "  %-10s %s\n", c->name, c->help);
}

void
help_start(FILE *to)
{
	fputs(
	    "Start with\n\n    tq stats FILE\n\n"
	    "or with a question\n\n"
	    "    tq info FILE                 what is in it, is it whole?\n"
	    "    tq advise FILE               what costs most, what to do?\n"
	    "    tq stats -r gaps_sum FILE    why are the devices idle?\n"
	    "    tq stats --digest 4k FILE    all of that, in so many bytes\n"
	    "    tq diff BEFORE AFTER         what has changed?\n"
	    "    tq view FILE                 what does it look like?\n"
	    "    tq stats --help-reports      what else can be asked?\n\n"
	    "FILE is what a profiler recorded (.nsys-rep, .sqlite, .db, "
	    ".json,\n"
	    ".pftrace ...), compressed or not, or what tq capture wrote.  The\n"
	    "commands are\n\n",
	    to);
	help_list(to);
	fputs(
	    "\n\"tq COMMAND --help\" shows the options of a command, and\n"
	    "\"tq help COMMAND\" its manual; \"tq help tq\" shows the tour.\n",
	    to);
}

/* where "make install" puts a page, and where the sources have it */
static bool
find_page(const char *page, int section, char *path, size_t size)
{
	const char *folder = commands_folder();

	if (*folder == '\0')
		return false;
	snprintf(path, size, "%s/../share/man/man%d/%s.%d", folder, section,
	    page, section);
	if (access(path, R_OK) == 0)
		return true;
	snprintf(path, size, "%s/../man/%s.%d", folder, page, section);
	return access(path, R_OK) == 0;
}

/* man(1) finds the page */
static bool
man_has(const char *page)
{
	const char *const where[] = {
	    "sh", "-c", "man -w \"$1\" 2> /dev/null", "sh", page, NULL};
	struct text path = {0};
	bool found = pipeline_read(where, &path, false) == 0;

	text_free(&path);
	return found;
}

static void
end_output(void)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TQ_FAIL, "<stdout>");
}

/* Does not return where there is man(1), whose status does not say whether it
   could write: only a terminal gets its output without a look. */
static void
run_man(const char *page)
{
	enum { NOT_FOUND = 127 };
	const char *const man[] = {"sh", "-c",
	    "command -v man > /dev/null || exit 127; exec man \"$1\"", "sh",
	    page, NULL};
	static struct text t; /* no error leaks it */
	int status;

	if (isatty(STDOUT_FILENO)) {
		execlp("man", "man", page, (char *)NULL);
		return;
	}
	status = pipeline_read(man, &t, false);
	if (status != NOT_FOUND) {
		fwrite(t.p, 1, t.len, stdout);
		end_output();
		text_free(&t);
		exit(status);
	}
	text_free(&t);
}

/* does not return where there are man(1) and the page */
static void
show_page(const char *page, int section)
{
	char path[8192];

	if (find_page(page, section, path, sizeof(path)))
		run_man(path);
	else if (man_has(page))
		run_man(page);
}

int
help_main(int argc, char *argv[])
{
	const char *name = argc > 1 ? argv[1] : "";
	char *tool;

	if (argc > 2)
		errx(TQ_USAGE, "usage: tq help [command]");
	if (argc == 1 || strcmp(name, "tq") == 0) {
		if (argc > 1)
			show_page("tq", 7);
		help_start(stdout);
		end_output();
		return TQ_OK;
	}
	if (strncmp(name, "tq-", 3) == 0)
		name += 3;
	if (strcmp(name, "events") == 0) {
		show_page("tq-events", 5);
		errx(TQ_FAIL, "no manual page tq-events(5) is installed");
	}
	if (commands_find(name) == NULL)
		commands_refuse(name);
	if (commands_find(name)->run != NULL) {
		show_page("tq", 1);
		errx(TQ_FAIL, "no manual page tq(1) is installed");
	}
	if (commands_find(name)->report != NULL)
		name = "stats";
	if (asprintf(&tool, "tq-%s", name) < 0)
		err(TQ_FAIL, "help");
	show_page(tool, 1);
	execlp(tool, tool, "--help", (char *)NULL);
	err(TQ_FAIL, "%s", tool);
}
