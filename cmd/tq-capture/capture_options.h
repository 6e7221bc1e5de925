/*
 * capture_options.h - the command line of tq-capture.
 */
#ifndef CAPTURE_OPTIONS_H
#define CAPTURE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/io/zio.h"

#include "lines/clock.h"
#include "lines/focus.h"

enum on_full { FULL_DROP, FULL_BLOCK, FULL_SPILL };

struct capture_options {
	char **command;      /* and its arguments, NULL at the end */
	const char *order;   /* start, stop or status, to a session; NULL */
	const char *session; /* NULL: it has no name */
	const char *file;    /* -o, or its template; NULL: stdout */
	enum zio_format format;
	uint32_t on; /* ARENA_* bits: what is recorded */
	bool cuda_events, cuda_memory, graph_nodes; /* also, with CUDA */
	struct focus focus;
	bool require_range;
	enum clock_choice clock;
	enum on_full full;
	int64_t buffer;      /* bytes of each arena for records */
	double max_overhead; /* percent; 0: no limit */
	const char *ranks;   /* only these; NULL: all */
	const char *key;     /* --hotkey, one character, or NULL */
	bool end_given;      /* true if --capture-range-end was given */
	bool trace_given;
	bool keep_nested; /* calls of the driver within the runtime's */
	bool split, live, wait_for_primary, quiet, verbose;
};

/* Parse the command line; exits if it makes no sense. */
void capture_options_parse(struct capture_options *o, int argc, char *argv[]);

#endif
