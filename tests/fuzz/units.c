/* units.c - a quantity: a number that is accepted reads back as itself */

#include <inttypes.h>
#include <string.h>

#include "fuzz.h"
#include "tq/base/units.h"

static void
check(bool (*parse)(const char *, int64_t *), const char *text)
{
	char digits[32];
	int64_t v, again;

	if (!parse(text, &v))
		return;
	REQUIRE(v != INT64_MIN);
	REQUIRE((v >= 0) || *text == '-');
	snprintf(digits, sizeof(digits), "%" PRId64, v);
	REQUIRE(parse(digits, &again) && again == v);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	check(units_time, text);
	check(units_size, text);
	free(text);
	return 0;
}
