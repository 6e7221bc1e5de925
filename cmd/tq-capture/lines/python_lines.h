/*
 * python_lines.h - Python stacks of a program as definitions
 */
#ifndef TQ_CAPTURE_PYTHON_LINES_H
#define TQ_CAPTURE_PYTHON_LINES_H

#include <stdint.h>

#include "tq/base/text.h"

struct lines;

/* Append the text of a frame: "function (file.py:12)". */
void python_lines_frame(
    struct text *to, struct span function, struct span file, int32_t line);

/*
 * The id of the stack that the program gave that number; 0: it has none, or it
 * is not known.  Its frames are "function (file.py:12)".
 */
int64_t python_lines_stack(struct lines *l, uint64_t number);

#endif
