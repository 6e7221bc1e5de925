/*
 * launches.h - how many operations each call launched, by process and
 * correlation id.
 *
 * Correlation ids of a process are dense, so counters stand in small pages:
 * a byte or two per id, and neighbours are near each other.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "tq/base/map.h"

enum {
	LAUNCHES_PAGE = 512, /* correlation ids */
	LAUNCHES_RECENT = 16,
};

/* a page that was used not long ago */
struct launches_recent {
	uint64_t process, number;
	unsigned char *page;
};

struct launches {
	struct map pages;       /* (process, id / LAUNCHES_PAGE) -> page + 1 */
	unsigned char **blocks; /* of pages, which stay where they are */
	size_t count;
	struct map many; /* (process, id) -> count, from 255 on */
	struct launches_recent recent[LAUNCHES_RECENT];
};

void launches_add(struct launches *l, uint64_t process, uint64_t corr);

/* Set the count of a call that has none, to less than 255. */
void launches_set(
    struct launches *l, uint64_t process, uint64_t corr, unsigned char count);

/* True if any call launched something. */
static inline bool
launches_any(const struct launches *l)
{
	return l->count > 0;
}

/* 0 where it launched nothing. */
int64_t launches_get(struct launches *l, uint64_t process, uint64_t corr);

void launches_free(struct launches *l);

#endif
