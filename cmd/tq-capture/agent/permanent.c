/* permanent.c - memory that is never freed */

#include <errno.h>
#include <stdint.h>

#include "own_memory.h"
#include "permanent.h"

enum { BLOCK = 1 << 16, ALIGN = 16 };

/* another thread may fork a child at any moment: one store changes how much of
   a block is used */
struct permanent_block {
	size_t used;
	size_t unused; /* for ALIGN */
};

static struct permanent_block *_Atomic block;

/* NULL: no memory */
static void *
map_bytes(size_t bytes)
{
	int error = errno;
	void *p = own_memory_map(bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	errno = error;
	return p;
}

void *
permanent_alloc(size_t bytes)
{
	struct permanent_block *b = block;
	char *p;

	if (bytes > SIZE_MAX / 2)
		return NULL;
	bytes = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (b == NULL || bytes > BLOCK - b->used) {
		if (bytes > BLOCK / 4)
			return map_bytes(bytes);
		if ((b = map_bytes(BLOCK)) == NULL)
			return NULL;
		b->used = sizeof(*b);
		block = b;
	}
	p = (char *)b + b->used;
	b->used += bytes;
	return p;
}
