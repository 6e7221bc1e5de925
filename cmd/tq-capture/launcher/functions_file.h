/*
 * functions_file.h - a file of functions of Python that are annotated: the
 * JSON of nsys's --python-functions-trace
 *
 *	[{"module": "cupy", "domain": "CuPy", "color": "blue",
 *	  "functions": ["dot", "random.random", {"function": "sort"}]}]
 *
 * An object in "functions" may have "name", "domain" and "color" of its own,
 * and "class" and "shapes": see enum function_flags.  Other keys mean nothing.
 */
#ifndef TQ_CAPTURE_FUNCTIONS_FILE_H
#define TQ_CAPTURE_FUNCTIONS_FILE_H

#include "tq/base/text.h"

/*
 * Append a line for each function, as TQ_CAPTURE_PYTHON has them (see
 * sitecustomize.py): the first without a newline before it if *to is empty.
 * All have these flags (enum function_flags).  False: *why is the error in the
 * file, with its line.  A byte that is not of the text follows it.
 */
bool functions_file_parse(struct text *to, const char *name, struct span all,
    unsigned flags, struct text *why);

/* The same of a file, of 1 MiB at most. */
bool functions_file_read(
    struct text *to, const char *name, unsigned flags, struct text *why);

#endif
