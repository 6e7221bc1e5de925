/*
 * trace.c - a Chrome trace that tq-extract reads: whatever it is, what comes
 * out are records in order of time, and no event is unaccounted for.
 */

#include "chrome/chrome.h"
#include "fuzz.h"
#include "fuzz_exit.h"
#include "fuzz_source.h"
#include "source.h"

static void
check_counts(const void *trace)
{
	const struct chrome *c = trace;

	for (size_t i = 0; i < c->counts.count; i++) {
		const struct event_count *n = &c->counts.all[i].n;

		REQUIRE(
		    n->events == n->records + n->paired + n->folded + n->lost);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_source(&chrome_source, data, size, check_counts);
	return 0;
}
