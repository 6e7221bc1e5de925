/*
 * gate.c - any text as a gate: what is accepted has a threshold.
 */

#include <string.h>

#include "fuzz.h"
#include "fuzz_exit.h"
#include "gate.h"

/* what was allocated until a jump is lost */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gates g = {0};
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	if (setjmp(ended) == 0) {
		gate_add(&g, text);
		REQUIRE(g.count == 1);
		REQUIRE(g.all->has_percent || g.all->has_amount);
	}
	gate_free(&g);
	free(text);
	return 0;
}
