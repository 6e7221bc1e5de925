/*
 * args.h - all that a record knew, as the args of a trace event.
 */
#ifndef ARGS_H
#define ARGS_H

#include "tq/members.h"
#include "tq/names.h"

/*
 * Append ,"args":{...}: the keys of the record in the order of the schema,
 * but for those in *without; then unknown keys and what is under KEY_args,
 * sorted.  What refers to a symbol or a stack is replaced by it, and a name
 * that is taken gets "args." before it.  *without has KEY_args.  plain says
 * that the strings of the record need no spelling.  *scratch is kept from one
 * record to the next.
 */
void args_add(struct text *t, const struct event *ev, bool plain,
    const struct names *names, const struct keyset *without,
    struct members *scratch);

/* Append the keys of a record that opens a section: ,"key":value ... */
void args_add_keys(struct text *t, const struct event *ev);

#endif
