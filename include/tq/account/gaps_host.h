/*
 * gaps_host.h - recent calls and ranges of host threads, for gaps to come.
 *
 * A gap ends with an operation, and only then it is known which thread launched
 * late.  So the waits of each thread since the first gap that is open are held,
 * and these calls, 32 bytes each:
 *
 *	- those under way now, or when a device that is idle now ran dry;
 *	- the last 1024 after which fewer than 64 came that took as long.
 *
 * These include the 64 longest of any time up to now, and of n calls of a
 * thread they are about 64 (1 + ln(n / 64)).  Ranges are held while they are
 * open, and the last 16384, by the id that tq-correlate gives to operations: a
 * tree would hold all ranges of the section.
 */
#ifndef TQ_ACCOUNT_GAPS_HOST_H
#define TQ_ACCOUNT_GAPS_HOST_H

#include "tq/account/waits.h"

#include "tq/base/numbered.h"
#include "tq/base/numbered_texts.h"

struct host_call {
	int64_t ts, end;
	int64_t until; /* the latest end of the call and of all before it */
	uint32_t name;
};

struct host_calls {
	struct host_call *all; /* in order of ts */
	size_t count, cap;
	int64_t dropped; /* the last end of a call that is not held any more */
};

struct host_thread {
	int64_t pid;
	struct host_calls calls;
	struct device_waits waits;
};

struct host_range {
	int64_t id, end;
	size_t name, len; /* in range_names */
};

/* what the calls of a symbol have in common */
struct host_symbol {
	uint32_t name;
	bool waits; /* they wait for a device, if they are of the API */
};

/* the calls that took most of a time; name 0: none */
struct host_share {
	uint32_t name;
	bool bound; /* time is a lower bound: a call in it was dropped */
	int64_t time;
};

struct gaps_host {
	/* true if an open gap of the process can begin in [from, to] */
	bool (*begins)(
	    const void *lanes, int64_t pid, int64_t from, int64_t to);
	/* the earliest beginning of an open gap of the process */
	int64_t (*since)(const void *lanes, int64_t pid);
	const void *lanes;
	bool all; /* hold more than the calls that wait */

	struct numbered_texts names; /* of calls; 0: none */
	struct host_name *uses;      /* by name */
	size_t uses_cap;
	NUMBERED(struct host_symbol) symbols; /* see names/model.h */
	struct numbered_slots slots; /* of threads, see names/model.h */
	struct host_thread *threads;
	size_t count, cap, used; /* used: in the section */
	struct host_range *ranges;
	size_t range_count, range_cap;
	struct text range_names, scratch;
	uint64_t questions; /* so far */
};

/* After begins, since, lanes and all were set. */
void gaps_host_open(struct gaps_host *h);

/* Add an api, osrt or overhead record. */
void gaps_host_add_call(
    struct gaps_host *h, const struct event *ev, int64_t ts, int64_t end);

/* The name of an operation, for gaps_host_call_name(): of a kernel, or as
   "[CUDA memcpy HtoD]". */
uint32_t gaps_host_operation(struct gaps_host *h, const struct event *ev);

/* Add the wait in the call of a copy, if it was one. */
void gaps_host_add_copy(struct gaps_host *h, const struct event *ev);

/* The waits of a thread; NULL: it has no calls. */
const struct device_waits *gaps_host_waits(
    const struct gaps_host *h, uint32_t thread);

/* How long the thread was in calls that wait for a device in [from, to). */
int64_t gaps_host_waited(
    const struct gaps_host *h, uint32_t thread, int64_t from, int64_t to);

/*
 * The name of the calls that took most of [from, to), where calls of one name
 * within each other count once; of equal ones that which began first.
 */
struct host_share gaps_host_most(
    struct gaps_host *h, uint32_t thread, int64_t from, int64_t to);

/*
 * The call, OS call or overhead in which the thread was at a time: the one of
 * them that began last.  False if none is held.
 */
bool gaps_host_at(const struct gaps_host *h, uint32_t thread, int64_t ts,
    struct host_call *call);

/*
 * The waits of a thread in [from, to), one after the other: false if there is
 * none.  *from becomes its beginning, *to its end, both cut to that time.
 */
bool gaps_host_wait(
    const struct gaps_host *h, uint32_t thread, int64_t *from, int64_t *to);

/* True if the next range may make room by dropping others. */
bool gaps_host_ranges_full(const struct gaps_host *h);

/* Add a range record. */
void gaps_host_add_range(
    struct gaps_host *h, const struct event *ev, int64_t ts, int64_t end);

/* The name of a range, empty if it is unknown; good until the next range. */
struct span gaps_host_range_name(const struct gaps_host *h, int64_t id);

/* The name of a call; good until the next. */
struct span gaps_host_call_name(const struct gaps_host *h, uint32_t name);

/* A new section: forget all but the names. */
void gaps_host_reset(struct gaps_host *h);

void gaps_host_free(struct gaps_host *h);

#endif
