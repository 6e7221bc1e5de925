/*
 * mpi_lines.h - calls of MPI become lines, as tq-extract has them of nsys
 *
 * A call is recorded when it begins and when it has returned; the first record
 * shows where a process hangs, or was when it died.
 */
#ifndef TQ_CAPTURE_MPI_LINES_H
#define TQ_CAPTURE_MPI_LINES_H

#include <stdint.h>

#include "tq/base/keyed.h"

#include "arena/record.h"

struct lines;

enum { MPI_NESTED_MAX = 8 }; /* MPI calls functions of programs */

/* calls of a thread that have not returned, the outermost first */
struct mpi_thread {
	int32_t tid;
	int depth;
	struct record_mpi open[MPI_NESTED_MAX];
};

/* the calls of one process; {0} has none */
struct mpi_lines {
	KEYED(struct mpi_thread) threads; /* by tid */
	bool lost;                        /* the end of a call may be lost */
};

/* Write the calls that are open, as such, unless an end may be lost; returns
   how many. */
int64_t mpi_lines_open(struct lines *l);

void mpi_lines_free(struct mpi_lines *m);

#endif
