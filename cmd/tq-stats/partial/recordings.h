/*
 * recordings.h - the recordings of ranks that a partial is made of, so that
 * none is merged twice.
 */
#ifndef RECORDINGS_H
#define RECORDINGS_H

#include "tq/account/wall.h"
#include "tq/base/map.h"

struct recording {
	int64_t rank, from, to; /* of its wall, ns */
	int64_t records;
	const char *in; /* the partial that has it, borrowed */
};

/* {0} has none */
struct recordings {
	struct recording *all;
	size_t count, cap;
	struct map latest; /* of (rank, from) -> index + 1 */

	/* of the section at hand */
	bool ranked; /* its trace record has a rank */
	int64_t rank, records;
	int64_t *process_ranks; /* of definitions */
	size_t process_count, process_cap;
};

/* A record of a stream; its end, or that of a section with this wall.  Sections
   without a rank are not recorded. */
void recordings_record(struct recordings *rs, const struct event *ev);
void recordings_section_end(struct recordings *rs, const struct wall *w);

/* Add one; the one that is the same already, else NULL. */
const struct recording *recordings_add(
    struct recordings *rs, const struct recording *r);

/* Append [[RANK,FROM,TO,RECORDS],...]. */
void recordings_write(struct text *t, const struct recordings *rs);

void recordings_free(struct recordings *rs);

#endif
