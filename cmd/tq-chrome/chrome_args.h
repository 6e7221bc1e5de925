/*
 * chrome_args.h - all that a record has, as the args of a trace event.
 */
#ifndef CHROME_ARGS_H
#define CHROME_ARGS_H

#include "tq/draw/args.h"
#include "tq/names.h"

struct chrome_args {
	struct text *to;
	const struct names *names;
	struct arg_pieces *pieces;    /* by shape and keys */
	struct symbol_member *symbol; /* by id */
	struct args others;
};

/* The most bytes of args, on top of the length of a line. */
enum { CHROME_ARGS_ROOM = KEY_COUNT * TEXT_INT_MAX + 64 };

/* *to and *names are borrowed until chrome_args_free. */
void chrome_args_init(
    struct chrome_args *a, struct text *to, const struct names *names);
void chrome_args_free(struct chrome_args *a);

/*
 * Put ,"args":{...}} to p, which is the end of *a->to, where there is room for
 * CHROME_ARGS_ROOM and the line: keys in the order of the schema, then the
 * others (see args.h).  A symbol or a stack stands where a record refers to it.
 * Returns the end of the event.
 *
 * All records come from one event, or were saved from it: another event has
 * other numbers for its shapes.
 */
char *chrome_args_put(
    struct chrome_args *a, char *p, const struct event *ev, struct keyset keys);

/* Append the keys of a record that opens a section: ,"key":value ... */
void chrome_args_add_keys(struct text *t, const struct event *ev);

#endif
