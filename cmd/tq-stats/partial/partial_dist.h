/*
 * partial_dist.h - a distribution as members of an object of JSON; partial.c
 * has the grammar.
 */
#ifndef PARTIAL_DIST_H
#define PARTIAL_DIST_H

#include "tq/base/text.h"

#include "sums/dist.h"

enum {
	DIST_COUNT,
	DIST_VALUES,
	DIST_MIN,
	DIST_MAX,
	DIST_SUM,
	DIST_SQUARES,
	DIST_BUCKETS,
	DIST_MEMBERS
};

extern const char *const partial_dist_names[DIST_MEMBERS];

/* Append all members but count, each behind a comma. */
void partial_dist_write(struct text *t, struct dist *d);

/*
 * Add what the members say, those that are absent without p; NULL, or what is
 * wrong with them as a constant text, when only a part may have been added.
 */
const char *partial_dist_read(
    const struct span m[DIST_MEMBERS], struct dist *d);

/* A natural number: digits and nothing else. */
bool partial_natural(struct span s, uint64_t *v);

#endif
