/* stack_copy.c - a copy of the stack of this thread */

#include <string.h>

#include "readable.h"
#include "stack_copy.h"

enum { PAGE = 4096 };

size_t
stack_copy_size(uint64_t sp, size_t most)
{
	/* not even the first page is sure: a stack that is empty may end where
	   nothing is mapped behind it */
	uint64_t page = sp & ~(uint64_t)(PAGE - 1);

	while (page < sp + most && readable_word(page))
		page += PAGE;
	if (page <= sp)
		return 0;
	return (size_t)(page < sp + most ? page - sp : most) & ~(size_t)7;
}

/* Copy bytes, a multiple of 8, from that address; not memcpy, which a sanitizer
   of the program's would stop at red zones of its stack. */
static void
copy_words(char *to, uint64_t from, size_t bytes)
{
	const volatile uint64_t *words =
	    (const volatile uint64_t *)(uintptr_t)from;

	for (size_t i = 0; i < bytes / 8; i++) {
		uint64_t word = words[i];

		memcpy(to + 8 * i, &word, 8);
	}
}

void
stack_copy_put(char *to, const struct osrt_stack *registers, size_t stack)
{
	uint64_t bytes = sizeof(*registers) + stack;

	memcpy(to, &bytes, sizeof(bytes));
	to += sizeof(bytes);
	memcpy(to, registers, sizeof(*registers));
	copy_words(to + sizeof(*registers), registers->sp, stack);
}
