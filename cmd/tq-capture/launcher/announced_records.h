/*
 * announced_records.h - from when on records of a process may still come
 *
 * Threads announce records before they read the clock for them: see struct
 * arena_writer.  Of a thread that announces one, only this is known: it read
 * the clock after the last look that did not see the announcement.
 */
#ifndef TQ_CAPTURE_ANNOUNCED_RECORDS_H
#define TQ_CAPTURE_ANNOUNCED_RECORDS_H

#include "arena/arena.h"
#include "lines/clock.h"

struct announced_turn {
	uint64_t turn; /* as the last look saw it */
	int64_t from;  /* ns; the record is later */
	bool gone;     /* the thread has ended in the midst of it */
};

/* of one process; {0} has seen nothing */
struct announced_records {
	struct announced_turn *turns; /* by writer */
	uint32_t count;
	int64_t looked; /* ns: the time of the last look */
	int64_t call;   /* ns: the start of the oldest call of MPI that has no
			   record of its end; INT64_MAX: there is none */
};

/*
 * Look at the time now (ns): every record from before the result (ns) is in the
 * arena, so that a look at its chunks after this one finds it, but for calls of
 * MPI that are not over.  pid: as the
 * launcher sees the process; start: ns, when its arena was made.
 */
int64_t announced_records_look(struct announced_records *r, struct arena *a,
    const struct clock *clock, int pid, int64_t start, int64_t now);

void announced_records_free(struct announced_records *r);

#endif
