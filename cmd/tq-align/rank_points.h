/*
 * rank_points.h - the communication of one rank: for each communicator the
 * operations in order
 *
 * It is read from the stream of the rank, or from a section of records of kind
 * points, which rank_points_write writes.
 */
#ifndef TQ_ALIGN_RANK_POINTS_H
#define TQ_ALIGN_RANK_POINTS_H

#include "tq/io/reader.h"
#include "tq/ranks/operation.h"

/* an operation on one rank */
struct point {
	int64_t start, end; /* ns of the clock of the rank */
	int64_t bytes;      /* of its message; NO_ID: unknown */
	int32_t peer;       /* root or peer in the communicator; -1: unknown */
	uint8_t kind;       /* enum operation_kind */
};

/* the operations of a communicator, or of a stream of the device */
struct rank_sequence {
	char *comm; /* NULL: unknown; it is the stream's */
	int64_t stream;
	int64_t members, me; /* NO_ID: unknown */
	int64_t first;       /* number of all[0] */
	bool absolute;       /* numbers are the communicator's */
	struct point *all;
	size_t count, cap;
};

struct rank_points {
	int64_t rank;              /* NO_ID: unknown */
	char *host;                /* NULL: unknown */
	int64_t utc;               /* of its time 0, ns; NO_ID: unknown */
	int64_t first, last;       /* times of records; NO_ID: there are none */
	struct rank_sequence *all; /* in order of their first operation */
	size_t count, cap;
};

/*
 * Read a section, and records before it.  True if another section follows: the
 * reader has its trace record then, and the next call needs begun.  With heads,
 * only records about the rank and its communicators are read of points.
 */
bool rank_points_read(
    struct rank_points *p, struct reader *in, bool heads, bool begun);

/* What rank_points_read needs. */
void rank_points_keys(struct keyset want[]);

/* Write a section. */
void rank_points_write(const struct rank_points *p, struct output *o);

void rank_points_free(struct rank_points *p);

#endif
