/*
 * nsys_filter.c - any text as --filter-nvtx: a range that is accepted is one.
 */

#include <string.h>

#include "fuzz.h"
#include "nsys_filter.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nsys_filter f = {0};
	char *text = malloc(size + 1);

	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	if (nsys_filter_nvtx(&f, text) == NULL)
		REQUIRE(f.by_range && f.spec.first == f.spec.last &&
			f.spec.first >= 0);
	REQUIRE(nsys_filter_given(&f) == f.by_range);
	nsys_filter_free(&f);
	free(text);
	return 0;
}
