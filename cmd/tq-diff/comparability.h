/*
 * comparability.h - may two sides be compared?  Each check has a name and one
 * consequence; there is no score.
 */
#ifndef COMPARABILITY_H
#define COMPARABILITY_H

#include "match/match.h"

enum check_state { CHECK_SAME, CHECK_DIFFERS, CHECK_UNKNOWN };

/* the results that are left out, from the least; 0: only a note */
enum check_limit {
	CHECK_NOTE,
	CHECK_NO_ROWS = 1,   /* no verdict on rows */
	CHECK_NO_WALL = 2,   /* no verdict on wall and pace */
	CHECK_NO_COUNTS = 4, /* nor on counts */
	CHECK_REFUSED = 8    /* no tables either */
};

struct check_result {
	const char *name; /* device, kinds ... */
	enum check_state state;
	unsigned limits;  /* of enum check_limit, where it differs */
	struct span a, b; /* values of the sides */
	struct span says; /* the consequence */
	bool in_full;     /* says contains a and b */
};

struct comparability {
	struct check_result *all;
	size_t count, cap;
	unsigned limits; /* of all */
	double clock;    /* B's by A's; 0: unknown, or about the same */
	struct region region;
};

struct comparability_settings {
	bool across_devices, across_programs;
	bool own_units; /* --per was given for each side */
};

/* The checks of the recordings of a match. */
void comparability_make(struct comparability *c, const struct match *m,
    const struct comparability_settings *s);

/* Add one; a, b and says are copied. */
void comparability_add(struct comparability *c, struct check_result r);

/* The text of the first check with this limit, or NULL. */
const struct check_result *comparability_find(
    const struct comparability *c, unsigned limit);

void comparability_free(struct comparability *c);

#endif
