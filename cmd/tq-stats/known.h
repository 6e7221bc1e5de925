/*
 * known.h - what the definitions of a section say that reports print.
 */
#ifndef KNOWN_H
#define KNOWN_H

#include "tq/line/event.h"
#include "tq/base/map.h"

struct known {
	struct map symbols, threads, devices; /* -> place in texts + 1 */
	struct map ranks;                     /* of processes */
	struct text texts;
	int64_t wall;     /* ns that the sections cover that are over */
	int64_t from, to; /* that at hand, where any is set */
	bool any;
};

/* A definition: keep what it says. */
void known_define(struct known *k, const struct event *ev);

/*
 * The names of a symbol; empty where the stream did not tell.  Good until the
 * next definition.
 */
struct span known_demangled(const struct known *k, int64_t sym);
struct span known_mangled(const struct known *k, int64_t sym);

/* Of a thread: its name, and whether it has a priority. */
struct span known_thread(const struct known *k, int64_t pid, int64_t tid);
bool known_priority(
    const struct known *k, int64_t pid, int64_t tid, int64_t *priority);

/* Of a process: its rank in a parallel job, if it has one. */
bool known_rank(const struct known *k, int64_t pid, int64_t *rank);

/* The name of a device of a process. */
struct span known_device(const struct known *k, int64_t pid, int64_t device);

/* An event: the section covers it. */
void known_cover(struct known *k, const struct event *ev);

/* A new section: forget them all. */
void known_reset(struct known *k);

void known_free(struct known *k);

#endif
