/* folded_source.h - folded stacks: a line for each, "root;inner;leaf COUNT" */
#ifndef FOLDED_SOURCE_H
#define FOLDED_SOURCE_H

#include "source.h"

extern const struct source folded_source;

#endif
