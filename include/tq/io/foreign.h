/*
 * foreign.h - files that are no streams.
 */
#ifndef TQ_IO_FOREIGN_H
#define TQ_IO_FOREIGN_H

#include "tq/line/event.h"

/*
 * The format of a file that is not a stream, by its first lines: line is one of
 * them, and no record.  NULL: unknown.  With ":" at the end, tq-extract makes a
 * stream of it.
 */
const char *foreign_what(const char *name, struct span line);

/*
 * A file that is known and that no tool reads, by its name and its first bytes,
 * behind which one is readable: what it is and what to do instead, as the end
 * of a message.  NULL: anything else.
 */
const char *foreign_refused(const char *name, struct span head);

/*
 * Streams that tq-stats --partial writes, and few tools read: KIND_partial or
 * KIND_account by the trace record, else KIND_UNKNOWN.  And what such a file is
 * and what reads it, as the end of a message.
 */
enum kind foreign_part(const struct event *trace);
const char *foreign_part_what(enum kind part);

#endif
