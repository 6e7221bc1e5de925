/*
 * short_names.c - names, a line each: their short forms are no wider than they
 * may be, and differ.
 */

#include <string.h>

#include "fuzz.h"
#include "tq/show/short_names.h"
#include "tq/base/intern.h"

static size_t
columns(struct span s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	return n;
}

static void
check(const struct intern *names, size_t width, const char *ellipsis)
{
	struct span *shorts = calloc(names->count + 1, sizeof(*shorts));
	struct intern forms = {0};
	struct region life = {0};

	short_names(names->texts, names->count, width, ellipsis, shorts, &life);
	for (size_t i = 0; i < names->count; i++) {
		REQUIRE(columns(shorts[i]) <= width);
		REQUIRE(intern_get(&forms, shorts[i]) == i);
	}
	intern_free(&forms);
	region_free(&life);
	free(shorts);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data, *end = p + size;
	struct intern names = {0};

	while (p < end) {
		const char *line = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((line != NULL ? line : end) - p);

		intern_get(&names, (struct span){p, len});
		p += len + 1;
	}
	check(&names, 20, "..");
	check(&names, 30, "\xe2\x80\xa6");
	check(&names, 50, "\xe2\x80\xa6");
	intern_free(&names);
	return 0;
}
