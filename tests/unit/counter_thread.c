/* counter_thread.c - values that nobody takes are counted, not kept for ever */

#include <stdlib.h>

#include "counters/counter_queue.h"
#include "tq/base/time.h"
#include "check.h"

enum { KEPT = 1 << 20 };

int
main(void)
{
	struct clock clock = {0};
	struct counter_thread *c = counter_thread_start(0, 1, &clock, 1);
	uint32_t info = counter_thread_define(c, "power", "W", NO_ID);
	struct counter_batch b;

	for (int i = 0; i < KEPT + 3; i++)
		counter_thread_put(
		    c, &(struct counter_sample){.info = info, .value = i});
	counter_thread_take(c, &b);
	CHECK(b.count == KEPT && b.lost == 3, "%zu kept, %lld lost", b.count,
	    (long long)b.lost);
	CHECK(b.samples[KEPT - 1].value == KEPT - 1, "not the oldest");
	free(b.samples);

	/* what was taken makes room */
	counter_thread_put(c, &(struct counter_sample){.info = info});
	counter_thread_take(c, &b);
	CHECK(b.count == 1 && b.lost == 0, "%zu kept, %lld lost", b.count,
	    (long long)b.lost);
	free(b.samples);
	counter_thread_stop(c);
	counter_thread_free(c);
	return check_status();
}
