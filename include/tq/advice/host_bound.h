/*
 * host_bound.h - what a device gains where the host is the bound.
 *
 * The law: time that a rule may take from a device counts as a gain as far as
 * the operations behind it would start earlier without it; an operation starts
 * no earlier than its launch returns, and a launch comes earlier by no more
 * than its thread waits less for the device.  (Where a launch returns after its
 * operation has started, it is the launch's begin.)
 *
 * So the recording is replayed beside itself, once for each rule that claims
 * time of operations: all that the rule may claim is left out, and the device
 * is ahead of the recording by that time.  Where an operation starts as soon as
 * it is launched, the device can be ahead no more than the host is, and the
 * rest of that time is behind the host: it would only be idle time of the
 * device.  The host gets ahead by what it waits less, and by idle time that the
 * rule may claim as well.
 *
 * A thread waits for the device in calls that wait, in copies of pageable
 * memory, in a launch that returns after its operation is over, and in one of
 * 100 us or more of an operation that then is in a queue: the queue was full.
 * Where a thread did nothing that was recorded for 50 us or more when the
 * device ran dry, it may have waited, too.  Operations without a call, and
 * those that start while others run, bound nothing.
 */
#ifndef TQ_ADVICE_HOST_BOUND_H
#define TQ_ADVICE_HOST_BOUND_H

#include <stdbool.h>
#include <stdint.h>

enum {
	HOST_BOUND_THREADS = 8,   /* of a device, that launched last */
	HOST_BOUND_FULL = 100000, /* ns of a launch */
	HOST_BOUND_PAUSE = 50000  /* ns in nothing that was recorded */
};

/* a launch of a thread */
struct host_bound_thread {
	uint32_t thread;
	int64_t ts, called; /* it began, it returned; INT64_MIN at first */
	int64_t blocked;    /* ns of it, if its operation was over before */
	uint64_t waited;    /* ns that the thread waited, until it began */
};

/* ns that are ahead of the recording without what a rule may claim */
struct host_bound_rule {
	int64_t device, host; /* host <= device */
	int64_t behind;       /* that were claimed, and are behind the host */
};

/* of a device; {0}: no rule claimed anything */
struct host_bound {
	struct host_bound_rule *rules;
	uint64_t ahead; /* rules whose device is ahead of their host */
	int64_t most;   /* no device is ahead of its host by more */
	struct host_bound_thread threads[HOST_BOUND_THREADS];
	unsigned next; /* of threads, to be replaced */
};

/* Such rules may claim ns in which an operation ran. */
void host_bound_work(struct host_bound *b, uint64_t rules, int64_t ns);

/* Such rules may claim ns of idle time. */
void host_bound_idle(struct host_bound *b, uint64_t rules, int64_t ns);

/* The thread that launches waited ns for the device. */
void host_bound_wait(struct host_bound *b, int64_t ns);

/* An operation starts, alone, slack ns after it could. */
void host_bound_start(struct host_bound *b, int64_t slack);

/* The launch of the thread before the current one. */
struct host_bound_thread *host_bound_launch(
    struct host_bound *b, uint32_t thread);

/* ns of the claims of a rule that are behind the host. */
int64_t host_bound_behind(const struct host_bound *b, unsigned rule);

void host_bound_free(struct host_bound *b);

#endif
