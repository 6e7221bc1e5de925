/*
 * nccl.c - what NCCL Inspector writes: whatever it is, what comes out are
 * records in order of time, and no event is unaccounted for.
 */

#include "fuzz_held.h"
#include "source.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_source(&nccl_source, data, size, fuzz_held);
	return 0;
}
