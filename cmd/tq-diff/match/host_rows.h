/*
 * host_rows.h - calls of the host by name, and ranges by path, of both sides.
 *
 * Numbers in the names of ranges do not count: "step 3" is "step *", as
 * accounts have it.  A kind that one side did not record has no rows.
 */
#ifndef HOST_ROWS_H
#define HOST_ROWS_H

#include "match.h"

/* of all recordings of a side, in their units: ns */
struct host_sum {
	int64_t n, dur;        /* on the host */
	int64_t exposed, idle; /* of a range: on devices; see account_path */
};

struct host_row {
	enum kind kind;  /* api, osrt, range */
	uint32_t number; /* of names, or of paths */
	struct host_sum on[SIDES];
};

/* in order of kind and name; {0} is empty */
struct host_rows {
	struct host_row *all;
	size_t count;
	struct intern names; /* kinds and names of calls */
	struct range_paths paths;
};

void host_rows_make(struct host_rows *h, const struct accounts *const *sides);

/* Add the name of a call, or the path of a range as JSON; of {0}, nothing. */
void host_rows_add_name(
    struct text *t, const struct host_rows *h, const struct host_row *row);

void host_rows_free(struct host_rows *h);

#endif
