/*
 * work_lines.h - the work of ranks as lines of a partial, so that ranks of
 * several parts are matched as those of one stream.
 *
 *	job        = {...,"sections":N,"unnamed":true,"comms":[TEXT,...]}
 *	rank       = {...,"rank":[SECTION,PID,DEVICE,NUMBER,CLOCK,SPREAD,FROM,
 *	             TO,FIRST,UNTIL],"host":TEXT,"mesh":["dp 7",...],
 *	             "parts":[NS,...],"in_steps":[NS,...],
 *	             "sequences":[COMM,MEMBERS,ME,COUNT,NEXT,NUMBERED,...],
 *	             "ranges":N,"steps":[NUMBER,TS,LENGTH,...]}
 *	operations = {...,"operations":[RANK,COMM,N],COLUMN,...}
 *	COLUMN     = "start":[INTEGER,...] | ...
 *
 * A job comes first, then its ranks, in order, then operations of each rank in
 * a communicator.  SECTION, RANK and COMM count from 0; what is not known is
 * the least integer of 64 bits.  CLOCK is SECTION, or -1 for the clock that
 * several sections have in common.  The steps of a process are at the first of
 * its ranks; mesh may be absent.  All columns have a value for each of N
 * operations, or one for all of them; work_lines.c says what they are.
 */
#ifndef STATS_WORK_LINES_H
#define STATS_WORK_LINES_H

#include "tq/io/output.h"

#include "rank_work.h"

/* the part that is read: where its sections, ranks and communicators are in the
   job; {0} at first */
struct work_part {
	int64_t section, sections;
	size_t rank;
	uint32_t *comms;
	size_t comm_count, comm_cap;
};

/* All records were read: write what is known of ranks, and hand out their
   operations. */
void work_lines_write(
    struct rank_work *w, struct output *o, const char *report);

/* Add a line to the work.  Returns what is wrong with it, or NULL. */
const char *work_lines_read(
    struct rank_work *w, struct work_part *part, struct span line);

void work_lines_free(struct work_part *part);

#endif
