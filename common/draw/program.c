/* program.c - a tool that draws a stream */

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "tq/draw/program.h"
#include "tq/io/status.h"

static struct program *reading; /* while an error means bad input */

static void
finish_trace(struct program *p, bool cut)
{
	layout_end(p->layout);
	p->sink->finish(p->arg, cut);
}

/* at exit: who reads our output gets a whole trace of what came so far */
static void
close_trace(void)
{
	struct program *p = reading;

	reading = NULL;
	if (p == NULL || p->out.target != NULL || output_is_file(p->in.in.fd))
		return;
	finish_trace(p, true);
	output_finish(&p->out, false);
}

static int
flush_trace(void *arg)
{
	struct program *p = arg;

	reading = NULL;
	p->sink->flush(p->arg);
	output_flush(&p->out);
	reading = p;
	return -1;
}

static bool
next_record(struct program *p)
{
	bool more;

	reading = p;
	more = reader_next(&p->in);
	reading = NULL;
	return more;
}

void
program_suffix(const char *file, const char *suffix, const char *tool)
{
	size_t n = strlen(suffix), len;

	if (file == NULL)
		return;
	len = strlen(file);
	if (len > n && strcmp(file + len - n, suffix) == 0)
		errx(TQ_USAGE, "%s: %s writes such a file", file, tool);
}

/* a first reading, of all records */
static void
survey_ranks(struct program *p)
{
	static struct keyset want[KIND_COUNT + 1];

	rank_waits_keys(want);
	input_keep(&p->in.in);
	p->in.want = want;
	while (reader_next(&p->in))
		rank_waits_event(&p->ranks, &p->in.event);
	rank_waits_finish(&p->ranks);
	reader_rewind(&p->in);
	p->in.want = NULL;
	layout_ranks(p->layout, &p->ranks);
}

void
program_run(struct program *p, char **operands)
{
	reader_init(&p->in, operands, NULL, NULL);
	if (p->with_ranks)
		survey_ranks(p);
	p->in.in.idle = flush_trace;
	p->in.in.idle_arg = p;
	atexit(close_trace);
	while (next_record(p))
		layout_record(p->layout, &p->in.event);
	finish_trace(p, p->in.status != 0);
}

int
program_finish(struct program *p)
{
	output_finish(&p->out, p->in.status == 0);
	layout_warn(p->layout);
	layout_summarize(p->layout);
	reader_free(&p->in);
	layout_free(p->layout);
	rank_waits_free(&p->ranks);
	return p->in.status;
}
