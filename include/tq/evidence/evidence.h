/*
 * evidence.h - what a recording can prove, before anything is concluded of it:
 * calls that hang, failed calls, launches without an operation, operations
 * without a time, impossible durations, clocks that differ, ranks that were
 * merged, losses, the messages of the profiler.
 *
 * Records go through evidence_event() once, in the order of the stream, which
 * finds the sections as model_event() does; then evidence_finish() makes the
 * facts.  A fact is a true sentence, and takes away
 * conclusions, a bit each, on a process of a section.
 *
 * Memory grows with processes, streams, and names of calls; of launches that
 * wait for their operation EVIDENCE_WAITING at most are known, an older one is
 * without an operation then.
 */
#ifndef TQ_EVIDENCE_EVIDENCE_H
#define TQ_EVIDENCE_EVIDENCE_H

#include "tq/base/intern.h"
#include "tq/base/keyed.h"
#include "tq/base/map.h"
#include "tq/base/numbered.h"
#include "tq/evidence/losses.h"
#include "tq/names/api_call.h"
#include "tq/names/twice.h"

/* why tq-extract leaves an operation out: reasons of lost records */
#define EVIDENCE_NO_TIME "no time was collected"
#define EVIDENCE_BACKWARD "end before start" /* of any record */

enum {
	EVIDENCE_WAITING = 1 << 16,
	EVIDENCE_HANGS_MOST = 4096,
	EVIDENCE_FAILURES = 64,
	EVIDENCE_RECENT = 64
};

/* in the order in which facts are shown */
enum evidence_check {
	EVIDENCE_HANGS,
	EVIDENCE_FAILED,
	EVIDENCE_MERGED,
	EVIDENCE_WITHOUT_OPERATION,
	EVIDENCE_DURATIONS,
	EVIDENCE_LOSSES,
	EVIDENCE_WITHOUT_TIME,
	EVIDENCE_CLOCKS,
	EVIDENCE_DIAGNOSTICS,
	EVIDENCE_CHECKS
};

/* conclusions that are taken away */
enum evidence_takes {
	EVIDENCE_TAKES_ADVICE = 1, /* all */
	EVIDENCE_TAKES_VERDICT = 2,
	EVIDENCE_TAKES_IDLE = 4, /* causes of idle time */
	EVIDENCE_TAKES_GRAPHS = 8,
	EVIDENCE_TAKES_SHARES = 16, /* of the time of a device */
	EVIDENCE_TAKES_QUEUE = 32,  /* launch and queue causes are uncertain */
	EVIDENCE_TAKES_COUNT = 6,   /* bits */

	/* of these: what a device did is not proved */
	EVIDENCE_TAKES_ACCOUNT = EVIDENCE_TAKES_ADVICE |
				 EVIDENCE_TAKES_VERDICT | EVIDENCE_TAKES_SHARES
};

struct evidence_fact {
	enum evidence_check check;
	int64_t count, of; /* records; of 0: of unknown many */
	int64_t ts;        /* of the first one, or NO_ID */
	unsigned takes;    /* of any process */
	struct span title; /* without a period */
	struct span text;  /* sentences */
	const char *look;  /* a command, where that of its rule shows nothing */
	struct span to_do; /* where it is not that of its rule; or empty */
};

enum evidence_launch_kind {
	EVIDENCE_LAUNCH,
	EVIDENCE_COPY,
	EVIDENCE_FILL,
	EVIDENCE_LAUNCH_KINDS
};

/* a process of a section */
struct evidence_process {
	int64_t pid;
	size_t section;
	int64_t launches[EVIDENCE_LAUNCH_KINDS]; /* calls that succeeded */
	int64_t without[EVIDENCE_LAUNCH_KINDS];  /* of them, no operation */
	int64_t before;           /* of these, before the first operation, and
				   * after the last call that has one */
	int64_t after, last_with; /* last_with: the start of that call */
	int64_t without_first;    /* start of the first one */
	int64_t launched; /* start of the last launch of a kernel or graph */
	int64_t failed;   /* start of the first call that ended its work */
	int64_t captures; /* that are open */
	int64_t operations, first;           /* the start of the first one */
	int64_t early, early_of, early_most; /* ns before their call */
	int64_t early_first;
	int64_t twice;       /* launches with the id of another one */
	int64_t shared;      /* operations with the id of two processes */
	int64_t work, wrong; /* ns of operations, of those that are too long */
	unsigned takes;
};

