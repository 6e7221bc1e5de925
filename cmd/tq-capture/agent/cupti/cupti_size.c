/* cupti_size - how long the records of a libcupti are */
#include <string.h>

#include "cupti_size.h"

enum { PROBE = 4096, ALIGNMENT = 8 };

/*
 * libcupti knows, and its cuptiActivityGetNextRecord tells: before a buffer
 * in which another record may begin anywhere, it is asked for the one behind
 * the first.
 */
static uint16_t
probe(const struct cupti_lib *lib, uint64_t *buffer, uint32_t kind)
{
	const uint32_t any = CUPTI_ACTIVITY_KIND_RUNTIME;
	uint8_t *begin = (uint8_t *)buffer;
	CUpti_Activity *r = NULL;
	size_t i;

	memset(buffer, 0, PROBE);
	for (i = 0; i < PROBE; i += ALIGNMENT)
		memcpy(begin + i, &any, sizeof(any));
	memcpy(begin, &kind, sizeof(kind));
	if (lib->next_record(begin, PROBE, &r) != CUPTI_SUCCESS ||
	    (uint8_t *)r != begin ||
	    lib->next_record(begin, PROBE, &r) != CUPTI_SUCCESS ||
	    (uint8_t *)r <= begin || (uint8_t *)r >= begin + PROBE)
		return 0;
	return (uint16_t)((uint8_t *)r - begin);
}

void
cupti_size_probe(const struct cupti_lib *lib, uint16_t stride[ARENA_STRIDES])
{
	uint64_t buffer[PROBE / sizeof(uint64_t)];
	uint32_t kind;

	stride[CUPTI_ACTIVITY_KIND_INVALID] = 0;
	for (kind = 1; kind < ARENA_STRIDES; kind++)
		stride[kind] = probe(lib, buffer, kind);
}
