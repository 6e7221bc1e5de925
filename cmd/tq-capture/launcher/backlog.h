/*
 * backlog.h - records that were moved out of an arena to make room there, and
 * wait in a file without a name until there is time for them
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
	bool broken; /* some could not be read back */
};

/* Keep n bytes of records of a chunk; false with errno: they are not kept. */
bool backlog_put(
    struct backlog *b, const struct chunk *head, const char *records, size_t n);

/*
 * The oldest that were put, as they were; returns how many bytes, 0: there are
 * none, or they can't be read back (then all are forgotten, and it is broken).
 */
size_t backlog_get(
    struct backlog *b, struct chunk *head, char *records, size_t room);

bool backlog_is_empty(const struct backlog *b);

void backlog_free(struct backlog *b);

#endif
