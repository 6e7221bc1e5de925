/*
 * launches.h - how many operations each call launched, by process and
 * correlation id.
 *
 * Correlation ids of a process are dense, so counters stand in small pages:
 * a few bytes per id, and neighbours are near each other.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "tq/map.h"

enum { LAUNCHES_PAGE = 64 }; /* correlation ids */

struct launches {
	struct map pages; /* (process, id / LAUNCHES_PAGE) -> page + 1 */
	uint32_t (*counts)[LAUNCHES_PAGE];
	size_t count, cap;
	uint64_t last_process, last_page; /* of the page used last */
	uint32_t *last;
};

void launches_add(struct launches *l, uint64_t process, uint64_t corr);

/* 0 where it launched nothing. */
int64_t launches_get(struct launches *l, uint64_t process, uint64_t corr);

void launches_free(struct launches *l);

#endif
