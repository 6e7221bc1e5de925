/*
 * gap.h - a gap of a device or stream, and its causes.
 *
 * A gap [g0, g1] is between the end of all work of a device or stream and its
 * next operation, whose call [a0, a1] gives the causes.  Up to a0 it is
 *
 *	sync     while the thread that launches was in a call that waits for a
 *	         device, see waits.h
 *	host     while it was not
 *
 * and then the first of:
 *
 *	unknown  the call is not in the stream
 *	launch   a1 > g0: the call was under way in the gap
 *	next     the operation was in its queue, and the gap is shorter than
 *	         10 us: what it takes from one operation to the next
 *	copy     of a stream: another one of the device copied in the gap
 *	kernel   of a stream: another one ran a kernel or a graph
 *	queue    the operation was in its queue and waited for something else
 */
#ifndef TQ_ACCOUNT_GAP_H
#define TQ_ACCOUNT_GAP_H

#include "tq/account/gaps_host.h"

/* Before the first operation of a section, and after the last, are no gaps. */
enum gap_cause {
	GAP_BEFORE,
	GAP_BUSY,
	GAP_HOST,
	GAP_SYNC,
	GAP_LAUNCH,
	GAP_NEXT,
	GAP_COPY,
	GAP_KERNEL,
	GAP_QUEUE,
	GAP_UNKNOWN,
	GAP_AFTER,
	GAP_CAUSES
};

/* how a gap is divided: ns that add up to it */
struct gap_parts {
	bool late;            /* its call starts in it: */
	int64_t call;         /* at this time */
	int64_t sync, host;   /* before the call, */
	int64_t rest;         /* and after that */
	enum gap_cause cause; /* of the rest */
};

/*
 * Divide the gap from a time to the operation ev, which starts at ts.  Of a
 * stream, the caller decides which cause GAP_QUEUE stands for.  Of the host
 * only the waits are read.
 */
struct gap_parts gap_divide(const struct gaps_host *host, int64_t from,
    const struct event *ev, int64_t ts);

/* The cause of the largest part. */
enum gap_cause gap_main_cause(const struct gap_parts *p);

/* host, sync, ... */
const char *gap_cause_name(enum gap_cause cause);

#endif
