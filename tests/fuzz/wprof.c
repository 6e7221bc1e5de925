/*
 * wprof.c - what wprof -J writes: whatever it is, what comes out are records in
 * order of time, and no event is unaccounted for.
 */

#include "fuzz_held.h"
#include "source.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_source(&wprof_source, data, size, fuzz_held);
	return 0;
}
