/* poll.h - one round of reading counters, shared by their sets */
#ifndef TQ_CAPTURE_POLL_H
#define TQ_CAPTURE_POLL_H

#include "counter_thread.h"
#include "tq/base/keyed.h"
#include "tq/base/time.h"

enum { POLL_FILE = 1 << 16 };

/* a value that grows, as it was in the round before */
struct poll_total {
	int64_t total, at; /* at: ns of CLOCK_MONOTONIC */
};

struct poll_series {
	uint32_t info;
	int pid;
	double value;    /* the last that was kept */
	int64_t kept_at; /* ns */
};

struct poll {
	uint64_t ticks; /* of this round */
	int64_t now;    /* ns of CLOCK_MONOTONIC */
	bool second;    /* the first round of a second */
	const int *pids;
	size_t pid_count;
	struct counter_thread *to;
	KEYED(struct poll_series) series; /* (info, pid) */
	KEYED(struct poll_total) totals;
	char file[POLL_FILE]; /* the last that was read, a string */
};

/* A counter of this name, which is copied; its index.  Once for each. */
uint32_t poll_define(
    struct poll *p, const char *name, const char *unit, int64_t device);

/* A value now; kept if it is another one, or a second has passed. */
void poll_value(struct poll *p, uint32_t info, int pid, double value);

/*
 * The same of a total that only grows: scale times its growth in a second.  The
 * first total gives no value.
 */
void poll_rate(
    struct poll *p, uint32_t info, int pid, int64_t total, double scale);

/* Processes that are not in pids have ended: their values become 0. */
void poll_end_absent(struct poll *p);

/* A warning for the user, once. */
void poll_note(struct poll *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Read a small file of /proc or /sys into p->file; false if there is none. */
bool poll_read(struct poll *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The number behind a word in p->file, or NO_ID: "rchar: " */
int64_t poll_number(const struct poll *p, const char *word);

/* A set of counters.  What open returns, NULL: nothing, is its state. */
struct poll_set {
	void *(*open)(struct poll *p);
	void (*read)(void *state, struct poll *p); /* a round */
	void (*close)(void *state);
};

extern const struct poll_set gpu_counters, cpu_counters, io_counters,
    net_counters;

/* NULL: there are GPUs whose counters can be read; or why not. */
const char *gpu_counters_missing(void);

#endif
