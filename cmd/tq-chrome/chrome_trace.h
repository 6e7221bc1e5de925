/*
 * chrome_trace.h - a trace as Chrome's trace events.
 */
#ifndef CHROME_TRACE_H
#define CHROME_TRACE_H

#include "chrome_args.h"
#include "tq/draw/colors.h"
#include "tq/draw/layout.h"
#include "tq/io/output.h"

struct chrome_trace {
	struct output *out;
	const struct layout *layout;
	struct colors *colors;
	const char *made_of; /* see made_of.h; NULL: no mark */

	struct text about;             /* the first section: ,"key":value ... */
	struct track_prefix *prefixes; /* per track */
	size_t prefix_count, prefix_cap;
	struct chrome_args args;
	bool begun;
	bool any;     /* event is written */
	bool colored; /* some names have a colour */
};

extern const struct sink chrome_trace_sink; /* for a struct chrome_trace */

void chrome_trace_free(struct chrome_trace *t);

#endif
