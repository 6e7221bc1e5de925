/*
 * open.h - the ranges that are open on each thread.
 *
 * A range points to the youngest one that was open when it started, and so on:
 * all that are around a moment are on the way down from the youngest that is
 * open then.  Those that are over stay as long as a call that started in them
 * may still need the way.
 */
#ifndef OPEN_H
#define OPEN_H

#include "tq/base/map.h"
#include "tq/base/text.h"

#include "tq/base/time.h"

struct open_range {
	int64_t ts, end;
	uint64_t record;
	struct open_range *below;
	unsigned users;     /* calls, ranges above, the thread */
	bool nests;         /* can be a parent: it has one thread, and an end */
	unsigned char done; /* marks told of it and all that is below */
	int64_t depth;
	uint64_t domain; /* a hash of its name */
};

enum open_mark { OPEN_KEEP, OPEN_CUT };

/* {0} has none */
struct open {
	struct map threads; /* (pid, tid) -> youngest */
	struct open_range *free;
};

/*
 * The youngest range of (pid, tid) that is open at ts or ended there, or
 * NULL; good until open_add, or longer with open_use.
 */
struct open_range *open_top(
    struct open *o, int64_t pid, int64_t tid, int64_t ts);

/* Put a range on top; its depth is set by what it is in. */
struct open_range *open_add(
    struct open *o, int64_t pid, int64_t tid, const struct open_range *added);

/* Keep r until open_leave; both may be given NULL. */
struct open_range *open_use(struct open_range *r);
void open_leave(struct open *o, struct open_range *r);

/*
 * Tell of the records of all ranges from top on that were open when [ts, end]
 * started, each once for each mark, or now and then again.
 */
void open_around(struct open_range *top, int64_t ts, int64_t end,
    enum open_mark mark, void (*tell)(void *, uint64_t), void *arg);

/* Forget them all; none is in use any more. */
void open_clear(struct open *o);

void open_free(struct open *o);

#endif
