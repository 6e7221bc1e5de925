/*
 * feeds.h - exports that are operands of a tool which compares streams: each
 * goes through tq-extract and tq-correlate on its own.
 */
#ifndef TQ_FEEDS_H
#define TQ_FEEDS_H

#include "tq/base/text.h"

/* {0} has none */
struct feeds {
	bool quiet; /* tq-extract gets -q */
	struct feed_pipeline *all;
	size_t count, cap;
};

/*
 * Start the pipelines of an export; *operand, its name, becomes the name of the
 * stream, which the next program that this one runs can open.
 */
void feeds_add(struct feeds *f, const char **operand);

/*
 * Run the tool that reads them, and wait for all; returns the status of the
 * tool, or where that is 0 of the last pipeline that failed.  Where one failed
 * without any output, the tool does not run.
 */
int feeds_run(struct feeds *f, const char *const argv[]);

#endif
