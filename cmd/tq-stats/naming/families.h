/*
 * families.h - groups of names that differ in their numbers: a family is all
 * names that fold_name_numbers() makes equal.
 *
 * A family becomes one group if its names are no identities: if it has at
 * least half as many names as values, or more than 8 and an eighth as many, or
 * more than FAMILIES_NAMES.  So a family never has more than that many groups.
 *
 * All are in one struct groups, with one number more than the report, the last.
 * The key of a group has one part more than the report: it is empty, and "*" in
 * the group that stands for the family.  The last number of the latter is not 0
 * once it has all values.
 */
#ifndef FAMILIES_H
#define FAMILIES_H

#include "sums/groups.h"

enum { FAMILIES_NAMES = 64 };

/* {0} has none */
struct families {
	unsigned parts;    /* of a key that are names: a bit each; 0: nothing
			    * is folded */
	unsigned moved;    /* numbers of a name that are a part of its
			    * family's: a bit each */
	unsigned counted;  /* number + 1 that has how many values there are; 0:
			    * groups have the values */
	struct group *all; /* stands for the family of the last group */
	struct family_member *members; /* by number of a group */
	size_t count, cap;
	struct text key;
};

/*
 * The group of a key, to which the last part is added: of the name, or of its
 * family if that is one group.  f->all is never NULL then.
 */
struct group *families_get(
    struct families *f, struct groups *gs, struct text *key);

/* True if the group, which stands for a family, has all values of its names. */
bool families_is_one(const struct groups *gs, const struct group *all);

/* An interval of that group; f->all is busy, too. */
void families_interval(
    struct families *f, struct group *g, int64_t ts, int64_t dur);

/* All values are there: leave one group of each row. */
void families_settle(struct families *f, struct groups *gs);

void families_free(struct families *f);

#endif
