/*
 * perf_text.c - text that perf script printed, or folded stacks: whatever it
 * is, what comes out are records in order of time, and no event is lost.
 */

#include "fuzz.h"
#include "fuzz_exit.h"
#include "fuzz_source.h"
#include "folded/folded_source.h"
#include "perf/perf.h"
#include "perf/perf_source.h"

static void
check_perf(const void *text)
{
	const struct perf *p = text;

	for (size_t i = 0; i < p->count; i++)
		REQUIRE(p->counts[i].events + p->counts[i].split ==
			p->counts[i].records);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_source(&perf_source, data, size, check_perf);
	fuzz_source(&folded_source, data, size, NULL);
	return 0;
}
