/*
 * memory_owner.h - who an allocation is of: a process, a device and a kind of
 * memory
 */
#ifndef MEMORY_OWNER_H
#define MEMORY_OWNER_H

#include "tq/base/intern.h"
#include "tq/line/event.h"

struct memory_owner {
	int64_t pid, device; /* or NO_ID */
	uint32_t mem;        /* number of the kind of memory, in kinds */
};

/* The owner of a record of kind alloc; its kind of memory joins kinds. */
struct memory_owner memory_owner_of(
    const struct event *ev, struct intern *kinds, struct text *scratch);

static inline bool
memory_owner_is(const struct memory_owner *a, const struct memory_owner *b)
{
	return a->pid == b->pid && a->device == b->device && a->mem == b->mem;
}

#endif
