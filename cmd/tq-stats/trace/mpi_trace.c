/* mpi_trace.c - each call of MPI */

#include "sums/mpi.h"
#include "tq/show/col.h"

static void
number_col(struct table *t, const char *name, const struct mpi_call *c,
    enum mpi_number n, bool shown)
{
	col_int_if(t, name, UNIT_NONE, shown && c->has[n], c->number[n]);
}

static void
trace_row(struct table *t, struct report *r, const struct event *ev,
    const struct mpi_call *c)
{
	int64_t ts = event_int(ev, KEY_ts, 0), dur = event_int(ev, KEY_dur, 0);
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	bool timed = event_has(ev, KEY_ts), ended = event_has(ev, KEY_dur);
	bool collective = c->mpi_class == MPI_COLLECTIVES;
	struct defined_name process;

	names_process(r->names, pid, &process);
	r->scratch.len = 0;
	col_int_if(t, "Start", UNIT_TIME, timed, ts);
	col_int_if(t, "End", UNIT_TIME, timed && ended, time_end(ts, dur));
	col_int_if(t, "Duration", UNIT_TIME, ended, dur);
	col_text(t, "Event", event_str(ev, KEY_name, &r->scratch));
	col_id(t, "Pid", pid);
	col_id(t, "Tid", event_int(ev, KEY_tid, NO_ID));
	number_col(t, "Tag", c, MPI_TAG, true);
	col_id(t, "Rank", process.number);
	number_col(t, "PeerRank", c, MPI_PEER, true);
	number_col(t, "RootRank", c, MPI_ROOT, true);
	number_col(t, "Size (B)", c, MPI_SIZE, !collective);
	number_col(t, "CollSendSize (B)", c, MPI_SIZE, collective);
	number_col(t, "CollRecvSize (B)", c, MPI_RECV_SIZE, collective);
}

void
mpi_trace_open(struct report *r)
{
	static const struct event none;

	col_heading(&r->rows, trace_row, r, &none, &(struct mpi_call){0});
}

/* A number of the second half replaces the number of the call. */
static void
replace_number(struct mpi_call *c, enum mpi_number to, enum mpi_number from)
{
	if (!c->has[from])
		return;
	c->has[to] = true;
	c->number[to] = c->number[from];
}

void
mpi_trace_event(struct report *r, const struct event *ev)
{
	struct mpi_call c;

	if (!mpi_read(&c, r, ev))
		return;
	trace_row(&r->rows, r, ev, &c);
	if (!mpi_has_halves(&c))
		return;
	replace_number(&c, MPI_TAG, MPI_RECV_TAG);
	replace_number(&c, MPI_SIZE, MPI_RECV_SIZE);
	trace_row(&r->rows, r, ev, &c);
}
