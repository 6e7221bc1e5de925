/*
 * trace.h - Chrome's trace events: how that what layout.h draws is spelt.
 */
#ifndef TRACE_H
#define TRACE_H

#include "args.h"
#include "tq/draw/colors.h"
#include "tq/draw/layout.h"
#include "tq/io/output.h"

struct trace {
	struct output *out;
	const struct layout *layout;
	struct colors *colors;

	struct text about;   /* the first section: ,"key":value ... */
	struct place *place; /* per strip */
	struct args args;
	bool begun;
	bool any;     /* events */
	bool colored; /* some names have a colour */
};

extern const struct sink trace_sink; /* for a struct trace */

void trace_free(struct trace *t);

#endif
