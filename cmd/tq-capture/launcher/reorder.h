/*
 * reorder.h - sort a file that was written as the events came
 */
#ifndef TQ_CAPTURE_REORDER_H
#define TQ_CAPTURE_REORDER_H

#include <stdbool.h>

#include "tq/io/zio.h"

/*
 * Replace the file, a whole section that tq-capture wrote with slack, by the
 * same section in order of time.  False after a message: the file is unchanged.
 */
bool reorder_file(const char *file, enum zio_format format);

#endif
