/*
 * late_ends.h - the ends of the slices of a track that are still to be written:
 * as late as possible, since arrows that begin or end in a slice come behind
 * its beginning.
 */
#ifndef LATE_ENDS_H
#define LATE_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct late_end {
	int64_t start, end; /* of the slice */
	uint64_t *arrows;
	size_t count, cap;
};

/* {0} is empty; slices lie in the ones before them */
struct late_ends {
	struct late_end *all;
	size_t count, cap;
	int64_t latest; /* start of a slice */
};

void late_ends_add(struct late_ends *l, int64_t start, int64_t end);

/* An arrow begins or ends in a slice; false if its end is gone. */
bool late_ends_arrow(
    struct late_ends *l, int64_t start, int64_t end, uint64_t arrow);

/*
 * Take the innermost end, if it is not after ts; NULL if there is none.  It is
 * good until the next late_ends_add.
 */
const struct late_end *late_ends_take(struct late_ends *l, int64_t ts);

void late_ends_free(struct late_ends *l);

#endif
