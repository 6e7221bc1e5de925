/*
 * args.h - all that a record knew, as the args of a trace event.
 */
#ifndef ARGS_H
#define ARGS_H

#include "spell.h"
#include "tq/event.h"
#include "tq/names.h"

/* {0} at first; kept from one record to the next */
struct args_scratch {
	struct spell_members members;
	struct text keys, names;
};

/*
 * Append ,"args":{...}: the keys of the record in the order of the schema,
 * but for those in *without; then unknown keys and what is under KEY_args,
 * sorted.  What refers to a symbol or a stack is replaced by it, and a name
 * that is taken gets "args." before it.  *without has KEY_args.  plain says
 * that the strings of the record need no spelling.
 */
void args_add(struct text *t, const struct event *ev, bool plain,
    const struct names *names, const struct keyset *without,
    struct args_scratch *scratch);

/* Append the keys of a record that opens a section: ,"key":value ... */
void args_add_keys(struct text *t, const struct event *ev);

void args_free(struct args_scratch *scratch);

#endif
