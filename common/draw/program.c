/* program.c - what a tool does that draws a stream */

#include <stdlib.h>

#include "tq/draw/program.h"

static struct program *reading; /* while an error means bad input */

static void
finish(struct program *d, bool cut)
{
	layout_end(&d->layout);
	d->sink->finish(d->arg, cut);
}

/* so that a reader of our output gets a trace, if less of it */
static void
close_trace(void)
{
	struct program *d = reading;

	reading = NULL;
	if (d == NULL || d->out.target != NULL)
		return;
	finish(d, true);
	output_finish(&d->out);
}

static void
flush(void *arg)
{
	struct program *d = arg;

	reading = NULL;
	d->sink->flush(d->arg);
	output_flush(&d->out);
	reading = d;
}

static bool
next(struct program *d)
{
	bool more;

	reading = d;
	more = reader_next(&d->in);
	reading = NULL;
	return more;
}

void
program_run(struct program *d, char **operands)
{
	reader_init(&d->in, operands, NULL, NULL);
	d->in.in.idle = flush;
	d->in.in.idle_arg = d;
	atexit(close_trace);
	while (next(d))
		layout_record(&d->layout, &d->in.event);
	finish(d, d->in.status != 0);
}