/* a stream of a device */
struct evidence_stream {
	uint32_t process;
	int64_t operations, too_long;
	int64_t ts, end;     /* of the operation that ends last */
	int64_t later;       /* operations that began before that end */
	bool is_long;        /* it is counted in too_long */
	int64_t wrong;       /* ns of operations that are too long */
	int64_t first, over; /* start of the first one; starts in the longest */
};

/* calls of a name in a process */
struct evidence_call {
	uint64_t hash; /* of the name */
	uint32_t process;
	struct named_call call;
	int64_t count;
};

/* calls that returned a code */
struct evidence_failure {
	size_t call;   /* index of what has their name and process */
	uint32_t name; /* a text */
	int64_t code, count, ts;
};

/* a call of the operating system that never returned */
struct evidence_hang {
	int64_t pid, tid;
	int64_t owner;   /* the thread that has its lock, or NO_ID */
	int64_t ts, end; /* end: of the section */
	struct span name;
	struct span at; /* where, "f (a.py:3) < g (b.py:7)"; "": unknown */
	bool api;       /* a call of CUDA or MPI, not of the C library */
};

struct evidence_launch; /* a call or an operation that waits for the other */

/* {0} is empty */
struct recording_evidence {
	size_t section; /* from 1 */
	size_t from;    /* the first process of the section */
	bool begun, ended;
	bool counting; /* calls have the number of their operations */
	bool wsl, xprof, rocpd;
	int64_t records;  /* of the section */
	int64_t left_out; /* operations of the section that have no time */
	uint32_t last;    /* the process of the last record; 0: none yet */
	size_t last_at;   /* its index */
	NUMBERED(struct evidence_process) processes;
	NUMBERED(struct evidence_stream) streams;
	KEYED(struct evidence_call) calls;
	struct twice twice;               /* of the section */
	uint32_t recent[EVIDENCE_RECENT]; /* by hash: index + 1 in calls */
	KEYED(struct evidence_failure) failures;
	struct evidence_hang *hangs;
	size_t hang_count, hang_cap;
	size_t hang_from;  /* the first one of the section */
	struct map stacks; /* of the section: id -> index + 1 in texts, of at */
	int64_t latest;    /* time since that, of the section */
	struct evidence_launch *waiting;
	size_t waiting_size;

	struct losses losses;
	int64_t lost, lost_at;
	int64_t cut; /* sections without an end */
	int64_t without_time, backward, backward_at;
	int64_t lost_by_time; /* lost events that are in these two */
	int64_t over, too_long, too_long_at; /* of all streams */
	int64_t messages[8];                 /* by meaning, see message.h */
	/* reasons for launches without operation, of any section */
	bool without_device, began_later, ended_early, full;
	bool old_profiler;
	struct span error; /* the first message that is an error, a line */
	struct intern texts;
	struct region life;

	struct evidence_fact facts[EVIDENCE_CHECKS]; /* evidence_finish() */
	size_t fact_count;
};

/* Add the keys that evidence_event() reads. */
void evidence_keys(struct keyset *want);

/* A record; the model of the event has numbered it. */
void evidence_event(struct recording_evidence *x, const struct event *ev);

/* All records were: the facts are known. */
void evidence_finish(struct recording_evidence *x);

/* NULL if nothing was found. */
const struct evidence_fact *evidence_find(
    const struct recording_evidence *x, enum evidence_check check);

/* What is taken away on a process of a section; pid NO_ID: on any of it. */
unsigned evidence_takes(
    const struct recording_evidence *x, size_t section, int64_t pid);

/* What is taken away on any process. */
unsigned evidence_takes_any(const struct recording_evidence *x);

/* A conclusion that is taken away, by its bit: "verdict". */
const char *evidence_takes_word(unsigned bit);

/* The name of a check, which is that of its rule: "failed-calls". */
const char *evidence_name(enum evidence_check check);

void evidence_free(struct recording_evidence *x);

#endif
