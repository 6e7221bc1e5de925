/*
 * stats_needs.h - the tools that have to run before tq-stats for its reports.
 */
#ifndef TQ_STATS_NEEDS_H
#define TQ_STATS_NEEDS_H

#include <stdbool.h>
#include <stddef.h>

/* words of the command line; NULL ends both lists */
struct stats_needs {
	const char **extract;   /* options of tq-extract */
	const char **correlate; /* a command, or NULL where none is needed */
	bool align;             /* clocks of several recordings have to agree */
	char *text;             /* has the words */
};

/*
 * Run tq-stats for the needs of its reports; argv is its command line.  Returns
 * its status.  The lists are NULL where it prints something else, as for
 * --help.  silent: it prints no error.
 */
int stats_needs_ask(
    struct stats_needs *n, const char *const argv[], bool silent);

void stats_needs_free(struct stats_needs *n);

#endif
