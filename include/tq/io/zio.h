/*
 * zio.h - zstd and gzip, in and out.
 *
 * Errors are constant texts.  After an error nothing but the _close
 * function may be called.
 */
#ifndef TQ_IO_ZIO_H
#define TQ_IO_ZIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tq/base/span.h"

enum zio_format { ZIO_PLAIN, ZIO_ZSTD, ZIO_GZIP };

/* What FILE is to be written as, going by its suffix: .zst or .gz. */
enum zio_format zio_format_of(const char *file);

/* The name without that suffix, in the same bytes. */
struct span zio_plain_name(const char *file);

/*
 * The format of an option, else the format that the suffix of file, which may
 * be NULL, stands for.
 */
enum zio_format zio_format_for(enum zio_format asked, const char *file);

struct zio_reader;
struct parcel_queue;

/* Reads from fd; the format is recognised by the first bytes. */
struct zio_reader *zio_reader_open(int fd);

/*
 * Up to n decompressed bytes into buf; 0 at the end of the file, -1 on an
 * error, with *error set ("zstd data is truncated", strerror, ...).
 * Concatenated frames and members are one text.
 */
ptrdiff_t zio_read(
    struct zio_reader *r, char *buf, size_t n, const char **error);

enum { ZIO_PEEK = 4096 };

/*
 * The same, of up to n bytes, which zio_read gives again: the first ones of
 * all, fewer than n (ZIO_PEEK at most) only where there are no more.
 */
ptrdiff_t zio_peek(
    struct zio_reader *r, char *buf, size_t n, const char **error);

/* From now on call before with arg before each read(2) of fd. */
void zio_reader_before(struct zio_reader *r, void (*before)(void *), void *arg);

/* How many bytes were read from fd, compressed as they are there. */
int64_t zio_reader_taken(const struct zio_reader *r);

/*
 * Before the first byte: parcels (parcel.h) may come, of which zio_read gives
 * the text.  What q gets belongs to bytes that were given or are next.
 */
void zio_reader_parcels(struct zio_reader *r, struct parcel_queue *q);

/*
 * What stood before the bytes that zio_read gave last, for a copy of the
 * parcels; empty where that was nothing.
 */
struct span zio_reader_head(const struct zio_reader *r);

/* Does not close fd. */
void zio_reader_close(struct zio_reader *r);

/* Write all n bytes to fd as they are; false on an error, with errno set. */
bool zio_write_plain(int fd, const char *p, size_t n);

struct zio_writer;

/* NULL where there is no memory, with errno set. */
struct zio_writer *zio_writer_open(int fd, enum zio_format format);

/*
 * Write all n bytes; false on an error, with errno set.  flush also pushes out
 * the bytes that a compressor holds back.
 */
bool zio_write(struct zio_writer *w, const char *buf, size_t n, bool flush);

/* End the compressed text; false as above. */
bool zio_finish(struct zio_writer *w);

/* Does not close fd. */
void zio_writer_close(struct zio_writer *w);

#endif
