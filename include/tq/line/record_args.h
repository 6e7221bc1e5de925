/*
 * record_args.h - the members of args, the object of a record that is as its
 * source has it.
 */
#ifndef TQ_LINE_RECORD_ARGS_H
#define TQ_LINE_RECORD_ARGS_H

#include "tq/line/event.h"

/*
 * The values of the members with these names, as JSON; empty where absent.
 * Good until the next event; scratch is overwritten.
 */
void record_args_find(const struct event *ev, const char *const *names,
    size_t count, struct span *values, struct text *scratch);

/* An integer, or a string of digits, as for one too large for a double. */
bool record_args_int(struct span value, int64_t *v);

/* An address: a string of 0x and hexadecimal digits. */
bool record_args_address(struct span value, uint64_t *v);

/* True if value is this string, which has nothing to escape. */
bool record_args_is(struct span value, const char *s);

#endif
