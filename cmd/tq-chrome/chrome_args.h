/*
 * chrome_args.h - all that a record knew, as the args of a trace event.
 */
#ifndef CHROME_ARGS_H
#define CHROME_ARGS_H

#include "arg_pieces.h"
#include "tq/draw/args.h"
#include "tq/names.h"

/* keys that are left out where they are not asked for, in this order */
enum {
	ARGS_TS = 1,
	ARGS_DUR = 2,
	ARGS_ON = 4,
	ARGS_PID = 8,
	ARGS_TID = 16,
	ARGS_SETS = 32 /* of them */
};

enum {
	ARGS_PIECES = 256,
	ARGS_SYMBOLS = 256,
	/* what may come on top of the length of a line */
	ARGS_ROOM = KEY_COUNT * TEXT_INT_MAX + 64
};

struct chrome_args {
	struct text *to;
	const struct names *names;

	struct arg_pieces *pieces;    /* by shape */
	struct symbol_member *symbol; /* by id: those that are known */
	struct args scratch;
};

/* *to and *names are borrowed until chrome_args_free. */
void chrome_args_init(
    struct chrome_args *a, struct text *to, const struct names *names);
void chrome_args_free(struct chrome_args *a);

/*
 * Put ,"args":{...}} to p, which is the end of *a->to, where there is room for
 * ARGS_ROOM and the line: the keys of the record in the order of the schema,
 * but for kind and name, and those above that are not in asked; then unknown
 * keys and what is under KEY_args, sorted.  What refers to a symbol or a stack
 * is replaced by it, and a name that is taken gets "args." before it.  Returns
 * the end of the event.
 *
 * All records come from one event, or were kept (keep.h) from it: another one
 * has other numbers for its shapes.
 */
char *chrome_args_put(
    struct chrome_args *a, char *p, const struct event *ev, unsigned asked);

/* Append the keys of a record that opens a section: ,"key":value ... */
void chrome_args_add_keys(struct text *t, const struct event *ev);

#endif
