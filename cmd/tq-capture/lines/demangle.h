/*
 * demangle.h - mangled names of C++ functions become readable
 */
#ifndef TQ_CAPTURE_DEMANGLE_H
#define TQ_CAPTURE_DEMANGLE_H

#include "tq/base/span.h"

/*
 * The full name of a mangled one.  NULL if it is not mangled, if this machine
 * has no C++ run-time library, which does the work, or if that refuses it:
 * GNU's takes up to 1024 bytes.  free(3) the result.
 */
char *demangle(const char *mangled);

/*
 * The base name of a mangled one, without the library: the last of its first
 * identifiers, up to the template arguments; empty if it begins with none.
 */
struct span demangle_source(struct span mangled);

#endif
