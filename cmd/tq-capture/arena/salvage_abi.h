/*
 * salvage_abi.h - the records in a buffer that CUPTI had when its process died
 *
 * libtq-capture.so exports this for tq-capture, which loads it for the
 * purpose (dlopen, dlsym): what CUPTI's records look like is known there and
 * nowhere else.  Neither is thread-safe.
 */
#ifndef TQ_CAPTURE_SALVAGE_ABI_H
#define TQ_CAPTURE_SALVAGE_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "record.h"

enum { SALVAGE_ROOM = 512 }; /* bytes that any record fits into */

/* To be set to {0} but for the first three. */
struct salvage {
	const struct arena *arena; /* of the dead process */
	const char *buffer;        /* one of it that is BUFFER_LENT */
	size_t bytes;              /* ARENA_BUFFER */
	size_t at;                 /* what comes next */
	uint64_t incomplete;       /* records that CUPTI was not done with */
};

/*
 * Make records of what is in the buffer, as the agent would have made them,
 * into out, whole ones, in room bytes, at least SALVAGE_ROOM.  Returns how
 * many bytes were written; 0: the buffer has no more.
 *
 * A kernel has symbol 0 and an address, the name of a device is missing.
 * Kinds that the arena is not on for are made too.  The arena and the
 * buffer may hold anything: nothing outside of them is read, and what
 * looks like no record ends the buffer.
 */
size_t tq_capture_salvage(struct salvage *s, char *out, size_t room);

/*
 * What a RECORD_FUNCTION of that callback would say, for calls whose process
 * did not come to define it; NULL if it can't be found out.  Lives until the
 * end.  The first call loads libcupti.
 */
const char *tq_capture_function(enum api_source source, uint32_t callback);

#endif
