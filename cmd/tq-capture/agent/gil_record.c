/* gil_record.c - waits for the lock of Python, and holds of it, become records
 */

#include <errno.h>
#include <string.h>

#include "agent.h"
#include "gil_call.h"
#include "settings.h"
#include "writer.h"

bool
tq_capture_gil_begin(uint64_t *threshold, bool *counter)
{
	const struct agent_settings *s;

	if (!process_is_wanted())
		return false;
	s = settings_get();
	if (!(s->on & ARENA_GIL))
		return false;
	*threshold = s->gil;
	*counter = s->tsc;
	writer_prepare();
	return true;
}

void
tq_capture_gil(enum gil_state state, uint64_t from, uint64_t till)
{
	struct record_gil r = {.head = {.words = sizeof(r) / 8,
				   .type = RECORD_GIL,
				   .domain = state,
				   .ticks = from},
	    .end = till};
	int error = errno;
	struct writer *w = agent_thread();
	char *p;

	if (w != NULL && (agent_on() & ARENA_GIL) != 0 &&
	    (p = agent_begin(w, LOSS_GIL, sizeof(r))) != NULL) {
		memcpy(p, &r, sizeof(r));
		agent_end(w, sizeof(r));
	}
	errno = error;
}

void
tq_capture_gil_has(int32_t tid, uint64_t since)
{
	struct arena *a = agent_arena();

	if (a == NULL)
		return;
	atomic_store_explicit(&a->gil_tid, tid, memory_order_relaxed);
	atomic_store_explicit(&a->gil_since, since, memory_order_release);
}
