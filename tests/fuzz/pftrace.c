/*
 * pftrace.c - a trace in Perfetto's format: whatever it is, what comes out are
 * records in order of time, and no packet is unaccounted for.
 */

#include "fuzz.h"
#include "fuzz_exit.h"
#include "fuzz_source.h"
#include "perfetto/pftrace.h"
#include "source.h"

static void
check_counts(const void *trace)
{
	const struct pftrace *p = trace;

	for (size_t i = 0; i < p->counts.count; i++) {
		const struct event_count *n = &p->counts.all[i].n;

		REQUIRE(n->events == n->records + n->paired + n->folded +
					 n->lost + n->unread);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_source(&perfetto_source, data, size, check_counts);
	return 0;
}
