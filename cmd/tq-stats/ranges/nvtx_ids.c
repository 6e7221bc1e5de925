/*
 * nvtx_ids.c - a word for each range of a section
 *
 * Ids of ranges are close together, mostly: they are on pages, which are found
 * by the high bits of an id.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "nvtx.h"

enum { PAGE_BITS = 6, PAGE = 1 << PAGE_BITS };

uint64_t *
nvtx_ids_get(struct nvtx_ids *ids, int64_t id)
{
	uint64_t high = (uint64_t)id >> PAGE_BITS, *page;

	if (ids->last != high || ids->count == 0) {
		page = map_get(&ids->pages, high, 0);
		if (*page == 0) {
			if (ids->count == ids->cap) {
				ids->cap = ids->cap * 2 + 16;
				ids->words = mem_resize(ids->words,
				    ids->cap * PAGE, sizeof(*ids->words));
			}
			memset(ids->words + ids->count * PAGE, 0,
			    PAGE * sizeof(*ids->words));
			*page = ++ids->count;
		}
		ids->last = high;
		ids->last_page = (size_t)*page - 1;
	}
	return &ids->words[ids->last_page * PAGE + ((uint64_t)id & (PAGE - 1))];
}

void
nvtx_ids_free(struct nvtx_ids *ids)
{
	map_free(&ids->pages);
	free(ids->words);
	*ids = (struct nvtx_ids){0};
}
