/*
 * raw.h - a buffer of CUPTI that the agent kept as it was (see
 * cmd/tq-capture/agent/cupti_raw.h), made into records once more
 */
#ifndef TQ_TEST_RAW_H
#define TQ_TEST_RAW_H

#include "agent/cupti/cupti_raw.h"
#include "arena/salvage_abi.h"

enum { RAW_NAME_MOST = 256, RAW_ROOM = SALVAGE_ROOM + 8 + RAW_NAME_MOST };

struct raw {
	/* its own: an arena begins a line of the cache */
	struct arena arena;
	const char *buffer, *texts, *end;
	size_t at;

	/* to be read */
	uint64_t incomplete; /* records that CUPTI was not done with */
	struct raw_header head;
};

/*
 * Read a file of n bytes, at an address that is a multiple of 8, and borrow
 * it.  NULL, or a constant text with the problem: then r has no value.
 */
const char *raw_open(struct raw *r, const void *file, size_t n);

/*
 * The next record that the agent made of it, to out, of RAW_ROOM bytes, with
 * the name of a device.  Returns its bytes; 0 at the end.
 */
size_t raw_next(struct raw *r, char *out);

/* The text that was at that address; NULL: not known.  Without a NUL. */
const char *raw_text(const struct raw *r, uint64_t address, size_t *len);

#endif
