/* launches.c - how many operations each call launched */

#include <stdlib.h>

#include "launches.h"
#include "tq/base/mem.h"

enum { BLOCK = 128, MANY = 255 }; /* pages; a count that a byte has not */

static unsigned char *
new_page(struct launches *l)
{
	size_t i = l->count++;

	if (i % BLOCK == 0) {
		l->blocks =
		    mem_resize(l->blocks, i / BLOCK + 1, sizeof(*l->blocks));
		l->blocks[i / BLOCK] = mem_alloc(BLOCK * LAUNCHES_PAGE);
	}
	return l->blocks[i / BLOCK] + i % BLOCK * LAUNCHES_PAGE;
}

/* the page of an id that was not used lately */
static unsigned char *
find_page(struct launches *l, uint64_t process, uint64_t number, bool make)
{
	uint64_t *page = make ? map_get(&l->pages, process, number)
			      : map_find(&l->pages, process, number);

	if (page == NULL)
		return NULL;
	if (*page == 0) {
		unsigned char *made = new_page(l);

		*page = l->count;
		return made;
	}
	return l->blocks[(*page - 1) / BLOCK] +
	       (*page - 1) % BLOCK * LAUNCHES_PAGE;
}

static inline unsigned char *
page_of(struct launches *l, uint64_t process, uint64_t corr, bool make)
{
	uint64_t number = corr / LAUNCHES_PAGE;
	struct launches_recent *r =
	    &l->recent[(process ^ process >> 24) % LAUNCHES_RECENT];

	if (r->page == NULL || r->process != process || r->number != number) {
		unsigned char *page = find_page(l, process, number, make);

		if (page == NULL)
			return NULL;
		*r = (struct launches_recent){process, number, page};
	}
	return r->page;
}

void
launches_add(struct launches *l, uint64_t process, uint64_t corr)
{
	unsigned char *count =
	    page_of(l, process, corr, true) + corr % LAUNCHES_PAGE;

	if (*count < MANY)
		++*count;
	if (*count == MANY)
		++*map_get(&l->many, process, corr);
}

void
launches_set(
    struct launches *l, uint64_t process, uint64_t corr, unsigned char count)
{
	unsigned char *old =
	    page_of(l, process, corr, true) + corr % LAUNCHES_PAGE;

	if (*old == 0)
		*old = count;
}

int64_t
launches_get(struct launches *l, uint64_t process, uint64_t corr)
{
	const unsigned char *page = page_of(l, process, corr, false);
	unsigned count = page != NULL ? page[corr % LAUNCHES_PAGE] : 0;
	uint64_t all;

	if (count < MANY)
		return count;
	all = MANY - 1 + *map_find(&l->many, process, corr);
	return all < UINT32_MAX ? (int64_t)all : UINT32_MAX;
}

void
launches_free(struct launches *l)
{
	map_free(&l->pages);
	map_free(&l->many);
	for (size_t i = 0; i * BLOCK < l->count; i++)
		free(l->blocks[i]);
	free(l->blocks);
}
