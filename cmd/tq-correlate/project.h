/*
 * project.h - the ranges of a section, the ranges that enclose a call, and the
 * work of the devices that they are projected on: the gpu-range records.
 */
#ifndef PROJECT_H
#define PROJECT_H

#include "tq/io/output.h"
#include "tq/join/expiry.h"
#include "tq/join/nesting.h"
#include "tq/line/event.h"

#include "range_chain.h"
#include "range_epochs.h"

/*
 * The open ranges of a thread, for nesting_thread.around.  As long as its
 * ranges nest, they are chained: below each is the innermost range that was
 * open when it started, and the stack nesting_thread.open is not used.  From
 * the first range that crosses another one on, none is chained, and the stack
 * has the open ranges; where they become many, they are in epochs, too, until
 * none is open.
 */
struct project_thread {
	struct range *innermost; /* of the chain, or NULL */
	int64_t left;            /* last end of one that was over before */
	bool crossed;
	struct enclosing *enclosing; /* as long as no range starts or ends */
	struct range_chain *chains;  /* of chained ranges, for each device */
	bool many; /* so many ranges are open that all of them are in epochs */
	struct range_epochs epochs;
};

/*
 * The ranges that were open when a call started.  Calls share one as long as no
 * range starts or ends.
 */
struct enclosing {
	struct range *innermost; /* or NULL; if it is chained, that is all */
	/* or the epoch in which the calls started, and where it is; or NULL */
	struct range_epoch *epoch;
	struct range_epochs *epochs;
	struct range **ranges; /* or all of them, in order of their start */
	size_t count, cap;
	struct text path;
	size_t path_names; /* of project_path */
	unsigned users;    /* calls, the thread */
	struct enclosing *next;
};

struct project {
	struct output **out; /* where a gpu-range goes when it is complete */
	bool per_process;    /* a call is in the ranges of all threads */
	bool paths;          /* operations get the names of all ranges */
	bool silent;         /* no gpu-range is written */
	bool shapes;         /* ranges get the shapes of their args */
	bool outlines;       /* the output takes them */
	struct outline_plan work_outline; /* of gpu-ranges */
	int64_t unclosed;                 /* ranges that never end */

	struct nesting nesting;
	struct range *newest, *free;
	struct expiry expiry; /* of ranges */
	struct enclosing *free_enclosing;
	struct range **chain; /* to make a path */
	size_t chain_count, chain_cap;
	struct text scratch, shape;
};

/* The output takes the outlines of lines. */
void project_outline(struct project *p);

void project_free(struct project *p);

/*
 * Add the range of a record that starts at ts, with the stack of its forward
 * operation; 0: with its own, or its parent's.  From now on the ranges that
 * enclose it are known.  NULL if it can enclose no call and has no parent.
 */
const struct range *project_add(
    struct project *p, const struct event *ev, int64_t ts, int64_t forward);

/* Put the members first to last of the range, see members.h. */
static inline char *
project_put(char *p, const struct range *r, unsigned first, unsigned last)
{
	return members_put(p, &r->members, r->at[first], r->at[last + 1]);
}

/* Time has come to ts: ranges that ended before it are over. */
static inline void project_expire(struct project *p, int64_t ts);
void project_end_ranges(struct project *p, int64_t ts);

/* The section is over: write the remaining gpu-ranges, children first. */
void project_write(struct project *p);

/* Forget all ranges; they are written, and no call is in one. */
void project_clear(struct project *p);

/*
 * The ranges around the start of a call [ts, end], until project_leave; NULL
 * if there are none.
 */
struct enclosing *project_enter(
    struct project *p, int64_t pid, int64_t tid, int64_t ts, int64_t end);

/*
 * The ranges in e, the outermost first, good until the next call; e may be
 * NULL. None of them has ended since project_enter.
 */
size_t project_ranges(
    struct project *p, const struct enclosing *e, struct range *const **ranges);

/* Now e->path has their names, and e->path_names is their number. */
void project_path(struct project *p, struct enclosing *e);

/* e may be NULL. */
void project_leave(struct project *p, struct enclosing *e);

/*
 * Add an operation to the work for the ranges around a call that ends at
 * call_end.  Operations come in order of their start.  launch: it is the first
 * of its call on the device.  e may be NULL.
 */
void project_add_work(struct enclosing *e, int64_t call_end,
    const struct device_operation *op, bool launch);

static inline void
project_expire(struct project *p, int64_t ts)
{
	if (expiry_due(&p->expiry, ts))
		project_end_ranges(p, ts);
}

#endif
