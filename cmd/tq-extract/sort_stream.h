/*
 * sort_stream.h - a stream whose records are not in order of time, as live
 * capture writes it, becomes one that is.
 */
#ifndef SORT_STREAM_H
#define SORT_STREAM_H

#include "operand.h"
#include "time_window.h"
#include "tq/io/output.h"

/* the records to write */
struct sort_stream_settings {
	uint64_t kinds; /* bits */
	struct time_window window;
	bool live; /* write records at once that are older than the slack */
};

/*
 * Write all of a stream in order; takes *from over.  Returns the exit status
 * of the program.
 */
int sort_stream_run(struct operand *from,
    const struct sort_stream_settings *settings, struct output *out);

#endif
