/* feeds.c - exports that are operands of a tool which compares streams */

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tq/base/array.h"
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

static void
start(struct feed_pipeline *p, const char *export)
{
	static const char *const correlate[] = {"tq-correlate", NULL};
	const char *const extract[] = {"tq-extract", "--", export, NULL};

	*p = (struct feed_pipeline){0};
	pipeline_add(&p->stages, extract);
	pipeline_add(&p->stages, correlate);
	p->fd = pipeline_open(&p->stages);
	if (asprintf(&p->name, "/dev/fd/%d", p->fd) < 0)
		err(TQ_FAIL, "%s", export);
	name_feed(p->fd, export);
}

void
feeds_add(struct feeds *f, const char **operand)
{
	struct feed_pipeline *p = array_add(&f->all, &f->count, &f->cap);

	start(p, *operand);
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

int
feeds_run(struct feeds *f, const char *const argv[])
{
	struct pipeline tool = {0};
	int status = 0, worst = 0;

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
		free(f->all[i].name);
	}
	free(f->all);
	return status != 0 ? status : worst;
}
