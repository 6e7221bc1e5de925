/*
 * sink.h - where tq-capture writes: a thread of its own waits for slow
 * readers and disks, so that nobody else has to.
 *
 * Nothing here prints or exits (but for mem.h), and no signal is raised: what
 * goes wrong is remembered.  All functions are for one thread.
 */
#ifndef TQ_CAPTURE_SINK_H
#define TQ_CAPTURE_SINK_H

#include "tq/base/text.h"
#include "tq/io/zio.h"

struct sink;

/*
 * Write to FILE, or to stdout where it is NULL.  A file is made, or begins
 * anew, and is written in place: what was written stays there, however the
 * program ends.  NULL with errno set.
 */
struct sink *sink_open(const char *file, enum zio_format format);

/*
 * Queue all bytes of t, which is left empty, with other memory.  Never
 * waits.  After an error the bytes are forgotten.
 */
void sink_put(struct sink *s, struct text *t);

/*
 * Once it has written all that was put, the compressor is to hold nothing
 * back, so that a file that ends there can be read up to there.
 */
void sink_flush(struct sink *s);

/* Bytes that were put and not written yet, as they were put. */
size_t sink_behind(struct sink *s);

/* errno of what went wrong first, or 0. */
int sink_error(struct sink *s);

/*
 * Wait until all is written, and free s.  Returns 0 where all of it was, else
 * errno of what went wrong first.
 */
int sink_close(struct sink *s);

#endif
