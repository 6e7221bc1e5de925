/*
 * read_ahead.h - reads an operand; a compressed one is decompressed by a
 * thread of its own, some buffers ahead.
 */
#ifndef READ_AHEAD_H
#define READ_AHEAD_H

#include <stddef.h>

#include "tq/io/zio.h"

struct read_ahead;

/* zio is borrowed until the close. */
struct read_ahead *read_ahead_open(struct zio_reader *zio, bool compressed);

/* As zio_read. */
ptrdiff_t read_ahead_next(
    struct read_ahead *r, char *buf, size_t n, const char **error);

void read_ahead_close(struct read_ahead *r);

#endif
