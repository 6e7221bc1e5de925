/*
 * typed_row.h - rows whose values are sorted out one by one, for a program to
 * write them as it writes others.
 *
 * A row that SQLite read, or one with values that no program is sure of, is
 * flattened: each value gets its use and its type, and a slot of one size.
 * The types make a row_format.
 */
#ifndef TYPED_ROW_H
#define TYPED_ROW_H

#include "sqlite/row_format.h"
#include "tq/base/intern.h"

/* readers may use doubles: integers beyond this are written as strings */
#define TYPED_EXACT ((int64_t)1 << 53)

/* types besides those of enum sql_type, of which SQL_INT is not 0 here */
enum {
	TYPED_ONES = SQL_BLOB + 1, /* the integer 2^32-1 */
	TYPED_BIG,                 /* one beyond TYPED_EXACT */
	TYPED_ODD,                 /* an integer should be here, and is not */
};

/* how a record uses a value */
enum value_use {
	USE_NONE,
	USE_INTEGER, /* a real is cut, text that spells an integer counts */
	USE_NUMBER,  /* integer or real, as it is */
	USE_TEXT,    /* text, a blob, or an integer's digits */
};

struct typed_value;

/* {0} but for count, the values of a row */
struct typed_row {
	unsigned count;
	unsigned char *types;
	struct typed_value *values;
	struct intern formats_by_types; /* types -> index of formats */
	struct row_format **formats;
	size_t format_count, cap;
	struct row_bytes bytes;
	struct row row;
};

void typed_row_free(struct typed_row *f);

/* Make all values NULL. */
void typed_row_clear(struct typed_row *f);

/* Set value i of the row; text is borrowed. */
void typed_row_set(struct typed_row *f, int i, enum value_use use,
    const struct sql_value *value);

/*
 * The row, when all values are set; it has no rowid, as that is a value.  Good
 * until the next typed_row_set.
 */
const struct row *typed_row_finish(
    struct typed_row *f, int64_t ts, int64_t dur);

#endif
