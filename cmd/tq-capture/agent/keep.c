/* keep.c - memory that is never given back */

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

#include "keep.h"

enum { BLOCK = 1 << 16, ALIGN = 16 };

static char *block;
static size_t left;

void *
keep(size_t bytes)
{
	char *p;
	int error = errno;

	if (bytes > SIZE_MAX / 2)
		return NULL;
	bytes = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (bytes > left) {
		size_t size = bytes > BLOCK / 4 ? bytes : BLOCK;

		p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED) {
			errno = error;
			return NULL;
		}
		if (size == bytes)
			return p;
		block = p;
		left = size;
	}
	p = block;
	block += bytes;
	left -= bytes;
	return p;
}
