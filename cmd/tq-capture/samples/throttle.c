/* throttle.c - the samples that the kernel did not take */

#include <stdlib.h>

#include "throttle.h"

void
throttle_begin(struct throttle *t, uint32_t tid, uint32_t cpu, int64_t ts)
{
	bool fresh;
	struct throttled_thread *thread =
	    keyed_get(&t->threads, tid, cpu, &fresh);

	*thread = (struct throttled_thread){ts};
}

void
throttle_end(struct throttle *t, uint32_t tid, uint32_t cpu, int64_t ts)
{
	struct throttled_thread *thread = keyed_find(&t->threads, tid, cpu);
	int64_t ns;

	if (thread == NULL || thread->since < 0)
		return;
	/* a longer time is one in which the thread did not run */
	ns = ts - thread->since;
	t->missed += ns < 0 ? 0 : ns < t->tick ? ns : t->tick;
	thread->since = -1;
}

uint64_t
throttle_take(struct throttle *t)
{
	int64_t count = t->missed / t->period;

	t->missed %= t->period;
	return (uint64_t)count;
}

void
throttle_free(struct throttle *t)
{
	keyed_free(&t->threads);
}
