/*
 * http_request.c - any bytes as the head of a request: what is taken apart is
 * part of the bytes, and is the same whatever follows the head.
 */

#include <string.h>

#include "fuzz.h"
#include "http_request.h"

static void
check_inside(struct span part, struct span all)
{
	REQUIRE(part.len == 0 ||
		(part.p >= all.p && part.p + part.len <= all.p + all.len));
	REQUIRE(part.len == 0 || memchr(part.p, '\n', part.len) == NULL);
}

/* how often a header has this name */
static int
count_headers(struct span head, const char *name)
{
	size_t len = strlen(name);
	int count = 0;

	for (size_t i = 0; i + len <= head.len; i++)
		count += strncasecmp(head.p + i, name, len) == 0;
	return count;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span bytes = {(const char *)data, size};
	struct http_request r, again;
	enum http_head is = http_request_parse(&r, bytes);
	const char *end = memmem(data, size, "\r\n\r\n", 4);

	REQUIRE((is == HTTP_CUT) == (end == NULL));
	if (is != HTTP_WHOLE)
		return 0;
	check_inside(r.method, bytes);
	check_inside(r.target, bytes);
	check_inside(r.host, bytes);
	check_inside(r.origin, bytes);
	REQUIRE(r.method.len > 0 && r.target.len > 0 && r.host.len > 0);
	bytes.len = (size_t)(end - bytes.p) + 4;
	REQUIRE(count_headers(bytes, "\nhost:") == 1);
	REQUIRE(count_headers(bytes, "\norigin:") == (r.origin.len > 0));
	REQUIRE(http_request_parse(&again, bytes) == HTTP_WHOLE);
	REQUIRE(span_eq(r.host, again.host) &&
		span_eq(r.origin, again.origin) &&
		span_eq(r.target, again.target));
	return 0;
}
