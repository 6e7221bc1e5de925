/*
 * filter_options.h - the command line of tq-filter.
 */
#ifndef FILTER_OPTIONS_H
#define FILTER_OPTIONS_H

#include "change/change.h"
#include "select/selection.h"
#include "select/where.h"

struct filter_options {
	struct selection select;
	struct where where;
	struct change change;
	const char *file;
	enum zio_format format;
	bool quiet, invert, closure;
	bool only;   /* records that match, without a frame */
	bool count;  /* print how many instead */
	int64_t top; /* or 0 */
	char **operands;

	/* the members above are made of these */
	const char *expression, *key;
	int by; /* 0: launch, 1: time, -1: not given */
	bool redact;
};

/* Parse the command line; exits if it makes no sense. */
void filter_options_parse(struct filter_options *o, int argc, char *argv[]);

#endif
