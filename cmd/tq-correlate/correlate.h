/*
 * correlate.h - a section as it goes by: records are written in their order,
 * with the keys that they get from each other.
 *
 * Keys that a record has already stay as they are, so that a stream goes
 * through a second time unchanged: an operation that has api_ts passes, and
 * so does a range that has depth, whose gpu-range is in the stream.
 *
 * The records of a live section come in any order, a range when it has ended.
 * Its operations get the call that launched them, and no range.  One that comes
 * before its call waits CORRELATE_PATIENCE ms for it; no other record waits.
 */
#ifndef CORRELATE_H
#define CORRELATE_H

#include "tq/io/output.h"
#include "tq/join/expiry.h"
#include "tq/join/join.h"

#include "pending.h"
#include "project.h"
#include "forward_stack.h"
#include "graph_names.h"
#include "graph_survey.h"

struct tally {
	int64_t resolved, by_graph, unresolved, ambiguous;
};

struct api_call;

enum { CORRELATE_PATIENCE = 500 };

struct correlate {
	struct project project;
	struct forward_stacks forward;
	struct graph_names graphs;
	struct graph_survey *survey; /* of the captures, with --graph or -g */
	struct tally tally;          /* of operations */

	struct output *out;
	struct output *to; /* where records go now: out, or pending.lines */
	struct join join;
	struct api_call **same_time; /* calls that started at now */
	size_t same_time_count, same_time_cap;
	struct expiry returning; /* calls that have all their operations */
	struct pending pending;
	int64_t now;
	bool live;          /* the section; set before its first record */
	uint64_t time_word; /* the digits of a time but for the last eight */
	int64_t time_high;  /* their value */
	uint64_t kinds;     /* that are written, a bit each */
};

/*
 * Sections are written to out; c must not move.  per_process: a range encloses
 * the calls of all threads of its process; paths: records get the names of all
 * ranges around a call.
 */
void correlate_init(
    struct correlate *c, struct output *out, bool per_process, bool paths);

/* Write only events of these kinds, a bit each; without this call, all. */
void correlate_choose(struct correlate *c, uint64_t kinds);

void correlate_free(struct correlate *c);

/* The keys that correlate_event needs, as for event_parse. */
const struct keyset *correlate_keys(void);

/* A record that is neither trace nor end. */
void correlate_event(struct correlate *c, const struct event *ev);

/*
 * Write the operations that have waited long enough: before a wait for input.
 * Returns after how many ms to do so again; -1: none waits.
 */
int correlate_idle(struct correlate *c);

/* The section is over: write all that waits.  tally is complete now. */
void correlate_finish(struct correlate *c);

/* Forget the section. */
void correlate_reset(struct correlate *c);

#endif
