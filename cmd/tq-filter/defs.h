/*
 * defs.h - the definitions of a section: each is written before the first
 * record that refers to it, and not at all if none does.
 */
#ifndef DEFS_H
#define DEFS_H

#include "tq/ask/expr.h"
#include "tq/io/output.h"

struct def;

struct defs {
	void (*write)(void *arg, struct span line);
	void *arg; /* of write */

	struct def *table; /* count of them, by a hash */
	size_t count, size;
	struct text lines, texts;
};

/* What the functions below need to know of a definition or of a record. */
void defs_keys_define(struct keyset *want);
void defs_keys_use(struct keyset *want);

/* A definition goes by: for defs_symbol, but not to be written. */
void defs_tell(struct defs *d, const struct event *ev);

/*
 * Keep a definition until it is used; one that was used or written already
 * is written at once.
 */
void defs_add(struct defs *d, const struct event *ev);

/* The definition was written where it stands. */
void defs_written(struct defs *d, const struct event *ev);

/* Write the definitions that a record refers to, if they were not. */
void defs_use(struct defs *d, const struct event *ev);

/* For struct expr_symbols; arg is a struct defs. */
bool defs_symbol(void *arg, int64_t sym, bool mangled, struct span *name);

/* Forget them all: a new section. */
void defs_reset(struct defs *d);

void defs_free(struct defs *d);

#endif
