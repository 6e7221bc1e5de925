/*
 * sheet.h - rows under headings, in the formats of tables.
 */
#ifndef SHEET_H
#define SHEET_H

#include "tq/io/output.h"

#define SHEET_FORMATS "text|json|ndjson|csv|markdown"

enum sheet_format {
	SHEET_TEXT,
	SHEET_JSON,
	SHEET_NDJSON,
	SHEET_CSV,
	SHEET_MARKDOWN
};

enum { SHEET_COLUMNS = 16 };

/* A column of texts, or of numbers. */
struct sheet_column {
	const char *heading; /* NULL: behind the last */
	bool number;
};

struct sheet_cell {
	size_t at, len; /* in bytes */
};

/* {.title, .columns} has no rows */
struct sheet {
	const char *title;
	const struct sheet_column *columns;
	struct sheet_cell *cells;
	size_t count, cap;
	struct text bytes;
};

/*
 * Add the next cell, rows from left to right.  An absent number is an empty
 * text.
 */
void sheet_text(struct sheet *s, struct span text);
void sheet_int(struct sheet *s, int64_t v);

/* The same for an id, which NO_ID leaves empty. */
void sheet_id(struct sheet *s, int64_t id);

/* v / 10^decimals, where v counts the last decimal. */
void sheet_decimal(struct sheet *s, int64_t v, unsigned decimals);

/*
 * Write all rows.  text and markdown have the title above them, json and
 * ndjson have it as the member "rule" of each row.  json is the elements of an
 * array, whose brackets are the caller's; o->lines counts them.  Without rows
 * csv is empty.
 */
void sheet_write(
    const struct sheet *s, struct output *o, enum sheet_format format);

void sheet_free(struct sheet *s);

#endif
