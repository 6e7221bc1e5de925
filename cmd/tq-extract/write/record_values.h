/*
 * record_values.h - a record that a source makes value by value, for rows that
 * have to be joined with others before they are written.
 */
#ifndef RECORD_VALUES_H
#define RECORD_VALUES_H

#include "key_choice.h"
#include "row_writer.h"

/* how records of a kind are written */
struct value_map {
	struct record_map map;
	struct column_map *columns; /* one for each key */
	short at[KEY_COUNT];        /* of a row's values; -1: not written */
};

/* {0} but for the first two */
struct record_values {
	struct row_writer *writer;
	const struct key_choice *keys;
	struct value_map maps[KIND_COUNT]; /* made when first used */
	struct value_map *now;             /* of the present record */
};

void record_values_free(struct record_values *r);

/* Begin a record without any value. */
void record_values_begin(struct record_values *r, enum kind kind);

/*
 * Set values of keys that the kind has, but for ts and dur; the text is
 * borrowed until record_values_write.  The text of KEY_args is the members of
 * the object: "a":1,"b":"c".
 */
void record_values_int(struct record_values *r, enum key key, int64_t v);
void record_values_real(struct record_values *r, enum key key, double v);
void record_values_text(
    struct record_values *r, enum key key, struct span text);

/* The same of KEY_grid and KEY_block. */
void record_values_dims(
    struct record_values *r, enum key key, const int64_t dims[3]);

/* Write it; a dur of NEVER_ENDED makes it open. */
void record_values_write(struct record_values *r, int64_t ts, int64_t dur);

/* Write it as a definition, which has no time. */
void record_values_define(struct record_values *r);

/* Add how many events of each kind were written. */
void record_values_count(
    const struct record_values *r, int64_t counts[KIND_COUNT]);

#endif
