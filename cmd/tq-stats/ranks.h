/*
 * ranks.h - the reports, and with --by-rank those of each rank.
 *
 * The rank of a process is what its definition says, else what its section
 * says; where a section knows of none, its number, from 0.
 */
#ifndef RANKS_H
#define RANKS_H

#include "tq/base/map.h"

#include "report.h"

struct rank {
	int64_t rank; /* NO_ID: of processes without one */
	struct reports reports;
	uint64_t section; /* that it was seen in last, + 1 */
};

struct ranks {
	bool apart; /* --by-rank */
	struct reports like;
	struct rank **all; /* one of them if they are not apart */
	size_t count;

	uint64_t section;   /* how many came before */
	bool known;         /* a process of it has a rank */
	int64_t of_section; /* NO_ID: it does not say */
	struct map by_pid;  /* of the section -> index + 1 */
	struct map pids;    /* of its definitions -> rank + 1 */
	struct text trace;  /* how it began */
	struct event began;
	const struct keyset *want;
};

/*
 * Reports like these, which are opened and become its own; want as for
 * event_parse.
 */
void ranks_init(
    struct ranks *rs, struct reports like, const struct keyset *want);

/* A record: give it to the reports that it is for. */
void ranks_event(struct ranks *rs, const struct event *ev);

/* The records of a section were all given. */
void ranks_section_end(struct ranks *rs);

/*
 * The table of the report with that index; of ranks apart it is *all, which is
 * empty before, and the rank its first column.  To be asked for in order, since
 * a report may look at the tables of those before it.
 */
struct table *ranks_table(struct ranks *rs, size_t report, struct table *all);

/* Does report_approximation hold for a rank's? */
bool ranks_approximated(const struct ranks *rs, size_t report);

/* The report with that index is written, and needed no more. */
void ranks_done(struct ranks *rs, size_t report);

void ranks_free(struct ranks *rs);

#endif
