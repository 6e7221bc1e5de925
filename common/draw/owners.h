/*
 * owners.h - processes that own GPUs: their order, and what keeps it where
 * viewers sort titles.
 */
#ifndef OWNERS_H
#define OWNERS_H

#include "tq/base/text.h"

struct owner {
	int64_t process;
	int64_t order;     /* of the process; or < 0: not yet known */
	struct text title; /* known with the order */
};

/* {0} is empty; at most OWNERS_MAX are kept */
struct owners {
	struct owner *all;
	size_t count, cap;
};

enum { OWNERS_MAX = 256 };

/* Add a process, unless it is there. */
void owners_add(struct owners *o, int64_t process);

/*
 * So many spaces in front of its title put a process before the processes that
 * follow in order; most often none.  All orders are known.
 */
size_t owners_spaces(struct owners *o, int64_t process);

/* Forget all: a new section.  Also frees. */
void owners_reset(struct owners *o);

#endif
