/* mem.c - allocate or exit */

#include <err.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tq/base/mem.h"

static void *
there(void *p)
{
	if (p == NULL)
		errx(1, "out of memory");
	return p;
}

void *
mem_alloc(size_t n)
{
	return there(calloc(1, n > 0 ? n : 1));
}

void *
mem_resize(void *p, size_t n, size_t size)
{
	return there(reallocarray(p, n > 0 ? n : 1, size));
}

void *
mem_more(void *p, size_t count, size_t *cap, size_t size)
{
	if (count < *cap)
		return p;
	if (count > SIZE_MAX / 4)
		return there(NULL);
	*cap = count * 2 + 8;
	return mem_resize(p, *cap, size);
}

char *
mem_copy(const char *p, size_t n)
{
	char *copy = mem_alloc(n + 1);

	if (n > 0)
		memcpy(copy, p, n);
	return copy;
}
