/*
 * host_before.h - what threads do before the first operation of a stream, in
 * its section.
 *
 * A nanosecond of a thread is of its innermost record of the host: a range, an
 * API call, which has what the OS does in it, or an OS call.  Samples that
 * cpu_samples.h counts are counted by their innermost function.  Records of a
 * section come in the order of their times.  HOST_BEFORE_NAMES names, and
 * HOST_BEFORE_BYTES of them, are held: the time of others has no name.
 */
#ifndef TQ_ADVICE_HOST_BEFORE_H
#define TQ_ADVICE_HOST_BEFORE_H

#include "tq/account/cpu_samples.h"
#include "tq/base/intern.h"
#include "tq/base/keyed.h"
#include "tq/base/numbered.h"
#include "tq/names.h"

enum {
	HOST_BEFORE_MOST = 3,
	HOST_BEFORE_DEPTH = 256,
	HOST_BEFORE_NAMES = 1 << 16,
	HOST_BEFORE_BYTES = 1 << 24
};

/* of a thread */
struct before_record {
	int64_t end;
	uint32_t name; /* a text, or INTERN_NONE */
	enum kind kind;
};

struct before_thread {
	uint32_t thread;
	int64_t now; /* its time is known until then */
	struct before_record *open;
	size_t count, cap;
	int64_t named; /* ns in ranges and API calls */
};

/* a name, or a function, on a thread */
struct before_name {
	uint32_t thread, name;
	enum kind kind;
	int64_t ns; /* of a sample: how many */
};

/* {0} is empty */
struct host_before {
	NUMBERED(struct before_thread) threads;
	KEYED(struct before_name) all;
	struct cpu_samples samples;
	struct names stacks;
	uint64_t kinds; /* of records of the host before, a bit each */
	int64_t last[KIND_COUNT]; /* begin of the last one, before or after */
	struct intern texts;
	size_t bytes; /* of texts */
	struct text scratch;
	uint32_t thread; /* that is told of, after the first operation; or 0 */
	bool over;
};

/* Add the keys that it reads. */
void host_before_keys(struct keyset *want);

/*
 * A record of a section.  With the first operation it is over: the thread is
 * the one that launches it, unless another has ten times as much time in ranges
 * and API calls.
 */
void host_before_event(struct host_before *h, const struct event *ev);

/* The section has no operation: all is forgotten. */
void host_before_section_end(struct host_before *h);

/*
 * What the thread did most, the largest first, of records or of samples:
 * at most HOST_BEFORE_MOST.  *of: ns that have a name, or all samples.
 */
size_t host_before_most(const struct host_before *h, bool samples,
    const struct before_name *most[HOST_BEFORE_MOST], int64_t *of);

void host_before_free(struct host_before *h);

#endif
