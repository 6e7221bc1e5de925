/*
 * fold_name.c - a name of a range: folding is done once, shortens, and leaves
 * no number that was folded.
 */

#include <string.h>

#include "fuzz.h"
#include "tq/names/fold_name.h"

static size_t
fold(size_t (*f)(char *, size_t), char *p, size_t len)
{
	size_t n = f(p, len);

	REQUIRE(n <= len);
	return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *p = malloc(size + 1), *again;
	size_t n, m;

	if (size > 0)
		memcpy(p, data, size);
	n = fold(fold_name_always, p, size);
	REQUIRE(size == 0 || (memchr(data, '=', size) != NULL) ||
		memmem(data, size, "0x", 2) != NULL || n == size);
	n = fold(fold_name_numbers, p, n);
	again = malloc(n + 1);
	memcpy(again, p, n);
	m = fold(fold_name_numbers, again, n);
	REQUIRE(m == n && memcmp(again, p, n) == 0);
	free(again);
	free(p);
	return 0;
}
