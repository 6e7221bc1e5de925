/*
 * printed_command.h - commands that a tool prints, for people to run on the
 * input that the tool has read.
 */
#ifndef TQ_IO_PRINTED_COMMAND_H
#define TQ_IO_PRINTED_COMMAND_H

#include <stdbool.h>

#include "tq/base/text.h"

/*
 * tq(1) has to name the recordings that a pipe is of to the tool that reads it,
 * by a variable whose name ends with the number of the pipe, its inode: a value
 * that somebody else has set, or that another program inherits, names no input
 * of a tool.  The recordings that tq-extract reads, as words of a shell, of
 * standard input; and the name of a recording, of an operand /dev/fd/N.
 */
#define PRINTED_COMMAND_VARIABLE "TQ_RECORDINGS_"
#define PRINTED_COMMAND_STREAMS "TQ_STREAMS_" /* likewise, but of streams */
#define PRINTED_COMMAND_FEED "TQ_FEED_"

/*
 * Set these variables of the pipe fd, for programs that this one starts.  False
 * with errno.  streams: tq-extract does not read them.
 */
bool printed_command_name_pipe(int fd, const char *recordings, bool streams);
bool printed_command_name_feed(int fd, const char *recording);

/*
 * The name of what an operand is: of a pipe of tq(1) the recording that it is
 * of, else the operand.  It lives as long as the environment and the operand.
 */
const char *printed_command_name(const char *operand);

/*
 * Give take the names of all that the operands are, in their order.  Standard
 * input, an operand "-" or no operand, is the recordings that tq(1) says, and
 * nothing without tq(1).  Operands end with NULL; a name is good for the call.
 */
void printed_command_each(char *const *operands,
    void (*take)(void *arg, struct span name), void *arg);

/*
 * Append the base name of the first of them, and " and 2 more" if there are
 * others; nothing where no name is known.
 */
void printed_command_title(struct text *t, char *const *operands);

/* the input of a tool; {0}: a pipe from somewhere */
struct printed_command_input {
	struct text files;  /* words of a shell; empty: no file has a name */
	bool of_tq;         /* tq(1) has made a stream of them */
	bool recordings;    /* and tq-extract has to read them */
	const char *window; /* a valid window of time; NULL: all of it */
	/* of --step, or NULL: of tables of steps, and of rules */
	const char *step, *rules_step;
};

/*
 * Fill *in, of operands that NULL ends.  Without operands, and where one is
 * "-" or /dev/fd/N, the input is what tq(1) says it is, and is unknown without
 * tq(1).
 */
void printed_command_input(
    struct printed_command_input *in, char *const *operands);

/*
 * Append a command whose word FILE, outside of quotes, becomes the files; it
 * stays where they are unknown.  Of those of tq(1), "tq-stats" becomes "tq
 * stats"; of recordings, a command that reads streams only gets them from
 * tq-extract.  A command that looks at time looks at that of the input, and one
 * that looks at steps at these.
 *	tq-stats -r gaps FILE
 *	tq-filter 'dur > 9' FILE | tq-stats -g name
 * become
 *	tq stats -r gaps r.sqlite
 *	tq extract r.sqlite | tq correlate | tq filter 'dur > 9' | tq stats -g
 *name
 */
void printed_command_add(struct text *t, const struct printed_command_input *in,
    struct span command);

void printed_command_input_free(struct printed_command_input *in);

#endif
