/*
 * edit.h - a record with some of its keys changed: the others keep their
 * place and their bytes, new ones are appended.
 */
#ifndef TQ_LINE_EDIT_H
#define TQ_LINE_EDIT_H

#include "tq/line/event.h"

/* {0} changes nothing */
struct edit {
	struct keyset set, dropped;
	bool drop_unknown; /* leave out keys that the schema lacks, too */
	struct span value[KEY_COUNT]; /* JSON, of the keys in set */
};

/* value is borrowed until edit_write. */
static inline void
edit_set(struct edit *e, enum key key, struct span value)
{
	keyset_add(&e->set, key);
	e->value[key] = value;
}

/* Leave the key out. */
static inline void
edit_drop(struct edit *e, enum key key)
{
	keyset_add(&e->dropped, key);
}

/*
 * The same for one member by its name, which may be unknown to the schema:
 * the record in t, without a newline, is changed.
 */
void edit_name(struct text *t, struct span name, struct span value);

/* Append the changed record to t, without a newline. */
void edit_write(const struct edit *e, struct span line, struct text *t);

#endif
