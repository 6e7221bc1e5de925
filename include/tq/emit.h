/*
 * emit.h - a record written in canonical form; the only place that knows
 * how.  A record is emit_open, its keys in the order of events.def, and
 * emit_close; nothing is checked but the types.
 */
#ifndef TQ_EMIT_H
#define TQ_EMIT_H

#include "tq/output.h"
#include "tq/schema.h"

enum { EMIT_VERSION = 1 }; /* of the stream format */

/* {"kind":"..." */
void emit_open(struct output *o, enum kind kind);

/* The record line up to its last brace, so that keys can be appended. */
void emit_reopen(struct output *o, struct span line);

/* ,"key": - for a value that the caller appends to o->buf itself */
void emit_key(struct output *o, enum key key);

void emit_int(struct output *o, enum key key, int64_t v);
void emit_bool(struct output *o, enum key key, bool v);

/* Any bytes as a string; returns how many were replaced, as text_add_json. */
size_t emit_str(struct output *o, enum key key, struct span s);

/* A value that is JSON already. */
void emit_json(struct output *o, enum key key, struct span json);

/* The same two, for a text that becomes part of a record. */
void emit_add_int(struct text *t, enum key key, int64_t v);
void emit_add_json(struct text *t, enum key key, struct span json);

/* } and a newline, counted in o->lines. */
void emit_close(struct output *o);

#endif
