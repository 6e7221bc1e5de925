/*
 * table_column.h - a column of a row group while it is made: values go in,
 * compressed pages come out.
 *
 * Values are numbers of a dictionary as long as they repeat; a page ends where
 * enough of it is known, and only its compressed bytes are held then.  A few
 * values take the form in which they have the fewest bytes.
 */
#ifndef TQ_TABLE_TABLE_COLUMN_H
#define TQ_TABLE_TABLE_COLUMN_H

#include <zstd.h>

#include "tq/base/intern.h"

#include "page_values.h"

/* the physical types, by their numbers in Parquet */
enum column_type {
	COLUMN_BOOL = 0,
	COLUMN_INT = 2,
	COLUMN_DOUBLE = 5,
	COLUMN_TEXT = 6
};

/* encodings of Parquet that are used */
enum {
	ENCODING_PLAIN = 0,
	ENCODING_LEVELS = 3,
	ENCODING_DELTAS = 5,
	ENCODING_DICTIONARY = 8
};

/* what pages are made with; {0}, and free it */
struct page_press {
	ZSTD_CCtx *zstd;
	struct text body, packed;
};

void table_column_free_press(struct page_press *press);

/* what a row group has of a column */
struct column_pages {
	struct text dictionary, data; /* pages with their headers */
	int64_t unpacked;             /* bytes that they were, with headers */
	unsigned encodings;           /* a bit each */
	bool compressed;
};

struct table_column {
	const char *name, *unit, *doc;
	enum column_type type;
	bool list;     /* of such values */
	bool required; /* no row lacks it */
	bool direct;   /* its values do not repeat: no dictionary any more */
	bool used;     /* a row group before has values of it */

	/* the row group */
	int64_t rows;
	int64_t entries, nulls; /* levels; those without a value */
	int64_t least, most;    /* of integers */
	struct intern dictionary;
	size_t dictionary_bytes;
	bool past_dictionary; /* values do not go there any more */
	size_t values;        /* in the group */
	struct column_pages pages;

	/* the page at hand */
	struct page_numbers present, repeats, indexes;
	struct text plain; /* of values without a dictionary */
	size_t plain_count;
	size_t page_bytes;  /* that the values stand for */
	uint16_t in_list;   /* 1: behind an element */
	struct span recent; /* text in the dictionary, which has this number */
	uint16_t recent_number;
};

/* True if the row group has values of it. */
bool table_column_any(const struct table_column *c);

/*
 * Add a value of row, the number of a row of the group from 0 on; the rows
 * since the last one lack it.  press is what a page is made with that is full.
 */
void table_column_int(
    struct table_column *c, struct page_press *press, int64_t row, int64_t v);
void table_column_bool(
    struct table_column *c, struct page_press *press, int64_t row, bool v);
void table_column_double(
    struct table_column *c, struct page_press *press, int64_t row, double v);
void table_column_text(struct table_column *c, struct page_press *press,
    int64_t row, struct span v);

/* The same of a list: begin it, add its elements, none or more, and end it. */
void table_column_list(
    struct table_column *c, struct page_press *press, int64_t row);
void table_column_add_int(struct table_column *c, int64_t v);
void table_column_add_text(struct table_column *c, struct span v);
void table_column_end_list(struct table_column *c);

/* The row group ends with so many rows: complete c->pages. */
void table_column_finish(
    struct table_column *c, struct page_press *press, int64_t rows);

/* Begin another row group; trim: without memory. */
void table_column_clear(struct table_column *c, bool trim);

void table_column_free(struct table_column *c);

/* Bytes of memory, about. */
size_t table_column_memory(const struct table_column *c);

#endif
