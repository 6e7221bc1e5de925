/*
 * pipeline.h - commands joined by pipes, as a shell joins them.
 */
#ifndef TQ_PIPELINE_H
#define TQ_PIPELINE_H

#include <stdbool.h>
#include <sys/types.h>

#include "tq/base/text.h"

enum { PIPELINE_MOST = 4 };

/* each stage is an argv that ends with NULL; {0} has none */
struct pipeline {
	const char *const *stages[PIPELINE_MOST];
	pid_t pids[PIPELINE_MOST]; /* of running ones */
	size_t count;
	bool silent; /* their messages are not shown */
	/* parcels may come to the first one; the last one may write some */
	bool from_tool, to_tool;
};

void pipeline_add(struct pipeline *p, const char *const argv[]);

/*
 * From now on pipeline_run and pipeline_become print what they would run, as a
 * shell is given it.
 */
void pipeline_explain(void);
bool pipeline_explains(void);

/* Append the stages, as a shell is given them. */
void pipeline_add_words(struct text *t, const struct pipeline *p);

/* Print a line, which says what would run. */
void pipeline_print(struct text *line);

/* execvp(3); does not return. */
_Noreturn void pipeline_become(const char *const argv[]);

/*
 * Wait until a pipe can be read: true if it has ended, and nothing came out of
 * it, false if there is something to read.
 */
bool pipeline_is_silent(int fd);

/*
 * Run the stages, and wait for all; the first one reads the standard input, the
 * last one writes the standard output.  Behind a stage that ends without output
 * none runs: its message stands alone.  Returns the status of the last stage
 * that failed, 128 + n for signal n, as "set -o pipefail" does; that a reader
 * left is not the failure of its writer.
 */
int pipeline_run(struct pipeline *p);

/*
 * Start the stages as pipeline_run does, but return where the output of the
 * last one is read, to be closed on exec.
 */
int pipeline_open(struct pipeline *p);

/*
 * Wait for them; returns the status as pipeline_run does, but that the reader
 * of the last one left is no failure.
 */
int pipeline_close(struct pipeline *p);

/* Run a command, and append its output; returns its status, likewise.  silent:
   its messages are not shown. */
int pipeline_read(const char *const argv[], struct text *to, bool silent);

#endif
