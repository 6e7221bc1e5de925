/*
 * musl.h - programs of another C library, whose loader can't load ours
 */
#ifndef TQ_CAPTURE_MUSL_H
#define TQ_CAPTURE_MUSL_H

#include <stdbool.h>

/*
 * True if musl's loader runs the program in that file, or the interpreter of
 * that script: with our libraries in LD_PRELOAD it would not start.  Calls the
 * kernel only, also in a child of vfork(2); errno may change.
 */
bool musl_runs(const char *path);

#endif
