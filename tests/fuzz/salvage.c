/*
 * salvage.c - any bytes as a buffer that CUPTI had when its process died: what
 * is made of it are whole records of known types, and nothing outside of the
 * buffer is read.
 *
 * The input is how many kinds have a size, these kinds with their sizes, two
 * bytes each, and the buffer.
 */

#include <string.h>

#include "lines/record_parts.h"
#include "arena/salvage_abi.h"
#include "fuzz.h"

static size_t
set_strides(struct arena *a, const uint8_t *data, size_t size)
{
	size_t n = size > 0 ? data[0] % ARENA_STRIDES : 0, at = 1;

	for (; n > 0 && at + 2 <= size; n--, at += 2)
		a->stride[data[at] % ARENA_STRIDES] =
		    (uint16_t)(data[at + 1] * 4);
	return at < size ? at : size;
}

static void
check_records(const char *p, size_t n)
{
	size_t length;

	for (; n > 0; p += length, n -= length) {
		const struct record *r = (const void *)p;

		length = record_parts_length(p, n);
		REQUIRE(length > 0);
		REQUIRE(r->type > RECORD_CUPTI && r->type < RECORD_CUPTI_END);
		REQUIRE(r->flags == 0);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena arena;
	static char out[2 * SALVAGE_ROOM] __attribute__((aligned(8)));
	struct salvage s = {.arena = &arena};
	size_t from, n, before = 0;
	char *buffer;

	memset(&arena, 0, sizeof(arena));
	from = set_strides(&arena, data, size);
	/* of its own, so that what is read behind it is seen */
	buffer = malloc(size - from + 1);
	if (size > from)
		memcpy(buffer, data + from, size - from);
	s.buffer = buffer;
	s.bytes = size - from;
	while ((n = tq_capture_salvage(&s, out, sizeof(out))) > 0) {
		REQUIRE(n <= sizeof(out) && s.at > before && s.at <= s.bytes);
		before = s.at;
		check_records(out, n);
	}
	free(buffer);
	return 0;
}
