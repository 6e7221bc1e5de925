/*
 * stream.h - a stream whose records are not in order of time, as live
 * capture writes it, becomes one that is.
 */
#ifndef STREAM_H
#define STREAM_H

#include "operand.h"
#include "table.h"
#include "tq/io/output.h"

/* what is asked for */
struct stream_ask {
	uint64_t kinds; /* bits */
	struct window window;
	bool live; /* write what is older than the slack, at once */
};

/*
 * Write all of a stream in order; takes what is in *from.  Returns the status
 * that the program is to end with.
 */
int stream_extract(
    struct operand *from, const struct stream_ask *ask, struct output *out);

#endif
