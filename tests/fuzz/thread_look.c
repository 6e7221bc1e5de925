/*
 * thread_look.c - any bytes as what a thread does: what is taken for a system
 * call has nine numbers, and what dies has a name
 */

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "stacks/thread_look.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct thread_call c, again;

	memcpy(text, data, size);
	text[size] = '\0';
	if (thread_look_parse(&c, text)) {
		REQUIRE(strlen(text) >= 9);
		REQUIRE(thread_look_parse(&again, text));
		REQUIRE(thread_look_same(&c, &again));
	}
	if (thread_look_parse_dies(text))
		REQUIRE(strchr(text, ')') != NULL);
	free(text);
	return 0;
}
