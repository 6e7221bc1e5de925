/*
 * defs.h - the definitions of a section: each is written before the first
 * record that refers to it, and not at all if none does.
 */
#ifndef DEFS_H
#define DEFS_H

#include "tq/ask/expr.h"
#include "tq/io/output.h"
#include "tq/names.h"

struct def;

/* set up by defs_init */
struct defs {
	void (*write)(void *arg, struct span line);
	void *arg; /* of write */

	/* kinds that records refer to by an id, as they are written */
	enum kind referred[KIND_COUNT];
	size_t referred_count;

	struct def *table; /* count of them, by a hash */
	size_t count, size;
	struct text lines;
	struct names symbols;
};

/* write gets the line of a definition. */
void defs_init(
    struct defs *d, void (*write)(void *arg, struct span line), void *arg);

/* Add the keys that the functions below need of definitions, of records. */
void defs_keys_define(struct keyset *want);
void defs_keys_use(struct keyset *want);

/* A definition whose names only expressions read: it is not written. */
void defs_note(struct defs *d, const struct event *ev);

/*
 * A definition, which is written when it is used; at once if it was used or
 * written already.
 */
void defs_add(struct defs *d, const struct event *ev);

/* A definition that the caller has written. */
void defs_written(struct defs *d, const struct event *ev);

/* Write the definitions that a record refers to, each once. */
void defs_use(struct defs *d, const struct event *ev);

/* Forget all definitions: a new section. */
void defs_reset(struct defs *d);

void defs_free(struct defs *d);

#endif
