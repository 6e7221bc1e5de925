/* mpi_record.c - calls of MPI become records */

#include <string.h>

#include "agent.h"
#include "first_call.h"
#include "mpi_call.h"
#include "settings.h"
#include "writer.h"

bool
tq_capture_mpi_begin(void)
{
	first_call_preloaded();
	return process_is_wanted();
}

uint64_t
tq_capture_mpi_clock(void)
{
	return agent_clock();
}

uint64_t
tq_capture_mpi_start(bool is_nested)
{
	struct writer *w = writer_enter();
	uint64_t now = 0;

	if (w == NULL)
		return 0;
	if (writer_on() & ARENA_MPI) {
		now = process_clock();
		if (!is_nested || w->at->since == 0)
			atomic_store_explicit(
			    &w->at->since, now, memory_order_relaxed);
	}
	writer_leave(w);
	return now;
}

void
tq_capture_mpi_over(uint64_t from)
{
	struct writer *w = writer_self.writer;

	if (w != NULL && writer_is_here(w) && w->at->since == from)
		atomic_store_explicit(&w->at->since, 0, memory_order_release);
}

void
tq_capture_mpi_put(struct record_mpi *r)
{
	struct writer *w = agent_thread();
	char *p;

	r->head.type = RECORD_MPI;
	r->head.words = sizeof(*r) / 8;
	if (w == NULL || (p = agent_begin(w, r->end == 0 ? LOSSES : LOSS_MPI,
			      sizeof(*r))) == NULL)
		return;
	memcpy(p, r, sizeof(*r));
	agent_end(w, sizeof(*r));
}
