/*
 * outputs.h - the streams of a capture: one, or one for each name that the
 * template of -o gives
 */
#ifndef TQ_CAPTURE_OUTPUTS_H
#define TQ_CAPTURE_OUTPUTS_H

#include "capture_options.h"
#include "target.h"
#include "lines/out_stream.h"

struct outputs {
	const struct capture_options *options;
	const struct clock *clock;
	struct focus *focus;
	struct out_stream **all;
	size_t count;
};

/*
 * The file that the template means for a process, NULL: stdout.  free(3) it.
 *
 *	%p         its process id
 *	%h         the name of the host
 *	%q{NAME}   its variable NAME, nothing where it is not set
 *	%{rank}    its rank, nothing where it has none
 *	%%         a percent sign
 *
 * A percent sign before anything else is one, too.
 * p is NULL for the capture as a whole: the launcher's own values.
 */
char *outputs_name(const char *pattern, const struct target *p);

/* The names of the variables in a template, with commas between. */
void outputs_variables(struct text *names, const char *pattern);

/* Open the only stream, where there is no split; false after a message. */
bool outputs_open(struct outputs *o);

/* The stream for this process, NULL after a message. */
struct out_stream *outputs_for(struct outputs *o, const struct target *p);

/* Bytes that wait for a slow reader, at the slowest. */
size_t outputs_behind(const struct outputs *o);

/* An output failed: its errno, else 0. */
int outputs_error(const struct outputs *o);

/* See stream.h; of all streams. */
void outputs_release(struct outputs *o, int64_t until);
void outputs_flush(struct outputs *o);
bool outputs_close(struct outputs *o);

/* There is nothing to write: leave no file behind. */
void outputs_abandon(struct outputs *o);

void outputs_free(struct outputs *o);

#endif
