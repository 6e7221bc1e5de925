/* keep.c - memory that is never given back */

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

#include "permanent.h"

enum { BLOCK = 1 << 16, ALIGN = 16 };

/* a child may be forked by another thread at any moment: what is used of a
   block is told in one place, that a store changes */
struct block {
	size_t used;
	size_t unused; /* for ALIGN */
};

static struct block *_Atomic block;

/* as much as is asked for, or a block with that much in it; NULL: no memory */
static void *
get(size_t bytes)
{
	int error = errno;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	errno = error;
	return p == MAP_FAILED ? NULL : p;
}

void *
permanent_alloc(size_t bytes)
{
	struct block *b = block;
	char *p;

	if (bytes > SIZE_MAX / 2)
		return NULL;
	bytes = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (b == NULL || bytes > BLOCK - b->used) {
		if (bytes > BLOCK / 4)
			return get(bytes);
		if ((b = get(BLOCK)) == NULL)
			return NULL;
		b->used = sizeof(*b);
		block = b;
	}
	p = (char *)b + b->used;
	b->used += bytes;
	return p;
}
