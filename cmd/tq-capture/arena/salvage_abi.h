/*
 * salvage_abi.h - reading a buffer that CUPTI had when its process died
 *
 * libtq-capture.so exports these functions, and tq-capture loads it (dlopen,
 * dlsym) to call them: only the agent is built with the layout of CUPTI's
 * records.  Neither is thread-safe.
 */
#ifndef TQ_CAPTURE_SALVAGE_ABI_H
#define TQ_CAPTURE_SALVAGE_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "record.h"

enum { SALVAGE_ROOM = 512 }; /* bytes that any record fits into */

/* The caller sets the first three members and written; the others are 0. */
struct salvage {
	const struct arena *arena; /* of the dead process */
	const char *buffer;        /* one of it that is BUFFER_LENT */
	size_t bytes;              /* ARENA_BUFFER */
	size_t at;                 /* offset of the next record */
	uint64_t written;          /* arena_written of the buffer, or 0 */
	uint64_t incomplete;       /* records that CUPTI was not done with */
	uint64_t launches;         /* as arena.launch_records counts them */
	uint32_t corr;             /* as arena.record_corr; 0: of no call */
};

/*
 * Translate the next records of the buffer as the agent would have done, into
 * out, of room bytes, at least SALVAGE_ROOM; only whole records.  Returns how
 * many bytes were written; 0: the buffer has no more records.
 *
 * A kernel has symbol 0 and an address; a device has no name.  arena.on is
 * ignored.  The arena and the buffer may hold any bytes: nothing outside of
 * them is read, and bytes that are no record end the buffer.
 */
size_t tq_capture_salvage(struct salvage *s, char *out, size_t room);

/*
 * The name that a RECORD_FUNCTION of that callback would have, for calls of a
 * process that died before it defined it; NULL if libcupti has none.  Static.
 * The first call loads libcupti.
 */
const char *tq_capture_function(enum api_source source, uint32_t callback);

#endif
