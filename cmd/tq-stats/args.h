/*
 * args.h - what stands under args: members that reports look at.
 */
#ifndef ARGS_H
#define ARGS_H

#include "tq/line/event.h"

/*
 * The members of these names, as they are written; empty where they are
 * absent.  Good until the next event; scratch is overwritten.
 */
void args_find(const struct event *ev, const char *const *names, size_t count,
    struct span *values, struct text *scratch);

/* An integer, also one that is too large for a double: a string of digits. */
bool args_int(struct span value, int64_t *v);

/* An address: a string with 0x and hexadecimal digits. */
bool args_address(struct span value, uint64_t *v);

/* Is it this string, which has nothing to escape? */
bool args_is(struct span value, const char *s);

#endif
