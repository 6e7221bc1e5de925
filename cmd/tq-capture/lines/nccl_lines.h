/*
 * nccl_lines.h - events of NCCL become lines
 *
 * An event has a record as it starts and one as it ends.  Threads are read one
 * after the other, so that an end may come before its start.
 */
#ifndef TQ_CAPTURE_NCCL_LINES_H
#define TQ_CAPTURE_NCCL_LINES_H

#include <stdint.h>

#include "tq/base/keyed.h"

#include "arena/record.h"

struct lines;

struct nccl_started {
	struct record_nccl r;
	int32_t tid;
};

/* an end without a start */
struct nccl_early {
	uint64_t ticks;
	int32_t tid;
	bool used; /* the start has come */
};

/* the events of one process; {0} has none */
struct nccl_lines {
	struct nccl_started *open; /* in no order */
	size_t count, cap;
	struct map numbers;             /* of an event -> index + 1 in open */
	KEYED(struct nccl_early) early; /* by number of the event */
	size_t unused;                  /* of early */
	bool lost;                      /* the end of an event may be lost */
};

/* The start (ns) of the oldest event that is open; INT64_MAX: none is. */
int64_t nccl_lines_oldest(const struct lines *l);

/* Write the events that are open, unless an end may be lost; returns how many.
 */
int64_t nccl_lines_open(struct lines *l);

void nccl_lines_free(struct nccl_lines *n);

#endif
