/*
 * match.h - which operations of two sides are the same: one row for what is
 * compared, and each launch in exactly one row.
 *
 * Names are paired by levels, from fine to coarse: the full name (1), the same
 * cleaned (2), base name and family (3), place (4).  What is paired at one
 * level does not take part in the next.  Within a level all names of one key
 * are one set: there is no choice to make, and no order to depend on.
 */
#ifndef MATCH_H
#define MATCH_H

#include "names/name_rules.h"
#include "tq/account/account.h"

enum { SIDE_A, SIDE_B, SIDES };

/* what a row is; finer ones are summed */
enum match_by {
	MATCH_BY_BASE,
	MATCH_BY_NAME,
	MATCH_BY_FAMILY,
	MATCH_BY_CATEGORY
};

#define MATCH_BY_WORDS "base|name|family|category"

enum {
	MATCH_ONE_SIDE, /* new or gone */
	MATCH_FULL,
	MATCH_CLEAN,
	MATCH_BASE,
	MATCH_FAMILY,
	MATCH_PLACE
};

/* a name of operations of one kind, of all recordings and devices of a side */
struct match_name {
	enum kind kind;
	enum device_class group;
	struct span full;
	struct account_sum on[SIDES];
	uint32_t row;
	unsigned char level;
};

struct match_row {
	struct span name;
	enum kind kind;          /* of its first name */
	enum device_class group; /* the same */
	unsigned char level;     /* the coarsest of its names */
	struct account_sum on[SIDES];
	struct durations times[SIDES];
	size_t names[SIDES];  /* how many it has */
	double *means[SIDES]; /* ns of a launch, by recording; 0: none */
};

/* the launches of a name with one grid, on both sides */
struct match_shape {
	uint32_t row;
	int64_t n[SIDES], dur[SIDES];
};

struct match {
	const struct accounts *sides[SIDES];
	struct match_name *names; /* in order of kind and full name */
	size_t name_count, name_cap;
	struct match_row *rows; /* in order of kind and name */
	size_t row_count, row_cap;
	struct match_shape *shapes; /* that both sides have */
	size_t shape_count, shape_cap;
	uint32_t **index[SIDES];  /* of a recording: name of each row */
	int64_t unaligned[SIDES]; /* units whose launches have no known order */
	struct region region;
};

/* Match the recordings of two sides, which stay. */
void match_make(struct match *m, const struct accounts *a,
    const struct accounts *b, struct name_rules *rules, enum match_by by);

/* 1 full name, 2 cleaned, 3 base name or family, 4 place; 0: on one side only
 */
unsigned match_level(const struct match_row *row);

/* The share of the time of both sides in names of levels 1 to 3. */
double match_share(const struct match *m);

void match_free(struct match *m);

#endif
