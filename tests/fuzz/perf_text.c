/*
 * perf_text.c - text that perf script printed, or folded stacks: whatever it
 * is, what comes out are records in order of time, and no event is lost.
 */

#include "fuzz.h"
#include "fuzz_exit.h"
#include "fuzz_source.h"
#include "source.h"
#include "write/sorted_section.h"

static void
check_counts(const void *section)
{
	const struct event_counts *c =
	    &((const struct sorted_section *)section)->counts;

	for (size_t i = 0; i < c->count; i++)
		REQUIRE(c->all[i].events == c->all[i].records + c->all[i].lost);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_source(&perf_source, data, size, check_counts);
	fuzz_source(&folded_source, data, size, check_counts);
	return 0;
}
