/* feeds.c - exports that are operands of a tool which compares streams */

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tq/base/array.h"
#include "tq/base/shell.h"
#include "tq/io/printed_command.h"
#include "tq/io/status.h"

#include "feeds.h"
#include "pipeline.h"

struct feed_pipeline {
	struct pipeline stages;
	int fd;
	char *name; /* of fd, as a file */
};

/* The tool knows the pipe by its number only. */
static void
name_feed(int fd, const char *export)
{
	if (!printed_command_name_feed(fd, export))
		err(TQ_FAIL, "setenv");
}

/* as a shell names the output of the stages */
static char *
substitution(const struct pipeline *stages)
{
	struct text t = {0};

	text_add_str(&t, "<(");
	pipeline_add_words(&t, stages);
	text_add_char(&t, ')');
	text_add_char(&t, '\0');
	return t.p;
}

static void
start(struct feed_pipeline *p, const char *export, bool quiet)
{
	static const char *const correlate[] = {"tq-correlate", NULL};
	const char *const extract[] = {"tq-extract", "--", export, NULL};
	const char *const silent[] = {"tq-extract", "-q", "--", export, NULL};

	*p = (struct feed_pipeline){0};
	pipeline_add(&p->stages, quiet ? silent : extract);
	pipeline_add(&p->stages, correlate);
	if (pipeline_explains()) {
		p->name = substitution(&p->stages);
		return;
	}
	p->stages.to_tool = true;
	p->fd = pipeline_open(&p->stages);
	if (asprintf(&p->name, "/dev/fd/%d", p->fd) < 0)
		err(TQ_FAIL, "%s", export);
	name_feed(p->fd, export);
}

void
feeds_add(struct feeds *f, const char **operand)
{
	struct feed_pipeline *p = array_add(&f->all, &f->count, &f->cap);

	start(p, *operand, f->quiet);
	*operand = p->name;
}

/* true if each of the streams has something to read */
static bool
all_speak(const struct feeds *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (pipeline_is_silent(f->all[i].fd))
			return false;
	return true;
}

static void
free_feeds(struct feeds *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->all[i].name);
	free(f->all);
}

/* Print what feeds_run() would run. */
static void
print_all(const struct feeds *f, const char *const argv[])
{
	struct text line = {0};

	for (size_t i = 0; argv[i] != NULL; i++) {
		size_t feed = 0;

		text_add_str(&line, i > 0 ? " " : "");
		while (feed < f->count && f->all[feed].name != argv[i])
			feed++;
		if (feed < f->count)
			text_add_str(&line, argv[i]);
		else
			shell_add_word(&line, argv[i]);
	}
	pipeline_print(&line);
}

int
feeds_run(struct feeds *f, const char *const argv[])
{
	struct pipeline tool = {.from_tool = f->count > 0};
	int status = 0, worst = 0;

	if (pipeline_explains()) {
		print_all(f, argv);
		free_feeds(f);
		return TQ_OK;
	}
	pipeline_add(&tool, argv);
	for (size_t i = 0; i < f->count; i++)
		if (fcntl(f->all[i].fd, F_SETFD, 0) < 0)
			err(TQ_FAIL, "%s", f->all[i].name);
	if (all_speak(f))
		status = pipeline_run(&tool);
	for (size_t i = 0; i < f->count; i++) {
		int one;

		close(f->all[i].fd);
		one = pipeline_close(&f->all[i].stages);
		if (one != 0)
			worst = one;
	}
	free_feeds(f);
	return status != 0 ? status : worst;
}
