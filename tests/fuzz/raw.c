/*
 * raw.c - any bytes as a buffer of CUPTI that was kept: what the agent makes
 * of it, while its process lives or when it died, reads nothing beside it, and
 * is whole records of known types.
 */

#include <string.h>

#include "../capture/raw.h"
#include "fuzz.h"

static void
check_record(const char *p, size_t n)
{
	struct record head;

	REQUIRE(n >= sizeof(head));
	memcpy(&head, p, sizeof(head));
	REQUIRE(head.words >= 2 && (size_t)head.words * 8 <= n);
	REQUIRE(head.type > RECORD_CUPTI && head.type < RECORD_CUPTI_END);
}

/* one by one, as tests replay it */
static void
replay(struct raw *r)
{
	char out[RAW_ROOM];
	size_t n;

	while ((n = raw_next(r, out)) != 0) {
		REQUIRE(n <= sizeof(out));
		check_record(out, n);
	}
	REQUIRE(r->at <= r->head.bytes);
}

/* many at once, as tq-capture does with a process that died */
static void
salvage(const struct raw *r)
{
	struct salvage s = {
	    .arena = &r->arena, .buffer = r->buffer, .bytes = r->head.bytes};
	char out[2 * SALVAGE_ROOM];
	struct record head;
	size_t n, at;

	while ((n = tq_capture_salvage(&s, out, sizeof(out))) != 0) {
		REQUIRE(n <= sizeof(out));
		for (at = 0; at < n; at += (size_t)head.words * 8) {
			check_record(out + at, n - at);
			memcpy(&head, out + at, sizeof(head));
		}
	}
	REQUIRE(s.at <= s.bytes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct raw r;
	void *file = malloc(size == 0 ? 1 : size); /* of that size, aligned */

	REQUIRE(file != NULL);
	memcpy(file, data, size);
	if (raw_open(&r, file, size) == NULL) {
		salvage(&r);
		replay(&r);
	}
	free(file);
	return 0;
}
