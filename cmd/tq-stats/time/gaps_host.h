/*
 * gaps_host.h - what the threads of the host did, for gaps that are to come.
 *
 * A gap ends with an operation, and only then it is known which thread was
 * to launch it.  So of each thread these calls are kept, 24 bytes each:
 *
 *	- what is under way, or was when a lane that is idle now ran dry;
 *	- of others each after which fewer than 64 came that took as long, and
 *	  of these the last 1024.
 *
 * Of any time up to now these are the 64 longest at least, and of n calls of
 * a thread about 64 (1 + ln(n / 64)).  Of ranges those are kept that are open,
 * and the last 16384.
 */
#ifndef GAPS_HOST_H
#define GAPS_HOST_H

#include "ranges/nvtx.h"

struct host_call {
	int64_t ts, end;
	uint32_t name;
};

struct host_calls {
	struct host_call *all; /* in order of ts */
	size_t count, cap;
};

struct host_thread {
	int64_t pid, tid;
	struct host_calls calls, waits; /* waits: for a device */
};

struct host_range {
	int64_t id, end;
	size_t name, len; /* in range_names */
};

/* what a thread did most of a time; name 0: nothing that is known */
struct host_share {
	uint32_t name;
	int64_t time;
};

struct host {
	/* does a gap of that process that is to end begin within [from, to]? */
	bool (*begins)(
	    const void *lanes, int64_t pid, int64_t from, int64_t to);
	const void *lanes;
	bool all; /* keep more than what waits */

	struct nvtx_names names; /* of calls; 0: none */
	struct host_name *about; /* what is known of each of them */
	size_t about_cap;
	struct map map; /* (pid, tid) of the section -> index + 1 */
	struct host_thread *threads;
	size_t count, cap, used; /* used: in the section at hand */
	struct host_range *ranges;
	size_t range_count, range_cap;
	struct text range_names, scratch;
	uint64_t asked;
};

/* After begins, lanes and all were set. */
void host_open(struct host *h);

/* The call at hand, of the kinds api, osrt and overhead. */
void host_add_call(
    struct host *h, const struct event *ev, int64_t ts, int64_t end);

/* Was the thread in a call that waits for a device? */
bool host_waited(const struct host *h, int64_t pid, int64_t tid, int64_t at);

/*
 * The name of the calls that took most of [from, to), where calls of one name
 * within each other count once; of equal ones that which began first.
 */
struct host_share host_most(
    struct host *h, int64_t pid, int64_t tid, int64_t from, int64_t to);

/* Are as many ranges kept as may be?  Then the next one makes room. */
bool host_ranges_full(const struct host *h);

/* The range at hand. */
void host_add_range(
    struct host *h, const struct event *ev, int64_t ts, int64_t end);

/* The name of a range; empty where it is not known.  Good until the next. */
struct span host_range_name(const struct host *h, int64_t id);

/* The name of a call. */
struct span host_call_name(const struct host *h, uint32_t name);

/* A new section: keep the names. */
void host_reset(struct host *h);

void host_free(struct host *h);

#endif
