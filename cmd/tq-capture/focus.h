/*
 * focus.h - which times of the capture are wanted
 *
 * Everything is recorded, and what is outside of the wanted times is left
 * out when it is its turn to be written, so that the first event of a range
 * is as sure as any.  Only where nothing can be wanted before the launcher
 * says so (a delay, a signal) recording is paused.
 */
#ifndef TQ_CAPTURE_FOCUS_H
#define TQ_CAPTURE_FOCUS_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/text.h"
#include "tq/ask/range_spec.h"
#include "tq/ask/window.h"

enum focus_trigger {
	FOCUS_ALWAYS,
	FOCUS_PROFILER, /* cudaProfilerStart and Stop */
	FOCUS_NVTX,
	FOCUS_SIGNAL /* SIGUSR1 and 2, a session, a hotkey */
};

enum focus_end {
	FOCUS_END_NONE, /* what was begun goes on */
	FOCUS_END_STOP,
	FOCUS_END_SHUTDOWN, /* and the command is told to end */
	FOCUS_END_REPEAT
};

struct focus_change {
	int64_t ts;
	int open; /* +1 or -1 */
};

/* the calls of a process from this one on were made in that segment */
struct focus_call {
	uint32_t corr;
	size_t segment;
};

struct focus_calls {
	struct focus_call *first;
	size_t count, cap;
};

/* segment 2k+1 is wanted, from edges[2k] until edges[2k+1] */
struct focus {
	enum focus_trigger trigger;
	enum focus_end end;
	int64_t repeats;  /* at most, for FOCUS_END_REPEAT; 0: no limit */
	int64_t delay;    /* ns, from the start of the trace */
	int64_t duration; /* ns, from the first wanted moment; 0: none */
	struct range_spec range; /* for FOCUS_NVTX */
	bool registered_only;

	int64_t *edges;
	size_t count, cap;
	struct focus_change *waiting; /* not yet in order */
	size_t waiting_count, waiting_cap;
	struct focus_calls *calls; /* of each process */
	size_t calls_count;
	int64_t open;  /* triggers that are open at the last edge */
	int64_t early; /* the same, but they opened before the delay */
	int64_t begun; /* times that it was wanted */
	bool over;     /* nothing will be wanted any more */
	bool shutdown; /* the command is to be told to end */
};

/* To be called when the options are known; trace time 0 is now. */
void focus_start(struct focus *f);

/* Is no time left out, as far as is known? */
bool focus_is_everything(const struct focus *f);

/*
 * A range of the program, as it is pushed or started: true if it is a
 * trigger, whose end is to be told too.
 */
bool focus_is_trigger(
    struct focus *f, struct span name, struct span domain, bool registered);

/* At ts a trigger opened (+1) or closed (-1). */
void focus_change(struct focus *f, int64_t ts, int open);

/* A person or a program says start or stop now; false: it is so already. */
bool focus_set(struct focus *f, int64_t now, bool on);

/* All changes before until (ns) are known: find the edges. */
void focus_settle(struct focus *f, int64_t until);

/*
 * Is an event of that time wanted, which is before what was settled?  Those
 * of calls and operations are told in order of time: an operation is wanted
 * with the call that launched it (corr, of the process with that index),
 * and by its own time where no call is known.
 */
bool focus_wants(const struct focus *f, int64_t ts);
bool focus_wants_call(
    struct focus *f, uint32_t process, uint32_t corr, int64_t ts);
bool focus_wants_work(
    const struct focus *f, uint32_t process, uint32_t corr, int64_t ts);

/* Must programs record what they do at now (ns)?  Else they may pause. */
bool focus_wants_records(const struct focus *f, int64_t now);

void focus_free(struct focus *f);

#endif
