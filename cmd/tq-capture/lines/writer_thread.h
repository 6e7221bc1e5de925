/*
 * sink.h - where tq-capture writes: a thread of its own waits for slow
 * readers and disks, so that nobody else has to.
 *
 * Nothing here prints or exits (but for mem.h), and no signal is raised: what
 * goes wrong is remembered.  All functions are for one thread.
 */
#ifndef TQ_CAPTURE_WRITER_THREAD_H
#define TQ_CAPTURE_WRITER_THREAD_H

#include "tq/base/text.h"
#include "tq/io/zio.h"

struct writer_thread;

/*
 * Write to FILE, or to stdout where it is NULL.  A file is made, or begins
 * anew, and is written in place: what was written stays there, however the
 * program ends.  NULL with errno set.
 */
struct writer_thread *writer_thread_open(
    const char *file, enum zio_format format);

/*
 * Queue all bytes of t, which is left empty, with other memory.  Never
 * waits.  After an error the bytes are forgotten.
 */
void writer_thread_put(struct writer_thread *s, struct text *t);

/*
 * Once it has written all that was put, the compressor is to hold nothing
 * back, so that a file that ends there can be read up to there.
 */
void writer_thread_flush(struct writer_thread *s);

/* Bytes that were put and not written yet, as they were put. */
size_t writer_thread_behind(struct writer_thread *s);

/* errno of what went wrong first, or 0. */
int writer_thread_error(struct writer_thread *s);

/*
 * Wait until all is written, and free s.  Returns 0 where all of it was, else
 * errno of what went wrong first.
 */
int writer_thread_close(struct writer_thread *s);

#endif
