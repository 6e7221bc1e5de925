/*
 * backlog.h - records moved out of an arena to make room there; they wait in a
 * file without a name until the launcher has time for them
 */
#ifndef TQ_CAPTURE_BACKLOG_H
#define TQ_CAPTURE_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "arena/arena.h"

/* {0} is an empty one */
struct backlog {
	int file; /* 1 + descriptor, 0: not opened */
	off_t read, written;
	bool broken; /* true if records could not be read back */
};

/* Add n bytes of records of a chunk; false with errno: nothing is added. */
bool backlog_put(
    struct backlog *b, const struct chunk *head, const char *records, size_t n);

/*
 * Copy the records of the oldest put to head and records, and remove them.
 * Returns their bytes.  0: there are none, or they can't be read back; then
 * all are removed, and broken is set.
 */
size_t backlog_get(
    struct backlog *b, struct chunk *head, char *records, size_t room);

bool backlog_is_empty(const struct backlog *b);

void backlog_free(struct backlog *b);

#endif
