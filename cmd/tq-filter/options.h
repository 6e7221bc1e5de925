/*
 * options.h - what the command line asks for.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "change/change.h"
#include "select/selection.h"
#include "select/where.h"

struct options {
	struct selection select;
	struct where where;
	struct change change;
	const char *output;
	bool zstd, quiet, invert, closure;
	size_t top; /* or 0 */
	char **operands;
};

/*
 * What makes no sense is printed, and ends the program with status 2, as do
 * --help and --version with 0.
 */
void options_parse(struct options *o, int argc, char *argv[]);

#endif
