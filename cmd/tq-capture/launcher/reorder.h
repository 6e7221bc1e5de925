/*
 * reorder.h - a file that was written as the events came, put in order
 */
#ifndef TQ_CAPTURE_REORDER_H
#define TQ_CAPTURE_REORDER_H

#include <stdbool.h>

#include "tq/io/zio.h"

/*
 * Replace the file, one whole section that tq-capture wrote with slack, by the
 * same in order of time.  False after a message: then it is as it was.
 */
bool reorder_file(const char *file, enum zio_format format);

#endif
