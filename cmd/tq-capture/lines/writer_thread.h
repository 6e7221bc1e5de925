/*
 * writer_thread.h - a thread that compresses and writes the output: it waits
 * for slow readers and disks, and the rest of tq-capture does not
 *
 * Nothing here prints or exits (but for mem.h), and no signal is raised: the
 * first error is kept.  All functions are for one thread.
 */
#ifndef TQ_CAPTURE_WRITER_THREAD_H
#define TQ_CAPTURE_WRITER_THREAD_H

#include "tq/base/text.h"
#include "tq/io/zio.h"

struct writer_thread;

/*
 * Write to file; NULL: to stdout.  A file is created, or truncated with the
 * first bytes that are put, and written in place: the bytes written so far
 * stay, however the program ends.  NULL with errno set.
 */
struct writer_thread *writer_thread_open(
    const char *file, enum zio_format format);

/*
 * Queue all bytes of t, which becomes empty, with other memory.  Never waits.
 * After an error the bytes are dropped.
 */
void writer_thread_put(struct writer_thread *s, struct text *t);

/*
 * Flush the compressor behind the bytes put so far, so that a file that ends
 * there can be read to its end.
 */
void writer_thread_flush(struct writer_thread *s);

/* Bytes that were put and not written yet, before compression. */
size_t writer_thread_behind(struct writer_thread *s);

/* True if there was no such file before. */
bool writer_thread_created(const struct writer_thread *s);

/* errno of the first error, 0: none. */
int writer_thread_error(struct writer_thread *s);

/*
 * Wait until all is written, and free s.  Returns 0, or errno of the first
 * error, and how many lines were put and not written; the lines that a
 * compressor held are not counted.  If nothing was put, the file stays as it
 * is.
 */
int writer_thread_close(struct writer_thread *s, int64_t *undelivered);

#endif
