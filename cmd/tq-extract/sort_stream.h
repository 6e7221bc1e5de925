/*
 * sort_stream.h - a stream whose records are not in order of time, as live
 * capture writes it, becomes one that is.
 */
#ifndef SORT_STREAM_H
#define SORT_STREAM_H

#include "operand.h"
#include "time_window.h"
#include "tq/io/output.h"

/* the records that are wanted */
struct sort_stream_settings {
	uint64_t kinds; /* bits */
	struct time_window window;
	bool live; /* write what is older than the slack, at once */
};

/*
 * Write all of a stream in order; takes what is in *from.  Returns the status
 * that the program is to end with.
 */
int sort_stream_run(struct operand *from,
    const struct sort_stream_settings *ask, struct output *out);

#endif
