/* region.c - memory that is freed together: a stack of blocks */

#include <stdalign.h>
#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/base/region.h"

enum { FIRST = 1 << 10, LARGEST = 1 << 16 }; /* bytes of a block */

/* bytes[used] and all behind it are 0 */
struct region_block {
	struct region_block *below;
	size_t used, size;
	alignas(max_align_t) char bytes[];
};

/* each block has twice the bytes of the one below it, up to LARGEST */
static void
push_block(struct region *r, size_t size)
{
	struct region_block *below = r->last, *b;
	size_t usual = below == NULL ? FIRST : below->size * 2;

	if (usual > LARGEST)
		usual = LARGEST;
	if (size < usual)
		size = usual;
	if (size > SIZE_MAX - sizeof(*b))
		size = SIZE_MAX - sizeof(*b); /* which mem_alloc refuses */
	b = mem_alloc(sizeof(*b) + size);
	b->below = below;
	b->size = size;
	r->last = b;
}

/* alignment is a power of two */
static void *
take_bytes(struct region *r, size_t size, size_t alignment)
{
	struct region_block *b = r->last;
	size_t at = 0;

	if (b != NULL)
		at = (b->used + alignment - 1) & ~(alignment - 1);
	if (b == NULL || at > b->size || b->size - at < size) {
		push_block(r, size);
		b = r->last;
		at = 0;
	}
	b->used = at + size;
	return b->bytes + at;
}

void *
region_get(struct region *r, size_t size)
{
	return take_bytes(r, size, alignof(max_align_t));
}

struct span
region_copy(struct region *r, struct span s)
{
	char *p = take_bytes(r, s.len + 1, 1);

	if (s.len > 0)
		memcpy(p, s.p, s.len);
	return (struct span){p, s.len};
}

struct region_mark
region_mark(const struct region *r)
{
	return (struct region_mark){
	    r->last, r->last != NULL ? r->last->used : 0};
}

void
region_reset(struct region *r, struct region_mark mark)
{
	struct region_block *b;

	while ((b = r->last) != mark.block) {
		r->last = b->below;
		free(b);
	}
	if (b == NULL)
		return;
	memset(b->bytes + mark.used, 0, b->used - mark.used);
	b->used = mark.used;
}

void
region_free(struct region *r)
{
	region_reset(r, (struct region_mark){0});
}
