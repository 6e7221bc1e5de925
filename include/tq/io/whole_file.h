/* whole_file.h - a small file, such as one of rules, read at once */
#ifndef TQ_IO_WHOLE_FILE_H
#define TQ_IO_WHOLE_FILE_H

#include "tq/base/text.h"

/* Append all bytes of the file to t; exits 1 with a message if it fails. */
void whole_file_read(struct text *t, const char *file);

/*
 * The same of a file of `most` bytes at most.  Returns 0, or an errno: EFBIG
 * if it is larger.
 */
int whole_file_try(struct text *t, const char *file, size_t most);

#endif
