/* glob.h - matching of globs; private to common/, pattern.h is for others */
#ifndef TQ_ASK_GLOB_H
#define TQ_ASK_GLOB_H

#include "tq/base/text.h"

/* NULL where glob is one, else the error, with *at its place. */
const char *glob_check(struct span glob, size_t *at);

/* Does glob, which was checked, match the whole text? */
bool glob_match(struct span glob, struct span text);

#endif
