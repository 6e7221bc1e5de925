/*
 * demangle.h - the names of C++ functions as people write them
 */
#ifndef TQ_CAPTURE_DEMANGLE_H
#define TQ_CAPTURE_DEMANGLE_H

#include "tq/base/text.h"

/*
 * The full name of a mangled one; NULL where it is not mangled, or where the
 * C++ run-time library, which does the work, is not on this machine, or
 * refuses it: that of GNU does not take more than 1024 bytes.  free(3) it.
 */
char *demangle(const char *mangled);

/*
 * The base name of a function within its full name, as nsys has it: without
 * return type, scopes, template arguments and parameters.
 */
struct span demangle_base(struct span full);

/*
 * The same of a mangled name, by its first identifiers alone, up to its
 * template arguments; empty where it does not begin with any.
 */
struct span demangle_source(struct span mangled);

#endif
