/*
 * mpi.h - calls of MPI.
 *
 * A Sendrecv whose halves differ in rank, tag or size is two records of the
 * same thread, time and name, or one record with both: it is two messages, and
 * two rows of a trace, but one call.
 */
#ifndef MPI_H
#define MPI_H

#include "report.h"

enum mpi_number {
	MPI_TAG,
	MPI_PEER,
	MPI_ROOT,
	MPI_SIZE,
	MPI_RECV_TAG,
	MPI_RECV_SIZE,
	MPI_NUMBERS
};

/* The table of the export that a call is in, or where it would be. */
enum mpi_class {
	MPI_P2P,
	MPI_COLLECTIVES,
	MPI_START_WAIT,
	MPI_OTHER,
	MPI_NVTX, /* a range of the domain MPI, without numbers */
	MPI_CLASSES
};

struct mpi_call {
	enum mpi_class mpi_class;
	bool has[MPI_NUMBERS];
	int64_t number[MPI_NUMBERS];
};

/*
 * False if the record is no MPI call; overwrites r->scratch.  Nsight Systems
 * recorded calls as NVTX ranges of a domain MPI before it had tables of them;
 * the reports of nsys, and so those with --compat, do not read these.
 */
bool mpi_read(struct mpi_call *c, struct report *r, const struct event *ev);

/* True if the record has both halves of a Sendrecv, and they differ. */
bool mpi_has_halves(const struct mpi_call *c);

/* ---- mpi_event_trace, see trace/mpi_trace.c ---- */

void mpi_trace_open(struct report *r);
void mpi_trace_event(struct report *r, const struct event *ev);

#endif
