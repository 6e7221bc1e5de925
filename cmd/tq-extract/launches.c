/* launches.c - how many operations each call launched */

#include <stdlib.h>
#include <string.h>

#include "launches.h"
#include "tq/mem.h"

static uint32_t *
page_of(struct launches *l, uint64_t process, uint64_t corr, bool make)
{
	uint64_t number = corr / LAUNCHES_PAGE, *page;

	if (l->last != NULL && l->last_process == process &&
	    l->last_page == number)
		return l->last;
	page = make ? map_get(&l->pages, process, number)
		    : map_find(&l->pages, process, number);
	if (page == NULL)
		return NULL;
	if (*page == 0) {
		if (l->count == l->cap) {
			l->cap = l->cap * 2 + 64;
			l->counts =
			    mem_resize(l->counts, l->cap, sizeof(*l->counts));
		}
		memset(l->counts[l->count], 0, sizeof(*l->counts));
		*page = ++l->count;
	}
	l->last_process = process;
	l->last_page = number;
	l->last = l->counts[*page - 1];
	return l->last;
}

void
launches_add(struct launches *l, uint64_t process, uint64_t corr)
{
	uint32_t *count =
	    page_of(l, process, corr, true) + corr % LAUNCHES_PAGE;

	if (*count < UINT32_MAX)
		++*count;
}

int64_t
launches_get(struct launches *l, uint64_t process, uint64_t corr)
{
	const uint32_t *page = page_of(l, process, corr, false);

	return page != NULL ? page[corr % LAUNCHES_PAGE] : 0;
}

void
launches_free(struct launches *l)
{
	map_free(&l->pages);
	free(l->counts);
}
