/*
 * focus.h - the times of the capture that are written
 *
 * Programs record everything, and lines outside of these times are dropped when
 * their turn comes to go out: so the first event of a range is never missed.
 * Recording pauses only where the launcher itself decides when it begins (a
 * delay, a signal).
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
	FOCUS_END_NONE, /* the capture goes on */
	FOCUS_END_STOP,
	FOCUS_END_SHUTDOWN, /* stop, and terminate the command */
	FOCUS_END_REPEAT
};

struct focus_change {
	int64_t ts;
	int open; /* +1 or -1 */
};

/* calls of a process from this one on were made in that segment */
struct focus_call {
	uint32_t corr;
	size_t segment;
};

struct focus_calls {
	struct focus_call *first;
	size_t count, cap;
};

/*
 * Segment 2k+1 is written, from edges[2k] until edges[2k+1].  With a flight
 * recorder everything is kept, and the end of a range requests a dump.
 */
struct focus {
	enum focus_trigger trigger;
	enum focus_end end;
	int64_t repeats;  /* at most, for FOCUS_END_REPEAT; 0: no limit */
	int64_t delay;    /* ns, from the start of the trace */
	int64_t duration; /* ns, from the first written moment; 0: none */
	struct range_spec range; /* for FOCUS_NVTX */
	bool registered_only;
	bool shutdown_last; /* terminate the command after the last repeat */
	bool recorder;

	int64_t *edges;
	size_t count, cap;
	struct focus_change *waiting; /* until focus_settle */
	size_t waiting_count, waiting_cap;
	struct focus_calls *calls; /* by process */
	size_t calls_count;
	int64_t open;  /* triggers that are open at the last edge */
	int64_t early; /* triggers that opened before the delay was over */
	int64_t begun; /* segments written so far */
	bool over;     /* true if no more segments will come */
	bool shutdown; /* true if the command is to be terminated */
	int64_t ends;  /* of ranges, with a recorder */
	int64_t ended; /* ns: the last of them */
};

/* Begin, with the options set: the time of the trace is 0 now. */
void focus_start(struct focus *f);

/* True if no time is left out, so far. */
bool focus_is_everything(const struct focus *f);

/*
 * A range is pushed or started: true if it is a trigger; then call focus_change
 * at its start and its end.
 */
bool focus_is_trigger(
    struct focus *f, struct span name, struct span domain, bool registered);

/* A trigger opens (+1) or closes (-1) at ts. */
void focus_change(struct focus *f, int64_t ts, int open);

/* Start or stop now; false if it is so already. */
bool focus_set(struct focus *f, int64_t now, bool on);

/* All changes before until (ns) are known now: find the edges. */
void focus_settle(struct focus *f, int64_t until);

/*
 * True if an event of that time is written; changes are settled up to there.
 * An operation is written if the call that launched it is (by corr, of the
 * process with that index), or by its own time if no call is known.  Calls and
 * operations come in order of time.
 */
bool focus_wants(const struct focus *f, int64_t ts);
bool focus_wants_call(
    struct focus *f, uint32_t process, uint32_t corr, int64_t ts);
bool focus_wants_work(
    const struct focus *f, uint32_t process, uint32_t corr, int64_t ts);

/* The last moment that is written, not after ts; ts if there is none. */
int64_t focus_last(const struct focus *f, int64_t ts);

/* True if programs must record at now (ns); else they may pause. */
bool focus_wants_records(const struct focus *f, int64_t now);

void focus_free(struct focus *f);

#endif
