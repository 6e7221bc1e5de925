/*
 * runs.h - launches that repeat, which one CUDA graph could launch.
 *
 * A launch is a kernel, copy or fill that no graph launched, and no kernel of
 * communication.  Launches are equal that have one stream, kind, name, symbol,
 * grid, block, direction and bytes.  Two launches of a stream are in a row if
 * nothing else runs there between, and their thread waits for no device.  A
 * sequence of RUNS_SHORTEST launches of a stream repeats if it ends RUNS_TIMES
 * times or more after its process is steady, each time behind the end of the
 * time before.  A run is made of launches in a row of a stream that such
 * sequences cover, where each two of them share a launch.
 *
 * A first pass counts the sequences, by their hash: the table has RUNS_TABLE of
 * them, and forgets rare ones where there are more.  A second pass finds the
 * runs.  Of a stream the last launches are held.
 */
#ifndef TQ_ADVICE_RUNS_H
#define TQ_ADVICE_RUNS_H

#include "tq/base/numbered.h"
#include "tq/line/event.h"

enum {
	RUNS_SHORTEST = 8,
	RUNS_LONGEST = 256, /* more count as so many */
	RUNS_TIMES = 3,
	RUNS_WAITS = 16, /* the last ones of a thread; more count as one */
	RUNS_WAYS = 4,   /* places that a sequence may have in the table */
	RUNS_TABLE = 1 << 16
};

/* the sequences at the places of one hash; what else is known of them is in
   struct run_window, as most launches end a sequence that has no place */
struct run_set {
	uint64_t hash[RUNS_WAYS];
	uint32_t credit[RUNS_WAYS]; /* 0: no sequence */
};

/* a sequence that was seen */
struct run_window {
	int64_t end;            /* number of its last launch, in its stream */
	int64_t ts[RUNS_TIMES]; /* of that launch, the latest first */
	int64_t times;
};

/* a stream of a device; launches have numbers from 0 */
struct run_stream {
	uint64_t last[RUNS_SHORTEST]; /* by number modulo RUNS_SHORTEST */
	int64_t next;                 /* number of the next launch */
	int64_t row;                  /* launches since the last break */
	int64_t waits;                /* before the last launch */
	int64_t first, until;         /* the last run, with its last launch */
	bool launched;                /* the last operation is a launch */
};

/* the waits of a thread for a device: when they begin */
struct run_thread {
	int64_t waits[RUNS_WAITS]; /* by number modulo RUNS_WAITS */
	int64_t count;
};

/* {0} is empty */
struct runs {
	struct run_set *sets;                /* NULL: none was seen */
	struct run_window *windows;          /* RUNS_WAYS for each set */
	NUMBERED(struct run_stream) streams; /* see names/model.h */
	size_t from, to; /* those with operations since runs_break() */
	NUMBERED(struct run_thread) threads;
	int64_t launches, covered; /* of the second pass: all, and in runs */
	int64_t longest;
};

/* Add the keys that it needs. */
void runs_keys(struct keyset *want);

/* An API call, in either pass, before later operations. */
void runs_call(struct runs *r, const struct event *ev);

/* First pass: an operation of a device. */
void runs_count(struct runs *r, const struct event *ev);

/* The first pass is over. */
void runs_second_pass(struct runs *r);

/*
 * Second pass: an operation of a device, whose process is steady from then on.
 * The index of its stream in r->streams.
 */
size_t runs_add(struct runs *r, const struct event *ev, int64_t steady_from);

/* The number of the operation of the stream that was added last; -1 if it is no
   launch. */
int64_t runs_last(const struct runs *r, size_t stream);

/*
 * The length of the run that has both a launch and the one before it: 0 if
 * there is none, -1 as long as launches to come decide.
 */
int64_t runs_length(const struct runs *r, size_t stream, int64_t launch);

/* No launch of any stream follows. */
void runs_break(struct runs *r);

void runs_free(struct runs *r);

#endif
