/*
 * relay.h - lines that one thread has read, for a second thread: in blocks and
 * in order, so that both work on the same stream at the same time.
 *
 * Memory is bounded: the thread that reads waits where the second one is
 * RELAY_BLOCKS behind.
 */
#ifndef TQ_IO_RELAY_H
#define TQ_IO_RELAY_H

#include "tq/base/text.h"

enum {
	RELAY_BLOCKS = 4,
	RELAY_BYTES = 1 << 18 /* of a block, unless a line is longer */
};

struct relay_line {
	struct span text; /* EVENT_PADDING bytes behind it can be read */
	const char *file; /* that it is of; text that stays */
	bool begins;      /* the section before it is over */
};

/* Called in the second thread for each line. */
typedef void relay_take(void *arg, const struct relay_line *line);

struct relay;

/*
 * True if a second thread is of use: the program may run on two processors, and
 * TQ_THREADS, where it is set, is not 1.
 */
bool relay_wanted(void);

/* NULL if there can't be another thread. */
struct relay *relay_start(relay_take *take, void *arg);

/* The line is copied. */
void relay_add(struct relay *r, const struct relay_line *line);

/* Returns when all lines have been taken. */
void relay_finish(struct relay *r);

#endif
