/*
 * nsys_filter.c - any text as --filter-time and --filter-nvtx: a window that is
 * accepted is not empty, and a range is one.
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
	if (nsys_filter_time(&f, text) == NULL)
		REQUIRE(f.by_time &&
			(f.from < f.to || nsys_filter_needs_survey(&f)));
	else
		REQUIRE(!f.by_time);
	if (nsys_filter_nvtx(&f, text) == NULL)
		REQUIRE(f.by_range && f.spec.first == f.spec.last &&
			f.spec.first >= 0);
	REQUIRE(nsys_filter_given(&f) == (f.by_time || f.by_range));
	nsys_filter_free(&f);
	free(text);
	return 0;
}
