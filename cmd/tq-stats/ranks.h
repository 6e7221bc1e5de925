/*
 * ranks.h - the reports, with --by-rank for each rank.
 *
 * The definition of a process has its rank, else its section has.  In a section
 * without any rank it is the number of the section, from 0.
 */
#ifndef RANKS_H
#define RANKS_H

#include "tq/base/map.h"

#include "report.h"

struct rank {
	int64_t rank; /* NO_ID: of processes without one */
	struct reports reports;
	uint64_t section; /* the last one with a record of it, + 1 */
};

struct ranks {
	bool apart; /* --by-rank */
	bool whole; /* tables have all rows, for order.h to limit */
	struct reports like;
	struct rank **all; /* a single one if they are not apart */
	size_t count;

	uint64_t section;   /* its number, from 0 */
	int64_t wall;       /* ns of the sections that are over */
	bool ranked;        /* a process of the section has a rank */
	int64_t of_section; /* the rank of the section, or NO_ID */
	struct map by_pid;  /* of the section -> index + 1 */
	struct map pids;    /* of its definitions -> rank + 1 */
	bool is_begun;      /* by its trace record */
	struct text begun;  /* that record, and definitions: lines */
	struct event again; /* one of them */
	const struct keyset *want;
	size_t *readers; /* numbers of reports, those of a kind together: */
	size_t first_reader[KIND_COUNT + 2]; /* by kind, the first of readers */
	bool dropped;                        /* the filters drop the record */
};

/*
 * Begin with these reports, which are open; ranks_free frees them.  want as for
 * event_parse.
 */
void ranks_init(
    struct ranks *rs, struct reports like, const struct keyset *want);

/* Tables of these ranks without a record, for their columns; the same. */
struct ranks ranks_without_records(const struct ranks *rs);

/*
 * A record, for the reports of its rank; if the filters dropped it, for reports
 * that read such records.
 */
void ranks_event(struct ranks *rs, const struct event *ev);

/* The section is over. */
void ranks_section_end(struct ranks *rs);

/*
 * The table of the report with that index.  Of ranks apart it is *all, empty
 * before, with the rank as first column.  Call it in order: a report may read
 * the tables of reports before it.
 */
struct table *ranks_table(struct ranks *rs, size_t report, struct table *all);

/* True if the report with that index is approximate, of any rank. */
bool ranks_approximated(const struct ranks *rs, size_t report);

/* The report with that index is written. */
void ranks_done(struct ranks *rs, size_t report);

void ranks_free(struct ranks *rs);

#endif
